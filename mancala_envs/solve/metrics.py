"""How far an agent is from perfect play: what its moves give away, and how often they are best."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np

from ..position import Position
from ..rules.contract import Rules
from .positions import PositionSet, valued


class Player(Protocol):
    """What is asked of an agent here; every `mancala_envs.Agent` can do it."""

    name: str
    rules: Rules

    def reset(self, seed: int | None = None) -> None:
        """Start its own random numbers anew."""

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """The actions it plays in many live states, int16[N, S] -> int64[N]."""


def regret(agent: Player, positions: PositionSet | Iterable[Position], seed: int = 0) -> float:
    """The mean of what an agent's moves give away: the value of the best action less that of the action it plays.

    In seeds of the final margin; in results, of which there are 2 between a loss and a win, where values are results. Who plays for
    the win alone gives away seeds that he does not need for it.

    Args:
        agent: who plays; each position is the first of its history.
        positions: a set such as `position_set(rules)`, or positions that the oracle can value.
        seed: the agent's random numbers follow from it.

    Raises:
        ValueError: the positions are of another game, or have no known value; or the agent's answer is not legal.
        TypeError: it is no agent, but perhaps the text that `mancala_envs.make_agent` makes one from.
    """
    return float(regrets(agent, positions, seed).mean())


def optimal_move_rate(agent: Player, positions: PositionSet | Iterable[Position], seed: int = 0) -> float:
    """The share of positions in which an agent plays an action that no other beats; arguments and errors as in `regret`."""
    return float((regrets(agent, positions, seed) == 0).mean())


def regrets(agent: Player, positions: PositionSet | Iterable[Position], seed: int = 0) -> np.ndarray:
    """What the agent's move gives away in each position, int64[N]; arguments and errors as in `regret`."""
    if not hasattr(agent, "act_batch"):
        raise TypeError(f"{agent!r} is no agent: make one with mancala_envs.make_agent({agent!r}, rules)")
    known = positions if isinstance(positions, PositionSet) else valued(positions)
    if agent.rules != known.rules:
        raise ValueError(f"{agent.name!r} plays {agent.rules!r}, the positions are of {known.rules!r}")
    agent.reset(seed)
    return known.regrets(agent.act_batch(known.states.copy()))
