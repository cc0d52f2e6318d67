"""Where everything of a position lies on the table: geometry, without a pen.

A scene is measured in units; a hole takes 72 of them. Y grows downwards and North's side is on top, as South sees the board.
"""

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..rules.bao import NYUMBA_HOLE
from ..rules.contract import Rules
from .steps import HANDS, STORES
from .text import PLAYER_NAMES, result_text

if TYPE_CHECKING:
    from ..position import Position

PITCH = 72  # from hole to hole
ROW = 104  # from row to row: a hole and the number beside it
RADIUS = 32  # of a hole
STORE = 92  # width of a store or a hand, with the space beside it
CELL = 44  # from cell to cell of a six-sided board
EDGE = 20  # of the board


class Spot(NamedTuple):
    """A place for seeds or for a piece.

    Args:
        place: the index of a hole or cell, or one of STORES and HANDS.
        x, y: its middle.
        width, height: its size.
        shape: "round", "square", "hexagon" or "tray".
        holds: seeds; of a cell, 1 or 2 where a piece lies, as `cells` has it.
        caption_y: where its number and its name are written; the number of a tray stands in it.
        name: what it is called; empty where nothing is written.
        owner: the player whose colour it has, or None.
        mark: "burnt", "blocked" or empty.
    """

    place: int
    x: float
    y: float
    width: float
    height: float
    shape: str
    holds: int
    caption_y: float = 0
    name: str = ""
    owner: int | None = None
    mark: str = ""


class Target(NamedTuple):
    """What an action is drawn on.

    Args:
        places: the hole sown, or the cells on which pieces are placed or from which they are removed; none where the action's
            name begins with no hole's.
        direction: -1 where seeds go to the left, as South sees it, +1 to the right, 0 where there is no choice.
        extra: what the notation says besides, such as "+" for a safari.
    """

    places: tuple[int, ...]
    direction: int = 0
    extra: str = ""


@dataclass(frozen=True)
class Scene:
    """A position on the table.

    Args:
        width, height: the wooden board, in units; without the line below it.
        spots: by place.
        notes: (x, y, text) written on the board, such as the letters of rows.
        divide: y of the line between the players' halves, or None.
        status: whose move it is, or how the game ended.
        text: the position in words, for those who do not see it.
    """

    width: float
    height: float
    spots: dict[int, Spot]
    notes: tuple[tuple[float, float, str], ...]
    divide: float | None
    status: str
    text: str


def scene(position: "Position") -> Scene:
    """The scene of a position of any ruleset: two rows and stores, four rows, cells in a square or six-sided."""
    board = position.rules.board
    if not board.seeds:
        return _cells(position)
    return _two_rows(position) if board.has_stores and len(board.rows) == 2 else _many_rows(position)


def _two_rows(position: "Position") -> Scene:
    """Two rows between two stores; names and numbers at the outer side of each row."""
    board, owners, burnt = position.rules.board, getattr(position, "owners", None), getattr(position, "burnt", None)
    left, height = EDGE + STORE, 2 * (ROW + EDGE)
    width = 2 * left + len(board.rows[0]) * PITCH
    spots = {}
    for outward, holes in zip((-1, 1), board.rows, strict=True):
        y = height / 2 + outward * (ROW / 2 - 10)
        for column, hole in enumerate(holes):
            x, owner = left + (column + 0.5) * PITCH, owners[hole] if owners else None
            mark = "burnt" if burnt and burnt[hole] else ""
            spots[hole] = _hole(hole, x, y, outward, position.holes[hole], board.names[hole], owner=owner, mark=mark)
    for player, place in enumerate(STORES):
        outward = 1 if (player == 0) != board.stores_at_left else -1
        x, name_y = width / 2 + outward * (width / 2 - EDGE - STORE / 2 + 6), height / 2 + (height / 2 - 18) * (1 - 2 * player)
        size, seeds = height - 2 * EDGE - 24, position.stores[player]
        spots[place] = Spot(place, x, height / 2, STORE - 22, size, "tray", seeds, name_y, PLAYER_NAMES[player], player)
    return Scene(width, height, spots, (), None, _status(position), position.text())


