"""Monte-Carlo tree search: what it proves, what it keeps from move to move, and the tree that others evaluate."""

import json
from pathlib import Path

import find_mates
import numpy as np
import pytest
from find_mates import winning_actions
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_envs
from mancala_envs import make_agent, make_rules
from mancala_envs.agents.mcts import MCTS
from mancala_envs.agents.tree import Tree
from mancala_envs.kernels.rows import evaluations, legal_masks
from mancala_envs.position import Position
from mancala_envs.rules.contract import DRAW, LIVE, NORTH_WON, SOUTH_WON, STATUS, TO_MOVE

MATES = json.loads((Path(__file__).parents[1] / "data" / "mates.json").read_text())


def names(entry):
    return "-".join([entry["ruleset"], *map(str, entry["options"].values())])


def minimax(position, known):
    """The result to South with best play; `known` keeps the results by position, ply and history."""
    if position.is_over:
        return position.returns[0]
    key = position, position.ply, position._history
    if key not in known:
        best = 1 if position.to_move == 0 else -1
        value = -best
        for action in position.legal_actions():
            value = (max if best == 1 else min)(value, minimax(position.play(action), known))
            if value == best:
                break
        known[key] = value
    return known[key]


def played(rules, actions):
    """The position after some of these actions: each is counted modulo the legal ones, and none ends the game."""
    position = rules.position()
    for action in actions:
        legal = position.legal_actions()
        following = position.play(legal[action % len(legal)])
        if following.is_over:
            break
        position = following
    return position


# --- what it finds


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=names(entry), marks=[pytest.mark.slow] if names(entry) in ("awari-4", "congkak", "oust-2") else [])
        for entry in MATES
    ],
)
def test_finds_every_mate(entry):
    rules = make_rules(entry["ruleset"], **entry["options"])
    positions = [rules.parse(mate["position"]) for mate in entry["positions"]]
    agent = MCTS(rules, simulations=5000, seed=0)
    actions = agent.act_batch(np.array([position.state for position in positions]))
    for mate, action in zip(entry["positions"], actions, strict=True):
        assert action in mate["winning"], mate["position"]


@pytest.mark.parametrize("entry", [entry for entry in MATES if entry["ruleset"] in ("oware", "kalah", "omweso")], ids=names)
def test_mates_are_those_of_a_plain_search(entry):
    rules = make_rules(entry["ruleset"], **entry["options"])
    for mate in entry["positions"]:
        position = rules.parse(mate["position"])
        if mate["plies"] <= 3:
            assert winning_actions(position, mate["plies"]) == mate["winning"], position
            assert mate["plies"] == 1 or not winning_actions(position, mate["plies"] - 1), position


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("kalah", {"houses": 2, "seeds": 2}),
        ("oware", {"houses": 3, "seeds": 1, "cycle_count": 2, "max_plies": 12}),
        ("taktix", {"size": 2}),
    ],
)
def test_solves_tiny_games(ruleset, options):
    rules = make_rules(ruleset, **options)
    agent, known = MCTS(rules, simulations=100_000, seed=0), {}
    for actions in ([], [0, 1], [2, 0, 1], [1, 1, 0, 2], [2, 1, 2, 0, 1]):
        position = played(rules, actions)
        value = minimax(position, known)
        action = agent.act(position)
        tree = agent._search.tree
        assert tree.root_results[0] == {1: SOUTH_WON, -1: NORTH_WON, 0: DRAW}[value], position
        assert minimax(position.play(action), known) == value, position
        assert tree.root_values[0] == value * (1 - 2 * position.to_move)


# --- the tree


def check_tree(tree, position):
    """Every node and every proven end of the first tree against the game itself, played from the root with its history."""
    nodes = tree.nodes[0, : tree.used[0]]
    positions = [position]
    for node in nodes[1:]:
        positions.append(positions[node["parent"]].play(node["action"]))
    for node, reached in zip(nodes, positions, strict=True):
        assert (node["row"] == reached.state).all()
        assert np.flatnonzero(node["legal"]).tolist() == reached.legal_actions()
        for action in np.flatnonzero(node["edge_results"]).tolist():
            child = node["children"][action]
            if child:
                assert nodes[child]["result"] == node["edge_results"][action]
            else:
                assert min(reached.play(action).state[STATUS], DRAW) == node["edge_results"][action]


