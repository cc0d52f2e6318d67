"""The player with endgame tables: perfect where the table reaches, before that alpha-beta search that looks positions up in it."""

from pathlib import Path

import numpy as np

from ..position import Position
from ..rules.contract import BOARD, Rules
from ..solve.tables import Tables
from .agent import choose_all, states_of
from .alphabeta import AlphaBeta


class Table:
    """Plays an action that the table finds best, each of the best equally often; with more seeds on the board it searches.

    The best gain most by the end of the game, all the rest played perfectly and to the last seed. Where an endless line leaves no
    single value, they gain most at least, and among those most at most.

    Args:
        rules: the game.
        path: a table's folder, or the id of a ruleset whose table is packaged.
        depth, ms, nodes: budget of the search, as in `AlphaBeta`; by default 6 plies.
        threads: how many threads share the search of a batch.
        seed: seed of the choice among equals.

    Raises:
        ValueError: there is no such table, or it is of other rules or damaged; names what differs. As `AlphaBeta`.
    """

    def __init__(
        self,
        rules: Rules,
        path: str | Path,
        depth: int | None = None,
        ms: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        if depth is ms is nodes is None:
            depth = 6
        self.rules = rules
        self.tables = Tables.open(path, rules)
        self._search = AlphaBeta(rules, depth, ms, nodes, threads, seed, self.tables)
        self.name = f"table:{path},{self._search.name.removeprefix('alphabeta:')}"
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`."""
        self._generator = np.random.default_rng(seed)
        self._search.reset(seed)

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        return int(self.act_batch(states_of(position, self))[0])

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`."""
        actions = np.zeros(len(states), np.int64)
        inside = states[:, BOARD:].sum(axis=1) <= self.tables.seeds
        if not inside.all():
            actions[~inside] = self._search.act_batch(states[~inside])
        legal, lower, upper = self.tables.action_bounds(states[inside])
        best = legal & (lower == _most(lower, legal))
        best &= upper == _most(upper, best)
        actions[inside] = choose_all(best, self._generator)
        return actions


def _most(values: np.ndarray, marked: np.ndarray) -> np.ndarray:
    """The largest of the marked values of each row, int64[N, 1]."""
    return np.where(marked, values, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
