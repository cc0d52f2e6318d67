"""The PettingZoo AEC environment of every ruleset.

| | |
|---|---|
| Agents | `player_0` (South, moves first), `player_1` (North); the same agent is selected again for an extra turn |
| Actions | `Discrete(A)`, see `mancala-envs rules ID` |
| Observation | `{"observation": float32[...], "action_mask": int8[A]}`; the mask is all 0 for the agent not on move |
| Infos | `action_mask`, the same mask; `end_reason` once the game is over |

Rewards come once, with the ply that ends the game:

| ending | winner | loser | both, drawn | terminations | truncations |
|---|---|---|---|---|---|
| by the rules | +1 | -1 | 0 | True | False |
| illegal action, `illegal="lose"` | +1 | -1 (who played it) | | True | False |
| ply limit | | | 0 | False | True |

With `reward="margin"` an ending by the rules gives own store less other store, as a share of all seeds, also where something else
than the stores decides (an endless turn that loses, a match drawn at six holes each); the result where a game has no stores.
"""

import copy
import functools
from collections.abc import Iterator
from operator import index
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ..kernels.batch import END_REASONS, ILLEGAL_ACTION, checked_random_plies
from ..kernels.history import ONLY_GAME, Histories, new_histories, repetition
from ..kernels.rows import copy_row, own_rows
from ..position import RETURNS, IllegalMoveError, Position
from ..render.text import PLAYER_NAMES
from ..rules import make_rules
from ..rules.contract import (
    LIVE,
    REASON,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    TRUNCATED,
    Mask,
    Rules,
    State,
    player_to_move,
)
from ..rules.jit import compiled, helper, key_on_sources

PLAYER_IDS = ("player_0", "player_1")
NOT_BEGUN = -1  # in the place of the code of an ending


def environment_rules(rules: str | Rules, options: dict[str, Any]) -> Rules:
    """The rules that an environment's keywords ask for; PettingZoo's `max_cycles` is the rules' `max_plies`."""
    if "max_cycles" in options and "max_plies" in options:
        raise ValueError("max_cycles and max_plies are one and the same: give one of them")
    if "max_cycles" in options:
        options = {**options, "max_plies": options["max_cycles"]}
        del options["max_cycles"]
    return make_rules(rules, **options)


def checked(name: str, value: Any, accepted: tuple[Any, ...]) -> Any:
    """`value`, if it is one of those accepted; raises ValueError, naming them, otherwise."""
    if value not in accepted:
        raise ValueError(f"{name}={value!r} is not accepted: {' or '.join(map(repr, accepted))}")
    return value


def check_start(position: Position, rules: Rules) -> None:
    """Raise ValueError if games of `rules` cannot begin at a position."""
    if not isinstance(position, Position):
        raise ValueError(f"position={position!r} is not accepted: a Position, as rules.position() or rules.parse(text) make it")
    if position.rules != rules:
        raise ValueError(f"position={position!r} is {difference(position.rules, rules)}")
    if position.is_over:
        raise ValueError(f"position={position!r}: its game is over ({position.end_reason})")


def difference(other: Rules, rules: Rules) -> str:
    """In what `other` is not `rules`, for messages."""
    if other.id != rules.id:
        return f"of {other.id}, not of these rules ({rules.id})"
    changed = [f"{name}={value!r}" for name, value in other.options.items() if rules.options.get(name) != value]
    return f"of {other.id} with {', '.join(changed) or 'other code'}, not of these rules"


def make(
    rules: str | Rules,
    render_mode: str | None = None,
    illegal: str = "lose",
    reward: str = "result",
    random_plies: int = 0,
    **options: Any,
) -> "MancalaAEC":
    """The AEC environment of a ruleset; see `MancalaAEC` for the arguments, the rest are options of the rules."""
    return MancalaAEC(environment_rules(rules, options), render_mode, illegal, reward, random_plies)


