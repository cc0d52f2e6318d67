"""Values of positions proven by search, question by question.

A margin is narrowed down: `search` answers whether a position is worth at least so much, with a bound that may say more, and the
next question is asked at that bound (MTD(f), Plaat and others 1996). A shallow search gives the first guess.

A result takes two questions, whether the game is won and whether it is not lost, asked deeper and deeper. A win is proven at any
depth, a draw only where no line was cut off.

The table of transpositions is kept, so that what one question has found out helps with all that follow.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..rules import Rules
from ..rules.contract import BOARD, State
from .search import (
    ABORTED,
    BUCKETS,
    GO_ON,
    HALTED,
    LIMIT,
    MOST_DEPTH,
    NO_ENDGAMES,
    NODES,
    PROVEN,
    STOP,
    WIN,
    Endgames,
    make_search,
    make_work,
)
from .tables import Tables

SHALLOW = (6, 12)  # plies of the searches that give the first guess of a margin
DEPTHS = (8, 16, 32, 64, 128, MOST_DEPTH)  # plies of the searches for a result
BUCKET = 32  # bytes
FIRST_BUCKETS = 1 << 18
NODES_A_BUCKET = 8  # so many plies were played: time for a table of twice the size
UNLIMITED = 2**62


class Unsolved(ValueError):  # noqa: N818 (what it is, not that it is an error)
    """A value was not found: it would take more than is allowed, or there is no single one."""


@dataclass
class Bounds:
    """What is known of a value: at least `lower`, at most `upper`."""

    lower: int
    upper: int


class Proof:
    """Proves values of live positions of one game, for the player to move.

    A value is the margin that is still to be gained where stores only count, else +1, 0 or -1 for a game won, drawn or lost.

    Attributes:
        work: the arrays of the search; another thread that sets its STOP counter halts it.
        asked: the question that was asked last: whether a position is worth so much, within so many plies.
        on_halt: called when it was halted; it goes on where it was once this has set STOP to 0, or raises what this raises.
    """

    def __init__(self, rules: Rules, memory: int, nodes: int | None, tables: Tables | None) -> None:
        """Get ready; see `Exact` for the arguments."""
        self.of_margins = rules.stores_only_count
        self._search = make_search(rules, self.of_margins, tabled=tables is not None)
        buckets = 1 << (memory // BUCKET).bit_length() - 1
        endgames = NO_ENDGAMES if tables is None else Endgames(tables.seeds, tables.data())
        self.work = make_work(rules, MOST_DEPTH, buckets, used=min(FIRST_BUCKETS, buckets), endgames=endgames)
        self._rules = rules
        self._nodes = nodes
        self._most_nodes = UNLIMITED
        self.asked = 0, 0
        self.on_halt: Callable[[], None] = lambda: None

    def arrays(self, buckets: int) -> list[np.ndarray]:
        """What the search has written to while it used so many buckets."""
        *written, _ = self.work._replace(table=self.work.table[:buckets])
        return written

    @property
    def nodes(self) -> int:
        """How many plies were played so far."""
        return int(self.work.counters[NODES])

    def compile(self, state: State) -> None:
        """Have the search compiled, which no clock need measure."""
        self._ask(state, 0, 1)
        self._search.grow(make_work(self._rules, 1, 2, used=1))
        self.work.counters[NODES] = 0

    def begin(self) -> None:
        """From here on so many nodes may be taken as one call may take."""
        self._most_nodes = UNLIMITED if self._nodes is None else self.nodes + self._nodes

    def unknown(self, state: State) -> Bounds:
        """What is known of every value: that no more can be gained than lies on the board."""
        most = int(state[BOARD:].sum()) if self.of_margins else 1
        return Bounds(-most, most)

    def value(self, state: State) -> int:
        """The value; raises Unsolved where it takes too many nodes or too long lines."""
        known = self.unknown(state)
        self.narrow(state, known)
        return known.lower

    def at_least(self, state: State, target: int) -> bool:
        """Whether the value is at least `target`; raises as `value`."""
        known = self.unknown(state)
        if not known.lower < target <= known.upper:
            return target <= known.lower
        if not self.of_margins:
            return self.value(state) >= target
        return self._margin_bound(state, target) >= target

    def go_on(self, target: int) -> None:
        """Have `narrow` go on in the midst of the question whether a margin is at least `target`, as `work` has it."""
        self.asked = target, MOST_DEPTH
        self.work.counters[GO_ON] = self.work.counters[HALTED]

    def narrow(self, state: State, known: Bounds) -> None:
        """Raise `known.lower` and lower `known.upper` until they meet at the value; raises as `value`."""
        if self.of_margins:
            self._narrow_margin(state, known)
        else:
            self._narrow_result(state, known)

    def _narrow_margin(self, state: State, known: Bounds) -> None:
        guess = self.asked[0]
        if self.work.counters[GO_ON] == 0:
            for depth in SHALLOW:
                guess = self._converge(state, self.unknown(state), guess, depth)
        self._converge(state, known, guess, MOST_DEPTH)

    def _converge(self, state: State, known: Bounds, guess: int, depth: int) -> int:
        """Narrow a margin, within `depth` plies, to a value, which is returned."""
        while known.lower < known.upper:
            target = min(max(guess, known.lower + 1), known.upper)
            guess = self._margin_bound(state, target, depth)
            if guess >= target:
                known.lower = guess
            else:
                known.upper = guess
        return known.lower

    def _margin_bound(self, state: State, target: int, depth: int = MOST_DEPTH) -> int:
        """A lower bound of a margin from `target` on, or an upper one below it."""
        bound, is_exact = self._ask(state, target, depth)
        if depth == MOST_DEPTH and not is_exact:
            raise Unsolved(f"there are lines of more than {MOST_DEPTH} plies, which is as far as the search goes")
        return bound

    def _narrow_result(self, state: State, known: Bounds) -> None:
        for depth in DEPTHS:
            found, no_win = self._ask(state, WIN, depth)
            if found >= WIN:
                known.lower = 1
                return
            known.upper = 0 if no_win else known.upper
            found, no_loss = self._ask(state, 1 - WIN, depth)
            if found <= -WIN:
                known.upper = -1
                return
            known.lower = 0 if no_loss else known.lower
            if known.lower == known.upper:
                return
        raise Unsolved(f"neither won nor lost within {MOST_DEPTH} plies, which is as far as the search goes, nor surely drawn")

    def _ask(self, state: State, beta: int, depth: int) -> tuple[int, bool]:
        """The bound that answers whether a state is worth `beta`, and whether it holds at every depth."""
        self.asked, counters = (beta, depth), self.work.counters
        while True:
            counters[LIMIT] = min(self._most_nodes, self._enough_nodes())
            if (bound := int(self._search.at_least(state, beta, depth, 0, self.work))) != ABORTED:
                return bound, bool(counters[PROVEN])
            if self.nodes >= self._most_nodes:
                raise Unsolved(f"not solved with nodes={self._nodes}; raise nodes")
            if counters[STOP] != 0:
                self.on_halt()
            if self.nodes >= self._enough_nodes():
                self._search.grow(self.work)
            counters[GO_ON] = counters[HALTED]

    def _enough_nodes(self) -> int:
        """When more of the table is to be used: a small one stays in the caches."""
        buckets = int(self.work.counters[BUCKETS])
        return NODES_A_BUCKET * buckets if buckets < len(self.work.table) else UNLIMITED
