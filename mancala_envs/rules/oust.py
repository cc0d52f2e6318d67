"""Oust, by Mark Steere (July 2007, marksteeregames.com), is played with stones on a six-sided board of six-sided cells.

The board is empty at the start. In turn the players place stones of their own colour on empty cells; South begins [open: no source
says which colour does], and there is no swap of colours. Stones of one colour that touch, directly or through others of that
colour, are a group; so is a single stone. Who captures all stones of the opponent wins [D].

**Placing without a capture.** The stone touches no stone of its own colour; it may touch the opponent's. It ends the turn [D].

**Capturing.** The stone joins one or more groups of its own colour that it touches. The new group touches one or more groups of the
opponent, each smaller than itself; it captures them all. They leave the board, and the same player places again, until he places
without a capture [D]. What counts is all that the new group touches, not only what the new stone does [D]. [D] lets a stone join
groups if "all" groups of the opponent then touched are smaller, which is also true where none is touched; but it says besides
that no stone may be placed beside own stones without a capture. So at least one must be touched, as [G, I] have it.

**Passing.** Who can place must; who cannot passes [D], which is no action: the rules hand the turn over. A player who cannot place
in the midst of his turn, after a capture, has ended it [inferred].

**End.** Who has placed a stone and has none left has lost [D], at once: the winner need not place again. There is no draw [G]. No
position comes back: listed from the largest to the smallest, the sizes of all groups become greater with every placement, as words
do in a dictionary [inferred].

One side can always place [D]. This is because of two groups that touch one is always a single stone, a joined group touching
none after its capture; so there are empty cells beside a largest group, unless the board is full, which play cannot bring
about, and on each of them its owner or the opponent may place [inferred]. A board set up by hand on which neither can place is
a draw (`no_moves`); one on which two groups of two or more stones touch is refused. `placed` tells who has placed a stone by
then, South and North; if it is left out, those who have stones on the board.

Sources: [D] Mark Steere, Oust, 2007 (Polish leaflet); [G] his rules as given at gamerz.net; [I] Oust at iggamecenter.com.
"""

from collections.abc import Mapping

import numpy as np

from .contract import (
    BOARD,
    CAPTURED_ALL,
    LIVE,
    NO_MOVES,
    PLY,
    STATUS,
    TO_MOVE,
    Board,
    Family,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    finish,
    player_to_move,
    truncate,
    win,
)
from .jit import compiled, helper, make_scratch

