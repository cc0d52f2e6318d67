"""The search tree of many games, as arrays, grown over any ruleset by select, expand and backup.

A simulation walks from the root along the edge (an action) that looks best, the more so the less it was tried, adds the node it
comes to, and takes the value found there back up to the root. Without priors an edge is chosen by UCT (Kocsis and Szepesvari,
Bandit based Monte-Carlo planning, 2006), after each was tried once, in random order; with priors by PUCT (Silver et al., A general
reinforcement learning algorithm that masters chess, shogi and Go through self-play, 2018):

    UCT     mean + exploration * sqrt(log(visits of the node) / visits of the edge)
    PUCT    mean + exploration * prior * sqrt(visits of the node) / (1 + visits of the edge)

An untried edge has the node's own mean in PUCT. All values are those of the player to move in the node they stand in, who need not
have changed on the way: signs go by the mover, never by depth.

**Solved nodes** (Winands, Bjornsson and Saito, Monte-Carlo tree search solver, 2008). The end of a game proves the edge to it. A
node is solved when one edge is won for its mover, or when all are proven; that proves the edge above, and so on up. Proven losses
are not visited again, a proven draw costs no evaluation, and a solved root ends the search.

**Repetition.** Every node is reached by one sequence of plies only, so its history is known: the positions on the way down from the
root, and before these the game's, which are given with the root. When a node is added it is judged by it, as the game itself
would be, so that no path of the tree goes round in circles beyond the rules' own count, and what is proven holds in this game.

Shapes, as far as they are the same throughout: G games, N nodes a game, A actions, S numbers in a state, P positions of a history.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.random import below, generators, next_word
from ..kernels.rows import copy_row, own_rows
from ..position import Position
from ..rules.contract import (
    DRAW,
    GOES_ON,
    LIVE,
    NORTH_WON,
    PLY,
    QUIET,
    REASON,
    SOUTH_WON,
    STATUS,
    STORE_SOUTH,
    TO_MOVE,
    Rules,
    State,
    south_result,
)
from ..rules.jit import compiled, helper, key_on_sources

ROOT, NOWHERE = 0, -1


def node_type(rules: Rules, guided: bool) -> np.dtype:
    """A node of a tree: a record, so that all of it lies together in memory.

    Args:
        rules: the game.
        guided: whether edges have priors.
    """
    actions = rules.num_actions
    return np.dtype(
        [
            ("parent", np.int32),  # NOWHERE for the root
            ("action", np.int16),  # the parent's edge to here
            ("mover", np.uint8),  # the player to move
            ("result", np.uint8),  # a STATUS: how the game ends from here with best play; LIVE as long as that is not proven
            ("visits", np.int32),  # simulations that came through, the one that added the node included
            ("moves", np.int32),  # how many edges are legal
            ("edge_visits", np.int32, actions),
            ("edge_sums", np.float32, actions),  # of the values of the simulations through an edge
            ("edge_results", np.uint8, actions),  # as `result`
            ("legal", np.uint8, actions),
            ("children", np.int32, actions),  # ROOT where there is no node
            *([("priors", np.float32, actions)] if guided else []),
            ("row", np.int16, rules.state_size),
        ],
        align=True,
    )


class Tree:
    """The search trees of G games of one ruleset, side by side.

    A simulation of every game is a `select`, an evaluation of the states it returns by whoever searches, and an `expand` with what
    came of it:

        tree = Tree(rules, games=256, nodes=801, guided=True)
        tree.plant(states)
        for _ in range(800):
            leaves = tree.select()
            priors, values = network(leaves)
            tree.expand(values, priors)
        actions = tree.best_actions()
        tree.advance(actions)

    A game whose tree has N nodes is searched on without new ones. One whose root is solved is left alone: its leaf is the root,
    with the result as STATUS.

    Args:
        rules: the game.
        games: G.
        nodes: N; one for the root and one a simulation are enough.
        guided: whether edges are chosen by PUCT, with priors that are given to `expand`; else by UCT.
        exploration: how much an edge that was tried less often than others is preferred, see the module's text.
        seed: seed of the order in which edges are tried first.

    Attributes:
        nodes: `node_type`[G, N], the first of each game its root; those from `used` on are not in use.
        used: int64[G].
    """

    def __init__(
        self, rules: Rules, games: int, nodes: int, guided: bool = False, exploration: float = 1.0, seed: int | None = None
    ) -> None:
        if games < 1 or nodes < 1:
            raise ValueError(f"games={games}, nodes={nodes} is not accepted: both are integers from 1")
        positions = rules.max_plies + 1 if rules.cycle_count else 0
        self.rules = rules
        self.guided = guided
        self.exploration = np.float64(exploration)
        self.nodes = np.empty((games, nodes), node_type(rules, guided))
        self.used = np.zeros(games, np.int64)
        self.random = generators(np.random.SeedSequence(seed), games)
        self.lines = np.empty((games, positions, rules.state_size), np.int16)  # the positions before the root that can come back
        self.known = np.zeros(games, np.int64)  # how many
        self._leaves = np.zeros((games, rules.state_size), np.int16)
        self._edges = np.zeros((games, 2), np.int64)  # the node and the action that lead to the leaf
        self._mask = np.zeros(rules.num_actions, np.bool_)
        self._moved = np.empty(nodes, np.int32)

    def __len__(self) -> int:
        return len(self.nodes)

    def plant(self, states: np.ndarray) -> None:
        """Begin new trees, whose games have no history.

        Args:
            states: the roots, int16[G, S].
        """
        states = own_rows(states, self.rules)
        if len(states) != len(self):
            raise ValueError(f"{len(states)} states for {len(self)} games: one a game")
        self.known[:] = 0
        self._kernels.plant(states, self.nodes, self.used, self._mask)

    def turn_to(self, position: Position) -> None:
        """Make a position the root of the first game, with its history.

        What hangs from it is kept if the tree holds it: the same state, at the same ply, with the same positions before it that can
        come back; so if it came about by moves played from the last root.
        """
        state, line = position.state.copy(), position.line[:-1][: self.lines.shape[1]]
        node = self._kernels.find(state, line, self.nodes[0], self.used, self.lines, self.known)
        if node == NOWHERE:
            self.plant(state[None])
            self.lines[0, : len(line)] = line
            self.known[0] = len(line)
        elif node != ROOT:
            self._kernels.cut(node, 0, self.nodes, self.used, self.lines, self.known, self._moved)

    def select(self) -> np.ndarray:
        """Walk down every tree; returns the states of the leaves, int16[G, S], to be used before the next call.

        A leaf whose game is over needs no evaluation. In a guided tree the first leaf is the root.
        """
        self._kernels.select(
            self.exploration, self.nodes, self.used, self.lines, self.known, self.random, self._leaves, self._mask, self._edges
        )
        return self._leaves

    def expand(self, values: np.ndarray, priors: np.ndarray | None = None) -> None:
        """Take the values of the selected leaves up the trees, and give priors to the edges that leave them.

        Args:
            values: float32[G], from -1 to 1, for the players to move in the leaves; ignored where a game is over.
            priors: float32[G, A], 0 or more, in a guided tree; the part of the legal actions is scaled to a sum of 1.

        Raises:
            ValueError: priors are missing in a guided tree, or given in another; wrong shapes.
        """
        if (priors is not None) != self.guided:
            raise ValueError(f"a tree with guided={self.guided} takes {'priors' if self.guided else 'no priors'}")
        shape = len(self), self.rules.num_actions
        priors = np.zeros((len(self), 0), np.float32) if priors is None else np.ascontiguousarray(priors, np.float32)
        if values.shape != shape[:1] or (self.guided and priors.shape != shape):
            raise ValueError(
                f"values of shape {values.shape}, priors of shape {priors.shape}: they are [{shape[0]}] and {list(shape)}"
            )
        self._kernels.expand(np.ascontiguousarray(values, np.float32), priors, self.nodes, self._leaves, self._edges)

    def best_actions(self) -> np.ndarray:
        """What was found best at the roots, int64[G]: a proven win, else the most visited action that is no proven loss.

        Of actions visited equally often it is the one with the larger mean; where all are lost, the most visited;
        -1 where the game is over.
        """
        actions = np.zeros(len(self), np.int64)
        self._kernels.best_actions(self.nodes, actions)
        return actions

    def advance(self, actions: np.ndarray) -> None:
        """Play an action in every game: what hangs from it is the new tree. A game that is over stays as it is.

        Args:
            actions: legal ones, int64[G].
        """
        self._kernels.advance(actions, self.nodes, self.used, self.lines, self.known, self._leaves, self._mask, self._moved)

    @property
    def root_states(self) -> np.ndarray:
        """The states of the roots, int16[G, S]."""
        return self.nodes["row"][:, ROOT]

    @property
    def root_priors(self) -> np.ndarray:
        """The priors at the roots, float32[G, A]; a view, for noise to be mixed in."""
        return self.nodes["priors"][:, ROOT]

    @property
    def root_visits(self) -> np.ndarray:
        """How often each action was tried at the roots, int32[G, A]."""
        return self.nodes["edge_visits"][:, ROOT]

    @property
    def root_values(self) -> np.ndarray:
        """What the players to move at the roots can expect, float32[G]: the mean of the simulations, or the proven result."""
        roots = self.nodes[:, ROOT]
        won, drawn = SOUTH_WON + roots["mover"], DRAW
        means = roots["edge_sums"].sum(axis=1) / np.maximum(roots["edge_visits"].sum(axis=1), 1)
        proven = np.where(roots["result"] == drawn, 0, np.where(roots["result"] == won, 1, -1))
        return np.where(roots["result"] == LIVE, means, proven).astype(np.float32)

    @property
    def root_results(self) -> np.ndarray:
        """How the games end with best play, uint8[G], as STATUS; LIVE where that is not proven."""
        return self.nodes["result"][:, ROOT]

    @property
    def _kernels(self) -> "_Kernels":
        return _kernels(self.rules, self.guided)


@dataclass(frozen=True)
class Growth:
    """The parts of a simulation, to be compiled into a search over the tree of one game, `node_type`[N].

    Args:
        plant: plant(state, tree, used, game, mask): begin the tree of a game.
        descend: descend(exploration, tree, used, lines, known, random, game, state, mask) -> (node, action): select. Walk from the
            root to a leaf, write its state, and add a node for it if it has none; returns the edge to the leaf, NOWHERE twice
            where it is the root.
        back_up: back_up(node, action, south_value, result, tree): take the value to South of the leaf behind an edge up to the
            root, and what is proven by the leaf's result, a STATUS, which is LIVE if nothing is.
        best_action: best_action(tree) -> action: see `Tree.best_actions`.
        adjudicate_return: adjudicate_return(state, node, tree, lines, known, game): adjudicate the state after a ply played in a
            node, if it has come back too often.
        same_position: same_position(state, row) -> whether two states are the same position.
    """

    plant: Any
    descend: Any
    back_up: Any
    best_action: Any
    adjudicate_return: Any
    same_position: Any


@functools.cache
def growth(rules: Rules, guided: bool) -> Growth:
    """The functions of a game's trees; see `Growth`."""
    legal, apply, settle, adjudicate = rules.legal, rules.apply, rules.settle, rules.adjudicate
    actions, state_size, cycle_count = rules.num_actions, rules.state_size, rules.cycle_count

    @helper
    def fill(node: int, parent: int, action: int, state: State, tree: np.ndarray, mask: np.ndarray) -> None:
        """Write a node that was not visited yet."""
        here = tree[node]
        here["parent"] = parent
        here["action"] = action
        here["mover"] = state[TO_MOVE]
        here["result"] = min(state[STATUS], DRAW)  # at the ply limit nobody wins
        here["visits"] = 1
        here["moves"] = legal(state, mask) if state[STATUS] == LIVE else 0
        for index in range(actions):
            here["edge_visits"][index] = 0
            here["edge_sums"][index] = 0
            here["edge_results"][index] = LIVE
            here["legal"][index] = here["moves"] > 0 and mask[index]
            here["children"][index] = ROOT
        copy_row(state, here["row"])

    @helper
    def plant(state: State, tree: np.ndarray, used: np.ndarray, game: int, mask: np.ndarray) -> None:
        fill(ROOT, NOWHERE, NOWHERE, state, tree, mask)
        tree[ROOT]["visits"] = not guided  # only a guided root need be evaluated itself, for its priors
        used[game] = 1

    @helper
    def same_position(state: State, row: np.ndarray) -> bool:
        if state[TO_MOVE] != row[TO_MOVE]:
            return False
        for index in range(STORE_SOUTH, state_size):  # noqa: SIM110 (a generator cannot be compiled here)
            if state[index] != row[index]:
                return False
        return True

    @helper
    def adjudicate_return(state: State, node: int, tree: np.ndarray, lines: np.ndarray, known: np.ndarray, game: int) -> None:
        if cycle_count == 0 or state[STATUS] & 3 != LIVE:  # nor TRUNCATED
            return
        occurrences, quiet = 1, int(state[QUIET])
        while quiet > 0 and node != NOWHERE:
            occurrences += same_position(state, tree[node]["row"])
            node = tree[node]["parent"]
            quiet -= 1
        for index in range(known[game] - min(quiet, known[game]), known[game]):
            occurrences += same_position(state, lines[game, index])
        if occurrences >= cycle_count:
            state[STATUS], state[REASON] = LIVE, GOES_ON  # an ending by the rules goes before one by the ply limit
            adjudicate(state)
            if state[STATUS] == LIVE:  # the game goes on from a fresh position
                state[QUIET] = 0
                settle(state)

    @helper
    def untried(here: Any, word: np.uint64) -> int:
        """One of the legal edges without a visit, at random."""
        chosen = below(word, int(here["moves"]) - int(here["visits"]) + 1)
        action, counted = 0, 0
        for index in range(actions):
            counted += here["legal"][index] & (here["edge_visits"][index] == 0)
            action += counted <= chosen
        return action

    @helper
    def best_by_uct(here: Any, exploration: float) -> int:
        lost = NORTH_WON - here["mover"]
        reach = exploration * math.sqrt(math.log(here["visits"]))
        best, action = -np.inf, NOWHERE
        for index in range(actions):
            visits = here["edge_visits"][index]
            if visits > 0 and here["edge_results"][index] != lost:
                share = 1 / float(visits)
                score = np.float64(here["edge_sums"][index]) * share + reach * math.sqrt(share)
                if score > best:
                    best, action = score, index
        return action

    @helper
    def best_by_puct(here: Any, exploration: float) -> int:
        lost = NORTH_WON - here["mover"]
        reach = exploration * math.sqrt(here["visits"])
        mean = np.float64(0)
        for index in range(actions):
            mean += here["edge_sums"][index]
        mean /= max(1, here["visits"] - 1)
        best, action = -np.inf, NOWHERE
        for index in range(actions):
            if here["legal"][index] and here["edge_results"][index] != lost:
                visits = here["edge_visits"][index]
                score = np.float64(here["edge_sums"][index]) / visits if visits > 0 else mean
                score += reach * np.float64(here["priors"][index]) / (1 + visits)
                if score > best:
                    best, action = score, index
        return action

    @helper
    def descend(
        exploration: float,
        tree: np.ndarray,
        used: np.ndarray,
        lines: np.ndarray,
        known: np.ndarray,
        random: np.ndarray,
        game: int,
        state: State,
        mask: np.ndarray,
    ) -> tuple[int, int]:
        node = ROOT
        root = tree[ROOT]
        if root["result"] != LIVE or root["visits"] == 0:
            copy_row(root["row"], state)
            state[STATUS] = root["result"]
            return NOWHERE, NOWHERE
        while True:
            here = tree[node]
            if guided:
                action = best_by_puct(here, exploration)
            elif here["visits"] <= here["moves"]:
                random[game] = next_word(random[game])
                action = untried(here, random[game])
            else:
                action = best_by_uct(here, exploration)
            child = here["children"][action]
            if child == ROOT or here["edge_results"][action] != LIVE:
                break
            node = child
        copy_row(here["row"], state)
        if here["edge_results"][action] != LIVE:
            state[STATUS] = here["edge_results"][action]
            return node, action
        apply(state, action)
        adjudicate_return(state, node, tree, lines, known, game)
        if state[STATUS] == LIVE and used[game] < len(tree):
            child = used[game]
            used[game] = child + 1
            fill(child, node, action, state, tree, mask)
            here["children"][action] = child
        return node, action

    @helper
    def solved(here: Any) -> int:
        """How a node's game ends with best play, as far as its edges tell."""
        won, lost = SOUTH_WON + here["mover"], NORTH_WON - here["mover"]
        result, all_proven = lost, True
        for index in range(actions):
            if here["legal"][index]:
                found = here["edge_results"][index]
                if found == won:
                    return won
                all_proven &= found != LIVE
                if found == DRAW:
                    result = DRAW
        return result if all_proven else LIVE

    @helper
    def back_up(node: int, action: int, south_value: float, result: int, tree: np.ndarray) -> None:
        while node != NOWHERE:
            here = tree[node]
            sign = 1 - 2 * np.float32(here["mover"])
            here["edge_visits"][action] += 1
            here["edge_sums"][action] += sign * south_value
            if result != LIVE:
                newly = here["edge_results"][action] == LIVE
                here["edge_results"][action] = result
                result = solved(here) if newly else LIVE
                if result != LIVE:
                    here["result"] = result
                    south_value = float(south_result(result))
            here["visits"] += 1
            action = here["action"]
            node = here["parent"]

    @helper
    def best_action(tree: np.ndarray) -> int:
        root = tree[ROOT]
        won, lost = SOUTH_WON + root["mover"], NORTH_WON - root["mover"]
        best = NOWHERE
        for action in range(actions):
            if not root["legal"][action]:
                continue
            if root["edge_results"][action] == won:
                return action
            if best == NOWHERE:
                best = action
                continue
            better = (root["edge_results"][best] == lost) - int(root["edge_results"][action] == lost)
            if better == 0:
                better = root["edge_visits"][action] - root["edge_visits"][best]
            if better > 0 or (better == 0 and root["edge_sums"][action] > root["edge_sums"][best]):
                best = action
        return best

    return Growth(plant, descend, back_up, best_action, adjudicate_return, same_position)


