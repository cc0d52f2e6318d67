"""Repetition in compiled games against the exact history of `Position`, on a game made to repeat itself."""

import collections
import itertools
from collections.abc import Mapping

import numpy as np
import pytest
from drawing import Draws

from mancala_envs import Family, Option, Rules, compiled, make_rules, register
from mancala_envs.kernels.batch import Batch
from mancala_envs.kernels.history import FILTER, NEAR, new_histories, repetition
from mancala_envs.kernels.playouts import playouts
from mancala_envs.position import position_key
from mancala_envs.rules.contract import (
    BOARD,
    CYCLE,
    LIVE,
    PLY,
    QUIET,
    STATUS,
    STORE_SOUTH,
    TO_MOVE,
    Board,
    end_ply,
    finish,
    truncate,
)

CELLS = 4
NUMBERS = 6  # so that a state is read as a word of four numbers and two more; the cell is kept in one of either
LOW, HIGH = BOARD + 1, BOARD + NUMBERS - 1
BACK, STAY, AHEAD = range(3)


def build_walk(id: str, title: str, options: Mapping[str, int | bool | str]) -> Rules:
    """A token on a ring of cells goes a step back, stays or goes a step ahead; a ply that scores cannot be undone.

    The other player moves only after the token has stayed.
    """
    max_plies, scoring_ply, ends = int(options["max_plies"]), int(options["scoring_ply"]), options["comes_back"] == "ends"
    scores = options["comes_back"] == "scores"

    @compiled
    def init(state):
        state[:] = 0

    @compiled
    def legal(state, mask):
        mask[:] = True
        return 3

    @compiled
    def settle(state):
        if state[STATUS] == LIVE and state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def apply(state, action):
        cell = (state[LOW] + 2 * state[HIGH] + action + CELLS - 1) % CELLS
        state[LOW], state[HIGH] = cell % 2, cell // 2
        irreversible = scoring_ply > 0 and state[QUIET] == scoring_ply
        if irreversible:
            state[STORE_SOUTH] += 1
        end_ply(state, irreversible, 1 - state[TO_MOVE] if action == STAY else state[TO_MOVE])
        settle(state)

    @compiled
    def observe(state, player, out):
        out[0] = state[LOW]

    @compiled
    def adjudicate(state):
        if ends:
            finish(state, CYCLE)
        elif scores:
            state[STORE_SOUTH] += 1

    return Rules(
        id=id,
        title=title,
        options=options,
        num_actions=3,
        state_size=BOARD + NUMBERS,
        observation_shape=(1,),
        board=Board(rows=((0,),), names=("token",)),
        fields={"cells": slice(BOARD, BOARD + NUMBERS)},
        action_names=(("back", "stay", "ahead"),) * 2,
        init=init,
        legal=legal,
        apply=apply,
        settle=settle,
        observe=observe,
        adjudicate=adjudicate,
        max_plies=max_plies,
        cycle_count=int(options["cycle_count"]),
    )


register(
    "test_walk",
    Family(
        build_walk,
        {
            "cycle_count": Option(3, range(2, 1001), "which occurrence is adjudicated"),
            "scoring_ply": Option(0, range(1000), "the quiet ply after which one scores, 0 for never"),
            "comes_back": Option("ends", ("ends", "scores", "nothing"), "what happens where a position comes back"),
            "max_plies": Option(1000, range(1, 32767), "ply limit"),
        },
    ),
)


def played_again(rules, game, games, seed):
    """The positions of a playout, played by `Position`."""
    positions, draws = [rules.position()], Draws(seed, game, games)
    while not positions[-1].is_over:
        positions.append(positions[-1].play(draws.action(positions[-1])))
    return positions


