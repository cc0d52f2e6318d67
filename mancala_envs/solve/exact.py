"""Perfect play of whole games.

How it is found depends on how a game ends:

    margins   where stores only count and no position comes back (Kalah, Kenyan Bao, a round of Congkak), search proves the final
              margin of the stores
    results   in other games search proves whether they are won, drawn or lost; where a position that comes back is a draw, it may
              be taken for one at its first return, since who can force a win can do so without going in circles
    tables    where stores only count and positions come back (the Oware family, Kenyan Bao with laps), all positions with as few
              seeds are solved by retrograde analysis, if there is room for them; a value that hangs on the cycle rule has bounds

Perfect play is play to the last seed: neither a majority nor the ply limit ends it, and how a position came about counts for
nothing.
"""

import functools
import shutil
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..position import RETURNS, Position
from ..rules import Rules, make_rules
from ..rules.contract import (
    BOARD,
    GOES_ON,
    LIVE,
    MAJORITY,
    MAX_PLIES,
    PLY,
    QUIET,
    REASON,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    State,
)
from ..rules.registry import ruleset
from .checkpoint import check_room, load_checkpoint, save_checkpoint
from .perfect import to_the_end
from .proof import Bounds, Proof, Unsolved
from .ranking import MOST_SEEDS, layer_offset
from .retrograde import BuiltLayer, available_memory, build_tables, memory_needed
from .search import BUCKETS, MOST_DEPTH, STOP
from .table_games import table_game
from .tables import Tables

__all__ = ["Exact", "Progress", "Solution", "Unsolved", "solve"]

DEFAULT_MEMORY = 1 << 30  # bytes
LEAST_MEMORY = 1 << 10  # bytes
REPORT_EVERY = 1.0  # seconds
CHECKPOINT_EVERY = 600.0  # seconds


@dataclass(frozen=True)
class Progress:
    """How far a solution has come.

    Args:
        nodes: plies played so far.
        seconds: by the clock.
        lower, upper: what is known of the value so far.
    """

    nodes: int
    seconds: float
    lower: int
    upper: int


@dataclass(frozen=True)
class Solution:
    """A position solved.

    Args:
        lower, upper: the value for the player to move, as `Exact.bounds`; they differ only where the cycle rule decides.
        best: the actions that reach it, ascending; where the cycle rule decides, those that may.
        line: a line of best play, as actions, to the end of the game or to where a position comes back.
        nodes: plies played to find the value, by all runs that share a checkpoint; of tables, positions solved.
        seconds: the time that took, by the clock.
    """

    lower: int
    upper: int
    best: tuple[int, ...]
    line: tuple[int, ...]
    nodes: int
    seconds: float

    @property
    def value(self) -> int:
        """The value; raises Unsolved where the cycle rule decides."""
        return _single(self.lower, self.upper)


