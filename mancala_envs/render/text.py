"""The board as lines of text."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..position import Position

PLAYER_NAMES = ("South", "North")
PIECES = ".ox"  # an empty cell; a piece, of South where pieces have owners; a piece of North


def board_text(position: "Position") -> str:
    """The board as South sees it, North on top, what the position holds besides, and whose move it is or how the game ended.

    Seeds are numbers, with the names of the holes above and below and the stores at the left and at the right. Pieces are letters,
    on a board with lettered columns and numbered rows or, six-sided, with the name of each row's first cell.
    """
    board = position.rules.board
    if board.seeds:
        lines = _houses(position) if board.has_stores and len(board.rows) == 2 else _lettered_rows(position)
    else:
        lines = _cells(position)
    extras = [f"{name} {_numbers(position.state[part].tolist())}" for name, part in list(position.rules.fields.items())[1:]]
    return "\n".join([*(line.rstrip() for line in lines), *(["; ".join(extras)] if extras else []), _status(position)])


def _houses(position: "Position") -> list[str]:
    """Two rows between two stores, the names of the houses above and below."""
    board = position.rules.board
    width = _width(position)
    above, below = (_line([board.names[hole] for hole in board.rows[index]], width) for index in (0, -1))
    north_row, south_row = _rows(position, width)
    left, right = position.stores if board.stores_at_left else position.stores[::-1]
    gap = max(len(str(left)), len(str(right))) + 2
    store_line = f"{left}".ljust(gap) + " " * len(above) + f"{right}".rjust(gap)
    indent = " " * gap
    return [indent + above, indent + north_row, store_line, indent + south_row, indent + below]


def _lettered_rows(position: "Position") -> list[str]:
    """Rows with their letters, files above and below, a line between the players' halves; stores last, where there are any."""
    board = position.rules.board
    width = _width(position)
    names = [[board.names[hole] for hole in row] for row in board.rows]
    above, below = (_line([name[1:] for name in row], width) for row in (names[0], names[-1]))
    rows = [f"{row[0][0]}  {line}" for row, line in zip(names, _rows(position, width), strict=True)]
    half = len(rows) // 2
    stores = [f"stores {position.stores[0]}:{position.stores[1]}"] if board.has_stores else []
    return ["   " + above, *rows[:half], *["   " + "-" * len(above)] * (half > 0), *rows[half:], "   " + below, *stores]


def _width(position: "Position") -> int:
    return max(len(text) for text in (*map(str, position.holes), *position.rules.board.names))


def _rows(position: "Position", width: int) -> list[str]:
    return [_line([str(position.holes[hole]) for hole in row], width) for row in position.rules.board.rows]


def _cells(position: "Position") -> list[str]:
    board = position.rules.board
    rows = [[PIECES[position.cells[cell]] for cell in row] for row in board.rows]
    longest = max(len(row) for row in rows)
    if min(len(row) for row in rows) == longest:
        columns = "abcdefghijklmnopqrstuvwxyz"[:longest]
        return ["   " + _line(list(columns), 1)] + [f"{number:2} " + _line(row, 1) for number, row in enumerate(rows, 1)]
    first_names = [board.names[row[0]] for row in board.rows]
    width = max(len(name) for name in first_names)
    return [f"{name:>{width}} " + " " * (longest - len(row)) + _line(row, 1) for name, row in zip(first_names, rows, strict=True)]


def _line(values: list[str], width: int) -> str:
    return " ".join(value.rjust(width) for value in values)


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values))


def _status(position: "Position") -> str:
    if not position.is_over:
        moves = " ".join(position.notation(action) for action in position.legal_actions()[:12])
        more = " ..." if len(position.legal_actions()) > 12 else ""
        return f"{PLAYER_NAMES[position.to_move]} to move: {moves}{more}"
    return result_text(position)


def result_text(position: "Position") -> str:
    """Who won, and why."""
    south, _ = position.returns
    result = {1: "South wins", -1: "North wins", 0: "Nobody wins"}[south]
    return f"{result} ({position.end_reason})"
