"""The random draws of the kernels, in plain Python, to play their games again one ply at a time."""

from mancala_envs import Position
from mancala_envs.kernels.random import generators

WORD = 2**64 - 1


class Draws:
    """The draws of one game: xorshift with shifts 13, 7 and 17 (Marsaglia 2003)."""

    def __init__(self, seed: int, game: int, games: int) -> None:
        self.word = int(generators(seed, games)[game])

    def action(self, position: Position) -> int:
        self.word ^= self.word << 13 & WORD
        self.word ^= self.word >> 7
        self.word ^= self.word << 17 & WORD
        legal = position.legal_actions()
        return legal[(self.word >> 33) * len(legal) >> 31]
