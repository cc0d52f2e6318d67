"""What a ply does, seed by seed, for drawing and animation.

The rules are run as plain Python on memory that notes what is written to it, so every ruleset tells its own plies and none has code
for it. A few milliseconds a ply; where Numba is switched off, turns that are tried out before they are played are one step a hole.
"""

from typing import Any, NamedTuple

import numpy as np

from ..position import Position
from ..rules.contract import PLY, STORE_NORTH, STORE_SOUTH, Rules
from ..rules.jit import plain

STORES = (-1, -2)  # places that are not holes: South's store and North's
HANDS = (-3, -4)
Change = tuple[int, int]  # a place and how many seeds more or less it has


class Step(NamedTuple):
    """One thing that happens in a ply.

    Args:
        kind: "lift" seeds into the hand; "capture" them, into the hand, too; "sow" from the hand; "bank" into a store; "sweep" from
            a hole to a store at the end; "deal" seeds anew for the next round; "place" and "remove" a piece.
        place: the index of a hole or cell, or one of STORES and HANDS.
        seeds: how many; of a piece, whose it is, as `cells` has it.
    """

    kind: str
    place: int
    seeds: int


class _Notes(np.ndarray[Any, Any]):
    """A state that notes what is written to it, as (index, value) pairs."""

    notes: list[tuple[int, int]]

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        if isinstance(index, slice):
            self.notes += [(number, int(self.item(number))) for number in range(*index.indices(len(self)))]
        else:
            self.notes.append((int(index), int(self.item(int(index)))))


def trace(position: Position, action: int) -> list[Step]:
    """What a legal action does, in order; raises IllegalMoveError for any other.

    Of a turn that never ends nothing is told: it is not played.
    """
    position.play(action)  # refuses what is not legal
    rules, memories = position.rules, list[_Notes]()

    def memory(size: int, dtype: Any) -> _Notes:
        made = np.zeros(size, dtype).view(_Notes)
        made.notes = []
        memories.append(made)
        return made

    state = memory(rules.state_size, np.int16)
    state[:] = position.state
    state.notes.clear()
    with np.errstate(over="ignore"):
        plain(rules.apply, memory)(state, int(action))

    played = next((number for number, (index, _) in enumerate(state.notes) if index == PLY), len(state.notes))
    turn, after = _changes(state.notes[:played], position.state, rules)
    for tried in memories[1:]:  # a turn that was tried out in other memory and copied tells its order there alone
        changes, outcome = _changes(tried.notes, position.state, rules)
        if turn and outcome == after:
            turn = changes
    end, _ = _changes(state.notes[played:], after, rules)
    if not rules.board.seeds:
        return [Step("place" if change > 0 else "remove", place, abs(change)) for place, change in turn + end]
    in_hand = getattr(position, "pending", 0)
    return _steps(_with_stores_sown(_with_lifts_first(turn, in_hand), rules), position.to_move, rules) + _end(end)


def _places(rules: Rules) -> dict[int, int]:
    """The place of each number of a state that counts seeds or pieces, by its index."""
    board, hands = next(iter(rules.fields.values())), rules.fields.get("hands", slice(0, 0))
    places = {STORE_SOUTH: STORES[0], STORE_NORTH: STORES[1]}
    places |= dict(zip(range(hands.start, hands.stop), HANDS, strict=False))
    return places | {index: index - board.start for index in range(board.start, board.stop)}


def _changes(notes: list[tuple[int, int]], before: Any, rules: Rules) -> tuple[list[Change], dict[int, int]]:
    """The changes that notes of what was written make, and the numbers that come of them, by their index in a state."""
    places = _places(rules)
    numbers = {index: int(before[index]) for index in places}
    changes = []
    for index, value in notes:
        if index in places and value != numbers[index]:
            changes.append((places[index], value - numbers[index]))
            numbers[index] = value
    return changes, numbers


def _with_lifts_first(changes: list[Change], in_hand: int = 0) -> list[Change]:
    """The same, where rules write what becomes of seeds before they empty the hole: nothing leaves the hand that is not in it."""
    waiting, ordered = list(changes), list[Change]()
    while waiting:
        (place, change), late = waiting[0], 0
        if change > in_hand or (place in STORES and waiting[1:2] and waiting[1][1] == -change):
            late = next((number for number, (_, change) in enumerate(waiting) if change < 0), 0)
        ordered.append(waiting.pop(late))
        in_hand -= ordered[-1][1]
    return ordered


def _with_stores_sown(changes: list[Change], rules: Rules) -> list[Change]:
    """The same, where rules write last what is sown into stores: each seed falls when the store is passed."""
    ordered, lap, captured = list[Change](), 0, 0
    for number, (place, change) in enumerate(changes):
        if place in STORES:
            taken = captured if captured <= change else 0  # the rest comes from the hand
            for at in _passing(ordered, lap, place, rules)[: change - taken][::-1]:
                ordered.insert(at, (place, 1))
                change -= 1
        following, seeds = changes[number + 1] if number + 1 < len(changes) else (place, 0)
        if change < 0 < seeds and (following not in STORES or seeds < -change):
            lap = len(ordered)
        captured = captured - change if change < 0 and ordered else 0
        if change:
            ordered.append((place, change))
    return ordered


def _passing(changes: list[Change], lap: int, store: int, rules: Rules) -> list[int]:
    """Where in a lap, changes[lap:], a store is passed, between its owner's row and the other's: the numbers to go in at."""
    row = rules.board.rows[STORES.index(store) - 1]
    sown = [lap, *(number for number in range(lap + 1, len(changes)) if changes[number][1] > 0 <= changes[number][0])]
    on_row = [changes[number][0] in row for number in sown]
    return [number + 1 for number, here, then in zip(sown, on_row, [*on_row[1:], False], strict=True) if here and not then]


def _steps(changes: list[Change], mover: int, rules: Rules) -> list[Step]:
    """The changes of a turn by their names."""
    rows = rules.board.rows
    others = [hole for row in (rows[: len(rows) // 2], rows[len(rows) // 2 :])[mover] for hole in row] if len(rows) > 2 else []
    steps = []
    for number, (place, change) in enumerate(changes):
        following = next(((place, change) for place, change in changes[number:] if change > 0), None)
        banked = following is not None and following[0] in STORES and following[1] >= -change
        if change < 0:
            steps.append(Step("capture" if number and (banked or place in others) else "lift", place, -change))
        else:
            captured = place in STORES and steps[-1].kind == "capture"
            steps.append(Step("bank" if captured else "sow", place, change))
    return steps


def _end(changes: list[Change]) -> list[Step]:
    """The changes that end a round by their names: seeds go to the stores, and from there to the holes again."""
    steps = []
    for place, change in _with_lifts_first(changes):
        from_store, to_store = change < 0 and place in STORES, change > 0 and place in STORES
        steps.append(Step("lift" if from_store else "sweep" if change < 0 else "bank" if to_store else "deal", place, abs(change)))
    return steps
