"""What the commands share: the ruleset that is asked for, tables, files."""

import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..files import write_file
from ..rules import Rules, make_rules, rulesets
from ..rules.registry import parse_options

PACKAGES = ("mancala-envs", "numpy", "numba", "gymnasium", "pettingzoo", "stable-baselines3", "sb3-contrib", "torch")


def check_flags(argv: Sequence[str]) -> None:
    """Raise ValueError if a flag is given twice, of which the first would be passed over."""
    flags = [word.partition("=")[0] for word in argv if word.startswith("--")]
    twice = [flag for flag in flags if flags.count(flag) > 1]
    if twice:
        raise ValueError(f"{twice[0]} is given twice: write it once, with all its values after it")


def load_rules_file(path: Path | None) -> None:
    """Import a user's file, which registers its rulesets and may import what stands beside it; None does nothing.

    Raises:
        ValueError: there is no such file.
        ImportError: the file fails; its own error is the cause.
    """
    if path is None:
        return
    if not path.is_file() or path.suffix != ".py":
        raise ValueError(f"rules file {str(path)!r} is not accepted: a Python file that registers rulesets")
    name = f"rules_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:  # never for a path that ends with .py, but the types allow it
        raise ValueError(f"rules file {str(path)!r} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # of any kind, lest the command take it for an error of its own input and hide where it arose
        raise ImportError(f"rules file {str(path)!r} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)


def chosen_rules(ruleset: str, options: Sequence[str], rules_file: Path | None) -> Rules:
    """The rules that a command's arguments ask for; raises ValueError as `parse_options` does."""
    load_rules_file(rules_file)
    try:
        return make_rules(ruleset, **parse_options(ruleset, options))
    except ValueError as error:
        if rules_file is None and ruleset not in rulesets():
            raise ValueError(f"{error}, and those of a --rules-file") from None
        raise


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Lines of aligned columns; those whose numbers are in `right` are flush right."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [cell.rjust(widths[at]) if at in right else cell.ljust(widths[at]) for at, cell in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results depend on, as far as they are installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """The processor and the number of its cores that this process may use."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = names[0] if names else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, {platform.system()}"


def check_out(path: Path | None) -> None:
    """Raise ValueError if no file can be written there, before the work whose results it is to hold."""
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise ValueError(f"--out {str(path)!r} is not accepted: a file in a folder that exists")


def write_json(path: Path, content: Any) -> None:
    """Write JSON, whole or not at all."""
    write_file(path, (json.dumps(content, indent=2) + "\n").encode())
