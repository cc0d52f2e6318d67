"""Whole games at random, the fastest thing that can be done with a ruleset."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rules.contract import LIVE, STATUS, Rules
from ..rules.jit import compiled, key_on_sources
from .history import ONLY_GAME, Histories, new_histories, repetition
from .random import below, generators, make_nth_legal, next_word
from .threads import share_out


@dataclass(frozen=True)
class Playouts:
    """What came of some random games.

    Args:
        states: the final positions, int16[games, S].
        plies: the plies of all games together.
        choices: the legal actions of all positions met, together.
    """

    states: np.ndarray
    plies: int
    choices: int


def playouts(rules: Rules, games: int, seed: int = 0, threads: int = 1) -> Playouts:
    """Play `games` games from the opening with uniformly random legal actions.

    Args:
        rules: the game; its repetition rule and ply limit apply.
        games: how many, at least 1.
        seed: seed of the random choices; the same seed, the same games, whatever the number of threads.
        threads: how many threads share the work.
    """
    if games < 1 or threads < 1:
        raise ValueError(f"games={games}, threads={threads}: both are at least 1")
    play = _kernel(rules)
    states = np.zeros((games, rules.state_size), np.int16)
    random = generators(seed, games)

    def play_part(part: slice) -> np.ndarray:
        totals = np.zeros(2, np.int64)
        play(states[part], np.zeros(rules.num_actions, np.bool_), random[part], new_histories(rules, 1), totals)
        return totals

    plies, choices = np.sum(share_out(play_part, games, threads), axis=0).tolist()
    return Playouts(states, plies, choices)


@functools.cache
def _kernel(rules: Rules) -> Any:
    init, legal, apply = rules.init, rules.legal, rules.apply
    enter, judge = repetition(rules)
    nth_legal = make_nth_legal(rules.num_actions)

    @compiled
    def play(
        states: np.ndarray,
        mask: np.ndarray,
        random: np.ndarray,
        histories: Histories,
        totals: np.ndarray,
    ) -> None:
        plies, choices = 0, 0
        for game in range(len(states)):
            state, word = states[game], random[game]
            init(state)
            enter(state, histories, ONLY_GAME)
            while state[STATUS] == LIVE:
                count = legal(state, mask)
                choices += count
                word = next_word(word)
                apply(state, nth_legal(mask, below(word, count)))
                plies += 1
                judge(state, histories, ONLY_GAME)
        totals[0] = plies
        totals[1] = choices

    key_on_sources(play)
    return play
