"""Repetition: which positions a game has met since its last ply that cannot be undone.

A game's history is two rows, indexed by QUIET: `keys`, int64[max_plies + 1], the key of each position, and `links`,
int16[BUCKETS + max_plies + 1], which chains the positions whose keys fall into the same bucket. Nothing is ever cleared: an entry
of an earlier stretch of the game shows itself as stale, since its index has not been reached yet or holds a key of another bucket.
Keys are sums of the row's numbers, each times a random odd number, modulo 2**64: two positions of a stretch share one by chance
about once in 10**19.
"""

import functools
from typing import Any

import numpy as np

from ..rules.contract import BOARD, LIVE, QUIET, STATUS, TO_MOVE, Rules, State
from ..rules.jit import helper

BUCKETS = 256
NOWHERE = -1
WEIGHTS = np.random.default_rng(20000612).integers(1, 2**63, 4096) | 1


def new_histories(rules: Rules, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Empty histories (keys, links) of that many games; without room where no position is adjudicated."""
    plies = rules.max_plies + 1 if rules.cycle_count else 0
    return np.zeros((games, plies), np.int64), np.zeros((games, BUCKETS + plies if plies else 0), np.int16)


@functools.cache
def repetition(rules: Rules) -> tuple[Any, Any]:
    """Two compiled functions over a state and its history.

    enter(state, keys, links) -> count    enter the position of a new game or turn; count is how often it has occurred by now
    judge(state, keys, links)             enter the position after a ply and adjudicate it if it has come back too often
    """
    adjudicate, cycle_count = rules.adjudicate, rules.cycle_count
    state_size = rules.state_size
    quads = (state_size - BOARD) // 4
    weights = WEIGHTS[:state_size].copy()

    @helper
    def enter(state: State, keys: np.ndarray, links: np.ndarray) -> int:
        if cycle_count == 0:
            return 0
        quiet = state[QUIET]
        words = state[BOARD : BOARD + 4 * quads].view(np.int64)
        key = state[TO_MOVE] * weights[TO_MOVE]
        for index in range(quads):
            key += words[index] * weights[BOARD + index]
        for index in range(BOARD + 4 * quads, state_size):
            key += state[index] * weights[index]
        bucket = (key >> 40) & (BUCKETS - 1)
        keys[quiet] = key
        earlier = np.int64(links[bucket])
        is_stale = (earlier >= quiet) | ((keys[earlier] >> 40) & (BUCKETS - 1) != bucket)
        earlier = NOWHERE if is_stale else earlier  # no branch: it could not be predicted
        links[bucket] = quiet
        links[BUCKETS + quiet] = earlier
        count = 1
        while earlier != NOWHERE:
            count += keys[earlier] == key
            earlier = np.int64(links[BUCKETS + earlier])
        return count

    @helper
    def judge(state: State, keys: np.ndarray, links: np.ndarray) -> None:
        if cycle_count and state[STATUS] == LIVE and enter(state, keys, links) >= cycle_count:
            adjudicate(state)
            if state[STATUS] == LIVE:  # the game goes on from a fresh position
                enter(state, keys, links)

    return enter, judge
