"""What the games on four rows share: where the holes lie, their names, sowing round a player's own ring, what a player sees.

Each player has a ring of sixteen holes of his own; hole h of player p stands at 16 * p + h. As each player sees his own side, +1 is
clockwise:

    front row   0   1   2   3   4   5   6   7        front hole h faces the other player's front hole 7 - h
    back row   15  14  13  12  11  10   9   8        file f, 1 to 8 from the left, is front hole f - 1
"""

from typing import Any

import numpy as np

from .contract import BOARD, Board, State
from .jit import helper

FILES = 8
RING = 16
HOLES = 2 * RING
FIELD = slice(BOARD, BOARD + HOLES)  # where the holes stand in a state

_BACK, _FRONT = tuple(range(RING - 1, FILES - 1, -1)), tuple(range(FILES))  # from the owner's left
_NAMES = tuple(f"A{file + 1}" for file in _FRONT) + tuple(f"B{RING - hole}" for hole in range(FILES, RING))


def board(seeds: int) -> Board:
    """The board, with so many seeds in the game: A is a player's front row, B his back row, 1 to 8 from his left; North small."""
    north = [tuple(RING + hole for hole in reversed(row)) for row in (_BACK, _FRONT)]
    return Board(rows=(*north, _FRONT, _BACK), names=_NAMES + tuple(name.lower() for name in _NAMES), has_stores=False, seeds=seeds)


def action_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How South and North write action hole * 2 + direction: A5R sows the fifth front hole to its owner's right."""
    south = tuple(
        name + ("R" if clockwise == (hole < FILES) else "L") for hole, name in enumerate(_NAMES) for clockwise in (False, True)
    )
    return south, tuple(name[:-1].lower() + name[-1] for name in south)


@helper
def sow(holes: State, own: int, hole: int, step: int, seeds: int) -> int:
    """Sow `seeds` one by one into the holes after `hole` of the ring that begins at index `own`; returns the last hole.

    Args:
        holes: a state, or a copy of its holes.
        own: index of the ring's hole 0.
        hole: 0 to 15.
        step: +1 clockwise, -1 counter-clockwise.
        seeds: how many.
    """
    for _ in range(seeds):
        hole = (hole + step) & (RING - 1)
        holes[own + hole] += 1
    return hole


def observe_holes(scale: float) -> Any:
    """observe_holes(state, player, out): the player's own ring and then the other's, each from its hole 0, times `scale`."""
    factor = np.float32(scale)

    @helper
    def observe_holes(state: State, player: int, out: np.ndarray) -> None:
        own, other = BOARD + player * RING, BOARD + (1 - player) * RING
        for hole in range(RING):
            out[hole] = state[own + hole] * factor
            out[RING + hole] = state[other + hole] * factor

    return observe_holes
