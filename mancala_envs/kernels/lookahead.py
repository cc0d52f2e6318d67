"""What each action leads to, one and two plies ahead, as numbers beside an observation.

A network has to learn sowing by heart before it can tell what a ply does; the rules know it. For every state and action:

    gain      what the ply changes in the rules' `evaluate`, as the player to move counts it
    again     whether the same player moves again
    ends      whether the game is over
    answer    the gain after the best next ply, the opponent's or his own; where many actions are legal, the gain alone

Gains are shares of half of all seeds (of all cells, where there are no seeds), cut to -1 and 1, which a won and a lost game are
worth whatever they bring. Illegal actions have 0 in all four. Repetitions do not count: the history of a game is not looked at.
"""

import functools
from typing import Any

import numpy as np

from ..rules.contract import LIVE, SOUTH_WON, STATUS, TO_MOVE, Rules, State, south_result
from ..rules.jit import compiled, helper, key_on_sources
from .rows import copy_row, own_rows
from .threads import share_out

MOST_ANSWERED = 40  # legal actions; answers cost their square
WON = 4.0  # more than any margin, so that it is cut to 1 whatever was there before


def lookahead_size(rules: Rules) -> int:
    """How many numbers there are for a state."""
    return 4 * rules.num_actions


def with_lookahead(rules: Rules, states: np.ndarray, observed: np.ndarray, threads: int = 1) -> np.ndarray:
    """Flat observations with what each action leads to behind them, float32[N, observation + lookahead_size(rules)].

    Args:
        rules: the game.
        states: int16[N, S]; where a game is over, all numbers are 0.
        observed: float32[N, *observation_shape].
        threads: how many threads share the work.
    """
    flat = observed.reshape(len(observed), -1)
    out = np.zeros((len(flat), flat.shape[1] + lookahead_size(rules)), np.float32)
    out[:, : flat.shape[1]] = flat
    states, numbers, kernel = own_rows(states, rules), out[:, flat.shape[1] :], _kernel(rules)

    def fill(part: slice) -> None:
        ahead, masks = np.empty((2, rules.state_size), np.int16), np.empty((2, rules.num_actions), np.bool_)
        kernel(states[part], ahead, masks, numbers[part])

    share_out(fill, len(states), threads)
    return out


@functools.cache
def _kernel(rules: Rules) -> Any:
    legal, apply, evaluate = rules.legal, rules.apply, rules.evaluate
    actions = rules.num_actions
    scale = 2 / rules.board.seeds if rules.board.seeds else 1 / sum(map(len, rules.board.rows))

    @helper
    def worth(state: State) -> float:
        """How far South is ahead."""
        return evaluate(state) * scale + WON * south_result(state[STATUS])

    @helper
    def best_answer(state: State, ahead: State, mask: np.ndarray) -> float:
        """How far South is ahead after the ply that its player likes best."""
        side = 1 - 2 * np.int64(state[TO_MOVE])
        best = -np.inf
        legal(state, mask)
        for action in range(actions):
            if mask[action]:
                copy_row(state, ahead)
                apply(ahead, action)
                best = max(best, side * worth(ahead))
                if ahead[STATUS] == SOUTH_WON + state[TO_MOVE]:
                    break
        return side * best

    @helper
    def cut(gain: float) -> float:
        return min(1.0, max(-1.0, gain))

    @compiled
    def fill(states: np.ndarray, ahead: np.ndarray, masks: np.ndarray, numbers: np.ndarray) -> None:
        for row in range(len(states)):
            state, after = states[row], ahead[0]
            if state[STATUS] != LIVE:
                continue
            mover = state[TO_MOVE]
            side = 1 - 2 * np.int64(mover)
            now = worth(state)
            answered = legal(state, masks[0]) <= MOST_ANSWERED
            for action in range(actions):
                if not masks[0, action]:
                    continue
                copy_row(state, after)
                apply(after, action)
                goes_on = after[STATUS] == LIVE
                then = worth(after)
                numbers[row, action] = cut(side * (then - now))
                numbers[row, actions + action] = goes_on and after[TO_MOVE] == mover
                numbers[row, 2 * actions + action] = not goes_on
                if answered and goes_on:
                    then = best_answer(after, ahead[1], masks[1])
                numbers[row, 3 * actions + action] = cut(side * (then - now))

    key_on_sources(fill)
    return fill
