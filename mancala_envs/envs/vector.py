"""Many games of one ruleset as a gymnasium vector environment; both sides are played through it.

| | |
|---|---|
| Actions | int64[N], the action of the player to move in each game, see `mancala-envs rules ID` |
| Observation | `{"observation": float32[N, ...], "action_mask": int8[N, A]}`, as the player to move next sees it |
| Rewards | float32[N], `reward[i]` belongs to the player who chose `actions[i]`; 0 until the game ends |
| Infos | `to_move` int64[N], the player to move next; `action_mask`, the same array; `returns` float32[N, 2], of South and North |

A finished game is begun anew as gymnasium's autoreset mode says:

| | SAME_STEP (default) | NEXT_STEP |
|---|---|---|
| the step that ends it gives | the observation of the new game | the last observation, its mask all 0 |
| its last observation is in | `final_obs[i]` | the observation |
| `end_reason` is in | `final_info`, with `to_move` and `returns` | the infos |
| the next step | goes on | ignores the action, gives reward 0 and begins the new game |

The rewards at the end are those of the AEC environment (`mancala_envs.envs.aec`).
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..kernels.batch import END_REASONS, Batch
from ..kernels.rows import observations
from ..position import IllegalMoveError, Position
from ..rules.contract import TO_MOVE, Rules
from .aec import check_start, checked, environment_rules, masked_observation_space

RESTARTS = {AutoresetMode.SAME_STEP: "same", AutoresetMode.NEXT_STEP: "next"}
_REASONS = np.array(END_REASONS, object)


def make_vec(
    rules: str | Rules,
    num_envs: int = 1,
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    render_mode: str | None = None,
    illegal: str = "lose",
    reward: str = "result",
    random_plies: int = 0,
    threads: int = 1,
    **options: Any,
) -> "MancalaVectorEnv":
    """The vector environment of a ruleset; see `MancalaVectorEnv` for the arguments, the rest are options of the rules."""
    if "opponent" in options:
        raise ValueError(
            f"opponent={options['opponent']!r}: both sides are played through the vector environment. With opponents inside there "
            "are gymnasium.make_vec(..., vectorization_mode='sync') and mancala_envs.envs.sb3.SelfPlayVecEnv"
        )
    return MancalaVectorEnv(
        environment_rules(rules, options), num_envs, autoreset_mode, render_mode, illegal, reward, random_plies, threads
    )


class MancalaVectorEnv(VectorEnv[dict[str, np.ndarray], np.ndarray, np.ndarray]):
    """N games side by side, each step of all of them one compiled loop; see the module's tables.

    Attributes:
        rules: the game.

    Args:
        rules: the game.
        num_envs: N.
        autoreset_mode: SAME_STEP or NEXT_STEP, or gymnasium's name for it ("SameStep", "NextStep").
        render_mode: None or "ansi" (`render` returns each board as text).
        illegal: what an illegal action does: "lose" the game, or "raise" IllegalMoveError and change no game.
        reward: "result": +1, 0 or -1; "margin": own store less other store, as a share of all seeds; the result where a
            game has no stores.
        random_plies: how many random plies open each game.
        threads: how many threads share a step.

    Raises:
        ValueError: an argument is not one of those accepted.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        illegal: str = "lose",
        reward: str = "result",
        random_plies: int = 0,
        threads: int = 1,
    ) -> None:
        accepted = (*RESTARTS, *(mode.value for mode in RESTARTS))
        mode = AutoresetMode(checked("autoreset_mode", autoreset_mode, accepted))
        if not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r} is not accepted: an integer from 1")
        self.rules = rules
        self.num_envs = int(num_envs)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": mode}
        self.render_mode = checked("render_mode", render_mode, (None, "ansi"))
        self.illegal = checked("illegal", illegal, ("lose", "raise"))
        self._batch = Batch(rules, num_envs, RESTARTS[mode], reward, random_plies, threads)
        self._has_begun = False
        self.single_observation_space = masked_observation_space(rules)
        self.single_action_space = gymnasium.spaces.Discrete(rules.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def states(self) -> np.ndarray:
        """The positions as the rules see them, int16[N, S], for `Agent.act_batch`."""
        return self._batch.states.copy()

    def action_masks(self) -> np.ndarray:
        """The legal actions of the players to move, bool[N, A]; none where a finished game waits for its reset."""
        return self._batch.masks.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin the games anew.

        Args:
            seed: seeds every game's own generator, the same seed gives the same games; None leaves them as they are (at the first
                reset: takes fresh ones from the system).
            options: `{"position": position}` begins there, with an empty history (only this once: later games begin at the
                opening); `{"reset_mask": mask}`, bool[N], begins only the marked games anew, without a seed.

        Raises:
            ValueError: an option that there is not, a mask or position that cannot be; names what is accepted.
        """
        position, rows = self._reset_options(seed, dict(options or {}))
        is_fresh = seed is not None or self._np_random_seed is None
        super().reset(seed=seed)
        if rows is None:
            self._batch.reset(self.np_random_seed if is_fresh else None)
            rows = np.arange(self.num_envs)
        else:
            self._batch.over[rows] = True  # a finished game is begun anew by its next step
            self._batch.step(np.zeros(len(rows), np.int64), rows)
        if position is not None:
            for row in rows.tolist():
                self._batch.set_state(row, position.state)
        self._has_begun = True
        to_move = self._to_move()
        return self._view(observations(self.rules, self._batch.states, to_move), np.zeros((self.num_envs, 2), np.float32))

    def step(self, actions: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one ply in each game.

        Args:
            actions: integers[N].

        Returns:
            Observations, rewards float32[N], terminated bool[N], truncated bool[N] (at the ply limit) and infos, all fresh.

        Raises:
            IllegalMoveError: an action is illegal and `illegal="raise"`; names it, its game and the legal actions.
            ValueError: the actions are not N integers.
            gymnasium.error.ResetNeeded: no game has begun.
        """
        if not self._has_begun:
            raise gymnasium.error.ResetNeeded("call reset() before the first step()")
        actions = self._checked_actions(actions)
        played = self._batch.step(actions)
        observation, infos = self._view(played.observations, played.returns)
        has_ended = played.end_codes != 0
        if has_ended.any():
            reasons = np.full(self.num_envs, None, object)
            reasons[has_ended] = _REASONS[played.end_codes[has_ended]]
            ending = {"end_reason": reasons, "_end_reason": has_ended}
            if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
                infos |= self._final(has_ended, ending, played.returns)
            else:
                infos |= ending
        return observation, played.rewards, has_ended & ~played.truncated, played.truncated, infos

    def render(self) -> tuple[str, ...] | None:
        """The boards as text, or None without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: make the environment with 'ansi'")
            return None
        return tuple(Position(self.rules, state).text() for state in self.states)

    def _to_move(self) -> np.ndarray:
        return self._batch.states[:, TO_MOVE].astype(np.int64)

    def _view(self, observation: np.ndarray, returns: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The observation and infos of all games as they stand; each key of the infos has gymnasium's mask beside it."""
        mask = self._batch.masks.astype(np.int8)
        infos = {"to_move": self._to_move(), "action_mask": mask, "returns": returns}
        everywhere = np.ones(self.num_envs, np.bool_)
        return {"observation": observation, "action_mask": mask}, infos | {f"_{key}": everywhere for key in infos}

    def _final(self, has_ended: np.ndarray, ending: dict[str, np.ndarray], returns: np.ndarray) -> dict[str, Any]:
        """The last observations and infos of the games that were begun anew in the step that ended them."""
        ended = np.flatnonzero(has_ended)
        states = self._batch.final_states[ended]
        players = states[:, TO_MOVE].astype(np.int64)
        masks = np.zeros((len(ended), self.rules.num_actions), np.int8)
        final_obs = np.full(self.num_envs, None, object)
        for row, seen, mask in zip(ended.tolist(), observations(self.rules, states, players), masks, strict=True):
            final_obs[row] = {"observation": seen, "action_mask": mask}
        to_move = np.zeros(self.num_envs, np.int64)
        to_move[ended] = players
        final_info = {**ending, "to_move": to_move, "_to_move": has_ended, "returns": returns.copy(), "_returns": has_ended}
        return {"final_obs": final_obs, "_final_obs": has_ended, "final_info": final_info, "_final_info": has_ended}

    def _checked_actions(self, actions: np.ndarray) -> np.ndarray:
        """The actions as int64[N]; raises if they are not integers, or illegal where that is an error."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {given.shape} and type {given.dtype} are not accepted: {self.num_envs} integers")
        numbers = np.ascontiguousarray(given, np.int64)
        if self.illegal == "raise":
            in_range = (numbers >= 0) & (numbers < self.rules.num_actions)
            legal = in_range & self._batch.masks[np.arange(self.num_envs), numbers * in_range]
            refused = np.flatnonzero(~(legal | self._batch.over))
            if len(refused):
                row = int(refused[0])
                accepted = ", ".join(map(str, np.flatnonzero(self._batch.masks[row])))
                raise IllegalMoveError(f"action {numbers[row]} of environment {row} is not legal; legal are {accepted}")
        return numbers

    def _reset_options(self, seed: int | None, options: dict[str, Any]) -> tuple[Position | None, np.ndarray | None]:
        """The position to begin from and the rows to begin anew; None for the opening and for all."""
        position, mask = options.pop("position", None), options.pop("reset_mask", None)
        if options:
            raise ValueError(f"reset has no option {next(iter(options))!r}; it has position, reset_mask")
        if position is not None:
            check_start(position, self.rules)
        if mask is None:
            return position, None
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(f"reset_mask={mask!r} is not accepted: {self.num_envs} booleans, at least one True")
        if seed is not None or not self._has_begun:
            raise ValueError("reset_mask needs games that have begun, and no seed: a seed is for all of them")
        return position, np.flatnonzero(mask)
