"""Random numbers of a game: one xorshift generator (Marsaglia 2003, shifts 13, 7, 17) a game, its state a word that is never 0."""

from typing import Any

import numpy as np

from ..rules.contract import Mask
from ..rules.jit import helper


def generators(seed: int | np.random.SeedSequence, count: int) -> np.ndarray:
    """The words of `count` independent generators, uint64[count]."""
    sequence = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    return np.maximum(sequence.generate_state(count, np.uint64), np.uint64(1))


@helper
def next_word(word: np.uint64) -> np.uint64:
    """The generator's next word."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return word


@helper
def below(word: np.uint64, count: int) -> int:
    """A number from 0 to count - 1 drawn with a word."""
    return (int(word >> np.uint64(33)) * count) >> 31


def make_nth_legal(num_actions: int) -> Any:
    """nth_legal(mask, n) -> action: the action that is number n, from 0, among the legal ones.

    It is the number of actions up to which at most n legal ones are counted: no branch, since none could be predicted.
    """

    @helper
    def nth_legal(mask: Mask, n: int) -> int:
        action, counted = 0, 0
        for index in range(num_actions):
            counted += mask[index]
            action += counted <= n
        return action

    return nth_legal
