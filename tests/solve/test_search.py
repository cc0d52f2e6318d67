"""Alpha-beta search against plain minimax, written a second time as lists and loops."""

import functools

import numpy as np
import pytest

from mancala_envs import make_rules, rulesets
from mancala_envs.kernels.batch import Batch
from mancala_envs.position import position_key
from mancala_envs.rules import Rules
from mancala_envs.rules.contract import BOARD, LIVE, NORTH_WON, PLY, QUIET, SOUTH_WON, STATUS, TO_MOVE, TRUNCATED
from mancala_envs.solve.perfect import to_the_end
from mancala_envs.solve.retrograde import build_tables
from mancala_envs.solve.search import (
    ABORTED,
    BUCKETS,
    GO_ON,
    HALTED,
    LIMIT,
    MOST_DEPTH,
    NODES,
    PROVEN,
    STOP,
    WIN,
    Endgames,
    make_search,
    make_work,
)
from mancala_envs.solve.tables import Tables

MANY_ACTIONS = ("oust", "taktix", "tactix_hein")


def minimax(rules: Rules, state: np.ndarray, depth: int, line: tuple[bytes, ...] = ()) -> int:
    """What a position is worth to South; a repetition on the line is worth what `adjudicate` makes of it."""
    if state[STATUS] != LIVE or depth == 0:
        return {LIVE: rules.evaluate(state), SOUTH_WON: WIN, NORTH_WON: -WIN}.get(int(state[STATUS]), 0)
    line = (*line, position_key(state))
    mask = np.zeros(rules.num_actions, np.bool_)
    rules.legal(state.copy(), mask)
    values = []
    for action in np.flatnonzero(mask).tolist():
        after = state.copy()
        rules.apply(after, action)
        quiet = int(after[QUIET])
        if rules.cycle_count and after[STATUS] in (LIVE, TRUNCATED) and quiet and position_key(after) in line[-quiet:]:
            after[STATUS] = LIVE
            rules.adjudicate(after)
            values.append(minimax(rules, after, 0))
        else:
            values.append(minimax(rules, after, depth - 1, line))
    return max(values) if state[TO_MOVE] == 0 else min(values)


def states_at_play(rules: Rules, count: int, seed: int, most_plies: int = 60) -> np.ndarray:
    """States of random games at random plies, histories dropped, int16[count, S]."""
    batch = Batch(rules, count)
    batch.reset(seed)
    generator = np.random.default_rng(seed)
    for ply in range(most_plies):
        rows = np.flatnonzero(np.arange(count) % most_plies > ply)
        if len(rows):
            chosen = (generator.random((len(rows), rules.num_actions)) * batch.masks[rows]).argmax(axis=1)
            batch.step(chosen, rows)
    states = batch.states.copy()
    states[:, QUIET] = 0
    return states


def searched(rules: Rules, state: np.ndarray, depth: int, margins: bool = False) -> int:
    work = make_work(rules, min(depth, 120), 256)
    return make_search(rules, margins).value(state.copy(), 0, depth, 0, work)


@pytest.mark.parametrize("id", rulesets())
def test_equals_plain_minimax(id):
    rules = make_rules(id)
    depth, count = (2, 60) if id in MANY_ACTIONS else (3, 120)
    search, work = make_search(rules, False), make_work(rules, depth, 256)
    for state in states_at_play(rules, count, seed=1):
        work.table[:] = 0
        side = 1 - 2 * int(state[TO_MOVE])
        assert search.value(state.copy(), 0, depth, 0, work) == side * minimax(rules, state, depth), state


@pytest.mark.slow
@pytest.mark.parametrize("id", rulesets())
def test_equals_plain_minimax_on_many_positions(id):
    rules = make_rules(id)
    depth, count = (2, 600) if id in MANY_ACTIONS else (3, 600)
    search, work = make_search(rules, False), make_work(rules, depth, 256)
    for state in states_at_play(rules, count, seed=2):
        work.table[:] = 0
        side = 1 - 2 * int(state[TO_MOVE])
        assert search.value(state.copy(), 0, depth, 0, work) == side * minimax(rules, state, depth), state


