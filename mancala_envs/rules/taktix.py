"""TakTix starts from a full square of pieces. A player takes one or more pieces of a single row or column [N].

`taktix` is the game of [N]: gaps may be jumped, and who takes the last piece wins. `tactix_hein` is Piet Hein's TacTix [H]: the
pieces taken must stand side by side without a gap, and who takes the last piece loses.

Sources: [N] Nim, version Taktix (Polish leaflet); [H] Martin Gardner's account of 1958, kruzno.com and HAKMEM item 74, by which the
second player wins on 4 x 4.
"""

from collections.abc import Mapping

import numpy as np

from .contract import (
    BOARD,
    LAST_PIECE,
    LIVE,
    NORTH_WON,
    PLY,
    REASON,
    SOUTH_WON,
    STATUS,
    TO_MOVE,
    YES_NO,
    Board,
    Family,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    truncate,
)
from .jit import compiled, helper

OPTIONS = {
    "size": Option(4, range(2, 6), "rows and columns of the square"),
    "contiguous": Option(False, YES_NO, "whether the pieces taken must stand side by side without a gap [H]"),
    "misere": Option(False, YES_NO, "whether the player who takes the last piece loses [H]"),
}


def line_sets(size: int, contiguous: bool) -> list[int]:
    """The sets of cells that one move can take, ascending, as bitmasks: bit row * size + column.

    Args:
        size: cells a side.
        contiguous: only sets without a gap.
    """
    rows = [[row * size + column for column in range(size)] for row in range(size)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    sets = set()
    for line in rows + columns:
        for chosen in range(1, 2**size):
            cells = [cell for position, cell in enumerate(line) if chosen >> position & 1]
            without_gap = line.index(cells[-1]) - line.index(cells[0]) + 1 == len(cells)
            if without_gap or not contiguous:
                sets.add(sum(1 << cell for cell in cells))
    return sorted(sets)


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """TakTix with the given options; see `OPTIONS`."""
    size, misere, max_plies = int(options["size"]), bool(options["misere"]), int(options["max_plies"])
    cells = size * size
    sets = line_sets(size, bool(options["contiguous"]))
    taken_by = np.array(sets, np.int64)  # [A]

    @helper
    def pieces(state: State) -> int:
        """The pieces on the board as a bitmask."""
        bits = 0
        for cell in range(cells):
            bits |= int(state[BOARD + cell]) << cell
        return bits

    @compiled
    def init(state: State) -> None:
        state[:] = 0
        for cell in range(cells):
            state[BOARD + cell] = 1

    @compiled
    def legal(state: State, mask: Mask) -> int:
        absent = ~pieces(state)
        count = 0
        for action in range(len(taken_by)):
            mask[action] = taken_by[action] & absent == 0
            count += mask[action]
        return count

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] != LIVE:
            return
        if pieces(state) == 0:
            last_taker = 1 - state[TO_MOVE]
            winner = 1 - last_taker if misere else last_taker
            state[STATUS] = SOUTH_WON if winner == 0 else NORTH_WON
            state[REASON] = LAST_PIECE
        elif state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def apply(state: State, action: int) -> None:
        taken = taken_by[action]
        for cell in range(cells):
            state[BOARD + cell] &= ~(taken >> cell) & 1
        end_ply(state, True, 1 - state[TO_MOVE])
        settle(state)

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:  # noqa: ARG001 (both players see the same)
        for cell in range(cells):
            out[cell] = state[BOARD + cell]

    @compiled
    def adjudicate(state: State) -> None:
        """Does nothing: pieces only leave the board, so no position can come back."""

    def check(state: State) -> None:
        values = state[BOARD : BOARD + cells]
        if not np.isin(values, (0, 1)).all():
            raise ValueError(f"cells {values.tolist()}: each is 0 (empty) or 1 (a piece)")

    names = tuple("abcde"[cell % size] + str(cell // size + 1) for cell in range(cells))
    moves = tuple("".join(names[cell] for cell in range(cells) if taken >> cell & 1) for taken in sets)
    return Rules(
        id=id,
        title=title,
        options=options,
        num_actions=len(sets),
        state_size=BOARD + cells,
        observation_shape=(cells,),
        board=Board(rows=tuple(tuple(range(row * size, row * size + size)) for row in range(size)), names=names, has_stores=False),
        fields={"cells": slice(BOARD, BOARD + cells)},
        action_names=(moves, moves),
        init=init,
        legal=legal,
        apply=apply,
        settle=settle,
        observe=observe,
        adjudicate=adjudicate,
        check=check,
        max_plies=max_plies,
    )


TAKTIX = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=(
        "An action takes one set of pieces of one line; the sets are numbered from 0 in ascending order of their bitmask, in\n"
        "which cell (row, column), counted from the top left, is bit row * size + column. With `contiguous=True` only sets\n"
        "without a gap are actions.\n"
        "Notation: the cells taken, column a, b, ... and row 1, 2, ... from the top, as in a1c1."
    ),
    observation="| index | value |\n|---|---|\n| row * size + column | 1 where a piece stands, else 0; the same for both players |",
)
