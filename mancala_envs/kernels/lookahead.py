"""What each action leads to, one ply and a few plies ahead, as numbers beside an observation.

A network has to learn sowing by heart before it can tell what a ply does; the rules know it. For every state and action:

    gain      what the ply changes in the rules' `evaluate`, as the player to move counts it
    again     whether the same player moves again
    ends      whether the game is over
    answer    the gain after best play, each player's own, as far as is looked ahead

Gains are shares of half of all seeds (of all cells, where there are no seeds), cut to -1 and 1, which a won and a lost game are
worth whatever they bring. Illegal actions have 0 in all four. Repetitions do not count: the history of a game is not looked at.

It is looked two plies ahead, but one where more than 40 actions are legal. In games without seeds a position says little of who
is ahead, so there it is looked further, up to six plies, where that makes no more than some 2,000 lines of play.
"""

import functools
from typing import Any

import numpy as np

from ..rules.contract import LIVE, STATUS, TO_MOVE, Rules, State, south_result
from ..rules.jit import compiled, helper, key_on_sources
from .rows import copy_row, own_rows
from .threads import share_out

MOST_ANSWERED = 40  # legal actions; answers cost their square
MOST_LINES = 2000  # of three plies and more: the product of the numbers of legal actions on the way
MOST_PLIES = 6
# Of a ply looked ahead: how far its player is ahead by the best action tried; the action to try next; the lines that lead past it.
BEST, NEXT, LINES = range(3)
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
        ahead, masks = np.empty((MOST_PLIES, rules.state_size), np.int16), np.empty((MOST_PLIES, rules.num_actions), np.bool_)
        kernel(states[part], ahead, masks, np.empty((MOST_PLIES, 3)), numbers[part])

    share_out(fill, len(states), threads)
    return out


@functools.cache
def _kernel(rules: Rules) -> Any:
    legal, apply, evaluate = rules.legal, rules.apply, rules.evaluate
    actions, has_seeds = rules.num_actions, bool(rules.board.seeds)
    scale = 2 / rules.board.seeds if rules.board.seeds else 1 / sum(map(len, rules.board.rows))

    @helper
    def worth(state: State) -> float:
        """How far South is ahead."""
        return evaluate(state) * scale + WON * south_result(state[STATUS])

    @helper
    def best_play(actions_before: int, ahead: np.ndarray, masks: np.ndarray, lines: np.ndarray) -> float:
        """How far South is ahead after best play from the live state ahead[0], which one of `actions_before` actions led to."""
        ply = 1
        lines[1, BEST], lines[1, NEXT], lines[1, LINES] = -np.inf, 0, actions_before * legal(ahead[0], masks[1])
        while True:
            state, line = ahead[ply - 1], lines[ply]
            action = int(line[NEXT])
            while action < actions and not masks[ply, action]:
                action += 1
            if action == actions or line[BEST] > WON / 2:  # no more to try, or a win is found
                found = line[BEST] if state[TO_MOVE] == 0 else -line[BEST]
                ply -= 1
                if ply == 0:
                    return found
            else:
                line[NEXT] = action + 1
                copy_row(state, ahead[ply])
                apply(ahead[ply], action)
                found = worth(ahead[ply])
                if not has_seeds and ply + 1 < MOST_PLIES and ahead[ply, STATUS] == LIVE:
                    further = line[LINES] * legal(ahead[ply], masks[ply + 1])
                    if further <= MOST_LINES:
                        ply += 1
                        lines[ply, BEST], lines[ply, NEXT], lines[ply, LINES] = -np.inf, 0, further
                        continue
            lines[ply, BEST] = max(lines[ply, BEST], found if ahead[ply - 1, TO_MOVE] == 0 else -found)

    @helper
    def cut(gain: float) -> float:
        return min(1.0, max(-1.0, gain))

    @compiled
    def fill(states: np.ndarray, ahead: np.ndarray, masks: np.ndarray, lines: np.ndarray, numbers: np.ndarray) -> None:
        for row in range(len(states)):
            state, after = states[row], ahead[0]
            if state[STATUS] != LIVE:
                continue
            mover = state[TO_MOVE]
            side = 1 - 2 * np.int64(mover)
            now = worth(state)
            count = legal(state, masks[0])
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
                if goes_on and count <= MOST_ANSWERED:
                    then = best_play(count, ahead, masks, lines)
                numbers[row, 3 * actions + action] = cut(side * (then - now))

    key_on_sources(fill)
    return fill
