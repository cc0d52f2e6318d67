"""Many states at once: their masks, and what a player sees of each."""

import functools
from typing import Any

import numpy as np

from ..rules.contract import LIVE, STATUS, Rules, State
from ..rules.jit import compiled, helper, key_on_sources


@helper
def copy_row(source: State, target: State) -> None:
    """Copy a state."""
    for index in range(len(source)):
        target[index] = source[index]


def legal_masks(rules: Rules, states: np.ndarray) -> np.ndarray:
    """The legal actions of many states for the players to move, bool[N, A]; none where a game is over.

    Args:
        rules: the game.
        states: int16[N, S].
    """
    masks = np.empty((len(states), rules.num_actions), np.bool_)
    _masks_kernel(rules)(own_rows(states, rules), masks)
    return masks


def observations(rules: Rules, states: np.ndarray, players: np.ndarray) -> np.ndarray:
    """What a player sees of each state, float32[N, *observation_shape].

    Args:
        rules: the game.
        states: int16[N, S].
        players: int64[N], who looks.
    """
    out = np.empty((len(states), *rules.observation_shape), np.float32)
    _observations_kernel(rules)(own_rows(states, rules), players, out)
    return out


def evaluations(rules: Rules, states: np.ndarray) -> np.ndarray:
    """How far South is ahead in each state, as the rules' `evaluate` reckons it, int64[N].

    Args:
        rules: the game.
        states: int16[N, S].
    """
    out = np.empty(len(states), np.int64)
    _evaluations_kernel(rules)(own_rows(states, rules), out)
    return out


def own_rows(states: np.ndarray, rules: Rules) -> np.ndarray:
    """The states as rules take them, int16[N, S], C-contiguous and writable; a copy only where they are not.

    Raises:
        ValueError: they are not rows of these rules.
    """
    if states.ndim != 2 or states.shape[1] != rules.state_size:
        raise ValueError(f"states of shape {states.shape} are not accepted: {rules.id} takes int16[N, {rules.state_size}]")
    return np.require(states, np.int16, ("C", "W"))


@functools.cache
def _masks_kernel(rules: Rules) -> Any:
    legal = rules.legal

    @compiled
    def fill(states: np.ndarray, masks: np.ndarray) -> None:
        for row in range(len(states)):
            if states[row, STATUS] == LIVE:
                legal(states[row], masks[row])
            else:
                masks[row, :] = False

    key_on_sources(fill)
    return fill


@functools.cache
def _observations_kernel(rules: Rules) -> Any:
    observe = rules.observe

    @compiled
    def fill(states: np.ndarray, players: np.ndarray, out: np.ndarray) -> None:
        for row in range(len(states)):
            observe(states[row], players[row], out[row])

    key_on_sources(fill)
    return fill


@functools.cache
def _evaluations_kernel(rules: Rules) -> Any:
    evaluate = rules.evaluate

    @compiled
    def fill(states: np.ndarray, out: np.ndarray) -> None:
        for row in range(len(states)):
            out[row] = evaluate(states[row])

    key_on_sources(fill)
    return fill
