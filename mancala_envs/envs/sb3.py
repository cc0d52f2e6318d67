"""The `VecEnv` for stable-baselines3: one player learns, its opponents play inside the environment.

| | |
|---|---|
| Actions | `Discrete(A)`, see `mancala-envs rules ID`; the legal ones are `action_masks()`, bool[N, A] |
| Observation | float32[N, *observation_shape], the learner's view of a position in which he is to move; flat with `lookahead` |
| Reward | with the learner's last action of an episode, whoever moved last: +1, 0 or -1; a part in every step by `margin_weight` |
| Infos | where an episode ended: `terminal_observation`, `end_reason`, `episode`, and perhaps `TimeLimit.truncated` |

An action of the learner is answered by all plies of the opponent up to the learner's next turn, so whoever learns from it sees a
game of one player. Masks reach sb3-contrib as a single array, without a call per game.

`TimeLimit.truncated` makes SB3 add the value of the terminal observation to the reward. It is set where the ply limit ends the game
with the learner on move, since he learns no other positions; with the opponent on move, the game ends for SB3 as the draw it is.

`TrunkPolicy` makes MaskablePPO train the network of `agents.policy`, and `copy_weights` takes it out of SB3.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from ..agents import Agent, make_agent
from ..agents.policy import PolicyNetwork, Trunk
from ..kernels.batch import END_REASONS, Batch, Step
from ..kernels.lookahead import lookahead_size, with_lookahead
from ..kernels.rows import evaluations, observations
from ..position import IllegalMoveError
from ..rules.contract import TO_MOVE, Rules
from .aec import checked, environment_rules

ILLEGAL_LOGIT = -1e8


class SelfPlayVecEnv(VecEnv):
    """N games between the learner and opponents, side by side.

    Every episode draws the learner's seat and an opponent. A game that ends before the learner's first turn is dropped.

    Args:
        rules: the game, or its id.
        num_envs: N.
        opponents: agents or their specs.
        weights: how often each opponent is drawn, in proportion; equally often if None.
        seat: the learner's seat, 0 (South) or 1 (North); drawn for every episode if None.
        margin_weight: what the reward adds for the change of the learner's seed margin since his last action, as the rules'
            `evaluate` reckons it, as a share of half of all seeds; nothing in games that count no seeds.
        illegal: what an illegal action of the learner does: "lose" the game, or "raise" IllegalMoveError and change nothing. An
            opponent who answers with one loses the game.
        random_plies: how many random plies open each game.
        lookahead: whether the numbers of `kernels.lookahead` stand behind the observation, which is flat then; they are 0 in a
            `terminal_observation` in which it is not the learner's turn.
        threads: how many threads share a step.
        options: options of the rules.

    Raises:
        ValueError: an argument is not one of those accepted.
    """

    def __init__(
        self,
        rules: str | Rules,
        num_envs: int,
        opponents: Sequence[str | Agent] = ("random",),
        weights: Sequence[float] | None = None,
        seat: int | None = None,
        margin_weight: float = 0.0,
        illegal: str = "lose",
        random_plies: int = 0,
        lookahead: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.rules = environment_rules(rules, options)
        if not np.isfinite(margin_weight):
            raise ValueError(f"margin_weight={margin_weight} is not accepted: a finite number")
        self.render_mode = None
        self.seat = checked("seat", seat, (None, 0, 1))
        self.illegal = checked("illegal", illegal, ("lose", "raise"))
        self._batch = Batch(self.rules, num_envs, random_plies=random_plies, threads=threads)
        self._margin_scale = margin_weight * 2 / self.rules.board.seeds if self.rules.board.seeds else 0.0
        self._sequence = np.random.SeedSequence()
        self._generator = np.random.default_rng(self._sequence)
        self._has_begun = False
        self._all_rows = np.arange(num_envs)
        self._seats = np.zeros(num_envs, np.int64)
        self._opponents: list[Agent] = []  # those to draw, then those that only finish their games
        self._opponent_of = np.zeros(num_envs, np.int64)
        self._lengths = np.zeros(num_envs, np.int64)  # of the episodes so far, in actions of the learner
        self._totals = np.zeros(num_envs)  # rewards of the episodes so far
        self._margins = np.zeros(num_envs)  # as the learner saw them last
        self._actions = np.zeros(num_envs, np.int64)
        self._started = time.time()
        self._no_info: dict[str, Any] = {}
        self._lookahead, self._threads = lookahead, threads
        self.set_opponents(opponents, weights)
        observed = spaces.Box(0.0, 1.0, self.rules.observation_shape, np.float32)
        if lookahead:
            observed = spaces.Box(-1.0, 1.0, (int(np.prod(observed.shape)) + lookahead_size(self.rules),), np.float32)
        super().__init__(num_envs, observed, spaces.Discrete(self.rules.num_actions))

    def set_opponents(self, opponents: Sequence[str | Agent], weights: Sequence[float] | None = None) -> None:
        """Change who is drawn from now on; games in progress are finished by the opponents they began with.

        Args:
            opponents: agents or their specs, at least one.
            weights: how often each is drawn, in proportion; equally often if None.

        Raises:
            ValueError: no opponents, weights of another number, below 0 or all 0.
        """
        if isinstance(opponents, str) or not len(opponents):
            raise ValueError(f"opponents={opponents!r} is not accepted: a list of one or more agents")
        shares = np.ones(len(opponents)) if weights is None else np.asarray(weights, float)
        if shares.shape != (len(opponents),) or not (shares >= 0).all() or not 0 < shares.sum() < np.inf:
            raise ValueError(
                f"weights={weights!r} of {len(opponents)} opponents: one or more, each with a weight from 0, not all 0"
            )
        agents = [make_agent(opponent, self.rules) for opponent in opponents]
        before = self._opponents or agents
        for agent in agents:
            if agent not in before:
                agent.reset(self._next_seed())
        in_play, places = np.unique(self._opponent_of, return_inverse=True)
        retired = [before[index] for index in in_play if before[index] not in agents]
        self._opponents = agents + retired
        self._opponent_of = np.array([self._opponents.index(before[index]) for index in in_play])[places]
        self._draws = shares.cumsum() / shares.cumsum()[-1]

    def reset(self) -> np.ndarray:
        """Begin all games anew, with the random numbers of the last `seed`; see the class for what is returned."""
        if self._seeds[0] is not None:
            self._sequence = np.random.SeedSequence(self._seeds[0])
        if self._seeds[0] is not None or not self._has_begun:
            games, own = self._sequence.spawn(2)
            self._generator = np.random.default_rng(own)
            for agent in self._opponents:
                agent.reset(self._next_seed())
            first = self._batch.reset(games)
            self._has_begun = True
        else:
            first = self._batch.reset()
        self._reset_seeds()
        self._reset_options()
        self._begin(self._all_rows)
        # No episode has begun for the learner yet, which is as if all had just ended.
        outcome = _Outcome(first, np.zeros(self.num_envs, np.float32), np.ones(self.num_envs, np.bool_), [])
        self._answer(self._all_rows, outcome)
        self._margins = self._learner_margins(self._batch.states, self._seats)
        return self._seen(self._batch.states, outcome.observations)

    def step_async(self, actions: np.ndarray) -> None:
        """Take the learner's actions, int[N].

        Raises:
            ValueError: they are not N integers.
            IllegalMoveError: one is not legal, with `illegal="raise"`; names the game and its legal actions.
            gymnasium.error.ResetNeeded: no games have begun.
        """
        if not self._has_begun:
            raise gymnasium.error.ResetNeeded("call reset() first: no games have begun")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {actions.shape} and type {actions.dtype}: {self.num_envs} integers")
        self._actions = actions.astype(np.int64)
        if self.illegal == "raise":
            self._check_legal(self._actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the learner's actions and all answers.

        Returns:
            Observations, float32[N, *observation_space.shape]; rewards, float32[N]; dones, bool[N]; N infos. All arrays are new.
        """
        outcome = _Outcome(
            np.empty((self.num_envs, *self.rules.observation_shape), np.float32),
            np.zeros(self.num_envs, np.float32),
            np.zeros(self.num_envs, np.bool_),
            [self._no_info] * self.num_envs,
        )
        self._lengths += 1
        self._play(self._all_rows, self._actions, outcome)
        self._answer(self._all_rows, outcome)
        margins = self._learner_margins(self._batch.states, self._seats)
        going_on = ~outcome.dones
        outcome.rewards[going_on] = (margins - self._margins)[going_on]
        self._totals += np.where(going_on, outcome.rewards, 0)
        self._margins = margins
        return self._seen(self._batch.states, outcome.observations), outcome.rewards, outcome.dones, outcome.infos

    def _answer(self, rows: np.ndarray, outcome: "_Outcome") -> None:
        """Let the opponents play in those games, until the learner is to move everywhere."""
        limit = 10 * self.rules.max_plies + 1000
        for _ in range(limit):
            rows = rows[self._batch.states[rows, TO_MOVE] != self._seats[rows]]
            if not len(rows):
                return
            actions = np.empty(len(rows), np.int64)
            opponents = self._opponent_of[rows]
            for index in np.unique(opponents):
                his = opponents == index
                actions[his] = self._opponents[index].act_batch(self._batch.states[rows[his]])
            self._play(rows, actions, outcome)
        raise ValueError(f"seat={self.seat}: no turn of the learner in {limit} plies of {self.rules.id}, games end before it")

    def _play(self, rows: np.ndarray, actions: np.ndarray, outcome: "_Outcome") -> None:
        """Play a ply in each of those games, and note which episodes it ended."""
        step = self._batch.step(actions, rows)
        outcome.observations[rows] = step.observations
        ended = np.flatnonzero(step.end_codes)
        if len(ended):
            self._finish(rows, ended, step, outcome)

    def _check_legal(self, actions: np.ndarray) -> None:
        in_range = (actions >= 0) & (actions < self.rules.num_actions)
        legal = in_range & self._batch.masks[self._all_rows, np.where(in_range, actions, 0)]
        if not legal.all():
            game = int(np.argmin(legal))
            accepted = ", ".join(map(str, np.flatnonzero(self._batch.masks[game])))
            raise IllegalMoveError(f"action {actions[game]} is not legal in game {game}; legal are {accepted}")

    def _finish(self, rows: np.ndarray, ended: np.ndarray, step: Step, outcome: "_Outcome") -> None:
        """Credit the learner with the games that ended, but for those in which he has had no turn yet, and begin new ones."""
        ended_rows = rows[ended]
        counted = ~outcome.dones[ended_rows]
        ended, counted_rows = ended[counted], ended_rows[counted]
        if len(ended):
            states, seats = self._batch.final_states[counted_rows], self._seats[counted_rows]
            results = step.returns[ended, seats]
            rewards = results + self._learner_margins(states, seats) - self._margins[counted_rows]
            outcome.rewards[counted_rows] = rewards
            outcome.dones[counted_rows] = True
            totals = self._totals[counted_rows] + rewards
            views = self._seen(states, observations(self.rules, states, seats))
            elapsed = round(time.time() - self._started, 3)
            for index, row in enumerate(counted_rows.tolist()):
                outcome.infos[row] = info = {
                    "terminal_observation": views[index],
                    "end_reason": END_REASONS[step.end_codes[ended[index]]],
                    "episode": {
                        "r": float(totals[index]),
                        "l": int(self._lengths[row]),
                        "t": elapsed,
                        "result": float(results[index]),
                        "opponent": self._opponents[self._opponent_of[row]].name,
                    },
                }
                if step.truncated[ended[index]] and states[index, TO_MOVE] == seats[index]:
                    info["TimeLimit.truncated"] = True
        self._begin(ended_rows)

    def _begin(self, rows: np.ndarray) -> None:
        """Draw the learner's seat and his opponent in games that begin."""
        self._seats[rows] = self._generator.integers(0, 2, len(rows)) if self.seat is None else self.seat
        self._opponent_of[rows] = np.searchsorted(self._draws, self._generator.random(len(rows)), side="right")
        self._lengths[rows] = 0
        self._totals[rows] = 0

    def _learner_margins(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The seed margins of the learner, as far as they are rewarded, float64[R]."""
        if not self._margin_scale:
            return np.zeros(len(states))
        return evaluations(self.rules, states) * (1 - 2 * seats) * self._margin_scale

    def _seen(self, states: np.ndarray, observed: np.ndarray) -> np.ndarray:
        """What the learner sees of states in which he is to move or the game is over."""
        return with_lookahead(self.rules, states, observed, self._threads) if self._lookahead else observed

    def _next_seed(self) -> int:
        return int(self._sequence.spawn(1)[0].generate_state(1)[0])

    def action_masks(self) -> np.ndarray:
        """The learner's legal actions, bool[N, A], a new array."""
        return self._batch.masks.copy()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has such an attribute."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the environment, as often as there are games; raises AttributeError if there is none."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ARG002  # SB3's signature
        """Not possible, since the games have no attributes of their own: raises AttributeError."""
        raise AttributeError(f"{attr_name} cannot be set: the games of a batch have no attributes of their own")

    def env_method(self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of the environment, once for all games.

        Returns:
            Its result in a list of one, which sb3-contrib stacks and reshapes; with `indices`, the result's rows for those.
        """
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        return [result] if indices is None else [result[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:  # noqa: ARG002  # SB3's signature
        """False for every game: they are rows of arrays."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Does nothing: there is nothing to release."""


@dataclass(frozen=True)
class _Outcome:
    """What a step has brought the learner so far; its arrays are filled ply by ply."""

    observations: np.ndarray
    rewards: np.ndarray
    dones: np.ndarray
    infos: list[dict[str, Any]]


class TrunkFeatures(BaseFeaturesExtractor):
    """The trunk of a `PolicyNetwork` as SB3's features extractor.

    Args:
        observation_space: the environment's.
        rules: the game.
        hidden: the widths of the layers, at least one.
        lookahead: whether the environment's observations hold it.
    """

    def __init__(self, observation_space: spaces.Space[Any], rules: Rules, hidden: Sequence[int], lookahead: bool) -> None:
        super().__init__(observation_space, hidden[-1])
        self.trunk = Trunk(rules, hidden, lookahead)

    def forward(self, observed: torch.Tensor) -> torch.Tensor:
        """See `Trunk`."""
        return self.trunk(observed)


class TrunkPolicy(MaskableActorCriticPolicy):
    """A `PolicyNetwork` as the policy of MaskablePPO: `MaskablePPO(TrunkPolicy, env, policy_kwargs={"rules": rules})`.

    The two methods that training spends its time in do without `torch.distributions`, which costs a small network a fifth of it.

    Args:
        arguments: SB3's: the spaces and the schedule of the rate of learning.
        rules: the game.
        hidden: the widths of the layers that both heads share, at least one.
        lookahead: whether the environment's observations hold it.
        keywords: SB3's further ones.
    """

    def __init__(
        self, *arguments: Any, rules: Rules, hidden: Sequence[int] = (256, 256), lookahead: bool = False, **keywords: Any
    ) -> None:
        self._trunk_arguments = {"rules": rules, "hidden": tuple(hidden), "lookahead": lookahead}
        trunk = {"features_extractor_class": TrunkFeatures, "features_extractor_kwargs": self._trunk_arguments, "net_arch": []}
        super().__init__(*arguments, **{**keywords, **trunk})

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, int64[N], drawn unless `deterministic`; values, float32[N, 1]; logarithms of the actions' probabilities."""
        features = self.extract_features(obs)
        log_probs = self._log_probs(features, action_masks)
        # Drawing by the probabilities is taking the largest of them, each with Gumbel noise.
        noise = 0 if deterministic else torch.empty_like(log_probs).exponential_().log_()
        actions = (log_probs - noise).argmax(dim=1)
        return actions, self.value_net(features), log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Values, float32[N, 1], logarithms of the actions' probabilities and entropies, float32[N] each."""
        features = self.extract_features(obs)
        log_probs = self._log_probs(features, action_masks)
        entropy = -(log_probs.exp() * log_probs).sum(dim=1)
        return self.value_net(features), log_probs.gather(1, actions.unsqueeze(1)).squeeze(1), entropy

    def _log_probs(self, features: torch.Tensor, masks: np.ndarray | torch.Tensor | None) -> torch.Tensor:
        """Logarithms of the probabilities of all actions, float32[N, A]; finite, so that 0 * log 0 is 0, for illegal ones."""
        logits = self.action_net(features)
        if masks is not None:
            legal = torch.as_tensor(masks, device=logits.device).reshape(logits.shape) != 0
            logits = torch.where(legal, logits, ILLEGAL_LOGIT)
        return logits.log_softmax(dim=1)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        parameters = super()._get_constructor_parameters()
        for name in ("net_arch", "features_extractor_class", "features_extractor_kwargs"):
            del parameters[name]
        return {**parameters, **self._trunk_arguments}


def copy_weights(policy: TrunkPolicy, network: PolicyNetwork) -> None:
    """Copy the weights of an SB3 policy into a network of the same sizes."""
    network.trunk.load_state_dict(policy.features_extractor.trunk.state_dict())
    network.action_head.load_state_dict(policy.action_net.state_dict())
    network.value_head.load_state_dict(policy.value_net.state_dict())
