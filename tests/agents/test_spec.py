"""Players from spec strings."""

import numpy as np
import pytest

from mancala_envs import Agent, make_agent, make_rules
from mancala_envs.agents import choose_all


@pytest.mark.parametrize("spec", ["random", "greedy", "alphabeta:depth=2", "alphabeta:depth=2,threads=2", "alphabeta"])
def test_specs_make_agents(spec):
    rules = make_rules("kalah")
    agent = make_agent(spec, rules, seed=1)
    assert isinstance(agent, Agent)
    assert agent.act(rules.position()) in rules.position().legal_actions()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("strong", "no agent 'strong'; there are random, greedy, alphabeta:depth=N, mcts:simulations=N, policy:PATH, table:PATH"),
        ("random:depth=2", "'depth=2' is not accepted; it has no options"),
        ("alphabeta:deep=2", "'deep=2' is not accepted; it has depth=None, ms=None, nodes=None, threads=1"),
        ("alphabeta:depth", "'depth' is not accepted; it has depth=None"),
        ("alphabeta:depth=two", "depth='two' is not accepted: depth is of type int"),
        ("alphabeta:depth=0", "depth=0 is not accepted: from 1 to 250"),
        ("alphabeta:depth=10000000000", "depth=10000000000 is not accepted"),
        ("policy", "names no folder: write policy:PATH"),
    ],
)
def test_specs_that_do_not_parse(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, "kalah")


def test_an_agent_of_other_rules_is_refused():
    agent = make_agent("random", "oware")
    assert make_agent(agent, "oware") is agent
    with pytest.raises(ValueError, match="agent 'random' plays oware, not kalah"):
        make_agent(agent, "kalah")


def test_the_same_seed_plays_the_same():
    rules = make_rules("oware")
    states = np.repeat(rules.position().state[None], 50, axis=0)
    agent = make_agent("random", rules, seed=3)
    first = agent.act_batch(states)
    agent.reset(3)
    assert (agent.act_batch(states) == first).all()


def test_choose_all_is_uniform_over_the_marked():
    masks = np.tile(np.array([True, False, True, True]), (30_000, 1))
    chosen = choose_all(masks, np.random.default_rng(0))
    assert (np.bincount(chosen, minlength=4)[[0, 2, 3]] > 9_700).all()
    assert np.bincount(chosen, minlength=4)[1] == 0


def test_choose_all_refuses_an_empty_mask():
    with pytest.raises(ValueError, match="the mask of row 1 is empty"):
        choose_all(np.array([[True], [False]]), np.random.default_rng(0))


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_agents_refuse_positions_of_other_rules_and_finished_games(spec):
    rules = make_rules("taktix", size=2)
    agent = make_agent(spec, rules)
    with pytest.raises(ValueError, match="plays taktix, the position is of taktix, or of other options"):
        agent.act(make_rules("taktix", size=3).position())
    with pytest.raises(ValueError, match=r"the game is over \(last_piece\): there is no action to choose"):
        agent.act(rules.position(cells=[0, 0, 0, 0]))
    with pytest.raises(ValueError, match="the mask of row 1 is empty"):
        agent.act_batch(np.array([rules.position().state, rules.position(cells=[0, 0, 0, 0]).state]))
    with pytest.raises(ValueError, match=r"states of shape \(1, 16\) are not accepted: taktix takes int16\[N, 11\]"):
        agent.act_batch(make_rules("taktix", size=3).position().state[None])
