"""Compiled functions: how they are made, and why their machine code is never older than its sources.

Rules and kernels are plain functions that Numba compiles, with `compiled` for what is called from outside and `helper` for what
is written into its callers. Both do without Numba's reference counting, so they allocate nothing; that and writing helpers into
their callers takes a random ply of Oware from 64 to 39 ns.

Numba's disk cache watches only the file a function stands in. A function that calls a helper from another file, or freezes a
constant of it, would go on running its old machine code after that file was edited; and a function that closes over compiled
functions would be compiled anew in every process. So the cache's key here is a digest of everything a function was compiled from:
its own code, that of all functions it calls, however deep and in whatever file, and the values of the constants it freezes.
What has no file, such as a function typed into an interpreter, is compiled anew in every process.

With `NUMBA_DISABLE_JIT=1` everything here is plain Python.
"""

import enum
import hashlib
import inspect
import pickle
import types
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # keys of positions wrap around, as they do in machine code


def compiled(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call, without the GIL and without allocation; `key_on_sources` caches it (decorator)."""
    return numba.njit(nogil=True, _nrt=False)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Like `compiled`, for a function that is written into its callers (decorator)."""
    return numba.njit(nogil=True, _nrt=False, forceinline=True)(function)


def make_scratch(size: int) -> Any:
    """scratch() -> int16[size]: memory on the stack of the compiled function that calls it, holding whatever it held before.

    For turns that are played out to see how they end. It is gone when the caller returns, and one call in the text is one piece of
    memory, however often it is run.
    """

    def scratch() -> np.ndarray:
        return np.zeros(size, np.int16)

    if numba.config.DISABLE_JIT:
        return scratch

    def on_the_stack(_: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, __: Any) -> Any:
            memory = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(16), size))
            array = make_array(signature.return_type)(context, builder)
            data = builder.bitcast(memory, ir.IntType(16).as_pointer())
            length, itemsize = context.get_constant(numba.types.intp, size), context.get_constant(numba.types.intp, 2)
            populate_array(array, data=data, shape=[length], strides=[itemsize], itemsize=itemsize, meminfo=None)
            return array._getvalue()

        return numba.types.Array(numba.types.int16, 1, "C")(), codegen

    on_the_stack.__name__ = "scratch"
    made = intrinsic(on_the_stack)
    made.py_func = scratch
    made.scratch_size = size
    return made


def _prefetch(table: np.ndarray, row: int) -> None:
    """Have the cache fetch a row of a table, C-contiguous [R, C], that will be read soon."""


def _make_prefetch() -> Any:
    if numba.config.DISABLE_JIT:
        return _prefetch

    def typed(_: Any, table: Any, row: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(array.strides, 0)
            at = builder.mul(stride, builder.bitcast(arguments[1], stride.type))
            address = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [at])
            flag = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            builder.call(function, [address, flag(0), flag(3), flag(1)])  # to read, near, data
            return context.get_dummy_value()

        return numba.types.void(table, row), codegen

    typed.__name__ = "prefetch"
    made = intrinsic(typed)
    made.py_func = _prefetch
    return made


prefetch = _make_prefetch()


def plain(function: Any, zeros: Callable[..., np.ndarray] = np.zeros) -> Callable[..., Any]:
    """A compiled function as plain Python, and all compiled functions that it calls, too.

    Args:
        function: what `compiled` or `helper` made.
        zeros: called as numpy.zeros is, makes the memory that `make_scratch` speaks of.
    """
    made: dict[int, Any] = {}

    def convert(value: Any) -> Any:
        if not hasattr(value, "py_func"):
            return value
        if hasattr(value, "scratch_size"):
            return lambda: zeros(value.scratch_size, np.int16)
        if id(value) not in made:
            python = value.py_func
            cells = tuple(types.CellType() for _ in python.__code__.co_freevars)
            names = {name: value for name, value in python.__globals__.items() if name in python.__code__.co_names}
            namespace: dict[str, Any] = {"__builtins__": __builtins__}
            made[id(value)] = types.FunctionType(python.__code__, namespace, python.__name__, python.__defaults__, cells)
            namespace.update({name: convert_module(named, python.__code__) or convert(named) for name, named in names.items()})
            for cell, original in zip(cells, python.__closure__ or (), strict=True):
                cell.cell_contents = convert(original.cell_contents)
        return made[id(value)]

    def convert_module(value: Any, code: types.CodeType) -> Any:
        """A namespace of what `code` may name in a module, where compiled functions are among it."""
        if not isinstance(value, types.ModuleType):
            return None
        named = {name: getattr(value, name) for name in code.co_names if hasattr(value, name)}
        if not any(hasattr(part, "py_func") for part in named.values()):
            return None
        return types.SimpleNamespace(**{name: convert(part) for name, part in named.items()})

    return convert(function)


class SourceKeyedCache(FunctionCache):
    """Numba's function cache with a file for every key, the key being a digest of the sources.

    Numba itself numbers its files and keeps an index of them beside. Two processes that compile one kernel for two games at once
    could so come to read each other's machine code; a file named after what it holds cannot be mistaken.
    """

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        self._flags = [
            sorted(reached.targetoptions.items()) for reached in _functions(dispatcher) if isinstance(reached, Dispatcher)
        ]
        self._cache_file = _KeyedFiles(self._cache_path, self._impl.filename_base, None)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sources_digest(self._py_func), self._flags, sig, codegen.magic_tuple()