def _many_rows(position: "Position") -> Scene:
    """Rows in two halves, letters at the left, files above and below; what each player holds beside the board at the right."""
    board, hands = position.rules.board, getattr(position, "hands", ())
    left, gap, files, half = EDGE + 14, 14, len(board.rows[0]), len(board.rows) / 2
    trays, held = (HANDS, hands) if hands else (STORES, position.stores if board.has_stores else ())
    right, height = left + files * PITCH, len(board.rows) * ROW + gap + 2 * EDGE
    width = right + (STORE + EDGE if held else EDGE)
    owned = getattr(position, "nyumba", ())
    nyumba = [player * 2 * files + NYUMBA_HOLE for player in range(len(owned)) if owned[player]]
    blocked, blocked_name = getattr(position, "blocked", 0), ""
    if blocked:  # 1 to 8 for a front hole of the player to move, 9 to 16 for one of the other's
        player = position.to_move if blocked <= files else 1 - position.to_move
        blocked_name = board.names[player * 2 * files + (blocked - 1) % files]
    spots, notes = {}, []
    for row, holes in enumerate(board.rows):
        outward = -1 if row < half else 1
        y = EDGE + (row + 0.5) * ROW + gap * (row >= half) - outward * 10
        notes.append((left - 12, y, board.names[holes[0]][:1]))
        for column, hole in enumerate(holes):
            x, name = left + (column + 0.5) * PITCH, board.names[hole]
            shape, mark = "square" if hole in nyumba else "round", "blocked" if name == blocked_name else ""
            file = name[1:] if row in (0, len(board.rows) - 1) else ""
            spots[hole] = _hole(hole, x, y, outward, position.holes[hole], file, shape, mark=mark)
    for player, (place, seeds) in enumerate(zip(trays, held, strict=False)):
        x, y, outward = right + STORE / 2 + 4, height * (0.75 - 0.5 * player), 1 - 2 * player
        size, name_y, name = height / 2 - 60, y + outward * (height / 4 - 18), PLAYER_NAMES[player] + ("'s hand" if hands else "")
        spots[place] = Spot(place, x, y, STORE - 22, size, "tray", seeds, name_y, name, player)
    return Scene(width, height, spots, tuple(notes), height / 2, _status(position), position.text())


def _hole(
    hole: int,
    x: float,
    y: float,
    outward: int,
    seeds: int,
    name: str,
    shape: str = "round",
    owner: int | None = None,
    mark: str = "",
) -> Spot:
    """A hole whose number is written above it (`outward` -1) or below (+1)."""
    return Spot(hole, x, y, 2 * RADIUS, 2 * RADIUS, shape, seeds, y + outward * (RADIUS + 15), name, owner, mark)


def _cells(position: "Position") -> Scene:
    """Cells in a square or, where rows differ in length, six-sided; pieces are discs."""
    board, cells = position.rules.board, position.holes
    longest = max(map(len, board.rows))
    six_sided = min(map(len, board.rows)) < longest
    pitch, row_pitch, shape = (CELL, CELL * math.sqrt(3) / 2, "hexagon") if six_sided else (PITCH, PITCH, "square")
    width, height = 2 * (EDGE + 14) + longest * pitch, 2 * (EDGE + 14) + pitch + (len(board.rows) - 1) * row_pitch
    spots, notes = {}, []
    for row, places in enumerate(board.rows):
        y = EDGE + 14 + pitch / 2 + row * row_pitch
        left = (width - len(places) * pitch) / 2
        notes.append((left - 12, y, board.names[places[0]] if six_sided else str(row + 1)))
        for column, cell in enumerate(places):
            owner = cells[cell] - 1 if cells[cell] and board.owned_pieces else None
            spots[cell] = Spot(cell, left + (column + 0.5) * pitch, y, pitch, pitch, shape, cells[cell], owner=owner)
            if row == 0 and not six_sided:
                notes.append((spots[cell].x, EDGE, board.names[cell][0]))
    return Scene(width, height, spots, tuple(notes), None, _status(position), position.text())


def _status(position: "Position") -> str:
    if not position.is_over:
        seeds = getattr(position, "pending", 0)
        return f"{PLAYER_NAMES[position.to_move]} to move{f', {seeds} seeds in hand' if seeds else ''}"
    return result_text(position)


@functools.cache
def targets(rules: Rules, naming: int, player: int) -> tuple[Target, ...]:
    """What each action of a player is drawn on; `naming` says which of the action names are in use."""
    return tuple(_target(name, player, rules) for name in rules.action_names[naming])


def _target(name: str, player: int, rules: Rules) -> Target:
    """The holes that begin a move's name; L and R are the mover's left and right."""
    names = list(rules.board.names)
    if len(set(names)) < len(names):  # both players' holes are called the same
        half = len(names) // 2
        names = ["" if place // half != player else name for place, name in enumerate(names)]
    places, rest = list[int](), name
    while rest:
        fitting = max((other for other in names if other and rest.startswith(other)), key=len, default="")
        if not fitting:
            break
        places.append(names.index(fitting))
        rest = rest[len(fitting) :]
    direction = {"L": -1, "R": 1}.get(rest[:1], 0) * (1 - 2 * player)
    return Target(tuple(places), direction, rest[abs(direction) :])
