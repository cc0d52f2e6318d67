"""Random playouts: the same games whatever the threads, and the same as played one ply at a time."""

import numpy as np
import pytest
from drawing import Draws

from mancala_envs import make_rules
from mancala_envs.kernels.playouts import playouts
from mancala_envs.rules.contract import LIVE, STATUS

RULESETS = ["oware", "kalah", "tactix_hein"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_threads_share_the_same_games(ruleset):
    rules = make_rules(ruleset)
    one, three = playouts(rules, 101, seed=5), playouts(rules, 101, seed=5, threads=3)
    assert (one.states == three.states).all()
    assert (one.plies, one.choices) == (three.plies, three.choices)


def test_more_threads_than_games():
    rules = make_rules("kalah")
    assert (playouts(rules, 2, threads=4).states == playouts(rules, 2).states).all()


def test_the_seed_decides_the_games():
    rules = make_rules("kalah")
    assert (playouts(rules, 20, seed=1).states == playouts(rules, 20, seed=1).states).all()
    assert (playouts(rules, 20, seed=1).states != playouts(rules, 20, seed=2).states).any()


def test_all_games_are_played_to_their_end():
    assert (playouts(make_rules("kalah"), 50).states[:, STATUS] != LIVE).all()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_are_those_that_positions_play(ruleset):
    """Every draw is played again by `Position`: the final states, all of them, and what was counted on the way."""
    rules = make_rules(ruleset)
    games, seed = 200, 3
    played = playouts(rules, games, seed)
    plies, choices = 0, 0
    for game in range(games):
        position, draws = rules.position(), Draws(seed, game, games)
        while not position.is_over:
            plies += 1
            choices += len(position.legal_actions())
            position = position.play(draws.action(position))
        assert np.array_equal(position.state, played.states[game])
    assert (plies, choices) == (played.plies, played.choices)


@pytest.mark.parametrize(("games", "threads"), [(0, 1), (1, 0)])
def test_too_few_games_or_threads_are_refused(games, threads):
    with pytest.raises(ValueError, match=f"games={games}, threads={threads}: both are at least 1"):
        playouts(make_rules("kalah"), games, threads=threads)
