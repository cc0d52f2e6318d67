"""Monte-Carlo tree search with rollouts, compiled: each simulation ends in one game played out from the new leaf.

Selection, expansion, backup and solved nodes are those of `tree.py`. A rollout plays to the end of the game, by the rules'
repetition rule with a history of its own that begins at the leaf, and is worth 1, 0 or -1: a draw and the ply limit are 0.
"""

import functools
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.history import ONLY_GAME, Histories, new_histories, repetition
from ..kernels.random import below, make_nth_legal, next_word
from ..kernels.rows import copy_row, own_rows
from ..kernels.threads import MOST_THREADS, share_out
from ..position import Position
from ..rules.contract import DRAW, LIVE, QUIET, STATUS, TO_MOVE, Rules, State, south_result
from ..rules.jit import compiled, helper, key_on_sources
from .agent import MOST_MS, states_of
from .tree import Tree, growth, node_type

MOST_SIMULATIONS = 10_000_000
KEPT = 4  # a tree has room for the nodes of so many searches, since part of it is kept from move to move,
MAX_BYTES = 1 << 28  # but not for more than this
CHUNK = 32  # simulations between two looks at the clock
WON = 1_000_000  # more than any evaluation


class MCTS:
    """Searches by a number of simulations, or for a time, and plays the most visited action; a proven win at once.

    From one `act` to the next the tree below the position reached is kept. The same seed and number of simulations play the same
    games.

    Args:
        rules: the game.
        simulations: how many are added for a move, from 1 to MOST_SIMULATIONS; 400 if neither is given.
        ms: instead, milliseconds for a move, from 1 to MOST_MS; in a batch, for each state.
        rollout: "random", or "greedy": each ply takes the largest immediate gain by the rules' `evaluate`, ties at random.
        exploration: how much actions that were tried less often are preferred, see `tree.py`.
        threads: how many threads share a batch.
        seed: seed of all random numbers.

    Raises:
        ValueError: an option out of range, or both simulations and ms.
    """

    def __init__(
        self,
        rules: Rules,
        simulations: int | None = None,
        ms: int | None = None,
        rollout: str = "random",
        exploration: float = 1.0,
        threads: int = 1,
        seed: int | None = None,
    ) -> None:
        if simulations is not None and ms is not None:
            raise ValueError(f"simulations={simulations}, ms={ms} is not accepted: one of the two")
        if simulations is None and ms is None:
            simulations = 400
        if simulations is not None and not 1 <= simulations <= MOST_SIMULATIONS:
            raise ValueError(f"simulations={simulations} is not accepted: from 1 to {MOST_SIMULATIONS}")
        if ms is not None and not 1 <= ms <= MOST_MS:
            raise ValueError(f"ms={ms} is not accepted: from 1 to {MOST_MS}")
        if rollout not in ("random", "greedy"):
            raise ValueError(f"rollout={rollout!r} is not accepted: 'random' or 'greedy'")
        if not 0 <= exploration < float("inf"):
            raise ValueError(f"exploration={exploration} is not accepted: a number from 0")
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads} is not accepted: from 1 to {MOST_THREADS}")
        self.name = f"mcts:simulations={simulations}" if ms is None else f"mcts:ms={ms}"
        self.name += (f",rollout={rollout}" if rollout != "random" else "") + (
            f",exploration={exploration}" if exploration != 1 else ""
        )
        self.rules = rules
        self.simulations, self.ms = simulations, ms
        self.rollout, self.exploration = rollout, exploration
        self._threads = threads
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`; the tree is dropped."""
        self._generator = np.random.default_rng(seed)
        self._search: Search | None = None

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        states_of(position, self)
        if self._search is None:
            self._search = self._new_search(KEPT)
        search = self._search
        search.tree.turn_to(position)
        search.tree.random[:] = self._words(1)
        search.run(self.simulations, self.ms)
        return int(search.tree.best_actions()[0])

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`; raises ValueError where a game is over."""
        states = own_rows(states, self.rules)
        live = states[:, STATUS] == LIVE
        if not live.all():
            raise ValueError(f"the mask of row {int(np.argmin(live))} is empty: there is no action to choose")
        words = self._words(len(states))

        def search_part(part: slice) -> np.ndarray:
            return self._new_search(1).run_all(states[part], words[part], self.simulations, self.ms)

        return np.concatenate(share_out(search_part, len(states), self._threads, parts_per_thread=8))

    def _new_search(self, kept: int) -> "Search":
        room = MAX_BYTES // node_type(self.rules, guided=False).itemsize
        nodes = room if self.simulations is None else min(kept * self.simulations + 1, room)
        return Search(Tree(self.rules, 1, nodes, exploration=self.exploration), self.rollout)

    def _words(self, count: int) -> np.ndarray:
        return self._generator.integers(1, 2**64, count, np.uint64)


class Search:
    """The compiled search of one game at a time.

    Args:
        tree: an unguided tree of one game.
        rollout: see `MCTS`.
    """

    def __init__(self, tree: Tree, rollout: str) -> None:
        rules = tree.rules
        self.tree = tree
        self._kernels = _kernels(rules, rollout == "greedy")
        self._states = np.zeros((3, rules.state_size), np.int16)
        self._mask = np.zeros(rules.num_actions, np.bool_)
        self._histories = new_histories(rules, 1)

    def run(self, simulations: int | None, ms: int | None) -> int:
        """Add so many simulations, or, if `ms` is given, as many as there is time for; returns how many.

        A solved root ends the search before.
        """
        if ms is None:
            return self._simulate(simulations)
        end, done = time.perf_counter() + ms / 1000, 0
        while True:
            added = self._simulate(CHUNK)
            done += added
            if added < CHUNK or time.perf_counter() >= end:
                return done

    def run_all(self, states: np.ndarray, words: np.ndarray, simulations: int | None, ms: int | None) -> np.ndarray:
        """The actions chosen in live states, int64[N], each searched with a new tree.

        Args:
            states: int16[N, S].
            words: the state of a random generator for each, uint64[N].
            simulations, ms: as in `run`.
        """
        tree, chosen = self.tree, np.zeros(len(states), np.int64)
        if ms is None:
            self._kernels.search_all(states, words, simulations, chosen, *self._arguments)
            return chosen
        for row in range(len(states)):
            tree.plant(states[row : row + 1])
            tree.random[:] = words[row]
            self.run(None, ms)
            chosen[row] = tree.best_actions()[0]
        return chosen

    def _simulate(self, simulations: int | None) -> int:
        return self._kernels.simulate(simulations, *self._arguments)

    @property
    def _arguments(self) -> tuple[Any, ...]:
        tree = self.tree
        return (
            tree.exploration,
            tree.nodes,
            tree.used,
            tree.lines,
            tree.known,
            tree.random,
            self._states,
            self._mask,
            self._histories,
        )


@dataclass(frozen=True)
class _Kernels:
    simulate: Any
    search_all: Any


@functools.cache
def _kernels(rules: Rules, greedy: bool) -> _Kernels:
    legal, apply, evaluate, num_actions = rules.legal, rules.apply, rules.evaluate, rules.num_actions
    enter, judge = repetition(rules)
    nth_legal = make_nth_legal(num_actions)
    grow = growth(rules, guided=False)
    plant, descend, back_up, best_action = grow.plant, grow.descend, grow.back_up, grow.best_action

    @helper
    def gain(state: State) -> int:
        """How far South is ahead."""
        return evaluate(state) + WON * south_result(state[STATUS])

    @helper
    def keep_greediest(state: State, ahead: State, mask: np.ndarray) -> int:
        """Clear of the legal actions all but those with the largest gain; returns how many are left."""
        side = 1 - 2 * int(state[TO_MOVE])
        most, count = -2 * WON, 0
        for action in range(num_actions):
            if mask[action]:
                copy_row(state, ahead)
                apply(ahead, action)
                found = side * gain(ahead)
                if found > most:
                    mask[:action] = False
                    most, count = found, 0
                mask[action] = found == most
                count += mask[action]
        return count

    @helper
    def roll_out(state: State, ahead: State, mask: np.ndarray, histories: Histories, word: np.uint64) -> np.uint64:
        """Play to the end of the game; returns the generator's word after it."""
        state[QUIET] = 0
        enter(state, histories, ONLY_GAME)
        while state[STATUS] == LIVE:
            count = legal(state, mask)
            if greedy:
                count = keep_greediest(state, ahead, mask)
            word = next_word(word)
            apply(state, nth_legal(mask, below(word, count)))
            judge(state, histories, ONLY_GAME)
        return word

    @compiled
    def simulate(
        simulations: int,
        exploration: float,
        nodes: np.ndarray,
        used: np.ndarray,
        lines: np.ndarray,
        known: np.ndarray,
        random: np.ndarray,
        states: np.ndarray,
        mask: np.ndarray,
        histories: Histories,
    ) -> int:
        tree, state = nodes[0], states[0]
        for done in range(simulations):
            node, action = descend(exploration, tree, used, lines, known, random, 0, state, mask)
            if node < 0:  # the root is solved
                return done
            result = min(state[STATUS], DRAW)
            if result == LIVE:
                random[0] = roll_out(state, states[1], mask, histories, random[0])
            back_up(node, action, np.float32(south_result(state[STATUS])), result, tree)
        return simulations

    @compiled
    def search_all(
        roots: np.ndarray,
        words: np.ndarray,
        simulations: int,
        chosen: np.ndarray,
        exploration: float,
        nodes: np.ndarray,
        used: np.ndarray,
        lines: np.ndarray,
        known: np.ndarray,
        random: np.ndarray,
        states: np.ndarray,
        mask: np.ndarray,
        histories: Histories,
    ) -> None:
        for row in range(len(roots)):
            plant(roots[row], nodes[0], used, 0, mask)
            known[0] = 0
            random[0] = words[row]
            simulate(simulations, exploration, nodes, used, lines, known, random, states, mask, histories)
            chosen[row] = best_action(nodes[0])

    for function in (simulate, search_all):
        key_on_sources(function)
    return _Kernels(simulate, search_all)
