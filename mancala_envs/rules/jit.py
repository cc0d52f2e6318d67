"""Compiled functions: how they are made, and why their machine code is never older than its sources.

Rules and kernels are plain functions that Numba compiles, with `compiled` for what is called from outside and `helper` for what
is written into its callers. Both do without Numba's reference counting, so they allocate nothing; that and writing helpers into
their callers takes a random ply of Oware from 64 to 39 ns.

Numba's disk cache watches only the file a function stands in. A function that calls a helper from another file, or freezes a
constant of it, would go on running its old machine code after that file was edited; and a function that closes over compiled
functions would be compiled anew in every process. So the cache's key here is a digest of everything a function was compiled from:
its own code, that of all functions it calls, however deep and in whatever file, and the values of the constants it freezes.

With `NUMBA_DISABLE_JIT=1` everything here is plain Python.
"""

import hashlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # keys of positions wrap around, as they do in machine code


def compiled(function: Callable[..., Any]) -> Any:
    """Compile `function` at its first call, without the GIL and without allocation; cached on disk (decorator)."""
    return numba.njit(cache=True, nogil=True, _nrt=False)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Like `compiled`, for a function that is written into its callers (decorator)."""
    return numba.njit(cache=True, nogil=True, _nrt=False, forceinline=True)(function)


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
        return sig, codegen.magic_tuple(), self._flags, sources_digest(self._py_func)


class _KeyedFiles(IndexDataCacheFile):
    def save(self, key: tuple[Any, ...], data: Any) -> None:
        self._save_data(self._file_name(key), data)

    def load(self, key: tuple[Any, ...]) -> Any:
        try:
            return self._load_data(self._file_name(key))
        except FileNotFoundError:
            return None

    def _file_name(self, key: tuple[Any, ...]) -> str:
        return self._data_name(hashlib.sha256(f"{numba.__version__}{key}".encode()).hexdigest()[:32])

    def _data_name(self, number: str) -> str:
        return self._index_name.removesuffix("nbi") + f"{number}.nbc"


def key_on_sources(function: Callable[..., Any]) -> None:
    """Key the disk cache and the symbols of `function`, and of every compiled function it calls, on their sources.

    Numba names the machine code of a function after its qualified name and the number it has in the process that compiles it. A
    process that loads one kernel for two games, compiled by two others, would so meet two functions of one name, and call the first
    for both. A digest in the name tells them apart.

    Does nothing for plain Python functions, and only names those that have no file to be cached beside.
    """
    for reached in _functions(function):
        if isinstance(reached, Dispatcher) and not hasattr(reached.py_func, "keyed"):
            python = reached.py_func
            python.keyed = True
            python.__qualname__ += f"_{sources_digest(reached)[:16]}"
            try:
                setattr(reached, "_cache", SourceKeyedCache(reached))  # noqa: B010 (Numba's types do not tell of it)
            except RuntimeError:  # typed into an interpreter: nothing of it is on disk, so nothing can be stale
                continue


def sources_digest(function: Callable[..., Any]) -> str:
    """SHA-256 (hex) of all that `function` is compiled from: the code of every function it calls and the constants they name."""
    digest = hashlib.sha256()
    for reached in _functions(function):
        python = _python(reached)
        digest.update(f"{python.__module__}.{python.__code__.co_qualname}{python.__defaults__}".encode())
        _update_with_code(digest, python.__code__)
        for name, value in _named_values(python):
            if isinstance(value, np.ndarray):
                digest.update(f"{name}{value.dtype}{value.shape}".encode() + value.tobytes())
            elif not inspect.isfunction(_python(value)):
                digest.update(f"{name}={_description(value)}".encode())
    return digest.hexdigest()


def _description(value: Any) -> str:
    """`value` in words that are the same in every process: the repr of a function written in C holds its address."""
    return f"{value.__module__}.{value.__qualname__}" if hasattr(value, "__qualname__") else repr(value)


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
        if not inspect.isfunction(_python(reached)) or any(reached is other for other in found):
            continue
        found.append(reached)
        waiting += [
            value
            for _, value in _named_values(_python(reached))
            if not getattr(value, "__module__", "").startswith(("numba.", "numpy."))
        ]
    return found


def _python(function: Any) -> Any:
    """The Python function behind a compiled function or an intrinsic."""
    return getattr(function, "py_func", getattr(function, "_defn", function))


def _named_values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The free names in `function`, `module.attribute` included, with what they stand for."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    yield from ((name, cell.cell_contents) for name, cell in cells)
    names = sorted(_global_names(function.__code__))
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            yield from ((f"{name}.{attribute}", vars(value)[attribute]) for attribute in names if attribute in vars(value))
        elif value is not None:
            yield name, value


def _global_names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names(constant)
    return names
