"""Agents against perfect play."""

import pytest

from mancala_envs import make_agent, make_rules
from mancala_envs.arena import against_perfect_play
from mancala_envs.solve import optimal_move_rate, position_set, regret, valued


def test_each_agent_is_measured_on_the_packaged_positions():
    found = against_perfect_play(["random", "greedy"], "kalah", seed=5)
    assert [truth.agent for truth in found] == ["random", "greedy"]
    for truth in found:
        agent = make_agent(truth.agent, "kalah")
        assert truth.positions == "kalah-v1"
        assert truth.regret == regret(agent, position_set("kalah"), seed=5)
        assert truth.optimal_move_rate == optimal_move_rate(agent, position_set("kalah"), seed=5)


def test_rules_without_positions_have_no_truth():
    assert against_perfect_play(["random"], make_rules("kalah", seeds=5)) == []


def test_positions_of_ones_own():
    position = make_rules("kalah").position(holes=[0, 1, 0, 3, 0, 1, 1, 0, 0, 0, 2, 0], stores=(18, 22))
    (truth,) = against_perfect_play(["table:kalah"], "kalah", positions=valued([position]))
    assert (truth.positions, truth.regret, truth.optimal_move_rate) == ("own positions", 0, 1)


def test_an_agent_of_another_game_is_refused():
    with pytest.raises(ValueError, match="agent 'random' plays kalah, not oware"):
        against_perfect_play([make_agent("random", "kalah")], "oware")