@functools.cache
def margin_to_come(rules: Rules, key: bytes, state_bytes: bytes) -> int:
    """The final margin of a game without repetitions, as South counts it."""
    state = np.frombuffer(state_bytes, np.int16).copy()
    if state[STATUS] != LIVE:
        return rules.evaluate(state)
    mask = np.zeros(rules.num_actions, np.bool_)
    rules.legal(state.copy(), mask)
    values = []
    for action in np.flatnonzero(mask).tolist():
        after = state.copy()
        rules.apply(after, action)
        after[PLY] = 0
        values.append(margin_to_come(rules, position_key(after), after.tobytes()))
    return max(values) if state[TO_MOVE] == 0 else min(values)


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("kalah", {"houses": 3, "seeds": 2}),
        ("kalah", {"houses": 2, "seeds": 4, "empty_capture": True}),
        ("bao_kenya", {"houses": 3, "seeds": 2}),
        ("congkak", {"houses": 5, "seeds": 4}),
    ],
)
def test_margins_are_those_of_perfect_play(id, options):
    rules = to_the_end(make_rules(id, **options))
    search, work = make_search(rules, True), make_work(rules, 120, 1 << 12)
    states = states_at_play(rules, 80, seed=5, most_plies=30)
    few = states[states[:, BOARD:].sum(axis=1) <= 14]
    assert len(few) > 30
    for state in few:
        state[PLY] = 0
        side = 1 - 2 * int(state[TO_MOVE])
        expected = side * (margin_to_come(rules, position_key(state), state.tobytes()) - rules.evaluate(state.copy()))
        assert search.value(state.copy(), 0, MOST_DEPTH, 0, work) == expected  # one table for all
        assert work.counters[PROVEN]


@pytest.mark.parametrize(("id", "options"), [("taktix", {"size": 2}), ("tactix_hein", {"size": 2}), ("oust", {"side": 2})])
def test_results_are_those_of_perfect_play(id, options):
    rules = make_rules(id, **options)
    state = rules.position().state.copy()
    assert searched(rules, state, MOST_DEPTH) == minimax(rules, state, MOST_DEPTH)


def test_a_line_that_comes_back_is_worth_what_the_cycle_rule_says():
    rules = make_rules("oware", cycle_rule="own_side")
    position = rules.position([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], (22, 24))
    for depth in (6, 14):
        assert searched(rules, position.state, depth) == minimax(rules, position.state, depth)


def test_margins_need_positions_that_tell_them():
    with pytest.raises(ValueError, match="does not hang on the holes alone"):
        make_search(make_rules("oware"), True)


def test_a_search_ends_where_its_nodes_are_spent_and_when_it_is_told():
    rules = make_rules("oware")
    search, work = make_search(rules, False), make_work(rules, 30, 1 << 12)
    work.counters[LIMIT] = 5000
    assert search.value(rules.position().state.copy(), 0, 30, 0, work) == ABORTED
    assert 5000 <= work.counters[NODES] < 5000 + 10
    work.counters[LIMIT], work.counters[STOP] = 2**62, 1
    assert search.value(rules.position().state.copy(), 0, 30, 0, work) == ABORTED


def test_a_table_that_grows_keeps_what_is_in_it():
    rules = to_the_end(make_rules("kalah", houses=3, seeds=3))
    search, work = make_search(rules, True), make_work(rules, 120, 1 << 12, used=1 << 8)
    opening = rules.position().state
    worth = search.value(opening.copy(), 0, MOST_DEPTH, 0, work)
    assert not work.table[1 << 8 :].any()

    def entries():
        return sorted(entry for bucket in work.table.tolist() for entry in (tuple(bucket[:2]), tuple(bucket[2:])) if any(entry))

    before = entries()
    assert len(before) > 400
    search.grow(work)
    assert work.counters[BUCKETS] == 1 << 9
    assert entries() == before
    assert work.table[1 << 8 : 1 << 9].any()
    asked = int(work.counters[NODES])
    assert search.value(opening.copy(), worth, MOST_DEPTH, 0, work) == worth
    assert work.counters[NODES] - asked <= 2  # what the table said of the opening is found again


