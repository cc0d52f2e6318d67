"""Which rulesets have endgame tables, and what tells their tables apart."""

import dataclasses

import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.rules.contract import BOARD, STORE_SOUTH
from mancala_envs.rules.jit import compiled
from mancala_envs.solve import table_games
from mancala_envs.solve.table_games import moves, table_game, table_rules


@pytest.mark.parametrize(
    ("id", "cycle_rule", "bounds"),
    [("oware", "draw", True), ("oware", "own_side", True), ("oware", "split_even", False), ("oware", "off", False)],
)
def test_the_cycle_rule_tells_whether_there_are_bounds(id, cycle_rule, bounds):
    game = table_game(make_rules(id, cycle_rule=cycle_rule))
    assert (game.ruleset, game.bounds) == (id, bounds)
    assert not table_game(make_rules("kalah")).bounds


@pytest.mark.parametrize("id", ["oust", "taktix", "congkak_match"])
def test_other_games_have_none(id):
    with pytest.raises(ValueError, match=f"{id} has no endgame tables: they are for two rows of holes with stores"):
        table_rules(make_rules(id))


def test_a_game_that_an_endless_turn_decides_has_none():
    with pytest.raises(ValueError, match="has no endgame tables: the holes alone do not tell what a position is worth"):
        table_rules(make_rules("bao_kenya_laps", infinite_turn="loss"))


def test_options_without_effect_make_no_other_table():
    one = table_game(make_rules("oware"))
    other = table_game(make_rules("oware", seeds=2, max_plies=7, stop_at_majority=False, cycle_count=2))
    assert one == other
    assert not {"seeds", "max_plies", "stop_at_majority", "cycle_count"} & set(one.options)


def test_options_with_an_effect_make_another_digest():
    digests = [table_game(make_rules("kalah", **options)).digest for options in ({}, {"skip_origin": True})]
    assert digests[0] != digests[1]


@pytest.mark.parametrize(
    ("id", "digest"),
    [
        ("kalah", "5552c0fb2df4931b43a55180b387ee0a965d9b5473154270bdce2afeb216ef80"),
        ("oware", "6b9fcc5500b796212b5fc245c541b95003e1f3a782f2207accdd6e3112dd55cf"),
    ],
)
def test_digests_are_the_same_everywhere(id, digest):
    assert table_game(make_rules(id)).digest == digest


def change(monkeypatch, apply):
    """The rules of Kalah with another `apply`, as those that tables are built with."""
    table_games.table_game.cache_clear()
    rules = dataclasses.replace(table_rules(make_rules("kalah")), apply=apply)
    monkeypatch.setattr(table_games, "table_rules", lambda _: rules)
    monkeypatch.setattr(table_games, "SAMPLED", 5)
    return rules


def test_rules_that_make_seeds_are_refused(monkeypatch):
    play = make_rules("kalah").apply

    @compiled
    def apply(state, action):
        play(state, action)
        state[STORE_SOUTH] += 1

    rules = change(monkeypatch, apply)
    with pytest.raises(ValueError, match="seeds come into the game or leave it"):
        table_games.table_game(rules)


def test_rules_that_do_not_treat_players_alike_are_refused(monkeypatch):
    play = make_rules("kalah").apply

    @compiled
    def apply(state, action):
        play(state, action)
        state[STORE_SOUTH] += state[BOARD]
        state[BOARD] = 0

    rules = change(monkeypatch, apply)
    with pytest.raises(ValueError, match="they do not treat both players alike"):
        table_games.table_game(rules)


def test_moves_are_those_of_positions():
    rules = make_rules("oware", stop_at_majority=False)
    position = rules.position(holes=[2, 0, 0, 0, 1, 2, 1, 1, 0, 0, 0, 2], stores=(17, 22), to_move=1)
    found = moves(rules, np.array([position.state]))
    assert np.flatnonzero(found.legal[0]).tolist() == position.legal_actions()
    for action in position.legal_actions():
        assert (found.after[0, action, BOARD:] == position.play(action).holes).all()
        assert (found.after[0, action, STORE_SOUTH:BOARD] == position.play(action).stores).all()
