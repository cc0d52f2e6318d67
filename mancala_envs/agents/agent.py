"""What every player can do."""

from typing import Protocol, runtime_checkable

import numpy as np

from ..position import Position
from ..rules.contract import Rules

MOST_MS = 3_600_000  # of a budget in milliseconds a move: an hour


@runtime_checkable
class Agent(Protocol):
    """A player of one ruleset.

    Attributes:
        name: its spec, for tables.
        rules: the game it plays.
    """

    name: str
    rules: Rules

    def reset(self, seed: int | None = None) -> None:
        """Start its own random numbers anew from `seed`; None takes fresh ones from the system."""

    def act(self, position: Position) -> int:
        """The action it plays in a position that is not over."""

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """The actions it plays in many live states, int16[N, S] -> int64[N]; histories are not known here."""


def states_of(position: Position, agent: Agent) -> np.ndarray:
    """A position as a batch of one state, int16[1, S], for an agent of the same rules.

    Raises:
        ValueError: the position is of other rules, or its game is over.
    """
    if position.rules is not agent.rules and position.rules != agent.rules:
        raise ValueError(f"{agent.name!r} plays {agent.rules.id}, the position is of {position.rules.id}, or of other options")
    if position.is_over:
        raise ValueError(f"the game is over ({position.end_reason}): there is no action to choose")
    return position.state[None]


def choose_all(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """One of the marked actions of each row, uniformly, int64[N].

    Args:
        masks: bool[N, A], at least one marked in each row.
        generator: one number of it is used a row.

    Raises:
        ValueError: a row has none marked.
    """
    counted = masks.cumsum(axis=1)
    counts = counted[:, -1]
    if not counts.all():
        raise ValueError(f"the mask of row {int(np.argmin(counts))} is empty: there is no action to choose")
    chosen = (generator.random(len(masks)) * counts).astype(np.int64)
    return (counted <= chosen[:, None]).sum(axis=1)
