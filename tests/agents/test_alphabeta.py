"""Alpha-beta and the greedy player against plain minimax."""

import time

import numpy as np
import pytest

import mancala_envs
from mancala_envs import make_agent, make_rules
from mancala_envs.agents.alphabeta import WIN


def minimax(position, depth):
    """The value to South, as the search defines it."""
    if position.is_over:
        return position.returns[0] * WIN
    if depth == 0:
        return position.margin
    values = [minimax(position.play(action), depth - 1) for action in position.legal_actions()]
    return max(values) if position.to_move == 0 else min(values)


def best_actions(position, depth):
    """The best actions at the first depth that decides the game, or at `depth`; where all loses, of the last depth before."""
    best = set(position.legal_actions())
    for searched in range(1, depth + 1):
        values = {action: minimax(position.play(action), searched - 1) for action in position.legal_actions()}
        side = 1 if position.to_move == 0 else -1
        most = max(side * value for value in values.values())
        if most == -WIN and searched > 1:
            break
        best = {action for action, value in values.items() if side * value == most}
        if most == WIN:
            break
    return best


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
    played = [make_agent(f"alphabeta:depth=5,threads={threads}", rules, seed=4).act_batch(states) for threads in (1, 2)]
    assert (played[0] == played[1]).all()


@pytest.mark.parametrize("budget", ["depth=8", "nodes=20000", "depth=6,nodes=1000000"])
def test_a_budget_in_plies_or_nodes_gives_the_same_play_again(budget):
    rules = make_rules("kalah")
    positions = random_positions(rules, 10, seed=2)
    one, other = (make_agent(f"alphabeta:{budget}", rules, seed=7) for _ in range(2))
    assert [one.act(position) for position in positions] == [other.act(position) for position in positions]


def test_more_nodes_look_deeper():
    match = mancala_envs.play_match(["alphabeta:nodes=20000", "alphabeta:nodes=200"], "kalah", games=40, seed=0)
    assert match.score > 0.7


def test_a_budget_of_time_is_kept():
    agent = make_agent("alphabeta:ms=50", make_rules("oware"), seed=0)
    agent.act(agent.rules.position())  # compiles
    started = time.perf_counter()
    agent.act_batch(np.repeat(agent.rules.position().state[None], 4, axis=0))
    assert 0.2 <= time.perf_counter() - started < 2


@pytest.mark.parametrize(
    "budget", ["depth=0", "depth=-1", "depth=251", "ms=0", "ms=3600001", "nodes=0", "nodes=1000000000000001", "threads=0"]
)
def test_budgets_that_are_none(budget):
    with pytest.raises(ValueError, match=f"{budget} is not accepted"):
        make_agent(f"alphabeta:{budget}", make_rules("kalah"))


def test_knows_the_positions_of_the_game_that_would_come_back():
    rules = make_rules("oware", cycle_rule="draw")
    position = rules.position([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], (22, 24))
    for action in (0, 0, 1, 1):
        position = position.play(action)
    assert make_agent("alphabeta:depth=10", rules, seed=0).act(position) in position.legal_actions()


def test_beats_random():
    match = mancala_envs.play_match(["alphabeta:depth=3", "random"], "oware", games=40, seed=0)
    assert match.score > 0.9


def test_states_are_left_alone():
    rules = make_rules("awari")
    states = np.array([rules.position().state] * 4)
    before = states.copy()
    make_agent("alphabeta:depth=4", rules, seed=0).act_batch(states)
    assert (states == before).all()
