"""The player with endgame tables."""

import numpy as np
import pytest

from mancala_envs import make_agent, make_rules
from mancala_envs.agents.alphabeta import AlphaBeta
from mancala_envs.agents.table import Table
from mancala_envs.arena.game import play_game
from mancala_envs.solve.exact import Exact
from mancala_envs.solve.retrograde import build_tables


@pytest.mark.parametrize("id", ["oware", "oware_abapa", "kalah"])
def test_inside_the_table_it_plays_a_best_action(id):
    rules = make_rules(id)
    agent = make_agent(f"table:{id}", rules, seed=0)
    generator = np.random.default_rng(0)
    played = 0
    for _ in range(100):
        holes = np.bincount(generator.integers(12, size=8), minlength=12)
        position = rules.position(holes=holes, to_move=int(generator.integers(2)))
        if not position.is_over:
            values = agent.tables.values(position)
            assert values[agent.act(position)] == max(values.values())
            played += 1
    assert played > 50


def test_equals_are_played_each():
    rules = make_rules("oware")
    position = rules.position(holes=[0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0], stores=(22, 23))
    agent = make_agent("table:oware", rules, seed=3)
    assert agent.tables.values(position) == {3: (-3, -3), 5: (-3, -3)}
    states = np.repeat(position.state[None], 200, axis=0)
    actions = agent.act_batch(states)
    assert 60 < (actions == 3).sum() < 140
    agent.reset(3)
    assert (agent.act_batch(states) == actions).all()


def test_outside_it_searches():
    rules = make_rules("kalah")
    agent = make_agent("table:kalah,depth=3", rules, seed=0)
    opening = rules.position()
    assert agent.name == "table:kalah,depth=3"
    assert agent.act(opening) in opening.legal_actions()
    inside = rules.position(holes=[0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0], stores=(20, 24))
    assert agent.act_batch(np.array([opening.state, inside.state]))[1] == 5


def test_its_search_looks_positions_up_in_the_table():
    rules = make_rules("kalah")
    holes, found = [0, 0, 0, 2, 1, 2, 0, 1, 0, 3, 1, 1], {}
    position = rules.position(holes=holes, stores=(18, 19))
    for table in ({}, {"tables": Table(rules, "kalah").tables}):
        agent = AlphaBeta(rules, depth=12, seed=0, **table)
        best = {agent.act(position) for _ in range(20)}
        found[bool(table)] = best, agent.searched
    values = Exact(rules, memory=1 << 22).values(position)
    assert found[True][0] <= {action for action, value in values.items() if np.sign(value) == np.sign(max(values.values()))}
    assert found[True][1] < found[False][1] / 2


@pytest.mark.parametrize("spec", ["table:kalah,ms=2", "table:kalah,nodes=500"])
def test_its_search_may_have_any_budget(spec):
    agent = make_agent(spec, "kalah", seed=0)
    assert agent.name == spec
    opening = make_rules("kalah").position()
    assert agent.act(opening) in opening.legal_actions()


def test_it_plays_whole_games():
    record = play_game(["table:kalah,depth=2", "random"], make_rules("kalah"), seed=1)
    assert record.returns[0] == 1


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("table", "agent 'table' names no folder: write table:PATH"),
        ("table:oware", "layer_00.bin is a table with ruleset='oware', not 'kalah'"),
        ("table:kalah,deep=3", "no endgame table in 'kalah,deep=3'"),
        ("table:kalah,depth=0", "depth=0"),
    ],
)
def test_specs_that_make_no_agent(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, "kalah")


def test_a_table_from_a_folder_with_a_comma(tmp_path):
    folder = tmp_path / "a,b"
    rules = make_rules("kalah")
    build_tables(rules, 4, folder, threads=1)
    agent = make_agent(f"table:{folder},depth=2", rules, seed=0)
    assert isinstance(agent, Table)
    position = rules.position(holes=[0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0])
    values = agent.tables.values(position)
    assert values[agent.act(position)] == max(values.values())
