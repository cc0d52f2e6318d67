"""Sowing on a ring of holes, as compiled helpers; a family takes the one it needs with its number of holes."""

from typing import Any

import numpy as np

from .contract import BOARD, State
from .jit import helper

MOST_LAPS = 1000  # of a turn: one that has not ended by then is endless


def make_sow(holes: int) -> Any:
    """sow(state, hole, seeds) -> last: sow `seeds` one by one into the holes after `hole`, round a ring of `holes`."""

    @helper
    def sow(state: State, hole: int, seeds: int) -> int:
        for _ in range(seeds):
            hole += 1
            if hole == holes:
                hole = 0
            state[np.uint64(BOARD + hole)] += 1  # unsigned, so that no negative index need be looked for
        return hole

    return sow


def make_lift_and_sow(holes: int, skip_origin: bool = True) -> Any:
    """lift_and_sow(state, origin) -> last: sow all seeds of `origin` into the holes after it; `skip_origin` leaves it out."""
    sow = make_sow(holes)

    @helper
    def lift_and_sow(state: State, origin: int) -> int:
        in_hand = state[BOARD + origin]
        while skip_origin and in_hand >= holes:
            sow(state, origin, holes - 1)  # a whole circuit
            in_hand -= holes - 1
        state[BOARD + origin] = 0
        return sow(state, origin, in_hand)

    return lift_and_sow


def make_sow_past_stores(houses: int, skip_origin: bool, both_stores: bool = False) -> Any:
    """lift_and_sow(state, origin, mover) -> (last, own, other, ends_in_store): sow `origin` past the mover's store, which is sown.

    Two rows of `houses` holes; `skip_origin` leaves out the origin, `both_stores` sows the opponent's store too. `last` is the last
    hole sown, `own` and `other` are the seeds for the mover's and the opponent's store, which are not yet there; `ends_in_store`
    says whether the last seed fell into the mover's.

    A circuit:   the mover's holes after the origin | his store | the opponent's holes | (his store) | the mover's up to the origin
    """
    circuit = 2 * houses + 1 + both_stores - skip_origin
    sow = make_sow(2 * houses)

    @helper
    def lift_and_sow(state: State, origin: int, mover: int) -> tuple[int, int, int, bool]:
        in_hand = int(state[BOARD + origin])
        to_store = (mover + 1) * houses - origin
        state[BOARD + origin] = 0
        circuits = 0
        while in_hand > circuit:
            sow(state, origin, circuit - 1 - both_stores)  # a whole circuit, the seeds for the stores apart
            in_hand -= circuit
            circuits += 1
        own = in_hand >= to_store
        other = both_stores & (in_hand > to_store + houses)
        last = sow(state, origin, in_hand - own - other)
        return last, circuits + own, circuits * both_stores + other, in_hand == to_store

    return lift_and_sow
