"""Alpha-beta search over any ruleset, compiled; the greedy player is its shallowest case."""

import functools
from typing import Any

import numpy as np

from ..kernels.rows import copy_row, own_rows
from ..kernels.threads import share_out
from ..position import Position
from ..rules.contract import LIVE, NORTH_WON, PLY, SOUTH_WON, STATUS, TO_MOVE, Rules, State
from ..rules.jit import compiled, helper, key_on_sources
from .agent import choose_all, states_of

WIN = 1_000_000  # less the plies it takes, so that a nearer win is preferred
INFINITE = 2 * WIN
MAX_DEPTH, MAX_THREADS = 100, 256


class AlphaBeta:
    """Searches `depth` plies ahead and plays one of the best actions, each equally often.

    A position at the horizon is worth what the rules' `evaluate` says, a won game more than any such. Sides are kept apart by who
    is to move, not by depth, so extra turns are right. Repetition is not looked for.

    Args:
        rules: the game.
        depth: plies, from 1 to MAX_DEPTH; an extra turn is a ply.
        threads: how many threads share a batch.
        seed: seed of the choice among equals.
    """

    def __init__(self, rules: Rules, depth: int = 4, threads: int = 1, seed: int | None = None) -> None:
        if not 1 <= depth <= MAX_DEPTH or not 1 <= threads <= MAX_THREADS:
            raise ValueError(
                f"depth={depth}, threads={threads} is not accepted: depth from 1 to {MAX_DEPTH}, threads from 1 to {MAX_THREADS}"
            )
        self.name = f"alphabeta:depth={depth}"
        self.rules = rules
        self.depth = depth
        self._threads = threads
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
        states = own_rows(states, self.rules)
        search = _kernel(self.rules)
        levels, actions = self.depth + 1, self.rules.num_actions

        def search_part(part: slice) -> None:
            stack = np.zeros((levels, self.rules.state_size), np.int16)
            masks = np.zeros((levels, actions), np.bool_)
            search(states[part], best[part], stack, masks, np.zeros((levels, 4), np.int64))

        share_out(search_part, len(states), self._threads, parts_per_thread=8)
        return choose_all(best, self._generator)


class Greedy(AlphaBeta):
    """Takes the largest gain that a single ply brings, each of the largest equally often; a win is the largest gain there is."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        super().__init__(rules, depth=1, seed=seed)
        self.name = "greedy"


@functools.cache
def _kernel(rules: Rules) -> Any:
    legal, apply, evaluate, num_actions = rules.legal, rules.apply, rules.evaluate, rules.num_actions
    ACTION, ALPHA, BETA, VALUE = range(4)  # what a level of the search keeps, beside its state and mask

    @helper
    def worth(state: State) -> int:
        """What a position that is not searched further is worth to South."""
        status, margin = state[STATUS], int(evaluate(state))
        if status == SOUTH_WON:
            return WIN + margin - int(state[PLY])
        if status == NORTH_WON:
            return margin - WIN + int(state[PLY])
        return margin if status == LIVE else 0

    @helper
    def enter(level: int, alpha: int, beta: int, stack: np.ndarray, masks: np.ndarray, nodes: np.ndarray) -> None:
        legal(stack[level], masks[level])
        nodes[level, ACTION] = -1
        nodes[level, ALPHA] = alpha
        nodes[level, BETA] = beta
        nodes[level, VALUE] = -INFINITE if stack[level, TO_MOVE] == 0 else INFINITE

    @compiled
    def value(alpha: int, beta: int, stack: np.ndarray, masks: np.ndarray, nodes: np.ndarray) -> int:
        """The value to South of stack[1], searched to the end of the stack; exact within the window."""
        horizon = len(stack) - 1
        if stack[1, STATUS] != LIVE or horizon == 1:
            return worth(stack[1])
        level = 1
        enter(1, alpha, beta, stack, masks, nodes)
        while True:
            action = nodes[level, ACTION] + 1
            while action < num_actions and not masks[level, action]:
                action += 1
            nodes[level, ACTION] = action
            if action < num_actions and nodes[level, ALPHA] < nodes[level, BETA]:
                copy_row(stack[level], stack[level + 1])
                apply(stack[level + 1], action)
                if stack[level + 1, STATUS] == LIVE and level + 1 < horizon:
                    enter(level + 1, nodes[level, ALPHA], nodes[level, BETA], stack, masks, nodes)
                    level += 1
                    continue
                found = worth(stack[level + 1])
            else:
                found = nodes[level, VALUE]
                level -= 1
                if level == 0:
                    return found
            if stack[level, TO_MOVE] == 0:
                nodes[level, VALUE] = max(nodes[level, VALUE], found)
                nodes[level, ALPHA] = max(nodes[level, ALPHA], found)
            else:
                nodes[level, VALUE] = min(nodes[level, VALUE], found)
                nodes[level, BETA] = min(nodes[level, BETA], found)

    @compiled
    def search(states: np.ndarray, best: np.ndarray, stack: np.ndarray, masks: np.ndarray, nodes: np.ndarray) -> None:
        """Mark the best actions of each state in best, bool[N, A]."""
        for row in range(len(states)):
            if states[row, STATUS] != LIVE:
                continue
            copy_row(states[row], stack[0])
            legal(stack[0], masks[0])
            sign = 1 if stack[0, TO_MOVE] == 0 else -1
            most = -INFINITE
            for action in range(num_actions):
                if not masks[0, action]:
                    continue
                copy_row(stack[0], stack[1])
                apply(stack[1], action)
                if sign > 0:  # the window leaves room for equals, so that they are told apart from worse actions
                    found = value(most - 1, INFINITE, stack, masks, nodes)
                else:
                    found = -value(-INFINITE, 1 - most, stack, masks, nodes)
                if found > most:
                    most = found
                    best[row, :] = False
                if found == most:
                    best[row, action] = True

    for function in (value, search):
        key_on_sources(function)
    return search
