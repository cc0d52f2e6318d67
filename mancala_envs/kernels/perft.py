"""Counting move sequences, the classic check of a move generator."""

import functools
from typing import Any

import numpy as np

from ..rules.contract import LIVE, STATUS, Rules
from ..rules.jit import compiled, key_on_sources
from .rows import copy_row


def perft(rules: Rules, depth: int, state: np.ndarray | None = None) -> list[int]:
    """The number of sequences of exactly 1, 2, ..., `depth` plies; a finished game is not extended.

    Args:
        rules: the game; repetition needs more plies than can be counted and is not looked for.
        depth: the longest sequences, at least 1.
        state: where to start, int16[S]; by default the opening.
    """
    if depth < 1:
        raise ValueError(f"depth={depth}: at least 1")
    states = np.zeros((depth, rules.state_size), np.int16)
    if state is None:
        rules.init(states[0])
        rules.settle(states[0])
    else:
        states[0] = state
    counts = np.zeros(depth, np.int64)
    _kernel(rules)(states, np.zeros((depth, rules.num_actions), np.bool_), np.zeros(depth, np.int64), counts)
    return counts.tolist()


@functools.cache
def _kernel(rules: Rules) -> Any:
    legal, apply, num_actions = rules.legal, rules.apply, rules.num_actions

    @compiled
    def count_sequences(states: np.ndarray, masks: np.ndarray, cursors: np.ndarray, counts: np.ndarray) -> None:
        if states[0, STATUS] != LIVE:
            return
        last = len(states) - 1
        level = 0
        counts[0] += legal(states[0], masks[0])
        while level >= 0:
            action = cursors[level]
            cursors[level] += 1
            if level == last or action == num_actions:
                cursors[level] = 0
                level -= 1
            elif masks[level, action]:
                copy_row(states[level], states[level + 1])
                apply(states[level + 1], action)
                if states[level + 1, STATUS] == LIVE:
                    level += 1
                    counts[level] += legal(states[level], masks[level])

    key_on_sources(count_sequences)
    return count_sequences