CYCLES = make_rules("awari", houses=3, seeds=2, cycle_rule="own_side", cycle_count=2)


@pytest.mark.parametrize(
    "rules",
    [
        CYCLES,
        make_rules("kalah"),
        pytest.param(make_rules("oware_nam_nam", cycle_count=2), marks=pytest.mark.slow),  # goes on where a position comes back
    ],
    ids=lambda rules: rules.id,
)
def test_the_tree_is_the_game(rules):
    agent = MCTS(rules, simulations=300, seed=0)
    position = played(rules, [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
    for _ in range(6):
        action = agent.act(position)
        check_tree(agent._search.tree, position)
        position = position.play(action)
        if not position.is_over:
            position = position.play(position.legal_actions()[-1])
        if position.is_over:
            break


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 2**32))
def test_the_tree_is_the_game_from_anywhere(actions, seed):
    position = played(CYCLES, actions)
    agent = MCTS(CYCLES, simulations=200, seed=seed)
    agent.act(position)
    check_tree(agent._search.tree, position)


def test_a_known_history_makes_a_difference():
    position, generator = CYCLES.position(), np.random.default_rng(0)
    while True:  # to where an action brings a position back
        legal = position.legal_actions()
        endings = [action for action in legal if position.play(action).end_reason == "cycle"]
        if endings:
            break
        position = position.play(int(generator.choice(legal)))
        position = CYCLES.position() if position.is_over else position
    tree = search_tree(MCTS(CYCLES, simulations=50, seed=0), position)
    assert tree.nodes[0, 0]["edge_results"][endings].all()
    assert not tree.nodes[0, 0]["children"][endings].any()
    tree = search_tree(MCTS(CYCLES, simulations=50, seed=0), CYCLES.parse(str(position)))
    assert tree.nodes[0, 0]["children"][endings].all()


def test_values_go_by_the_mover():
    rules = make_rules("kalah")
    tree = search_tree(MCTS(rules, simulations=3000, seed=0), rules.position())
    nodes = tree.nodes[0, : tree.used[0]]
    assert not nodes["edge_results"].any()
    extra_turns = 0
    for child in nodes[1:]:
        parent, action = nodes[child["parent"]], child["action"]
        sign = 1 if parent["mover"] == child["mover"] else -1
        extra_turns += sign == 1
        own_rollout = parent["edge_sums"][action] - sign * child["edge_sums"].sum()
        assert own_rollout in (-1, 0, 1)
        assert parent["edge_visits"][action] == child["visits"] == 1 + child["edge_visits"].sum()
    assert extra_turns > 300


def search_tree(agent, position):
    agent.act(position)
    return agent._search.tree


# --- from move to move


def test_the_tree_is_kept_from_move_to_move():
    rules = make_rules("oware")
    agent = MCTS(rules, simulations=400, seed=0)
    position = rules.position()
    visits = []
    for _ in range(5):
        position = position.play(agent.act(position))
        visits.append(agent._search.tree.root_visits.sum())
        position = position.play(position.legal_actions()[0])
    assert visits[0] == 400
    assert min(visits[1:]) > 400
    agent.reset(0)
    agent.act(position)
    assert agent._search.tree.root_visits.sum() == 400


def test_a_kept_tree_fits_its_room():
    rules = make_rules("kalah")
    agent = MCTS(rules, simulations=50, seed=0)
    position = rules.position()
    while not position.is_over:
        position = position.play(agent.act(position))
        tree = agent._search.tree
        assert tree.used[0] <= tree.nodes.shape[1] == 201


