"""Sowing on a ring of holes, as compiled helpers; a family takes the one it needs with its number of holes."""

from typing import Any

import numpy as np

from .contract import BOARD, State
from .jit import helper


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


def make_lift_and_sow(holes: int) -> Any:
    """lift_and_sow(state, origin) -> last: sow all seeds of `origin` into the other holes; the origin is left out."""
    sow = make_sow(holes)

    @helper
    def lift_and_sow(state: State, origin: int) -> int:
        in_hand = state[BOARD + origin]
        while in_hand >= holes:
            sow(state, origin, holes - 1)  # a whole circuit
            in_hand -= holes - 1
        state[BOARD + origin] = 0
        return sow(state, origin, in_hand)

    return lift_and_sow