@dataclass(frozen=True)
class _Kernels:
    plant: Any
    select: Any
    expand: Any
    best_actions: Any
    advance: Any
    find: Any
    cut: Any


@functools.cache
def _kernels(rules: Rules, guided: bool) -> _Kernels:
    grow = growth(rules, guided)
    plant_tree, descend, back_up, best_action = grow.plant, grow.descend, grow.back_up, grow.best_action
    adjudicate_return, same_position = grow.adjudicate_return, grow.same_position
    apply, cycle_count, actions = rules.apply, rules.cycle_count, rules.num_actions

    @compiled
    def plant(states: np.ndarray, nodes: np.ndarray, used: np.ndarray, mask: np.ndarray) -> None:
        for game in range(len(states)):
            plant_tree(states[game], nodes[game], used, game, mask)

    @compiled
    def select(
        exploration: float,
        nodes: np.ndarray,
        used: np.ndarray,
        lines: np.ndarray,
        known: np.ndarray,
        random: np.ndarray,
        leaves: np.ndarray,
        mask: np.ndarray,
        edges: np.ndarray,
    ) -> None:
        for game in range(len(nodes)):
            node, action = descend(exploration, nodes[game], used, lines, known, random, game, leaves[game], mask)
            edges[game, 0] = node
            edges[game, 1] = action

    @helper
    def set_priors(here: Any, priors: np.ndarray) -> None:
        total = np.float32(0)
        for action in range(actions):
            if here["legal"][action]:
                total += priors[action]
        for action in range(actions):
            if total > 0:
                here["priors"][action] = here["legal"][action] * priors[action] / total
            else:
                here["priors"][action] = here["legal"][action] / np.float32(here["moves"])

    @compiled
    def expand(
        values: np.ndarray,
        priors: np.ndarray,
        nodes: np.ndarray,
        leaves: np.ndarray,
        edges: np.ndarray,
    ) -> None:
        for game in range(len(nodes)):
            tree, status = nodes[game], leaves[game, STATUS]
            node, action = edges[game, 0], edges[game, 1]
            if status != LIVE:
                back_up(node, action, np.float32(south_result(status)), min(status, DRAW), tree)
                continue
            leaf = ROOT if node == NOWHERE else tree[node]["children"][action]
            if node == NOWHERE:
                tree[ROOT]["visits"] = 1
            if guided and (node == NOWHERE or leaf != ROOT):  # otherwise there was no room for the leaf
                set_priors(tree[leaf], priors[game])
            south_value = values[game] if leaves[game, TO_MOVE] == 0 else -values[game]
            back_up(node, action, south_value, LIVE, tree)

    @compiled
    def best_actions(nodes: np.ndarray, found: np.ndarray) -> None:
        for game in range(len(nodes)):
            found[game] = best_action(nodes[game])

    @helper
    def remember(row: np.ndarray, following: np.ndarray, lines: np.ndarray, known: np.ndarray, game: int) -> None:
        """Lengthen the line of a game whose root moves on from `row` to `following`."""
        if following[QUIET] == 0:
            known[game] = 0
        elif known[game] < lines.shape[1]:
            copy_row(row, lines[game, known[game]])
            known[game] += 1

    @compiled
    def cut(
        node: int, game: int, nodes: np.ndarray, used: np.ndarray, lines: np.ndarray, known: np.ndarray, moved: np.ndarray
    ) -> None:
        """Make a node the root, and keep of the tree what hangs from it, moved together.

        Children stand behind their parents, so that one pass does it; moved, int32[N], says where each node went.
        """
        tree = nodes[game]
        if cycle_count:
            depth = 0
            above = node
            while above != ROOT:
                moved[depth] = above
                above = tree[above]["parent"]
                depth += 1
            while depth > 0:
                depth -= 1
                below_root = tree[moved[depth]]
                remember(tree[below_root["parent"]]["row"], below_root["row"], lines, known, game)
        for index in range(node):
            moved[index] = NOWHERE
        moved[node] = ROOT
        tree[ROOT] = tree[node]
        tree[ROOT]["parent"] = NOWHERE
        count = 1
        for index in range(node + 1, used[game]):
            parent = moved[tree[index]["parent"]]
            moved[index] = NOWHERE
            if parent != NOWHERE:
                moved[index] = count
                tree[count] = tree[index]
                tree[count]["parent"] = parent
                tree[parent]["children"][tree[count]["action"]] = count
                count += 1
        used[game] = count

    @compiled
    def advance(
        played: np.ndarray,
        nodes: np.ndarray,
        used: np.ndarray,
        lines: np.ndarray,
        known: np.ndarray,
        states: np.ndarray,
        mask: np.ndarray,
        moved: np.ndarray,
    ) -> None:
        for game in range(len(nodes)):
            root, state, action = nodes[game, ROOT], states[game], played[game]
            copy_row(root["row"], state)
            if state[STATUS] != LIVE:
                continue
            if root["children"][action] != ROOT:
                cut(root["children"][action], game, nodes, used, lines, known, moved)
                continue
            apply(state, action)
            adjudicate_return(state, ROOT, nodes[game], lines, known, game)
            if cycle_count:
                remember(root["row"], state, lines, known, game)
            plant_tree(state, nodes[game], used, game, mask)

    @helper
    def has_line(node: int, line: np.ndarray, quiet: int, tree: np.ndarray, lines: np.ndarray, known: np.ndarray) -> bool:
        """Whether the up to `quiet` positions before a node that are known are those of `line`."""
        above, before_root = tree[node]["parent"], known[0]
        for back in range(1, quiet + 1):
            is_given = back <= len(line)
            if above == NOWHERE and before_root == 0:
                return not is_given
            if not is_given:
                return False
            if above != NOWHERE:
                same = same_position(line[len(line) - back], tree[above]["row"])
                above = tree[above]["parent"]
            else:
                before_root -= 1
                same = same_position(line[len(line) - back], lines[0, before_root])
            if not same:
                return False
        return True

    @compiled
    def find(state: State, line: np.ndarray, tree: np.ndarray, used: np.ndarray, lines: np.ndarray, known: np.ndarray) -> int:
        """The node with this state and this line behind it, NOWHERE if there is none."""
        for node in range(used[0]):
            row = tree[node]["row"]
            if row[PLY] != state[PLY] or row[QUIET] != state[QUIET] or not same_position(state, row):
                continue
            if cycle_count == 0 or has_line(node, line, int(state[QUIET]), tree, lines, known):
                return node
        return NOWHERE

    for function in (plant, select, expand, best_actions, cut, advance, find):
        key_on_sources(function)
    return _Kernels(plant, select, expand, best_actions, advance, find, cut)