@pytest.mark.parametrize("ruleset", ["oware", "kalah"])
def test_the_same_seed_plays_the_same_game(ruleset):
    records = [mancala_envs.play_game(["mcts:simulations=60", "mcts:simulations=40"], ruleset, seed=seed) for seed in (5, 5, 6)]
    assert records[0].moves == records[1].moves
    assert records[0].moves != records[2].moves


def test_threads_do_not_change_the_play():
    rules = make_rules("oware")
    states = np.array([played(rules, range(count)).state for count in range(40)])
    chosen = [make_agent(f"mcts:simulations=100,threads={threads}", rules, seed=4).act_batch(states) for threads in (1, 2)]
    assert (chosen[0] == chosen[1]).all()
    assert legal_masks(rules, states)[np.arange(40), chosen[0]].all()


def test_a_time_is_kept_and_used():
    rules = make_rules("oware")
    agent = make_agent("mcts:ms=40", rules, seed=0)
    agent.act(rules.position())
    tree = search_tree(agent, rules.position().play(0))
    assert tree.root_visits.sum() >= 32
    states = np.repeat(rules.position().state[None], 3, axis=0)
    assert agent.act_batch(states).shape == (3,)


@pytest.mark.parametrize("rollout", ["random", "greedy"])
def test_beats_greedy(rollout):
    match = mancala_envs.play_match([f"mcts:simulations=200,rollout={rollout}", "greedy"], "kalah", games=40, seed=0)
    assert match.score > 0.8


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:simulations=0", "simulations=0 is not accepted: from 1 to 10000000"),
        ("mcts:ms=-1", "ms=-1 is not accepted: from 1 to 3600000"),
        ("mcts:simulations=400,ms=100", "simulations=400, ms=100 is not accepted: one of the two"),
        ("mcts:rollout=heavy", "rollout='heavy' is not accepted: 'random' or 'greedy'"),
        ("mcts:exploration=-1", "exploration=-1.0 is not accepted: a number from 0"),
        ("mcts:exploration=nan", "exploration=nan is not accepted"),
        ("mcts:threads=0", "threads=0 is not accepted: from 1 to 256"),
        ("mcts:simulations=many", "simulations='many' is not accepted: simulations is of type int"),
    ],
)
def test_options_that_are_not_accepted(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, "kalah")


def test_finished_games_are_refused():
    rules = make_rules("taktix", size=2)
    over = rules.position(cells=[0, 0, 0, 0])
    agent = MCTS(rules, simulations=10)
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(over)
    with pytest.raises(ValueError, match="the mask of row 1 is empty"):
        agent.act_batch(np.array([rules.position().state, over.state]))


# --- evaluated from outside


def guided_search(rules, states, evaluate, simulations):
    """Trees searched with uniform priors and the values that `evaluate` gives to leaves, int16[G, S] -> float[G]."""
    tree = Tree(rules, len(states), simulations + 1, guided=True)
    tree.plant(states)
    priors = np.ones((len(states), rules.num_actions), np.float32)
    for _ in range(simulations):
        leaves = tree.select()
        tree.expand(evaluate(leaves).astype(np.float32), priors)
    return tree


def test_many_games_at_once_with_a_perfect_evaluation():
    rules = make_rules("taktix", size=3)
    known = {}

    def perfect(states):
        positions = [Position(rules, state.copy()) for state in states]
        return np.array([1 if find_mates.is_won(position, known) == (position.to_move == 0) else -1 for position in positions])

    positions = [played(rules, np.random.default_rng(seed).integers(100, size=3)) for seed in range(16)]
    states = np.array([position.state for position in positions])
    states = states[states[:, STATUS] == LIVE]
    tree = guided_search(rules, states, perfect, 100)
    ahead = perfect(states) > 0
    assert 3 < ahead.sum() < len(states)
    tree.advance(tree.best_actions())
    assert (perfect(tree.root_states)[ahead] == -1).all()  # the opponent, now to move, is lost


