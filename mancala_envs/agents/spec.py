"""Players from spec strings: `random`, `greedy`, `alphabeta:depth=4`, `mcts:simulations=400`, `policy:PATH`, `table:oware`."""

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

from ..rules import make_rules
from ..rules.contract import Rules
from .agent import Agent
from .alphabeta import AlphaBeta, Greedy
from .mcts import MCTS
from .random import Random
from .table import Table


def _policy(rules: Rules, path: str, sample: bool = False, device: str = "auto", seed: int | None = None) -> Agent:
    from .policy import Policy  # imports torch

    return Policy(rules, path, sample, device, seed)


MAKERS: dict[str, Callable[..., Agent]] = {
    "random": Random,
    "greedy": Greedy,
    "alphabeta": AlphaBeta,
    "mcts": MCTS,
    "policy": _policy,
    "table": Table,
}


def make_agent(spec: str | Agent, rules: str | Rules, seed: int | None = None) -> Agent:
    """The player that a spec describes.

    Args:
        spec: a name, or a name with options as in `alphabeta:depth=4,threads=2`; `policy:PATH` is a trained policy, and
            `policy:PATH,sample=true` one that draws its actions; `table:PATH` plays by endgame tables, `table:oware` by those
            that are packaged. An agent that is made already is returned as it is, if it plays these rules.
        rules: the game, or its id.
        seed: seed of its random numbers; fresh ones if None.

    Raises:
        ValueError: the spec names no player, or an option that it does not have; names those that exist.
    """
    rules = make_rules(rules)
    if not isinstance(spec, str) and not hasattr(spec, "rules"):
        raise ValueError(f"agent {spec!r} is not accepted: an Agent, or one of {', '.join(SPECS)}")
    if not isinstance(spec, str):
        if spec.rules != rules:
            raise ValueError(f"agent {spec.name!r} plays {spec.rules.id}, not {rules.id}, or with other options")
        return spec
    name, _, rest = spec.partition(":")
    if name not in MAKERS:
        raise ValueError(f"no agent {spec!r}; there are {', '.join(SPECS)}")
    maker = MAKERS[name]
    if "path" in inspect.signature(maker).parameters:
        path, rest = _path_and_options(rest, maker)
        if not path:
            raise ValueError(f"agent {spec!r} names no folder: write {name}:PATH")
        maker = functools.partial(maker, path=path)
    return maker(rules, **_options(spec, rest, maker), seed=seed)


def _path_and_options(text: str, maker: Callable[..., Agent]) -> tuple[str, str]:
    """The path and the options of `PATH,sample=true`; commas before the first option that there is belong to the path."""
    path, *options = re.split(f",(?=(?:{'|'.join(_defaults(maker))})=)", text, maxsplit=1)
    return path, "".join(options)


def _defaults(maker: Callable[..., Agent]) -> dict[str, Any]:
    """The options that a spec can set, with their defaults."""
    parameters = inspect.signature(maker).parameters
    return {name: p.default for name, p in parameters.items() if name not in ("rules", "path", "seed", "tables")}


def _options(spec: str, text: str, maker: Callable[..., Agent]) -> dict[str, Any]:
    """The options of a spec, key=value,key=value, each of the type of the maker's default."""
    defaults = _defaults(maker)
    options = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        if not equals or key not in defaults:
            has = ", ".join(f"{name}={default}" for name, default in defaults.items()) or "no options"
            raise ValueError(f"agent {spec!r}: {part!r} is not accepted; it has {has}")
        kind = int if defaults[key] is None else type(defaults[key])  # None: a number that is not given
        try:
            options[key] = TRUTH[value] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise ValueError(f"agent {spec!r}: {key}={value!r} is not accepted: {key} is of type {kind.__name__}") from None
    return options


TRUTH = {"true": True, "false": False}
SPECS = ("random", "greedy", "alphabeta:depth=N", "mcts:simulations=N", "policy:PATH", "table:PATH")