class MancalaAEC(AECEnv[str, dict[str, np.ndarray], int]):
    """A game for two agents who move by turns; order, bounds and legality are checked here, no wrapper is needed.

    Args:
        rules: the game.
        render_mode: None, "ansi" (`render` returns the board as text) or "human" (the board is printed after every ply).
        illegal: what an illegal action does: "lose" the game, or "raise" IllegalMoveError and change nothing.
        reward: "result" or "margin", see the module's table.
        random_plies: how many random plies open each game.

    Raises:
        ValueError: an argument is not one of those accepted.
    """

    agent_selection: str
    infos: dict[str, dict[str, Any]]
    _start: Position
    _start_game: np.ndarray
    _game: np.ndarray
    _moves: list[int]
    _position: Position
    _replayed: int
    _end_code: int
    _observation: dict[str, np.ndarray]

    def __init__(
        self, rules: Rules, render_mode: str | None = None, illegal: str = "lose", reward: str = "result", random_plies: int = 0
    ) -> None:
        self.metadata = {
            "name": f"{rules.id}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.rules = rules
        self.render_mode = checked("render_mode", render_mode, (None, "ansi", "human"))
        self.illegal = checked("illegal", illegal, ("lose", "raise"))
        self.reward = checked("reward", reward, ("result", "margin"))
        self.random_plies = checked_random_plies(random_plies, rules)
        self.possible_agents = list(PLAYER_IDS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: masked_observation_space(rules) for agent in PLAYER_IDS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(rules.num_actions) for agent in PLAYER_IDS}
        self._generator = np.random.default_rng()
        self._off_turn = np.zeros(rules.num_actions, np.int8)
        self._off_turn.flags.writeable = False
        self._opening = rules.position()
        self._start, self._start_game = self._opening, _new_game(self._opening)
        self._end_code = NOT_BEGUN
        self._prepare()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Args:
            seed: seeds the random opening plies; None goes on with the generator as it is.
            options: `{"position": position}` begins there, with the position's own history.
        """
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        position = (options or {}).get("position")
        if position is None:
            position = self._open()
        else:
            check_start(position, self.rules)
        self._begin(position)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; None where that agent's game is over.

        Raises:
            IllegalMoveError: the action is illegal and `illegal="raise"`.
            ValueError: an action is due and something else was given, or None is due and was not given.
            gymnasium.error.ResetNeeded: no game has begun, or both agents have taken leave of it.
        """
        if self._end_code:
            self._check_begun()
            if not self.agents:
                raise gymnasium.error.ResetNeeded("call reset() first: the game is over and both agents have left it")
            self._was_dead_step(action)
            return
        try:
            number = index(action)  # type: ignore[arg-type]  # None raises TypeError, too
        except TypeError:
            raise ValueError(f"action={action!r} is not accepted: an integer, {self.agent_selection} is on move") from None
        if number >> 31:
            number = -1  # below 0 or beyond what a compiled function takes: not legal either way
        mask, observation = next(self._blank_masks), next(self._blank_observations)
        code = self._advance(self._game, number, mask, observation)
        if code < 2:
            self._moves.append(number)
            infos = self.infos
            infos[self.agent_selection] = {"action_mask": self._off_turn}
            self.agent_selection = agent = PLAYER_IDS[code]
            infos[agent] = {"action_mask": mask}
            self._observation = {"observation": observation, "action_mask": mask}
        else:
            self._finish(action, number, code)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent sees, with its action mask."""
        self._check_begun()
        if agent == self.agent_selection and not self._end_code:
            return self._observation
        observation = next(self._blank_observations)
        self.rules.observe(self._state, PLAYER_IDS.index(agent), observation)
        return {"observation": observation, "action_mask": self._off_turn}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward since its last action, termination, truncation and info."""
        if self._end_code:
            self._check_begun()
        agent = self.agent_selection
        if self._end_code or not observe:
            seen = self.observe(agent) if observe else None
        else:
            seen = self._observation
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # twice as fast as PettingZoo's own
        """Yield the selected agent until the game is over and each agent has taken its last, empty step."""
        self._check_begun()
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def state(self) -> np.ndarray:
        """The position as the rules see it, int16[S]."""
        self._check_begun()
        return self._state.copy()

    @property
    def position(self) -> Position:
        """The game so far as a value, with its history."""
        self._check_begun()
        for action in self._moves[self._replayed :]:
            self._position = self._position.play(action)
        self._replayed = len(self._moves)
        return self._position

    def render(self) -> str | None:
        """The board: returned as text ("ansi") or printed ("human")."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: make the environment with 'ansi' or 'human'")
            return None
        self._check_begun()
        text = Position(self.rules, self._state.copy()).text()
        if self._end_code == ILLEGAL_ACTION:
            text = f"{text.rpartition(chr(10))[0]}\n{PLAYER_NAMES[self._state[TO_MOVE]]} loses (illegal_action)"
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def clone(self) -> "MancalaAEC":
        """An independent copy of the environment and its game."""
        return copy.deepcopy(self)

    def get_state(self) -> dict[str, Any]:
        """A snapshot of the game and the random numbers, for `set_state`."""
        self._check_begun()
        return copy.deepcopy({name: vars(self)[name] for name in (*GAME_ATTRIBUTES, "_generator")})

    def set_state(self, snapshot: dict[str, Any]) -> None:
        """Go back to a snapshot that `get_state` took from an environment of the same rules."""
        if not isinstance(snapshot, dict) or not {*GAME_ATTRIBUTES} <= {*snapshot}:
            raise ValueError("the snapshot is none that get_state took")
        start = snapshot["_start"]
        if start.rules != self.rules:
            raise ValueError(f"the snapshot is {difference(start.rules, self.rules)}")
        self.__dict__.update(copy.deepcopy(snapshot))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in PREPARED_ATTRIBUTES}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._prepare()

    def _check_begun(self) -> None:
        if self._end_code == NOT_BEGUN:
            raise gymnasium.error.ResetNeeded("call reset() first: no game has begun")

    def _prepare(self) -> None:
        self._advance = _advance_kernel(self.rules)
        self._blank_masks = _blanks((self.rules.num_actions,), np.int8)
        self._blank_observations = _blanks(self.rules.observation_shape, np.float32)

    def _open(self) -> Position:
        """The opening after the random plies; with fewer of them where they would end the game."""
        plies = self.random_plies
        while plies > 0:
            position = self._opening
            for _ in range(plies):
                if not position.is_over:
                    position = position.play(int(self._generator.choice(position.legal_actions())))
            if not position.is_over:
                return position
            plies = position.ply - 1
        return self._opening

    def _begin(self, position: Position) -> None:
        if position is not self._start:
            self._start, self._start_game = position, _new_game(position)
        self._game = self._start_game.copy()
        self._moves = []
        self._position, self._replayed = position, 0
        self._end_code = 0
        self._skip_agent_selection = None
        self.agents = list(PLAYER_IDS)
        self.rewards = dict.fromkeys(PLAYER_IDS, 0.0)
        self._cumulative_rewards = dict.fromkeys(PLAYER_IDS, 0.0)
        self.terminations = dict.fromkeys(PLAYER_IDS, False)
        self.truncations = dict.fromkeys(PLAYER_IDS, False)
        mask = next(self._blank_masks)
        mask[position.legal_actions()] = 1
        self.agent_selection = PLAYER_IDS[position.to_move]
        self.infos = {agent: {"action_mask": self._off_turn} for agent in PLAYER_IDS}
        self.infos[self.agent_selection] = {"action_mask": mask}
        self._observation = {"observation": position.observe(position.to_move), "action_mask": mask}

    @property
    def _state(self) -> np.ndarray:
        return self._game.view(np.int16)[: self.rules.state_size]

    def _finish(self, action: Any, number: int, code: int) -> None:
        mover = PLAYER_IDS.index(self.agent_selection)
        truncated = False
        if code - 2 == ILLEGAL_ACTION:
            if self.illegal == "raise":
                legal = ", ".join(map(str, np.flatnonzero(self._observation["action_mask"])))
                raise IllegalMoveError(f"action {action!r} of {self.agent_selection} is not legal; legal are {legal}")
            south = 1.0 if mover else -1.0
        else:
            self._moves.append(number)
            state = self._state
            truncated = bool(state[STATUS] == TRUNCATED)
            south = float(RETURNS[int(state[STATUS])][0])
            if self.reward == "margin" and self.rules.board.banked_seeds and not truncated:
                south = float(state[STORE_SOUTH] - state[STORE_NORTH]) / self.rules.board.banked_seeds
        self._end_code = code - 2
        self.rewards = dict(zip(PLAYER_IDS, (south, 0.0 - south), strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(PLAYER_IDS, not truncated)
        self.truncations = dict.fromkeys(PLAYER_IDS, truncated)
        reason = END_REASONS[self._end_code]
        self.infos = {agent: {"action_mask": self._off_turn, "end_reason": reason} for agent in PLAYER_IDS}
        self.agent_selection = PLAYER_IDS[1 - mover]


PREPARED_ATTRIBUTES = ("_advance", "_blank_masks", "_blank_observations")
GAME_ATTRIBUTES = (
    "_start", "_start_game", "_moves", "_position", "_replayed", "_end_code", "_skip_agent_selection", "_game", "_observation",
    "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
)  # fmt: skip


def masked_observation_space(rules: Rules) -> gymnasium.spaces.Dict:
    """The space of an observation with its action mask."""
    return gymnasium.spaces.Dict(
        {
            "observation": gymnasium.spaces.Box(0.0, 1.0, rules.observation_shape, np.float32),
            "action_mask": gymnasium.spaces.Box(0, 1, (rules.num_actions,), np.int8),
        }
    )


def _parts(rules: Rules) -> tuple[int, int, int]:
    """Where in a game's block of words the state and its mask end, and how many words the block has."""
    state_end = -(-rules.state_size * 2 // 8)
    mask_end = state_end - (-rules.num_actions // 8)
    near, far = new_histories(rules, 1)
    return state_end, mask_end, mask_end + near.size + far.size


def _new_game(start: Position) -> np.ndarray:
    """A game that begins at a position, int64[...].

    State, mask and history stand in one block, which is one argument to pass and one array to copy.
    """
    game = np.zeros(_parts(start.rules)[2], np.int64)
    _adopt_kernel(start.rules)(game, start.line, own_rows(start.state[None], start.rules)[0])
    return game


def _blanks(shape: tuple[int, ...], dtype: Any) -> Iterator[np.ndarray]:
    """Arrays of zeros without end; made many at a time, each costs half of what a single one does."""
    while True:
        yield from np.zeros((256, *shape), dtype)


@functools.cache
def _game_kernel(rules: Rules) -> Any:
    """unpack(game) -> state, mask, (near, far): views of the parts of a game's block."""
    state_end, mask_end, _ = _parts(rules)
    state_size, num_actions = rules.state_size, rules.num_actions
    near_end = mask_end + new_histories(rules, 1)[0].size

    @helper
    def unpack(game: np.ndarray) -> tuple[State, Mask, Histories]:
        state = game[:state_end].view(np.int16)[:state_size]
        mask = game[state_end:mask_end].view(np.bool_)[:num_actions]
        near, far = game[mask_end:near_end], game[near_end:]
        return state, mask, (near.reshape((1, near.size)), far.reshape((1, far.size)))

    return unpack


@functools.cache
def _advance_kernel(rules: Rules) -> Any:
    legal, apply, observe, num_actions = rules.legal, rules.apply, rules.observe, rules.num_actions
    _, judge = repetition(rules)
    unpack = _game_kernel(rules)

    @compiled
    def advance(game: np.ndarray, action: int, shown_mask: np.ndarray, observation: np.ndarray) -> int:
        """Play one ply and write what the next player sees; returns the player to move, or 2 + the code of the ending."""
        state, mask, histories = unpack(game)
        if action < 0 or action >= num_actions or not mask[action]:
            return 2 + ILLEGAL_ACTION
        apply(state, action)
        judge(state, histories, ONLY_GAME)
        if state[STATUS] != LIVE:
            return 2 + state[REASON]
        legal(state, mask)
        for number in range(num_actions):
            shown_mask[number] = mask[number]
        observe(state, player_to_move(state), observation)
        return player_to_move(state)

    key_on_sources(advance)
    return advance


@functools.cache
def _adopt_kernel(rules: Rules) -> Any:
    legal = rules.legal
    enter, _ = repetition(rules)
    unpack = _game_kernel(rules)

    @compiled
    def adopt(game: np.ndarray, line: np.ndarray, start: State) -> None:
        """Begin at a state, the last position of a line, int16[P, S], with the others as its history."""
        state, mask, histories = unpack(game)
        for quiet in range(len(line)):
            copy_row(line[quiet], state)
            enter(state, histories, ONLY_GAME)
        copy_row(start, state)
        legal(state, mask)

    key_on_sources(adopt)
    return adopt
