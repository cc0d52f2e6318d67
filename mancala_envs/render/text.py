"""The board as lines of text."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..position import Position

PLAYER_NAMES = ("South", "North")


def board_text(position: "Position") -> str:
    """The board as South sees it, North on top, and a line that says whose move it is or how the game ended.

    Houses have their names above (North's) and below (South's), the stores their seeds at the left (North's) and right (South's).
    """
    board = position.rules.board
    rows = [[str(position.holes[hole]) for hole in row] for row in board.rows]
    if not board.has_stores:
        rows = [["o" if value != "0" else "." for value in row] for row in rows]
    width = max(len(value) for value in (*(cell for row in rows for cell in row), *board.names))
    names = [[board.names[hole] for hole in row] for row in board.rows]
    lines = [_line(row, width) for row in rows]
    if board.has_stores:
        lines = [_line(names[0], width), *lines, _line(names[-1], width)]
        south, north = position.stores
        gap = max(len(str(north)), len(str(south))) + 2
        middle = len(lines[0])
        store_line = f"{north}".ljust(gap) + " " * middle + f"{south}".rjust(gap)
        lines = [" " * gap + line for line in lines]
        lines.insert(len(board.rows) // 2 + 1, store_line)
    else:
        columns = ["abcdefghijklmnopqrstuvwxyz"[column] for column in range(len(rows[0]))]
        lines = ["   " + _line(columns, 1)] + [f"{number:2} " + _line(row, 1) for number, row in enumerate(rows, 1)]
    return "\n".join([*(line.rstrip() for line in lines), _status(position)])


def _line(values: list[str], width: int) -> str:
    return " ".join(value.rjust(width) for value in values)


def _status(position: "Position") -> str:
    if not position.is_over:
        moves = " ".join(position.notation(action) for action in position.legal_actions()[:12])
        more = " ..." if len(position.legal_actions()) > 12 else ""
        return f"{PLAYER_NAMES[position.to_move]} to move: {moves}{more}"
    south, _ = position.returns
    result = {1: "South wins", -1: "North wins", 0: "Nobody wins"}[south]
    return f"{result} ({position.end_reason})"
