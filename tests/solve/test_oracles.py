"""The oracle against plain minimax, and what it refuses."""

import functools

import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.solve import Unsolved, oracle
from mancala_envs.solve.oracles import NODES, Oracle
from mancala_envs.solve.perfect import to_the_end
from mancala_envs.solve.retrograde import build_tables


@functools.cache
def minimax(position):
    """The final margin, or the result, for South."""
    if position.is_over:
        return position.margin if position.rules.board.has_stores else position.returns[0]
    values = [minimax(position.play(action)) for action in position.legal_actions()]
    return max(values) if position.to_move == 0 else min(values)


def naive_values(position):
    sign = 1 if position.to_move == 0 else -1
    return {action: sign * minimax(position.play(action)) for action in position.legal_actions()}


def random_positions(rules, count, seed, start=None):
    """Live positions from random games."""
    generator = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        position = rules.position() if start is None else start
        for _ in range(generator.integers(0, 25)):
            if not position.is_over:
                position = position.play(int(generator.choice(position.legal_actions())))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("kalah", {"houses": 2, "seeds": 2}),
        ("kalah", {"houses": 3, "seeds": 1, "empty_capture": True}),
        ("taktix", {"size": 3}),
        ("tactix_hein", {"size": 3}),
        ("oust", {"side": 2}),
    ],
)
def test_values_are_those_of_minimax(id, options):
    rules = make_rules(id, **options)
    known = oracle(rules)
    for position in random_positions(rules, 12, seed=1):
        assert known.values(position) == naive_values(position), position


@pytest.mark.parametrize(
    ("id", "options", "holes"),
    [
        ("bao_kenya", {"houses": 4}, [0, 2, 1, 0, 1, 0, 2, 1]),
        ("congkak", {"houses": 5}, [0, 2, 0, 1, 1, 1, 0, 3, 0, 0]),
        ("kalah", {}, [0, 1, 0, 2, 0, 1, 1, 0, 0, 1, 2, 0]),
    ],
)
def test_values_of_late_positions_are_those_of_minimax(id, options, holes):
    rules = make_rules(id, **options)
    known = oracle(rules)
    for position in random_positions(rules, 10, seed=2, start=rules.position(holes=holes, stores=(5, 3))):
        played_out = to_the_end(rules).position(holes=position.holes, stores=position.stores, to_move=position.to_move)
        assert known.values(position) == naive_values(played_out), position


def test_value_is_that_of_the_best_action():
    rules = make_rules("kalah", houses=3, seeds=2)
    known = oracle(rules)
    for position in random_positions(rules, 10, seed=3):
        assert known.value(position) == max(known.values(position).values())


def test_tables_and_search_agree():
    rules = make_rules("kalah")
    tables, search = oracle(rules), Oracle(rules, None, NODES, 1 << 22)
    assert tables.tables.seeds == 10
    start = rules.position(holes=[0, 1, 0, 3, 0, 1, 1, 0, 2, 0, 2, 0], stores=(17, 21))
    for position in random_positions(rules, 30, seed=4, start=start):
        assert tables.values(position) == search.values(position), position


def test_values_of_a_table_count_what_the_stores_hold():
    position = make_rules("oware").position(holes=[0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1], stores=(20, 24))
    assert oracle("oware").values(position) == {5: -4 + 2 + 1}  # South takes two; North's last seed comes to him and cannot return


def test_a_table_serves_games_with_other_numbers_of_seeds():
    rules = make_rules("kalah", seeds=6)
    assert oracle(rules).tables.seeds == 10


def test_a_table_of_other_options_is_left_aside():
    assert oracle(make_rules("kalah", empty_capture=True)).tables is None
    assert oracle(make_rules("oware", cycle_rule="split_even")).tables is None
    assert oracle("oware_tr").tables is None


@pytest.fixture(scope="module")
def awari(tmp_path_factory):
    folder = tmp_path_factory.mktemp("awari")
    build_tables(make_rules("awari"), 3, folder, threads=1)
    return oracle("awari", table=folder)


def test_a_table_of_ones_own(awari):
    position = awari.rules.position(holes=[0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1], stores=(20, 25))
    assert awari.values(position) == {5: -2}


def test_outside_the_table_it_says_what_would_help():
    message = "this one is outside the table, of up to 9 seeds; `mancala-envs tables build oware --seeds N` builds one"
    with pytest.raises(Unsolved, match=message):
        oracle("oware").values(make_rules("oware").position())
    with pytest.raises(Unsolved, match="there is no table; "):
        oracle("wari_pl").values(make_rules("wari_pl").position())


def test_what_the_cycle_rule_decides_is_refused_with_both_bounds():
    known = oracle("oware")
    position = known.rules.position(holes=[0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 1], stores=(20, 22))
    assert known.bounds(position) == {1: (-3, 3), 5: (-7, -7)}
    with pytest.raises(Unsolved, match=r"action 1 is worth -3 to \+3 by the cycle rule \('draw'\)"):
        known.values(position)
    with pytest.raises(Unsolved, match=r"worth -3 to \+3"):
        known.value(position)


def test_a_history_that_may_decide_is_refused(awari):
    position = awari.rules.position(holes=[1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], stores=(22, 24))
    first = position
    while position != first or position is first:
        awari.values(position)
        position = position.play(position.legal_actions()[0])
    with pytest.raises(Unsolved, match="a position has occurred 2 times, and cycle_count=3 adjudicates its return"):
        awari.values(position)


@pytest.mark.parametrize("ruleset", ["oware_nam_nam", "oware_nam_nam_round"])
def test_games_whose_values_hang_on_history_are_refused(ruleset):
    with pytest.raises(ValueError, match="what a position that comes back is worth hangs on how it came about"):
        oracle(ruleset).values(make_rules(ruleset).position())


@pytest.mark.parametrize("ruleset", ["oware", "awari"])
def test_games_without_a_cycle_rule_need_tables_as_well(ruleset):
    rules = make_rules(ruleset, cycle_rule="off")
    with pytest.raises(Unsolved, match="only endgame tables tell values"):
        oracle(rules).values(rules.position())


def test_a_search_that_takes_too_long_is_given_up():
    with pytest.raises(Unsolved, match="nodes=1000"):
        oracle("kalah", nodes=1000).values(make_rules("kalah").position())


def test_positions_without_a_choice_are_refused():
    known = oracle("kalah")
    with pytest.raises(ValueError, match="is not of <Rules of kalah"):
        known.values(make_rules("kalah", seeds=5).position())
    with pytest.raises(ValueError, match=r"the game is over \(no_moves\)"):
        known.values(known.rules.position(holes=[0] * 6 + [1] + [0] * 5, stores=(20, 27)))


def test_limits_that_are_not_accepted():
    with pytest.raises(ValueError, match="nodes=0, memory=1 is not accepted"):
        oracle("kalah", nodes=0, memory=1)
    with pytest.raises(ValueError, match="no endgame table in"):
        oracle("kalah", table="nowhere")