def test_a_search_goes_on_where_it_was_when_its_table_has_grown():
    rules = to_the_end(make_rules("kalah", houses=3, seeds=3))
    search, work = make_search(rules, True), make_work(rules, 120, 1 << 12, used=1)
    opening = rules.position().state
    worth = search.value(opening.copy(), 0, MOST_DEPTH, 0, make_work(rules, 120, 1 << 12))
    answers = []
    for beta in (worth, worth + 1):
        work.counters[LIMIT] = work.counters[NODES] + 200
        while (bound := search.at_least(opening.copy(), beta, MOST_DEPTH, 0, work)) == ABORTED:
            search.grow(work)
            work.counters[LIMIT] *= 2
            work.counters[GO_ON] = work.counters[HALTED]
        answers.append(bound >= beta)
    assert work.counters[BUCKETS] > 4
    assert answers == [True, False]


@pytest.fixture(scope="module")
def with_tables(tmp_path_factory):
    """Rules of a small board with endgame tables of so many seeds."""

    @functools.cache
    def made(id: str, most_seeds: int, **options: object) -> tuple[Rules, Tables]:
        rules = make_rules(id, **options)
        folder = tmp_path_factory.mktemp(id)
        build_tables(rules, most_seeds, folder, threads=1)
        return rules, Tables.open(folder, rules)

    return made


@pytest.mark.parametrize(
    ("id", "options"), [("kalah", {"empty_capture": False}), ("kalah", {"empty_capture": True}), ("bao_kenya", {})]
)
def test_margins_are_the_same_with_endgame_tables_and_cost_less(with_tables, id, options):
    rules, tables = with_tables(id, 8, houses=3, seeds=3, **options)
    played = to_the_end(rules)
    plain, probing = make_search(played, True), make_search(played, True, tabled=True)
    work = make_work(played, 120, 1 << 12)
    tabled_work = make_work(played, 120, 1 << 12, endgames=Endgames(tables.seeds, tables.data()))
    for state in states_at_play(played, 60, seed=6, most_plies=20):
        state[PLY] = 0
        if state[STATUS] == LIVE and state[BOARD:].sum() > 8:
            assert probing.value(state.copy(), 0, MOST_DEPTH, 0, tabled_work) == plain.value(state.copy(), 0, MOST_DEPTH, 0, work)
    assert 1000 < 2 * tabled_work.counters[NODES] < work.counters[NODES]


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("oware", {}),
        ("oware_abapa", {}),
        ("oware", {"cycle_rule": "split_even"}),
        ("kalah", {}),
        ("kalah", {"stop_at_majority": True}),
    ],
)
def test_results_with_endgame_tables_are_those_that_larger_tables_tell(with_tables, id, options):
    rules, tables = with_tables(id, 5, houses=3, **options)
    _, larger = with_tables(id, 11, houses=3, **options)
    plain, probing = make_search(rules, False), make_search(rules, False, tabled=True)
    work = make_work(rules, 5, 256)
    tabled_work = make_work(rules, 5, 256, endgames=Endgames(tables.seeds, tables.data()))
    generator = np.random.default_rng(7)
    proven = [0, 0]
    for _ in range(300):
        holes = np.bincount(generator.integers(6, size=int(generator.integers(6, 12))), minlength=6)
        position = rules.position(holes, to_move=int(generator.integers(2)))
        if position.is_over:
            continue
        state, banked = position.state, position.stores[position.to_move] - position.stores[1 - position.to_move]
        lower, upper = (banked + int(bound[0]) for bound in larger.bounds(state[None]))
        for number, (search, searching) in enumerate(((plain, work), (probing, tabled_work))):
            searching.table[:] = 0
            found = search.value(state.copy(), 0, 5, 0, searching)
            if searching.counters[PROVEN]:
                proven[number] += 1
                result = {WIN: 1, -WIN: -1}.get(found, 0)
                assert np.sign(lower) <= result <= np.sign(upper), position.text()
    assert proven[1] > proven[0] + 15 > 15
