"""The oracle: what each action of a position is worth by perfect play to the last seed.

A value is the final margin for the player to move: his store less the other's at the end. It is +1, 0 or -1 where a game has no
seeds to count, or where holes and stores do not tell what is still to be gained. The ply limit does not enter into it. Two sources
know it:

    endgame tables   positions with few seeds on the board (`tables`). Where positions can come back, an action may have two bounds
                     that differ: then the cycle rule decides, which depends on the history or on the stores.
    exact search     games that end (`exact`), from any position that can be searched within the limits that are set.

What neither of them settles is refused: an oracle that answers is right.

Both know nothing of a position's history. Perfect play needs no position twice; so where the `cycle_count`-th occurrence of one is
adjudicated, a value holds with any history after which each position may still occur once before that. Others are refused.
"""

from functools import cached_property
from pathlib import Path

import numpy as np

from ..position import Position
from ..rules import make_rules
from ..rules.contract import BOARD, STORE_SOUTH, TO_MOVE, Rules
from .exact import Exact, Unsolved
from .perfect import to_the_end
from .table_games import table_game
from .tables import Tables, packaged

NODES = 100_000_000  # some tens of seconds of search
Bounds = tuple[int, int]  # the least and the most that an action can be worth


class Oracle:
    """Perfect play of one ruleset; made by `oracle`.

    Attributes:
        rules: the game.
        tables: the endgame tables that it looks up, if any.
    """

    def __init__(self, rules: Rules, tables: Tables | None, nodes: int, memory: int) -> None:
        self.rules = rules
        self.tables = tables
        self._nodes = nodes
        self._memory = memory
        self._exact: Exact | None = None

    def values(self, position: Position) -> dict[int, int]:
        """What each legal action is worth to the player to move: {action: final margin}, or +1, 0, -1 where no seeds are counted.

        Raises:
            Unsolved: an action's value cannot be told, and why: it is outside the table and cannot be searched, or the cycle rule
                decides (a ValueError).
            ValueError: the position is of other rules, or its game is over.
        """
        found = self.bounds(position)
        for action, (lower, upper) in found.items():
            if lower < upper:
                raise Unsolved(
                    f"{position}: action {action} is worth {lower:+} to {upper:+} by the cycle rule "
                    f"({self.rules.options['cycle_rule']!r}), which depends on the history or on the stores; bounds() tells both"
                )
        return {action: lower for action, (lower, _) in found.items()}

    def value(self, position: Position) -> int:
        """What the position is worth to the player to move, in the units and with the errors of `values`."""
        found = self.bounds(position).values()
        lower, upper = max(lower for lower, _ in found), max(upper for _, upper in found)
        if lower < upper:
            raise Unsolved(f"{position} is worth {lower:+} to {upper:+} by the cycle rule; bounds() tells so of every action")
        return lower

    def bounds(self, position: Position) -> dict[int, Bounds]:
        """What each legal action is worth at least and at most: {action: (lower, upper)}; see `values` for units and errors.

        The bounds are equal except where the cycle rule decides.
        """
        if position.rules != self.rules:
            raise ValueError(f"{position!r} is not of {self.rules!r}")
        if position.is_over:
            raise ValueError(f"the game is over ({position.end_reason}): there is no action to value")
        self._check_history(position)
        if self.tables is not None and position.state[BOARD:].sum() <= self.tables.seeds:
            now = position.margin if position.to_move == 0 else -position.margin
            return {action: (now + lower, now + upper) for action, (lower, upper) in self.tables.values(position).items()}
        if self._needs_tables:
            reach = f"this one is outside the table, of up to {self.tables.seeds} seeds" if self.tables else "there is no table"
            raise Unsolved(
                f"{position}: where positions come back, as in {self.rules.id}, only endgame tables tell values, and {reach}; "
                f"`mancala-envs tables build {self.rules.id} --seeds N` builds one for oracle(rules, table=FOLDER)"
            )
        if self._exact is None:
            self._exact = Exact(self.rules, memory=self._memory, nodes=self._nodes, tables=self.tables)
        return self._exact.action_bounds(position)

    def _check_history(self, position: Position) -> None:
        if not self.rules.cycle_count:
            return
        line = position.line[:, [TO_MOVE, *range(STORE_SOUTH, self.rules.state_size)]]
        most = int(np.unique(line, axis=0, return_counts=True)[1].max())
        if most >= self.rules.cycle_count - 1:
            raise Unsolved(
                f"{position}: a position has occurred {most} times, and cycle_count={self.rules.cycle_count} adjudicates its "
                "return; values are known where the history does not decide"
            )

    @cached_property
    def _needs_tables(self) -> bool:
        """Whether stores only count and positions can come back: what search finds there may rest on a circle."""
        return to_the_end(self.rules).stores_only_count and "cycle_rule" in self.rules.options


def oracle(rules: str | Rules, table: str | Path | None = None, nodes: int = NODES, memory: int = 1 << 28) -> Oracle:
    """Perfect play of a ruleset.

    Args:
        rules: the game, or its id.
        table: the folder of an endgame table; by default the packaged one, where there is one of these rules.
        nodes: plies that a search tries for one position before it gives up.
        memory: bytes that a search may use.

    Raises:
        ValueError: the table is of other rules or damaged, or a limit is not accepted.
    """
    rules = make_rules(rules)
    if nodes < 1 or memory < 1:
        raise ValueError(f"nodes={nodes}, memory={memory} is not accepted: integers from 1")
    tables = _packaged_tables(rules) if table is None else Tables.open(table, rules)
    return Oracle(rules, tables, nodes, memory)


def _packaged_tables(rules: Rules) -> Tables | None:
    """The packaged tables of these rules; None if there are none, as for other options."""
    if rules.id not in packaged():
        return None
    try:
        game = table_game(rules)
    except ValueError:
        return None
    tables = Tables.open(rules.id)
    return tables if tables.game == game else None
