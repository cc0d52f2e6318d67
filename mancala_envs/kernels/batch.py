"""Many games of one ruleset side by side, each step of all of them one compiled loop."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rules.contract import (
    LIVE,
    NORTH_WON,
    PLY,
    REASON,
    REASONS,
    SOUTH_WON,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TRUNCATED,
    Rules,
    State,
    player_to_move,
)
from ..rules.jit import compiled, helper, key_on_sources
from .history import Histories, new_histories, repetition
from .random import below, generators, make_nth_legal, next_word
from .rows import copy_row, own_rows
from .threads import share_out

END_REASONS = (*REASONS, "illegal_action")  # by code; "" while a game goes on
ILLEGAL_ACTION = len(REASONS)


@dataclass(frozen=True)
class Step:
    """What a step did to R games.

    Args:
        observations: float32[R, *observation_shape], as the player to move sees the position after the step (after the reset,
            where the batch resets finished games at once).
        rewards: float32[R], for the player whose action it was.
        returns: float32[R, 2], for South and North; 0 while a game goes on.
        end_codes: uint8[R], 0 where the game goes on, else an index into END_REASONS.
        truncated: bool[R], the game met its ply limit.
    """

    observations: np.ndarray
    rewards: np.ndarray
    returns: np.ndarray
    end_codes: np.ndarray
    truncated: np.ndarray


class Batch:
    """N games side by side.

    Attributes:
        rules: the game.
        states: int16[N, S].
        masks: bool[N, A], the legal actions of the players to move.
        final_states: int16[N, S], the last position of the game that ended last in each place.
        over: bool[N], finished and not yet begun anew (only where `restart="next"`).

    Args:
        rules: the game.
        games: N.
        restart: "same": a finished game is begun anew in the step that ended it; "next": in the next step, whose action is ignored.
        reward: "result": +1, 0 or -1; "margin": own store less other store, as a share of all seeds; the result where a game has no
            stores.
        random_plies: how many random plies open each game.
        threads: how many threads share a step.
    """

    def __init__(
        self, rules: Rules, games: int, restart: str = "same", reward: str = "result", random_plies: int = 0, threads: int = 1
    ) -> None:
        if not isinstance(games, int | np.integer) or not isinstance(threads, int) or games < 1 or threads < 1:
            raise ValueError(f"games={games!r}, threads={threads!r}: both are integers from 1")
        if restart not in ("same", "next"):
            raise ValueError(f"restart={restart!r} is not accepted: 'same' or 'next'")
        if reward not in ("result", "margin"):
            raise ValueError(f"reward={reward!r} is not accepted: 'result' or 'margin'")
        self.rules = rules
        self.states = np.zeros((games, rules.state_size), np.int16)
        self.masks = np.zeros((games, rules.num_actions), np.bool_)
        self.final_states = np.zeros_like(self.states)
        self.over = np.zeros(games, np.bool_)
        self._histories = new_histories(rules, games)
        self._random = generators(0, games)
        self._all_rows = np.arange(games)
        self._restarts_at_once = restart == "same"
        self._margin_scale = 1 / rules.board.banked_seeds if reward == "margin" and rules.board.banked_seeds else 0.0
        self._random_plies = checked_random_plies(random_plies, rules)
        self._threads = threads

    def __len__(self) -> int:
        return len(self.states)

    def reset(self, seed: int | np.random.SeedSequence | None = None) -> np.ndarray:
        """Begin all games anew.

        Args:
            seed: seeds every game's own generator; None leaves the generators as they are.

        Returns:
            The observations of the players to move, float32[N, *observation_shape].
        """
        if seed is not None:
            self._random = generators(seed, len(self))
        out = self._new_observations(len(self))
        self._kernels.begin(self._all_rows, self._random_plies, self.states, self.masks, self._histories, self._random, out)
        self.over[:] = False
        return out

    def set_state(self, row: int, state: np.ndarray) -> np.ndarray:
        """Put a position into one place, with an empty history; returns the observation of the player to move.

        Raises:
            ValueError: the state is not one of these rules.
        """
        own_rows(state[None], self.rules)
        out = self._new_observations(1)
        self.states[row] = state
        self._kernels.adopt(np.array([row]), self.states, self.masks, self._histories, out)
        self.over[row] = False
        return out[0]

    def step(self, actions: np.ndarray, rows: np.ndarray | None = None) -> Step:
        """Play one ply in each game; an illegal action loses the game.

        Args:
            actions: int64[R].
            rows: which games, int64[R], each at most once; by default all.
        """
        rows = self._all_rows if rows is None else rows
        if len(actions) != len(rows):
            raise ValueError(f"{len(actions)} actions for {len(rows)} games: one a game")
        count = len(rows)
        out = Step(
            self._new_observations(count),
            np.zeros(count, np.float32),
            np.zeros((count, 2), np.float32),
            np.zeros(count, np.uint8),
            np.zeros(count, np.bool_),
        )

        def play(part: slice) -> None:
            self._kernels.step(
                rows[part],
                actions[part],
                self._restarts_at_once,
                self._margin_scale,
                self._random_plies,
                self.states,
                self.masks,
                self.final_states,
                self.over,
                self._histories,
                self._random,
                out.observations[part],
                out.rewards[part],
                out.returns[part],
                out.end_codes[part],
                out.truncated[part],
            )

        share_out(play, count, self._threads)
        return out

    @property
    def _kernels(self) -> "_Kernels":
        return _kernels(self.rules)

    def _new_observations(self, count: int) -> np.ndarray:
        return np.empty((count, *self.rules.observation_shape), np.float32)


def checked_random_plies(random_plies: int, rules: Rules) -> int:
    """A number of random opening plies that can be played below the ply limit.

    Raises:
        ValueError: it is no integer from 0, or the opening is over already.
    """
    if not isinstance(random_plies, int | np.integer) or isinstance(random_plies, bool) or random_plies < 0:
        raise ValueError(f"random_plies={random_plies!r} is not accepted: an integer from 0")
    opening = rules.position()
    if opening.is_over:
        raise ValueError(f"the opening of {rules.id} is over ({opening.end_reason})")
    return min(random_plies, rules.max_plies - 1)


@dataclass(frozen=True)
class _Kernels:
    begin: Any
    adopt: Any
    step: Any


@functools.cache
def _kernels(rules: Rules) -> _Kernels:
    init, legal, apply, observe = rules.init, rules.legal, rules.apply, rules.observe
    enter, judge = repetition(rules)
    nth_legal = make_nth_legal(rules.num_actions)
    num_actions = rules.num_actions
    # games are counted without a sign, so that no negative index need be looked for

    @compiled
    def open_game(game: int, random_plies: int, state: State, mask: np.ndarray, histories: Histories, random: np.ndarray) -> None:
        """Begin a game; if its random plies would end it, with one random ply less."""
        while True:
            init(state)
            enter(state, histories, game)
            for _ in range(random_plies):
                count = legal(state, mask)
                random[game] = next_word(random[game])
                apply(state, nth_legal(mask, below(random[game], count)))
                judge(state, histories, game)
                if state[STATUS] != LIVE:
                    break
            if state[STATUS] == LIVE:
                break
            random_plies = min(random_plies, int(state[PLY])) - 1

    @compiled
    def begin(
        rows: np.ndarray,
        random_plies: int,
        states: np.ndarray,
        masks: np.ndarray,
        histories: Histories,
        random: np.ndarray,
        observations: np.ndarray,
    ) -> None:
        for index in range(len(rows)):
            game = np.uint64(rows[index])
            state = states[game]
            open_game(game, random_plies, state, masks[game], histories, random)
            legal(state, masks[game])
            observe(state, player_to_move(state), observations[index])

    @compiled
    def adopt(rows: np.ndarray, states: np.ndarray, masks: np.ndarray, histories: Histories, observations: np.ndarray) -> None:
        for index in range(len(rows)):
            game = np.uint64(rows[index])
            state = states[game]
            near, far = histories
            near[game, :] = 0  # a position that is not the first of its stretch would go on with the history of the game before
            far[game, :] = 0
            enter(state, histories, game)
            legal(state, masks[game])
            observe(state, player_to_move(state), observations[index])

    @helper
    def write_returns(state: State, margin_scale: float, returns: np.ndarray) -> None:
        status = state[STATUS]
        south = np.float32(0)
        if status == SOUTH_WON:
            south = np.float32(1)
        elif status == NORTH_WON:
            south = np.float32(-1)
        if margin_scale != 0 and status != TRUNCATED:
            south = np.float32((state[STORE_SOUTH] - state[STORE_NORTH]) * margin_scale)
        returns[0] = south
        returns[1] = 0 - south

    @compiled
    def step(
        rows: np.ndarray,
        actions: np.ndarray,
        restarts_at_once: bool,
        margin_scale: float,
        random_plies: int,
        states: np.ndarray,
        masks: np.ndarray,
        final_states: np.ndarray,
        over: np.ndarray,
        histories: Histories,
        random: np.ndarray,
        observations: np.ndarray,
        rewards: np.ndarray,
        returns: np.ndarray,
        end_codes: np.ndarray,
        truncated: np.ndarray,
    ) -> None:
        for index in range(len(rows)):
            game = np.uint64(rows[index])
            state, mask = states[game], masks[game]
            begins = over[game]
            if not begins:
                mover = player_to_move(state)
                action = actions[index]
                if action < 0 or action >= num_actions or not mask[action]:
                    end_codes[index] = ILLEGAL_ACTION
                    returns[index, mover] = -1
                    returns[index, 1 - mover] = 1
                    rewards[index] = -1
                else:
                    apply(state, action)
                    judge(state, histories, game)
                    if state[STATUS] != LIVE:
                        end_codes[index] = state[REASON]
                        truncated[index] = state[STATUS] == TRUNCATED
                        write_returns(state, margin_scale, returns[index])
                        rewards[index] = returns[index, mover]
                if end_codes[index] != 0:
                    copy_row(state, final_states[game])
                    begins = restarts_at_once
                    over[game] = not restarts_at_once
            if begins:
                open_game(game, random_plies, state, mask, histories, random)
                over[game] = False
            if over[game]:
                mask[:] = False
            else:
                legal(state, mask)
            observe(state, player_to_move(state), observations[index])

    for function in (begin, adopt, step):
        key_on_sources(function)
    return _Kernels(begin, adopt, step)
