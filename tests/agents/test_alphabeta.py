"""Alpha-beta against plain minimax, and the greedy player."""

import numpy as np
import pytest

import mancala_envs
from mancala_envs import make_agent, make_rules
from mancala_envs.agents.alphabeta import WIN


def minimax(position, depth):
    """The value to South, as the search defines it."""
    if position.is_over:
        south, _ = position.returns
        return south * (WIN - position.ply) + (position.margin if position.end_reason != "max_plies" and south else 0)
    if depth == 0:
        return position.margin
    values = [minimax(position.play(action), depth - 1) for action in position.legal_actions()]
    return max(values) if position.to_move == 0 else min(values)


def best_actions(position, depth):
    values = {action: minimax(position.play(action), depth - 1) for action in position.legal_actions()}
    best = max(values.values()) if position.to_move == 0 else min(values.values())
    return {action for action, value in values.items() if value == best}


def random_positions(rules, count, seed):
    generator = np.random.default_rng(seed)
    positions = []
    while len(positions) < count:
        position = rules.position()
        for _ in range(generator.integers(0, 40)):
            if not position.is_over:
                position = position.play(int(generator.choice(position.legal_actions())))
        if not position.is_over:
            positions.append(rules.parse(str(position)))
    return positions


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    ("ruleset", "options"),
    [("oware", {}), ("awari", {"houses": 3}), ("kalah", {}), ("taktix", {"size": 2}), ("tactix_hein", {"size": 3})],
)
def test_plays_every_best_action_and_no_other(ruleset, options, depth):
    rules = make_rules(ruleset, **options)
    agent = make_agent(f"alphabeta:depth={depth}", rules, seed=0)
    for position in random_positions(rules, 12, seed=depth):
        played = set(agent.act_batch(np.repeat(position.state[None], 400, axis=0)).tolist())
        assert played == best_actions(position, depth), position


def test_sees_through_extra_turns():
    rules = make_rules("kalah", houses=3, seeds=1)
    position = rules.position(holes=[0, 1, 1, 1, 0, 1], stores=[0, 0])
    assert best_actions(position, 3) == {2}
    assert make_agent("alphabeta:depth=3", rules, seed=0).act(position) == 2


def test_greedy_takes_the_largest_capture():
    rules = make_rules("oware")
    position = rules.position(holes=[4, 4, 4, 4, 1, 3, 1, 2, 1, 4, 4, 4])
    assert make_agent("greedy", rules, seed=0).act(position) == 5


def test_greedy_chooses_among_equals_at_random():
    rules = make_rules("oware")
    states = np.repeat(rules.position().state[None], 200, axis=0)
    assert set(make_agent("greedy", rules, seed=0).act_batch(states)) == {0, 1, 2, 3, 4, 5}


def test_threads_do_not_change_the_play():
    rules = make_rules("oware")
    states = np.array([position.state for position in random_positions(rules, 50, seed=9)])
    played = [make_agent(f"alphabeta:depth=3,threads={threads}", rules, seed=4).act_batch(states) for threads in (1, 2)]
    assert (played[0] == played[1]).all()


def test_beats_random():
    match = mancala_envs.play_match(["alphabeta:depth=3", "random"], "oware", games=40, seed=0)
    assert match.score > 0.9


def test_states_are_left_alone():
    rules = make_rules("awari")
    states = np.array([rules.position().state] * 4)
    before = states.copy()
    make_agent("alphabeta:depth=4", rules, seed=0).act_batch(states)
    assert (states == before).all()
