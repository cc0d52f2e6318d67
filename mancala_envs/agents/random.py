"""The player without a plan."""

import numpy as np

from ..kernels.rows import legal_masks
from ..position import Position
from ..rules.contract import Rules
from .agent import choose_all, states_of


class Random:
    """Plays every legal action equally often."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        self.name = "random"
        self.rules = rules
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """See `Agent.reset`."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> int:
        """See `Agent.act`."""
        states_of(position, self)
        legal = position.legal_actions()
        return legal[int(self._generator.random() * len(legal))]

    def act_batch(self, states: np.ndarray) -> np.ndarray:
        """See `Agent.act_batch`."""
        return choose_all(legal_masks(self.rules, states), self._generator)