class Exact:
    """Perfect play of one game; what was found out is kept from call to call.

    Attributes:
        rules: the game, played to the last seed.
        solver: what finds out about live positions.
    """

    def __init__(
        self, rules: str | Rules, memory: int = DEFAULT_MEMORY, nodes: int | None = None, tables: Tables | None = None
    ) -> None:
        """Get ready to solve positions of a game.

        Args:
            rules: the game, or its id.
            memory: bytes of the transposition table at most, rounded down to a power of two: it begins small and grows; where a
                game is solved by endgame tables, the most that building them may take.
            nodes: the most plies that a call may play, None for as many as it takes; endgame tables do not heed it.
            tables: endgame tables of the game: search stops where they begin. They are copied into memory, beside `memory`.

        Raises:
            ValueError: a number is out of range, the tables are of another game, or the game cannot be solved; says why.
            MemoryError: there is not so much memory.
        """
        if memory < LEAST_MEMORY or (nodes is not None and nodes < 1):
            raise ValueError(f"memory={memory}, nodes={nodes} is not accepted: memory from {LEAST_MEMORY} bytes, nodes from 1")
        available = available_memory()
        if available is not None and memory > available:
            raise MemoryError(f"memory={memory} bytes are asked for, {available} are available")
        self.rules = _played_out(make_rules(rules))
        cycle_rule = self.rules.options.get("cycle_rule", "other" if self.rules.cycle_count else None)
        if not self.rules.stores_only_count and self.rules.cycle_count and cycle_rule != "draw":
            raise ValueError(
                f"{self.rules!r} cannot be solved: what a position that comes back is worth hangs on how it came about"
            )
        if tables is not None and tables.game != table_game(self.rules):
            raise ValueError(f"the endgame tables are of {tables.rules!r}, not of {self.rules!r}")
        self.solver: Proof | _Endgames
        if self.rules.stores_only_count and cycle_rule is not None:
            self.solver = _Endgames(self.rules, memory, tables)
        else:
            self.solver = Proof(self.rules, memory, nodes, tables)

    def value(self, position: Position) -> int:
        """What a position is worth to the player to move.

        Returns:
            The final margin of the stores, that of the position included; +1, 0 or -1 in games without seeds to count, and in those
            in which holes and player do not tell what is still to be gained.

        Raises:
            Unsolved: it takes more nodes than allowed, or longer lines than can be searched, or the cycle rule decides.
            ValueError: the position is of another game, or has too many seeds for endgame tables.
        """
        return _single(*self.bounds(position))

    def values(self, position: Position) -> dict[int, int]:
        """What each legal action is worth to the player to move, as `value` and with its errors; ValueError if the game is over."""
        return {action: _single(*bounds) for action, bounds in self.action_bounds(position).items()}

    def bounds(self, position: Position) -> tuple[int, int]:
        """What a position is worth to the player to move, at least and at most; equal but where the cycle rule decides."""
        self.solver.begin()
        state = self.own_state(position)
        return self.worth(state, int(state[TO_MOVE]))

    def action_bounds(self, position: Position) -> dict[int, tuple[int, int]]:
        """What each legal action is worth to the player to move, at least and at most, as `values`."""
        _check_live(position)
        self.solver.begin()
        state = self.own_state(position)
        return {action: self.worth(self.after(state, action), position.to_move) for action in position.legal_actions()}

    def own_state(self, position: Position) -> State:
        """A position as a state of `rules` with which a game begins, int16[S]."""
        if _played_out(position.rules) != self.rules:
            raise ValueError(f"a position of {position.rules!r} is none of {self.rules!r}")
        state = position.state.copy()
        state[[PLY, QUIET]] = 0
        if state[REASON] in (MAJORITY, MAX_PLIES):
            state[STATUS], state[REASON] = LIVE, GOES_ON
            self.rules.settle(state)
        return state

    def after(self, state: State, action: int) -> State:
        """The state after a legal action, int16[S], with which a game begins."""
        after = state.copy()
        self.rules.apply(after, action)
        after[[PLY, QUIET]] = 0
        return after

    def worth(self, state: State, player: int) -> tuple[int, int]:
        """What a state is worth to a player, at least and at most, as `value`."""
        banked = self.banked(state, player)
        if state[STATUS] != LIVE:
            return banked, banked
        lower, upper = (self.solver.value(state),) * 2 if isinstance(self.solver, Proof) else self.solver.bounds(state)
        return (banked + lower, banked + upper) if state[TO_MOVE] == player else (banked - upper, banked - lower)

    def may_reach(self, state: State, player: int, target: int) -> bool:
        """Whether a state is worth at least `target` to a player; where the cycle rule decides, whether it may be."""
        if state[STATUS] != LIVE or not isinstance(self.solver, Proof):
            return self.worth(state, player)[1] >= target
        gain = target - self.banked(state, player)
        if state[TO_MOVE] == player:
            return self.solver.at_least(state, gain)
        return not self.solver.at_least(state, 1 - gain)

    def best(self, state: State, target: int) -> list[int]:
        """The actions of a live state that are, or may be, worth at least `target` to the player to move, ascending."""
        mover = int(state[TO_MOVE])
        return [action for action in self._legal(state) if self.may_reach(self.after(state, action), mover, target)]

    def line(self, state: State, target: int) -> list[int]:
        """Best play from a live state that is, or may be, worth `target` to the player to move, as actions."""
        player = int(state[TO_MOVE])
        line: list[int] = []
        seen = set()
        while state[STATUS] == LIVE and state.tobytes() not in seen:
            seen.add(state.tobytes())
            mover = int(state[TO_MOVE])
            sign = 1 if mover == player else -1

            def promise(found: tuple[State, int], mover: int = mover) -> tuple[bool, int, int]:
                return found[0][TO_MOVE] == mover, self.banked(found[0], mover), found[1]

            afters = sorted(((self.after(state, action), action) for action in self._legal(state)), key=promise, reverse=True)
            after, action = next(found for found in afters if self.may_reach(found[0], mover, sign * target))
            line.append(action)
            state = after
        return line

    def _legal(self, state: State) -> list[int]:
        mask = np.zeros(self.rules.num_actions, np.bool_)
        self.rules.legal(state.copy(), mask)
        return np.flatnonzero(mask).tolist()

    def banked(self, state: State, player: int) -> int:
        """What a state is worth to a player without what is still to come."""
        south = (
            int(state[STORE_SOUTH]) - int(state[STORE_NORTH]) if self.rules.stores_only_count else RETURNS[int(state[STATUS])][0]
        )
        return -south if player else south