@pytest.mark.parametrize("scoring_ply", [0, 10, NEAR - 9, NEAR - 8, NEAR - 7, 70, 200])
def test_occurrences_are_counted_exactly(scoring_ply):
    """A stretch of quiet plies may lie within the near keys, end on either side of their border, or go far beyond."""
    rules = make_rules("test_walk", cycle_count=1000, scoring_ply=scoring_ply, comes_back="nothing")
    enter, _ = repetition(rules)
    histories = new_histories(rules, 3)
    generator = np.random.default_rng(scoring_ply)
    state = np.zeros(rules.state_size, np.int16)
    rules.init(state)
    seen = collections.Counter()
    for _ in range(900):
        if state[QUIET] == 0:
            seen.clear()
        seen[position_key(state)] += 1
        assert enter(state, histories, 1) == seen[position_key(state)]
        rules.apply(state, int(generator.integers(3)))
    assert not histories[0][[0, 2]].any()  # the games beside it are left alone


@pytest.mark.parametrize("cycle_count", [3, 40])
def test_a_game_ends_at_the_same_occurrence(cycle_count):
    """With 40 occurrences of one of eight positions, games are quiet for far more than 64 plies."""
    rules = make_rules("test_walk", cycle_count=cycle_count)
    games = playouts(rules, 100, seed=1)
    for game in range(100):
        *_, last = positions = played_again(rules, game, 100, 1)
        assert np.array_equal(last.state, games.states[game])
        occurrences = collections.Counter((position.cells, position.to_move) for position in positions)
        assert (last.end_reason, occurrences[last.cells, last.to_move]) == ("cycle", cycle_count)
        assert max(occurrences.values()) == cycle_count
    assert (games.states[:, QUIET] > 64).any() == (cycle_count == 40)


@pytest.mark.parametrize("comes_back", ["scores", "nothing"])
def test_a_game_that_adjudication_leaves_live_goes_on_from_a_fresh_position(comes_back):
    rules = make_rules("test_walk", comes_back=comes_back, max_plies=200)
    games = playouts(rules, 50, seed=2)
    for game in range(50):
        *_, last = played_again(rules, game, 50, 2)
        assert np.array_equal(last.state, games.states[game])
        assert (last.end_reason, last.ply) == ("max_plies", 200)
        assert last.state[QUIET] < 17  # one of eight positions comes for the third time with the seventeenth at the latest


def test_adjudication_that_scores_counts_occurrences_anew():
    """Ahead and back again: the first cell comes back every second ply."""
    position = make_rules("test_walk", comes_back="scores").position()
    scores = []
    for _ in range(10):
        position = position.play(AHEAD).play(BACK)
        scores.append(position.stores[0])
    assert scores == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_a_position_put_into_a_batch_leaves_no_trace_of_the_games_before_it():
    """Not even where a long quiet game went before and the position put in is itself in the midst of one."""
    rules = make_rules("test_walk", cycle_count=40)
    batch = Batch(rules, 1)
    batch.reset(0)
    late = rules.position()
    for _ in range(38):
        late = late.play(STAY)
    while batch.states[0, PLY] < 75:
        batch.step(np.array([STAY]))
    batch.set_state(0, late.state)
    plies = 0
    while not batch.step(np.array([STAY])).end_codes[0]:
        plies += 1
    assert plies + 1 == 2 * 39  # the position put in is its own first occurrence, and it comes back every second ply


def test_positions_that_differ_in_every_fourth_hole_alone_have_keys_of_their_own():
    """Holes are read four at a time; what differs in the last of each four alone must reach the whole of the key."""
    rules = make_rules("oware")
    enter, _ = repetition(rules)
    keys = set()
    last_of_four = range(BOARD + 3, BOARD + 12, 4)
    shares = [seeds for seeds in itertools.product(range(30), repeat=3) if sum(seeds) <= 40]
    state, histories = rules.position().state.copy(), new_histories(rules, 1)
    state[BOARD : BOARD + 12] = 0
    for seeds in shares:
        state[last_of_four] = seeds
        enter(state, histories, 0)
        keys.add(int(histories[0][0, FILTER]))
    assert len(keys) == len(shares)
