"""Repetition: which positions a game has met since its last ply that cannot be undone.

The histories of N games are two arrays. `near`, int64[N, NEAR], holds a row a game: first a Bloom filter of 512 bits, emptied by a
ply that cannot be undone, then, by QUIET, the keys of the first positions since. `far`, int64[N, ...], holds the keys of later
ones. Most positions are new, which the filter says at the cost of one cache line; only where it does not are the keys searched.
With 4096 games at play this layout takes 20 ns a ply less than one long row a game, most of which lies idle.

Keys are sums of the row's words, folded and each times a random odd number, modulo 2**64: two positions of a stretch share one by
chance at most once in 10**14.
"""

import functools
from typing import Any

import numpy as np

from ..rules.contract import BOARD, GOES_ON, LIVE, QUIET, REASON, STATUS, TO_MOVE, Rules, State
from ..rules.jit import compiled, helper

FILTER = 8
NEAR = 32
Histories = tuple[np.ndarray, np.ndarray]  # near, far
ONLY_GAME = np.uint64(0)  # the number of a game that has histories of its own
WEIGHTS = np.random.default_rng(20000612).integers(1, 2**63, 4096) | 1


def new_histories(rules: Rules, games: int) -> Histories:
    """Empty histories (near, far) of that many games; without room where no position is adjudicated."""
    if not rules.cycle_count:
        return np.zeros((games, 0), np.int64), np.zeros((games, 0), np.int64)
    return np.zeros((games, NEAR), np.int64), np.zeros((games, max(0, rules.max_plies + 1 + FILTER - NEAR)), np.int64)


@functools.cache
def repetition(rules: Rules) -> tuple[Any, Any]:
    """Two compiled functions over a state and the history of its game.

    enter(state, histories, game) -> count    enter the position of a new game or turn; count is how often it has occurred by now
    judge(state, histories, game)             enter the position after a ply and adjudicate it if it has come back too often
    """
    adjudicate, settle, cycle_count = rules.adjudicate, rules.settle, rules.cycle_count
    state_size = rules.state_size
    words_size = (state_size - BOARD) // 4  # four numbers are read at once as a word
    weights = WEIGHTS[:state_size].copy()

    @helper
    def position_key(state: State) -> int:
        words = state[BOARD : BOARD + 4 * words_size].view(np.int64)
        key = (state[TO_MOVE] + 1) * weights[TO_MOVE]  # an empty board, too, differs from the 0 of an empty place
        for index in range(words_size):
            # folded, or else only 16 bits of the key would tell apart what differs in the last number of each word
            key += (words[index] ^ (words[index] >> 31)) * weights[BOARD + index]
        for index in range(BOARD + 4 * words_size, state_size):
            key += state[index] * weights[index]
        return key

    @helper
    def enter(state: State, histories: Histories, game: int) -> int:
        if cycle_count == 0:
            return 0
        near, far = histories[0][game], histories[1][game]
        quiet = int(state[QUIET]) & 0x7FFF  # never negative, which spares the compiler's tests for it
        key = position_key(state)
        word, bit = (key >> 61) & (FILTER - 1), np.int64(1) << (key >> 55 & 63)
        if quiet == 0:
            for index in range(FILTER):
                near[index] = 0
        may_have_occurred = near[word] & bit != 0
        near[word] |= bit
        if quiet < NEAR - FILTER:
            near[FILTER + quiet] = key
        elif quiet + FILTER - NEAR < len(far):
            far[FILTER + quiet - NEAR] = key
        else:
            return 1  # rules that go on beyond their own `max_plies`
        count = 1
        if may_have_occurred:
            for index in range(FILTER, min(FILTER + quiet, NEAR)):
                count += near[index] == key
            for index in range(FILTER + quiet - NEAR):
                count += far[index] == key
        return count

    @compiled
    def come_back(state: State, histories: Histories, game: int) -> None:
        state[STATUS], state[REASON] = LIVE, GOES_ON  # an ending by the rules goes before one by the ply limit
        adjudicate(state)
        if state[STATUS] == LIVE:  # the game goes on from a fresh position
            state[QUIET] = 0
            enter(state, histories, game)
            settle(state)

    @helper
    def judge(state: State, histories: Histories, game: int) -> None:
        if cycle_count and state[STATUS] & 3 == LIVE and enter(state, histories, game) >= cycle_count:  # or TRUNCATED
            come_back(state, histories, game)

    return enter, judge