class _Endgames:
    """What is still to be gained, by endgame tables with as many seeds as are asked about.

    Attributes:
        nodes: how many positions are solved.
        on_layer: called after each layer.
    """

    def __init__(self, rules: Rules, memory: int, tables: Tables | None) -> None:
        self._rules, self._memory, self._game, self._tables = rules, memory, table_game(rules), tables
        self._folder = Path(tempfile.mkdtemp(prefix="mancala-envs-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self.nodes = 0
        self.on_layer: Callable[[], None] = lambda: None

    def begin(self) -> None:
        """Tables take as many positions as they take."""

    def unknown(self, state: State) -> Bounds:
        """What is known of every value: that no more can be gained than lies on the board."""
        seeds = int(state[BOARD:].sum())
        return Bounds(-seeds, seeds)

    def bounds(self, state: State) -> tuple[int, int]:
        """What the player to move still gains from a live state, at least and at most."""
        seeds = int(state[BOARD:].sum())
        if self._tables is None or self._tables.seeds < seeds:
            needed = memory_needed(self._game, seeds)
            if seeds > MOST_SEEDS or needed > self._memory:
                raise ValueError(
                    f"{self._rules.id} with {seeds} seeds on the board takes endgame tables of {needed:,} bytes, more than "
                    f"memory={self._memory:,}; `mancala-envs tables build` makes tables of fewer seeds"
                )
            build_tables(self._rules, seeds, self._folder, threads=1, report=self._count)
            self._tables = Tables.open(self._folder, self._rules)
        lower, upper = self._tables.bounds(state[None])
        return int(lower[0]), int(upper[0])

    def _count(self, layer: BuiltLayer) -> None:
        self.nodes = layer_offset(2 * self._game.houses, layer.seeds + 1)
        self.on_layer()


def solve(
    position: Position,
    memory: int = DEFAULT_MEMORY,
    report: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
    nodes: int | None = None,
    tables: Tables | None = None,
) -> Solution:
    """Solve a position. An interrupt (Ctrl-C) stops it at once; with a checkpoint, the same call later goes on from there.

    Args:
        position: where the game is still going on.
        memory: as in `Exact`.
        report: called about once a second; where endgame tables are built, after each layer.
        checkpoint: a file for what is known, written every ten minutes, at an interrupt and when the value is found.
        nodes, tables: as in `Exact`.

    Raises:
        Unsolved: as `Exact.value`.
        ValueError: the game cannot be solved or is over, or the checkpoint is of another proof.
        MemoryError, OSError: there is not so much memory; no checkpoint can be written there.
    """
    _check_live(position)
    exact = Exact(position.rules, memory, nodes, tables)
    run = _Run(exact, position, report or (lambda _: None), checkpoint)
    return run.by_search(exact.solver) if isinstance(exact.solver, Proof) else run.by_tables(exact.solver)


class _Run:
    """A solution on its way.

    The search runs in a thread of its own; meanwhile this one reports, has checkpoints written and can be interrupted. To write one
    the search halts, so that nothing in its arrays is half done, and goes on where it was.
    """

    def __init__(self, exact: Exact, position: Position, report: Callable[[Progress], None], checkpoint: Path | None) -> None:
        self.exact, self.report, self.checkpoint = exact, report, checkpoint
        self.state, self.mover = exact.own_state(position), position.to_move
        self.known = exact.solver.unknown(self.state)
        self.begun = self.saved = time.perf_counter()
        self.interrupted = False
        self.proof: dict[str, str | int] = {
            "rules": repr(exact.rules),
            "rules_digest": exact.rules.digest,
            "position": str(position),
        }

    def by_tables(self, endgames: "_Endgames") -> Solution:
        """By endgame tables; an interrupt ends it after the present sweep."""
        if self.checkpoint is not None:
            raise ValueError(f"checkpoint={str(self.checkpoint)!r} is not accepted: endgame tables are built here, which have none")
        endgames.on_layer = lambda: self.report(self.progress())
        self.known = Bounds(*endgames.bounds(self.state))
        return self.solution(self.progress())

    def by_search(self, proof: Proof) -> Solution:
        """By search, from the checkpoint on if there is one."""
        if self.checkpoint is not None:
            check_room(self.checkpoint, proof.arrays(len(proof.work.table)))
            self.proof["memory"] = proof.work.table.nbytes
        proof.compile(self.state)
        self.begun = self.saved = time.perf_counter()
        proof.begin()
        proof.on_halt = lambda: self.halted(proof)
        if self.checkpoint is not None and self.checkpoint.exists():
            self.restore(self.checkpoint, proof)

        def work() -> Solution:
            proof.narrow(self.state, self.known)
            found = self.progress()
            self.save(proof)
            return self.solution(found)

        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(work)
            try:
                while not wait((future,), REPORT_EVERY).done:
                    self.report(self.progress())
                    if self.checkpoint is not None and time.perf_counter() - self.saved > CHECKPOINT_EVERY:
                        proof.work.counters[STOP] = 1
            except BaseException:
                self.interrupted = True
                proof.work.counters[STOP] = 1
                raise
            return future.result()

    def halted(self, proof: Proof) -> None:
        """In the thread of the search: write a checkpoint, and go on or give up."""
        proof.work.counters[STOP] = 0  # first of all, so that an interrupt from here on halts it again
        self.save(proof)
        if self.interrupted:
            raise KeyboardInterrupt

    def save(self, proof: Proof) -> None:
        """Write a checkpoint if one is asked for. If it cannot be written, warn: what has been found out is worth more."""
        if self.checkpoint is None:
            return
        lower, upper = self.known.lower, self.known.upper
        target, depth = proof.asked
        is_amidst = lower < upper and proof.of_margins and depth == MOST_DEPTH
        buckets = int(proof.work.counters[BUCKETS])
        known = {
            "lower": lower,
            "upper": upper,
            "target": target if is_amidst else None,
            "seconds": self.progress().seconds,
            "buckets": buckets,
        }
        try:
            save_checkpoint(self.checkpoint, self.proof, known, proof.arrays(buckets))
        except OSError as error:
            warnings.warn(f"no checkpoint written, the one before is unchanged: {error}", stacklevel=1)
        self.saved = time.perf_counter()

    def restore(self, checkpoint: Path, proof: Proof) -> None:
        """Go on from a checkpoint."""
        known = load_checkpoint(checkpoint, self.proof, lambda known: proof.arrays(known["buckets"]))
        self.known = Bounds(known["lower"], known["upper"])
        self.begun -= known["seconds"]
        proof.work.counters[STOP] = 0
        proof.begin()
        if known["target"] is not None:
            proof.go_on(known["target"])

    def progress(self) -> Progress:
        """How far it has come."""
        banked = self.exact.banked(self.state, self.mover)
        nodes, seconds = self.exact.solver.nodes, time.perf_counter() - self.begun
        return Progress(nodes, seconds, banked + self.known.lower, banked + self.known.upper)

    def solution(self, found: Progress) -> Solution:
        """What there is to tell once the value is known."""
        best, line = self.exact.best(self.state, found.upper), self.exact.line(self.state, found.upper)
        return Solution(found.lower, found.upper, tuple(best), tuple(line), found.nodes, found.seconds)


@functools.cache
def _played_out(rules: Rules) -> Rules:
    """The same game without a stop at the majority, and as long as it may last."""
    rules = to_the_end(rules)
    longest = ruleset(rules.id).options["max_plies"].accepts[-1]
    return make_rules(rules, max_plies=longest)


def _single(lower: int, upper: int) -> int:
    if lower < upper:
        raise Unsolved(f"there is no single value: {lower:+} to {upper:+}, as the cycle rule decides")
    return lower


def _check_live(position: Position) -> None:
    if position.is_over:
        raise ValueError(f"the game is over ({position.end_reason}): there is nothing to choose")
