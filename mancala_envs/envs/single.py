"""One side of a game as a gymnasium environment, with the opponent inside.

| | |
|---|---|
| Actions | `Discrete(A)`, the learner's, see `mancala-envs rules ID` |
| Observation | float32[...], as the learner sees the position, always with him to move until the game ends |
| Infos | `action_mask` int8[A], all 0 at the end; `seat`, the learner's: 0 South, 1 North; `end_reason` at the end |
| Reward | the learner's, once, in the step that ends the game, whoever ended it |

A step is the learner's ply and all plies that the opponent plays until the learner is to move again: none where the learner has an
extra turn, several where the opponent has. The rewards at the end are those of the AEC environment (`mancala_envs.envs.aec`).
"""

from operator import index
from typing import Any

import gymnasium
import numpy as np

from ..agents import Agent, make_agent
from ..kernels.batch import checked_random_plies
from ..position import IllegalMoveError, Position
from ..rules.contract import STATUS, TRUNCATED, Rules
from .aec import check_start, checked, environment_rules

ATTEMPTS = 100  # how often a game is begun in which the learner has no move before it is over


class MancalaEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A game against an opponent; see the module's table.

    `action_masks()` is what sb3-contrib's MaskablePPO asks for. Copies (deepcopy, pickle) keep the game, its history, and the
    random numbers of the environment and the opponent.

    Attributes:
        rules: the game.
        opponent: the agent that plays the other side.
        seat: the learner's side in this game, 0 (South) or 1 (North).
        position: the game so far, with its history.

    Args:
        rules: the game, or its id.
        opponent: an agent, or the spec of one such as "alphabeta:depth=2". `reset(seed)` seeds it.
        seat: 0, 1 or None, which draws a side for every game.
        render_mode: None, "ansi" (`render` returns the board as text) or "human" (the board is printed after every step).
        illegal: what an illegal action of the learner does: "lose" the game, or "raise" IllegalMoveError and change nothing.
        reward: "result": +1, 0 or -1; "margin": own store less other store, as a share of all seeds; the result where a
            game has no stores.
        random_plies: how many random plies open each game; fewer where they leave the learner no move.
        options: options of the rules; `max_cycles` is their `max_plies`.

    Raises:
        ValueError: an argument is not one of those accepted.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012  # gymnasium reads it from the class

    def __init__(
        self,
        rules: str | Rules,
        opponent: str | Agent = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        illegal: str = "lose",
        reward: str = "result",
        random_plies: int = 0,
        **options: Any,
    ) -> None:
        self.rules = environment_rules(rules, options)
        self.opponent = make_agent(opponent, self.rules)
        self._fixed_seat = checked("seat", seat, (None, 0, 1))
        self.render_mode = checked("render_mode", render_mode, (None, "ansi", "human"))
        self.illegal = checked("illegal", illegal, ("lose", "raise"))
        self.reward = checked("reward", reward, ("result", "margin"))
        self.random_plies = checked_random_plies(random_plies, self.rules)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, self.rules.observation_shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.rules.num_actions)
        self.position = self.rules.position()
        self.seat = 0
        self._is_on = False  # a game has begun and has not ended

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a new game; the opponent plays until the learner is to move.

        Args:
            seed: seeds the environment and the opponent, the same seed gives the same games; None goes on with their generators.
            options: `{"position": position}` begins there, with the position's own history and without random plies;
                `{"seat": 0}` or `{"seat": 1}` is the learner's side in this game.

        Raises:
            ValueError: an option that there is not, a position or seat that cannot be, or no game was found in which the learner
                has a move.
        """
        options = dict(options or {})
        start, seat = options.pop("position", None), checked("seat", options.pop("seat", self._fixed_seat), (None, 0, 1))
        if options:
            raise ValueError(f"reset has no option {next(iter(options))!r}; it has position, seat")
        if start is not None:
            check_start(start, self.rules)
        super().reset(seed=seed)
        if seed is not None:
            self.opponent.reset(int(self.np_random.integers(2**63)))
        plies = self.random_plies
        for _ in range(self.random_plies + ATTEMPTS):
            self.seat = int(self.np_random.integers(2)) if seat is None else int(seat)
            opening = self._play_randomly(plies) if start is None else start
            self.position = self._let_opponent_play(opening)
            if not self.position.is_over:
                break
            plies = max(0, min(plies, opening.ply) - 1)
        else:
            raise ValueError(f"player {self.seat} has no move before the game is over, from {start or self.rules.position()!r}")
        self._is_on = True
        return self._observe()

    def step(self, action: int | np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the learner's ply, and the opponent's until the learner is to move again.

        Raises:
            IllegalMoveError: the action is illegal and `illegal="raise"`; it names the legal ones.
            ValueError: the action is no integer.
            gymnasium.error.ResetNeeded: no game is on.
        """
        if not self._is_on:
            raise gymnasium.error.ResetNeeded("call reset() first: no game is on")
        try:
            number = index(action)
        except TypeError:
            raise ValueError(f"action={action!r} is not accepted: an integer") from None
        try:
            position = self.position.play(number)
        except IllegalMoveError:
            if self.illegal == "raise":
                raise
            return self._end(-1.0, False, "illegal_action")
        self.position = self._let_opponent_play(position)
        if self.position.is_over:
            return self._end(self._learners_return(), bool(self.position.state[STATUS] == TRUNCATED), self.position.end_reason)
        observation, info = self._observe()
        return observation, 0.0, False, False, info

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions, bool[A]; none when no game is on."""
        mask = np.zeros(self.rules.num_actions, np.bool_)
        if self._is_on:
            mask[self.position.legal_actions()] = True
        return mask

    def render(self) -> str | None:
        """The board: returned as text ("ansi") or printed ("human")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: make the environment with 'ansi' or 'human'")
            return None
        if self.render_mode == "ansi":
            return self.position.text()
        print(self.position.text(), end="\n\n")
        return None

    def _play_randomly(self, plies: int) -> Position:
        """The opening after that many random plies, fewer if the game is over before."""
        position = self.rules.position()
        for _ in range(plies):
            if not position.is_over:
                position = position.play(int(self.np_random.choice(position.legal_actions())))
        return position

    def _let_opponent_play(self, position: Position) -> Position:
        """The position in which the learner is to move next, or the game is over."""
        while position.to_move != self.seat and not position.is_over:
            position = position.play(self.opponent.act(position))
        return position

    def _learners_return(self) -> float:
        """The result or the margin from the learner's side; 0 at the ply limit."""
        if self.reward == "margin" and self.rules.board.banked_seeds and self.position.state[STATUS] != TRUNCATED:
            return (1, -1)[self.seat] * self.position.margin / self.rules.board.banked_seeds
        return float(self.position.returns[self.seat])

    def _end(self, reward: float, truncated: bool, reason: str | None) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self._is_on = False
        observation, info = self._observe()
        return observation, reward, not truncated, truncated, {**info, "end_reason": reason}

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        """What the learner sees, and the infos; a human sees the board too."""
        if self.render_mode == "human":
            self.render()
        return self.position.observe(self.seat), {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}
