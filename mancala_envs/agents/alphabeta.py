"""Players that search: alpha-beta with iterative deepening, and the greedy player, its shallowest case."""

import functools
import threading
from typing import Any

import numpy as np

from ..kernels.rows import copy_row, own_rows
from ..kernels.threads import MOST_THREADS, share_out
from ..position import Position
from ..rules.contract import DRAW, LIVE, NORTH_WON, QUIET, SOUTH_WON, STATUS, TO_MOVE, Rules, State, south_result
from ..rules.jit import compiled, helper, key_on_sources
from ..solve.search import (
    ABORTED,
    INFINITE,
    LIMIT,
    MOST_DEPTH,
    NO_ENDGAMES,
    NODES,
    PROVEN,
    STOP,
    WIN,
    Endgames,
    Work,
    make_search,
    make_work,
)
from ..solve.tables import Tables
from .agent import MOST_MS, choose_all, states_of

MOST = {"depth": MOST_DEPTH, "ms": MOST_MS, "nodes": 10**15}  # of a budget
MOST_BUCKETS = 1 << 18  # of the transposition table: 8 MB


class AlphaBeta:
    """Searches deeper and deeper and plays one of the best actions of the last depth it finished, each equally often.

    A position at the horizon is worth what the rules' `evaluate` says, a won game more than any such; of several wins it plays
    for the nearest, of losses for the farthest. With a budget in plies or nodes it plays alike on every machine.

    Attributes:
        searched: how many actions it has played in search so far.

    Args:
        rules: the game.
        depth: plies, from 1 to MOST_DEPTH; an extra turn is a ply. By default 4, or without a bound where another budget is given.
        ms: milliseconds a move, from 1 to an hour.
        nodes: actions that may be played in search a move, from 1 to 10**15.
        threads: how many threads share a batch.
        seed: seed of the choice among equals.
        tables: endgame tables of the game: search stops where they settle the result. They are copied into memory.

    Raises:
        ValueError: a budget or a number of threads that is not accepted.
    """

    def __init__(
        self,
        rules: Rules,
        depth: int | None = None,
        ms: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        seed: int | None = None,
        tables: Tables | None = None,
    ) -> None:
        given = {"depth": depth, "ms": ms, "nodes": nodes}
        budget = {name: value for name, value in given.items() if value is not None} or {"depth": 4}
        for name, value in budget.items():
            if not 1 <= value <= MOST[name]:
                raise ValueError(f"{name}={value} is not accepted: from 1 to {MOST[name]}")
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads} is not accepted: from 1 to {MOST_THREADS}")
        self.name = "alphabeta:" + ",".join(f"{name}={value}" for name, value in budget.items())
        self.rules = rules
        self.depth = budget.get("depth", MOST_DEPTH)
        self.ms, self.nodes = ms, nodes
        self.searched = 0
        self._endgames = NO_ENDGAMES if tables is None else Endgames(tables.seeds, tables.data())
        self._kernel = _kernel(rules, tables is not None)  # made here, not in the threads: two at once would make it twice
        self._threads = threads
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        states = states_of(position, self)
        earlier = position.line[:-1] if self.rules.cycle_count else states[:0]
        best = np.zeros((1, self.rules.num_actions), np.bool_)
        self.searched += self._search(own_rows(states, self.rules), earlier, best, self._work(len(earlier)))
        return int(choose_all(best, self._generator)[0])

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`."""
        best = np.zeros((len(states), self.rules.num_actions), np.bool_)
        states = own_rows(states, self.rules)

        def search_part(part: slice) -> int:
            return self._search(states[part], states[:0], best[part], self._work())

        self.searched += sum(share_out(search_part, len(states), self._threads, parts_per_thread=8))
        return choose_all(best, self._generator)

    def _work(self, earlier: int = 0) -> Work:
        levels = min(self.depth, MOST_DEPTH, self.rules.max_plies)
        return make_work(self.rules, levels, min(MOST_BUCKETS, 4 ** max(0, levels - 1)), earlier, endgames=self._endgames)

    def _search(self, states: np.ndarray, earlier: np.ndarray, best: np.ndarray, work: Work) -> int:
        """Mark the best actions of some states; returns how many were played for it."""
        nodes = self.nodes or MOST["nodes"]
        if self.ms is None:
            self._kernel(states, earlier, self.depth, nodes, best, work)
            return int(work.counters[NODES])
        for row in range(len(states)):
            work.counters[STOP] = 0
            timer = threading.Timer(self.ms / 1000, work.counters.__setitem__, (STOP, 1))
            timer.start()
            self._kernel(states[row : row + 1], earlier, self.depth, nodes, best[row : row + 1], work)
            timer.cancel()
            timer.join()  # or else it might stop the next search
        return int(work.counters[NODES])


class Greedy:
    """Takes the largest gain that a single ply brings, each of the largest equally often; a win is the largest gain there is.

    Args:
        rules: the game.
        seed: seed of the choice among equals.
    """

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.name = "greedy"
        self.rules = rules
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        return int(self.act_batch(states_of(position, self))[0])

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`."""
        best = np.zeros((len(states), self.rules.num_actions), np.bool_)
        _greedy_kernel(self.rules)(own_rows(states, self.rules), np.empty(self.rules.state_size, np.int16), best)
        return choose_all(best, self._generator)


@functools.cache
def _greedy_kernel(rules: Rules) -> Any:
    legal, apply, evaluate, num_actions = rules.legal, rules.apply, rules.evaluate, rules.num_actions

    @compiled
    def greedy(states: np.ndarray, after: State, best: np.ndarray) -> None:
        """Mark the actions of each live state with the largest gain in best, bool[N, A]."""
        for row in range(len(states)):
            state, mask = states[row], best[row]
            if state[STATUS] != LIVE:
                continue
            legal(state, mask)
            side = 1 - 2 * int(state[TO_MOVE])
            most = -INFINITE
            for action in range(num_actions):
                if mask[action]:
                    copy_row(state, after)
                    apply(after, action)
                    found = side * (int(evaluate(after)) if after[STATUS] == LIVE else WIN * south_result(after[STATUS]))
                    if found > most:
                        most = found
                        mask[:action] = False
                    mask[action] = found == most

    key_on_sources(greedy)
    return greedy


@functools.cache
def _kernel(rules: Rules, tabled: bool) -> Any:
    legal, apply, num_actions = rules.legal, rules.apply, rules.num_actions
    search, greedy = make_search(rules, margins=False, tabled=tabled), _greedy_kernel(rules)
    key_of, at_least, value, worth, judged = search.key, search.at_least, search.value, search.worth, search.judged
    repeats = rules.cycle_count > 0

    @helper
    def outcome(state: State, played: int, line: np.ndarray) -> tuple[bool, int]:
        """Whether a position ends the game or has occurred in it, and what it is then worth to South; the state may be used up."""
        if state[STATUS] in (SOUTH_WON, NORTH_WON, DRAW):
            return True, worth(state)
        if repeats and state[QUIET] > 0:
            key = key_of(state)
            for index in range(max(0, played - int(state[QUIET])), played):
                if line[index] == key:
                    return True, judged(state)
        return state[STATUS] != LIVE, 0

    @compiled
    def search_rows(
        roots: np.ndarray,
        earlier: np.ndarray,
        most_depth: int,
        nodes: int,
        best: np.ndarray,
        work: Work,
    ) -> None:
        """Mark the best actions of each live state in best, bool[N, A]."""
        states, masks, line, counters = work.states, work.masks, work.line, work.counters
        after = states[len(states) - 1, 0]
        marked, mask = masks[len(masks) - 1], masks[len(masks) - 2]
        for index in range(len(earlier)):
            line[index] = key_of(earlier[index])
        played = len(earlier)
        for row in range(len(roots)):
            root = roots[row]
            greedy(roots[row : row + 1], after, best[row : row + 1])
            if root[STATUS] != LIVE:
                continue
            work.table[:, :] = 0
            work.history[:, :] = 0
            counters[LIMIT] = counters[NODES] + nodes
            most = 0
            for depth in range(2, most_depth + 1):
                most = value(root, most, depth, played, work)
                if most == ABORTED or most <= -WIN:  # lost, it seems: what held out longest stays the best
                    break
                is_proven = counters[PROVEN] != 0
                line[played] = key_of(root)
                legal(root, mask)
                for action in range(num_actions):
                    marked[action] = False
                    if not mask[action]:
                        continue
                    copy_row(root, after)
                    apply(after, action)
                    again = after[TO_MOVE] == root[TO_MOVE]
                    is_over, found = outcome(after, played + 1, line)
                    if is_over:
                        found *= 1 - 2 * int(root[TO_MOVE])
                    else:
                        beta = most if again else 1 - most
                        found = at_least(after, beta, depth - 1, played + 1, work)
                        if found == ABORTED:
                            break
                        if not again:
                            found = -found
                    marked[action] = found >= most
                if found == ABORTED:
                    break
                if not marked.any():  # answers on different lines may contradict each other: what the last depth found stands
                    continue
                for action in range(num_actions):
                    best[row, action] = marked[action]
                if most >= WIN or is_proven:
                    break

    key_on_sources(search_rows)
    return search_rows
