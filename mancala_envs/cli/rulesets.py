"""`mancala-envs rulesets`: which games there are."""

from pathlib import Path

from ..rules import Board, make_rules
from ..rules import rulesets as all_ids
from .common import load_rules_file, table


def rulesets(rules_file: Path | None = None) -> None:
    """List the rulesets: id, title, board and number of actions.

    Args:
        rules_file: a Python file that registers rulesets of your own.
    """
    load_rules_file(rules_file)
    made = [make_rules(id) for id in all_ids()]
    rows = [(rules.id, rules.title, board_size(rules.board), str(rules.num_actions)) for rules in made]
    print(table(("id", "title", "board", "actions"), rows, right=(3,)))


def board_size(board: Board) -> str:
    """The rows and columns of a board, or the cells of a six-sided one, and the seeds in the game."""
    widths = {len(row) for row in board.rows}
    rows = f"{len(board.rows)} x {max(widths)}" if len(widths) == 1 else f"six-sided, {sum(map(len, board.rows))} cells"
    return f"{rows}, {board.seeds} seeds" if board.seeds else rows
