"""Numbering of positions: n seeds in k holes, one number each, without gaps.

A position is read from the side of the player to move: p[0] .. p[k/2 - 1] are his houses by index, the rest those of his opponent.
A layer is all positions with n seeds; there are C(n + k - 1, k - 1) of them. Within a layer positions are ordered as words, by
p[0], then p[1] and so on, and layers follow each other, so that every position has a place in one long array:

    place   0         1 ...              offset(n) ...
            0 seeds   1 seed, (0..0 1)   n seeds, from (0, ..., 0, n) to (n, 0, ..., 0)

With r(i) the seeds in the holes from i on, and ways(m, r) = C(r + m - 1, m - 1) the ways to lay r seeds into m holes, of which
there are none for r = -1,

    rank  = ways(k, n) - 1 - sum over i = 1 .. k-1 of ways(k - i + 1, r(i) - 1)
    place = rank + ways(k + 1, n - 1)

the combinatorial number system (Lehmer 1964). So a place is a sum of one table entry a hole. Loops over a layer go from a
position to the next one, which takes a few instructions.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from ..rules.contract import BOARD, State, player_to_move
from ..rules.jit import compiled, helper, key_on_sources

MOST_SEEDS = 48  # in a numbered position; with 24 holes the places then fit 63 bits


def layer_size(holes: int, seeds: int) -> int:
    """How many positions have exactly `seeds` seeds."""
    return math.comb(seeds + holes - 1, holes - 1)


def layer_offset(holes: int, seeds: int) -> int:
    """How many positions have fewer than `seeds` seeds: the place of the first one that has as many."""
    return math.comb(seeds + holes - 1, holes) if seeds else 0


class Ranking(NamedTuple):
    """Compiled functions on states of a board of two rows; all take the seeds in the holes for granted, at most MOST_SEEDS.

    place(state) -> int               the place of a state, from the side of its player to move
    first(state, seeds)               write the first position of a layer, South to move
    last(state, seeds)                write the last one
    unrank(state, seeds, rank)        write any one
    next(state), previous(state)      from a position, South to move, to the one after or before it in its layer; the first one has
                                      none before it, the last one none after it
    """

    place: Any
    first: Any
    last: Any
    unrank: Any
    next: Any
    previous: Any


@functools.cache
def make_ranking(houses: int) -> Ranking:
    """The numbering for boards of two rows of `houses` holes."""
    holes = 2 * houses
    width = MOST_SEEDS + 1
    terms = np.zeros((holes, width), np.int64)
    for seeds in range(width):
        terms[0, seeds] = layer_offset(holes, seeds) + layer_size(holes, seeds) - 1
        for hole in range(1, holes):
            terms[hole, seeds] = -layer_size(holes - hole + 1, seeds - 1) if seeds else 0
    ways = np.array([[layer_size(count, seeds) for seeds in range(width)] for count in range(1, holes + 1)])

    @helper
    def place(state: State) -> int:
        mover = player_to_move(state)
        own, other = BOARD + mover * houses, BOARD + (1 - mover) * houses
        seeds, found = 0, 0
        for house in range(houses - 1, -1, -1):
            seeds += state[other + house]
            found += terms[houses + house, np.uint64(seeds)]
        for house in range(houses - 1, -1, -1):
            seeds += state[own + house]
            found += terms[house, np.uint64(seeds)]
        return found

    @helper
    def lay(state: State, hole: int, seeds: int) -> None:
        for index in range(len(state)):
            state[index] = 0
        state[BOARD + hole] = seeds

    @helper
    def first(state: State, seeds: int) -> None:
        lay(state, holes - 1, seeds)

    @helper
    def last(state: State, seeds: int) -> None:
        lay(state, 0, seeds)

    @compiled
    def unrank(state: State, seeds: int, rank: int) -> None:
        first(state, seeds)
        for hole in range(holes - 1):
            held = 0
            while rank >= ways[holes - hole - 2, seeds - held]:
                rank -= ways[holes - hole - 2, seeds - held]
                held += 1
            state[BOARD + hole] = held
            seeds -= held
        state[BOARD + holes - 1] = seeds

    key_on_sources(unrank)

    @helper
    def next_position(state: State) -> None:
        hole = BOARD + holes - 1
        while state[hole] == 0:
            hole -= 1
        seeds = state[hole]
        state[hole] = 0
        state[hole - 1] += 1
        state[BOARD + holes - 1] = seeds - 1

    @helper
    def previous_position(state: State) -> None:
        hole = BOARD + holes - 2
        while state[hole] == 0:
            hole -= 1
        seeds = state[BOARD + holes - 1]
        state[BOARD + holes - 1] = 0
        state[hole] -= 1
        state[hole + 1] = seeds + 1

    return Ranking(place, first, last, unrank, next_position, previous_position)
