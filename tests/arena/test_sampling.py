"""Positions drawn from games of mixed strength."""

import numpy as np
import pytest

from mancala_envs import make_rules, rulesets
from mancala_envs.arena import sampling
from mancala_envs.arena.sampling import RECIPES, Recipe, draw_set
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.position import position_key
from mancala_envs.rules.contract import BOARD
from mancala_envs.solve import oracle


@pytest.fixture(autouse=True)
def few_games(monkeypatch):
    monkeypatch.setattr(sampling, "GAMES", 20)


def test_positions_are_late_and_valued():
    drawn = draw_set("kalah", 30, seed=1)
    assert len(drawn) == 30
    assert drawn.name == "kalah-v1"
    assert drawn.states[:, BOARD:].sum(axis=1).max() <= 30
    assert (drawn.legal == legal_masks(drawn.rules, drawn.states)).all()
    assert (drawn.legal.sum(axis=1) > 1).all()
    known = oracle("kalah")
    for position, values in zip(drawn.positions[:5], drawn.values, strict=False):
        assert {action: int(values[action]) for action in position.legal_actions()} == known.values(position)
        assert len(set(known.values(position).values())) > 1


def test_the_same_seed_draws_the_same():
    one, other = (draw_set("kalah", 10, seed=2) for _ in range(2))
    assert (one.states == other.states).all()
    assert (one.values == other.values).all()
    assert (one.states != draw_set("kalah", 10, seed=3).states).any()


def test_a_set_may_have_fewer_positions_than_asked_for(monkeypatch):
    monkeypatch.setattr(sampling, "MOST_ROUNDS", 1)
    drawn = draw_set("kalah", 1000)
    assert 0 < len(drawn) <= 20 * sampling.PER_GAME


def test_positions_come_from_the_last_plies():
    rules, seed = make_rules("kalah"), np.random.SeedSequence(0)
    games = sampling._games(rules, seed)
    late = {position_key(state) for game in games for state in game[-4:]}
    found = list(sampling._candidates(rules, Recipe(last_plies=4), np.random.SeedSequence(0)))
    assert len(games) == 20
    assert 10 < len(found) <= 20 * sampling.PER_GAME
    assert {position_key(state) for state in found} <= late
    assert (legal_masks(rules, np.array(found)).sum(axis=1) > 1).all()


def test_every_recipe_is_of_a_ruleset():
    assert set(RECIPES) < set(rulesets())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("oware_nam_nam",), "no way is known to draw positions of 'oware_nam_nam'"), (("kalah", 0), "count=0 is not accepted")],
)
def test_what_cannot_be_drawn(arguments, message):
    with pytest.raises(ValueError, match=message):
        draw_set(*arguments)