class _KeyedFiles(IndexDataCacheFile):
    def save(self, key: tuple[Any, ...], data: Any) -> None:
        self._save_data(self._file_name(key), data)

    def load(self, key: tuple[Any, ...]) -> Any:
        try:
            return self._load_data(self._file_name(key))
        except (OSError, EOFError, pickle.UnpicklingError):  # not there, not readable or not whole: it is written anew
            return None

    def _file_name(self, key: tuple[Any, ...]) -> str:
        return self._data_name(hashlib.sha256(f"{numba.__version__}{key}".encode()).hexdigest()[:32])

    def _data_name(self, number: str) -> str:
        return self._index_name.removesuffix("nbi") + f"{number}.nbc"


def key_on_sources(function: Callable[..., Any]) -> None:
    """Cache `function` and every compiled function it calls on disk, cache and symbols keyed on their sources.

    Numba names the machine code of a function after its qualified name and the number it has in the process that compiles it. A
    process that loads one kernel for two games, compiled by two others, would so meet two functions of one name, and call the first
    for both. A digest in the name tells them apart.

    Does nothing for plain Python functions, and only names those that have no file to be cached beside. Where a function was called
    before it had its digest, its machine code has the plain name, so nothing that calls it is cached: key what is called first.
    """
    dispatchers = [reached for reached in _functions(function) if isinstance(reached, Dispatcher)]
    if any(reached.signatures and not hasattr(reached.py_func, "keyed") for reached in dispatchers):
        return
    for reached in dispatchers:
        if not hasattr(reached.py_func, "keyed"):
            python = reached.py_func
            python.keyed = True
            python.__qualname__ += f"_{sources_digest(reached)[:16]}"
            try:
                setattr(reached, "_cache", SourceKeyedCache(reached))  # noqa: B010 (Numba's types do not tell of it)
            except RuntimeError:  # typed into an interpreter: there is no file to cache it beside
                continue


def sources_digest(function: Callable[..., Any]) -> str:
    """SHA-256 (hex) of all that `function` is compiled from: the code of every function it calls and the constants they name.

    It tells what functions say, not which they are: rules that were made twice have one digest, however they are mixed.
    """
    return _digest(function, {}, [])


def _digest(function: Any, known: dict[int, str], callers: list[int]) -> str:
    """The digest of a function that those on the way, `callers`, call; `known` has those of functions met before."""
    if id(function) in callers:  # it calls itself, perhaps through others
        return f"caller {len(callers) - callers.index(id(function))}"
    if id(function) not in known:
        python = _python(function)
        digest = hashlib.sha256(f"{python.__module__}.{python.__code__.co_qualname}".encode())
        _update_with_code(digest, python.__code__)
        for name, value in _named_values(python):
            meaning = _digest(value, known, [*callers, id(function)]) if _is_read(value) else _description(value)
            digest.update(f"{name}={meaning}".encode())
        known[id(function)] = digest.hexdigest()
    return known[id(function)]


def _description(value: Any) -> str:
    """`value` in words that are the same in every process: the repr of a class or a function may hold its address."""
    if isinstance(value, np.ndarray | np.generic):  # whose repr depends on the print options of the process
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, enum.Enum):
        return f"{_description(type(value))}({value.value!r})"
    if isinstance(value, enum.EnumType):
        members: dict[str, Any] = {name: value[name].value for name in value.__members__}
        return f"{value.__module__}.{value.__qualname__}{members}"
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}{getattr(value, '_fields', '')}{_source(value)}"
    return repr(value)


def _source(value: Any) -> str:
    """The text that defines a class or a function; empty where there is none, or where only a new version could change it."""
    try:
        return "" if _is_library(value) else inspect.getsource(value)
    except (OSError, TypeError):  # typed into an interpreter; written in C
        return ""


def _update_with_code(digest: Any, code: types.CodeType) -> None:
    digest.update(code.co_code)
    digest.update(f"{code.co_names}{code.co_varnames}{code.co_freevars}".encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _update_with_code(digest, constant)
        else:
            digest.update(repr(constant).encode())


def _functions(function: Any) -> list[Any]:
    """`function` and all functions it calls, each once, in a fixed order."""
    found: list[Any] = []
    waiting = [function]
    while waiting:
        reached = waiting.pop()
        if _is_read(reached) and not any(reached is other for other in found):
            found.append(reached)
            waiting += [value for _, value in _named_values(_python(reached))]
    return found


def _is_read(value: Any) -> bool:
    """Whether `value` is a function whose text counts: one of ours, compiled or not."""
    return inspect.isfunction(_python(value)) and not _is_library(_python(value))


def _is_library(value: Any) -> bool:
    """Whether `value` is Numba's or NumPy's own."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] in ("numba", "numpy")


def _python(function: Any) -> Any:
    """The Python function behind what Numba makes of one: a compiled function, an intrinsic, a ufunc."""
    return function if inspect.isfunction(function) else getattr(function, "__wrapped__", function)


def _named_values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The free names in `function` and its defaults, with what they stand for; see `_parts`."""
    names = sorted(_global_names(function.__code__))
    modules: set[types.ModuleType] = set()
    yield from _parts("defaults", function.__defaults__ or (), names, modules)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield from _parts(name, cell.cell_contents, names, modules)
    for name in names:
        if name in function.__globals__:
            yield from _parts(name, function.__globals__[name], names, modules)


def _parts(name: str, value: Any, names: list[str], modules: set[types.ModuleType]) -> Iterator[tuple[str, Any]]:
    """`value`; of a tuple also the items, of a module not yet among `modules` also what `names` may stand for in it."""
    if isinstance(value, tuple):
        yield name, getattr(value, "_fields", len(value))
        for index, item in enumerate(value):
            yield from _parts(f"{name}[{index}]", item, names, modules)
    else:
        yield name, value
    if isinstance(value, types.ModuleType) and value not in modules:
        modules.add(value)
        for attribute in names:
            if attribute in vars(value):
                yield from _parts(f"{name}.{attribute}", vars(value)[attribute], names, modules)


def _global_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names(constant)
    return names