def test_a_guided_tree_plays_better_than_its_evaluation():
    rules = make_rules("oware")

    def margins(states):
        return np.clip((1 - 2 * states[:, TO_MOVE]) * evaluations(rules, states) / 12, -1, 1)

    class Guided(MCTS):
        def act_batch(self, states):
            return guided_search(rules, states, margins, 100).best_actions()

    match = mancala_envs.play_match([Guided(rules), "greedy"], rules, games=60, seed=0)
    assert match.score > 0.75


def test_priors_lead_the_search():
    rules = make_rules("oware")
    tree = Tree(rules, 2, 51, guided=True)
    tree.plant(np.repeat(rules.position().state[None], 2, axis=0))
    priors = np.full((2, 6), 0.01, np.float32)
    priors[0, 2] = priors[1, 5] = 1
    for _ in range(50):
        tree.select()
        tree.expand(np.zeros(2, np.float32), priors)
    assert tree.best_actions().tolist() == [2, 5]
    assert np.allclose(tree.root_priors.sum(axis=1), 1)
    assert (tree.root_visits.sum(axis=1) == 49).all()  # the first simulation was the root's own


def test_a_tree_without_priors_is_the_search_itself():
    rules = make_rules("kalah", houses=2, seeds=2)
    tree = Tree(rules, 1, 2001, seed=0)
    tree.plant(rules.position().state[None])
    for _ in range(2000):
        tree.select()
        tree.expand(np.zeros(1, np.float32))
    agent = MCTS(rules, simulations=2000, seed=0)
    assert tree.root_results[0] == search_tree(agent, rules.position()).root_results[0] != LIVE
    assert tree.select()[0, STATUS] == tree.root_results[0]
    check_tree(tree, rules.position())


@pytest.mark.parametrize("guided", [False, True])
def test_trees_follow_their_games(guided):
    games = 20
    tree = Tree(CYCLES, games, 40, guided=guided, seed=0)
    positions = [CYCLES.position()] * games
    tree.plant(np.array([position.state for position in positions]))
    generator = np.random.default_rng(0)
    priors = np.ones((games, CYCLES.num_actions), np.float32) if guided else None
    for _ in range(30):
        for _ in range(10):
            tree.select()
            tree.expand(generator.uniform(-1, 1, games).astype(np.float32), priors)
        check_tree(tree, positions[0])
        actions = np.array([0 if position.is_over else generator.choice(position.legal_actions()) for position in positions])
        tree.advance(actions)
        positions = [p if p.is_over else p.play(int(action)) for p, action in zip(positions, actions, strict=True)]
        rows = np.array([position.state for position in positions])
        assert (tree.root_states == rows).all()
    assert {position.end_reason for position in positions} >= {"cycle"}


def test_a_full_tree_is_searched_on():
    tree = Tree(CYCLES, 1, 7, seed=0)
    tree.plant(CYCLES.position().state[None])
    for _ in range(100):
        tree.select()
        tree.expand(np.zeros(1, np.float32))
    assert tree.used[0] == 7
    assert tree.root_visits.sum() == 100


@pytest.mark.parametrize(
    ("guided", "values", "priors", "message"),
    [
        (True, 2, None, "a tree with guided=True takes priors"),
        (False, 2, (2, 6), "a tree with guided=False takes no priors"),
        (True, 2, (2, 5), r"values of shape \(2,\), priors of shape \(2, 5\): they are \[2\] and \[2, 6\]"),
        (False, 3, None, r"values of shape \(3,\)"),
    ],
)
def test_evaluations_that_do_not_fit(guided, values, priors, message):
    rules = make_rules("oware")
    tree = Tree(rules, 2, 5, guided=guided)
    tree.plant(np.repeat(rules.position().state[None], 2, axis=0))
    tree.select()
    with pytest.raises(ValueError, match=message):
        tree.expand(np.zeros(values, np.float32), None if priors is None else np.ones(priors, np.float32))


def test_trees_that_cannot_be():
    with pytest.raises(ValueError, match="games=0, nodes=5 is not accepted"):
        Tree(make_rules("oware"), 0, 5)
    with pytest.raises(ValueError, match="1 states for 2 games"):
        Tree(make_rules("oware"), 2, 5).plant(make_rules("oware").position().state[None])