OPTIONS = {"side": Option(7, range(2, 11), "cells along each edge of the board; [D] advises about seven")}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Oust with the given options; see `OPTIONS`."""
    side, max_plies = int(options["side"]), int(options["max_plies"])
    lengths = [2 * side - 1 - abs(row) for row in range(1 - side, side)]  # cells of each row, from the top
    cells = sum(lengths)

    # Groups are kept on a grid with a border, place = row * width + column, on which the six neighbours of a place are always the
    # same steps away. With two cells a side:
    #
    #                 .  .  .  .
    #     a1 a2       . a1 a2  .             -width  -width+1
    #   b1 b2 b3     b1 b2 b3  .          -1     place    +1
    #     c1 c2      c1 c2  .  .        width-1   width
    #                 .  .  .  .
    width = 2 * side
    area = width * (2 * side + 1)
    grid_rows = [
        [row * width + max(0, side - row) + column for column in range(length)] for row, length in enumerate(lengths, start=1)
    ]
    places = np.array([place for row in grid_rows for place in row], np.int64)  # [cells]
    cell_at = np.full(area, -1, np.int64)  # [area]
    cell_at[places] = np.arange(cells)
    around = (-width, 1 - width, -1, 1, width - 1, width)

    # A state: the cells; whether South and North have placed a stone; then, on the grid and following from the cells, of the stone
    # on each place (0 where there is none):
    PLACED = BOARD + cells
    GROUP = PLACED + 2  # its group, named after the place of its first stone, negative for North
    SIZE = GROUP + area  # how many stones are in its group
    RIVAL = SIZE + area  # how many are in the largest group of the opponent that its group touches
    state_size = RIVAL + area
    scratch = make_scratch(area)

    @compiled
    def init(state: State) -> None:
        state[:] = 0

    @helper
    def contacts(state: State, place: int, colour: int) -> tuple[int, int, int, int, int]:
        """What a stone of a colour, 1 for South and -1 for North, would touch on an empty place.

        Returns the size of its new group; that of the largest group of the opponent touched by it; and the up to three groups that
        it joins, or else itself.
        """
        size, rival = 1, 0
        one = two = three = colour * place
        for step in around:
            group = state[GROUP + place + step]
            if group * colour <= 0:  # the opponent's, or nothing
                rival = max(rival, state[SIZE + place + step])
            else:
                rival = max(rival, state[RIVAL + place + step])
                if group not in (one, two, three):
                    size += state[SIZE + place + step]
                    one, two, three = group, one, two
        return size, rival, one, two, three

    @compiled
    def may_place(state: State, place: int, colour: int) -> bool:
        """Whether a stone may be placed on an empty place."""
        size, rival, _, _, _ = contacts(state, place, colour)
        return size == 1 or 0 < rival < size

    @compiled
    def legal(state: State, mask: Mask) -> int:
        """Does what `may_place` does, for all places at once; leaves to it where two neighbours may or may not be of one group."""
        colour = 1 - 2 * player_to_move(state)
        own, rival, verdict = scratch(), scratch(), scratch()
        for place in range(area):
            size, beyond = state[SIZE + place], state[RIVAL + place]
            mine = (state[GROUP + place] > 0) == (colour > 0)
            own[place] = size if mine else 0
            rival[place] = beyond if mine else size
        for north in range(area - 2 * width):
            place, south = north + width, north + 2 * width
            largest = max(own[north], own[north + 1], own[place - 1], own[place + 1], own[south - 1], own[south])
            total = np.int16(own[north] + own[north + 1] + own[place - 1] + own[place + 1] + own[south - 1] + own[south])
            touched = max(rival[north], rival[north + 1], rival[place - 1], rival[place + 1], rival[south - 1], rival[south])
            yes = (total == 0) | ((touched > 0) & (touched <= largest))
            perhaps = (touched > largest) & (touched <= total)
            verdict[place] = 0 if state[SIZE + place] else 1 if yes else 2 if perhaps else 0
        count = 0
        for cell in range(cells):
            allowed = verdict[places[cell]]
            if allowed == 2:
                allowed = may_place(state, places[cell], colour)
            mask[cell] = allowed
            count += allowed
        return count

    @helper
    def can_place(state: State, player: int) -> bool:
        for place in places:  # noqa: SIM110 (any() is not compiled)
            if state[SIZE + place] == 0 and may_place(state, place, 1 - 2 * player):
                return True
        return False

    @helper
    def all_captured(state: State, player: int) -> bool:
        stones = 0
        for cell in range(cells):
            stones += state[BOARD + cell] == player + 1
        return state[PLACED + player] == 1 and stones == 0

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] != LIVE:
            return
        mover = player_to_move(state)
        other = 1 - mover
        must_pass = not can_place(state, mover)
        if all_captured(state, other):
            win(state, mover, CAPTURED_ALL)
        elif all_captured(state, mover):
            win(state, other, CAPTURED_ALL)
        elif must_pass and not can_place(state, other):
            finish(state, NO_MOVES)
        else:
            if must_pass:
                state[TO_MOVE] = other
            if state[PLY] >= max_plies:
                truncate(state)

    @helper
    def next_stone(state: State, group: int, place: int) -> int:
        """The first stone of a group behind `place`."""
        place += 1
        while state[GROUP + place] != group:
            place += 1
        return place

    @compiled
    def find_rival(state: State, group: int) -> None:
        """Write the size of the largest group of the opponent that touches a group."""
        first = abs(group)
        rival = 0
        place = first - 1
        for _ in range(state[SIZE + first]):
            place = next_stone(state, group, place)
            for step in around:
                if state[GROUP + place + step] != group:  # the opponent's, or nothing
                    rival = max(rival, state[SIZE + place + step])
        place = first - 1
        for _ in range(state[SIZE + first]):
            place = next_stone(state, group, place)
            state[RIVAL + place] = rival

    @compiled
    def join(state: State, place: int, colour: int) -> int:
        """Write the group that a stone makes with those beside it, as touching nothing; returns its size."""
        size, _, one, two, three = contacts(state, place, colour)
        state[GROUP + place] = colour * place
        state[SIZE + place] = 1
        if size > 1:
            first = min(place, abs(one), abs(two), abs(three))
            for other in range(area):
                group = state[GROUP + other]
                if group in (one, two, three) or other == place:
                    state[GROUP + other] = colour * first
                    state[SIZE + other] = size
                    state[RIVAL + other] = 0
        return size

    @compiled
    def remove(state: State, group: int, captor: int) -> None:
        """Take a group off the board that a player, 1 or -1, has captured."""
        place = abs(group) - 1
        for _ in range(state[SIZE + abs(group)]):
            place = next_stone(state, group, place)
            state[BOARD + cell_at[place]] = state[GROUP + place] = state[SIZE + place] = state[RIVAL + place] = 0
            for step in around:
                if state[GROUP + place + step] * captor > 0 and state[RIVAL + place + step] > 0:
                    find_rival(state, state[GROUP + place + step])

    @compiled
    def apply(state: State, action: int) -> None:
        mover = player_to_move(state)
        colour = 1 - 2 * mover
        place = places[action]
        state[BOARD + action] = mover + 1
        state[PLACED + mover] = 1
        size = join(state, place, colour)
        group = state[GROUP + place]
        if size == 1:
            find_rival(state, group)
            for step in around:
                if state[GROUP + place + step] * colour < 0 and state[RIVAL + place + step] == 0:
                    find_rival(state, state[GROUP + place + step])
        else:
            place = abs(group) - 1
            for _ in range(size):
                place = next_stone(state, group, place)
                for step in around:
                    if state[GROUP + place + step] * colour < 0:
                        remove(state, state[GROUP + place + step], colour)
        end_ply(state, True, mover if size > 1 else 1 - mover)
        settle(state)

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:
        scale = np.float32(1 / cells)
        for cell in range(cells):
            out[cell] = state[BOARD + cell] == 1 + player
            out[cells + cell] = state[BOARD + cell] == 2 - player
            out[2 * cells + cell] = state[SIZE + places[cell]] * scale
        out[3 * cells] = state[PLACED + player]
        out[3 * cells + 1] = state[PLACED + 1 - player]

    @compiled
    def adjudicate(state: State) -> None:
        """Does nothing: no position can come back."""

    @helper
    def evaluate(state: State) -> int:
        """South's stones less North's."""
        ahead = 0
        for cell in range(cells):
            ahead += (state[BOARD + cell] == 1) - (state[BOARD + cell] == 2)
        return ahead

    def check(state: State) -> None:
        """Besides checking, writes what follows from the cells, which is all that a position set up by hand need tell."""
        stones, placed = state[BOARD:PLACED], state[PLACED:GROUP]
        if not np.isin(stones, (0, 1, 2)).all():
            raise ValueError(f"cells {stones.tolist()}: each is 0 (empty), 1 (a stone of South's) or 2 (one of North's)")
        if not np.isin(placed, (0, 1)).all():
            raise ValueError(f"placed {placed.tolist()}: 1 for South and for North if he has placed a stone, else 0")
        on_board = np.array([(stones == 1).any(), (stones == 2).any()])
        if not placed.any():
            placed[:] = on_board
        if (placed < on_board).any():
            raise ValueError(f"placed {placed.tolist()}: a player who has stones on the board has placed one")
        if placed.any() and not on_board.any():
            raise ValueError(f"placed {placed.tolist()}: the board is empty, but the last stones on it cannot be captured")
        state[GROUP:] = 0
        for cell in np.flatnonzero(stones):
            join(state, places[cell], 3 - 2 * int(stones[cell]))
        for cell in np.flatnonzero(stones):
            find_rival(state, state[GROUP + places[cell]])
        for name, place in zip(names, places, strict=True):
            if min(state[SIZE + place], state[RIVAL + place]) > 1:
                raise ValueError(
                    f"the group of {state[SIZE + place]} stones with {name} touches one of {state[RIVAL + place]}: "
                    "of two groups that touch at least one is a single stone"
                )

    names = tuple("abcdefghijklmnopqrs"[row] + str(column + 1) for row, length in enumerate(lengths) for column in range(length))
    return Rules(
        id=id,
        title=title,
        options=options,
        num_actions=cells,
        state_size=state_size,
        observation_shape=(3 * cells + 2,),
        board=Board(
            rows=tuple(tuple(cell_at[row].tolist()) for row in grid_rows), names=names, has_stores=False, owned_pieces=True
        ),
        fields={"cells": slice(BOARD, PLACED), "placed": slice(PLACED, GROUP)},
        action_names=(names, names),
        init=init,
        legal=legal,
        apply=apply,
        settle=settle,
        observe=observe,
        adjudicate=adjudicate,
        check=check,
        evaluate=evaluate,
        max_plies=max_plies,
    )


OUST = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=(
        "Action a places a stone on cell a; the cells are numbered by rows from the top, from left to right: in axial coordinates\n"
        "(q, r) with |q|, |r| and |q + r| below `side`, by r and then by q.\n"
        "Notation: row a, b, ... from the top and cell 1, 2, ... of the row from the left, as in d4.\n"
        "In `cells`, 1 is a stone of South, drawn o, and 2 one of North, drawn x."
    ),
    observation="""\
| index (C cells) | value |
|---|---|
| 0 .. C-1 | 1 where a stone of the observing player stands, else 0 |
| C .. 2C-1 | 1 where a stone of the other player stands, else 0 |
| 2C .. 3C-1 | stones of the group that stands there / C, 0 where the cell is empty |
| 3C, 3C+1 | 1 if the observing player, and if the other player, has placed a stone yet, else 0 |""",
)
