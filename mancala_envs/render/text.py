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
        lines = _houses(position) if board.has_stores else _ring_rows(position)
    else:
        lines = _cells(position)
    extras = [f"{name} {_numbers(position.state[part].tolist())}" for name, part in list(position.rules.fields.items())[1:]]
    return "\n".join([*(line.rstrip() for line in lines), *(["; ".join(extras)] if extras else []), _status(position)])


def _houses(position: "Position") -> list[str]:
    """Rows of houses between two stores."""
    board = position.rules.board
    lines = _rows(position)
    left, right = position.stores if board.stores_at_left else position.stores[::-1]
    gap = max(len(str(left)), len(str(right))) + 2
    store_line = f"{left}".ljust(gap) + " " * len(lines[0]) + f"{right}".rjust(gap)
    lines = [" " * gap + line for line in lines]
    lines.insert(len(board.rows) // 2 + 1, store_line)
    return lines


def _rows(position: "Position") -> list[str]:
    """The rows of holes, the names of the first above it and of the last below."""
    board = position.rules.board
    rows = [[str(position.holes[hole]) for hole in row] for row in board.rows]
    width = max(len(value) for value in (*(cell for row in rows for cell in row), *board.names))
    first, last = ([board.names[hole] for hole in board.rows[index]] for index in (0, -1))
    return [_line(row, width) for row in (first, *rows, last)]


def _ring_rows(position: "Position") -> list[str]:
    """Four rows, with a line between the two players' halves."""
    lines = _rows(position)
    lines.insert(len(lines) // 2, "-" * len(lines[0]))
    return lines


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
    south, _ = position.returns
    result = {1: "South wins", -1: "North wins", 0: "Nobody wins"}[south]
    return f"{result} ({position.end_reason})"
