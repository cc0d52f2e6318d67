"""The packaged positions: what they are, that their values are right, and files that are refused."""

import json

import numpy as np
import pytest

from mancala_envs import make_agent, make_rules, rulesets
from mancala_envs.arena.sampling import RECIPES
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.rules.contract import BOARD, LIVE, PLY, QUIET, REASON, STATUS
from mancala_envs.solve import PositionSet, Unsolved, optimal_move_rate, oracle, position_set, position_sets, regret, valued
from mancala_envs.solve.perfect import to_the_end
from mancala_envs.solve.positions import PACKAGED, load_set, save_set, set_name
from mancala_envs.solve.retrograde import build_tables

SETS = position_sets()
FEW = 6  # seeds: a table of as many is built in no time


def some(known, chosen):
    return PositionSet(known.name, known.rules, known.states[chosen], known.values[chosen])


def check_values(known, by, count):
    rows = np.random.default_rng(0).permutation(len(known))[:count]
    sample = some(known, rows)
    assert (valued(sample.positions, by).values == sample.values).all()


def test_all_rulesets_but_oware_nam_nam_have_a_set():
    assert {name.split("-")[0] for name in SETS} == set(RECIPES)
    assert set(rulesets()) - set(RECIPES) >= {"oware_nam_nam", "oware_nam_nam_round"}
    assert [name for name in SETS if name.count("-") > 1] == ["oust-side3-v1"]


@pytest.mark.parametrize("name", SETS)
def test_positions_are_different_and_offer_a_choice_that_matters(name):
    known = load_set(PACKAGED / f"{name}.npz")
    assert known.name == name
    assert len(known) == 2000
    assert len(np.unique(known.states, axis=0)) == 2000
    assert not known.states[:, [PLY, STATUS, REASON, QUIET]].any()
    assert (known.legal == legal_masks(known.rules, known.states)).all()
    values = np.where(known.legal, known.values, known.values.max(axis=1, keepdims=True))
    assert (values.min(axis=1) < values.max(axis=1)).all()
    most = known.rules.board.seeds if known.rules.board.has_stores else 1
    assert np.abs(values).max() <= most


@pytest.mark.parametrize("id", ["awari", "oware", "oware_abapa", "oware_tr", "wari_pl"])
def test_values_of_few_seeds_are_those_of_tables(id, tmp_path):
    known = position_set(id)
    build_tables(known.rules, FEW, tmp_path, threads=1)
    check_values(some(known, known.states[:, BOARD:].sum(axis=1) <= FEW), oracle(id, table=tmp_path), 10)


@pytest.mark.parametrize("id", ["kalah", "taktix"])
def test_values_are_those_of_search(id):
    check_values(position_set(id), oracle(id), 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_all_values_are_those_of_the_oracle(name, tmp_path):
    known = load_set(PACKAGED / f"{name}.npz")
    table = None
    if "cycle_rule" in known.rules.options and to_the_end(known.rules).stores_only_count:
        table = tmp_path
        build_tables(known.rules, int(known.states[:, BOARD:].sum(axis=1).max()), table)
    check_values(known, oracle(known.rules, table=table), 2000)


def test_endgame_tables_play_perfectly():
    known = position_set("oware")
    inside = some(known, known.states[:, BOARD:].sum(axis=1) <= 9)
    agent = make_agent("table:oware", "oware", seed=0)
    assert len(inside) > 1000
    assert (regret(agent, inside), optimal_move_rate(agent, inside)) == (0, 1)


@pytest.mark.parametrize("id", ["oware", "kalah"])
def test_search_gives_less_away_than_chance(id):
    known = position_set(id)
    random, searching = (make_agent(spec, id) for spec in ("random", "alphabeta:depth=4"))
    assert regret(searching, known) < regret(random, known) / 2
    assert optimal_move_rate(searching, known) > optimal_move_rate(random, known)


def test_positions_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        position_set("kalah").states[0, 0] = 1


@pytest.mark.parametrize(("id", "options"), [("oware_nam_nam", {}), ("kalah", {"seeds": 5}), ("oust", {})])
def test_rules_without_a_set(id, options):
    rules = make_rules(id, **options)
    with pytest.raises(ValueError, match=rf"no packaged positions of '{set_name(rules)}'; there are .*oware-v1"):
        position_set(rules)


@pytest.fixture
def own():
    rules = make_rules("kalah", houses=3, seeds=2)
    return valued([rules.position(), rules.position().play(2), rules.position().play(0)])


def test_a_set_of_ones_own(own):
    known = oracle(own.rules)
    assert len(own) == 3
    for position, values in zip(own.positions, own.values, strict=True):
        assert {action: int(values[action]) for action in position.legal_actions()} == known.values(position)
    assert own.states[:, STATUS].tolist() == [LIVE] * 3


def test_no_set_of_nothing_or_of_what_is_not_known():
    with pytest.raises(ValueError, match="one or more"):
        valued([])
    with pytest.raises(Unsolved, match="outside the table"):
        valued([make_rules("oware").position()])
    with pytest.raises(ValueError, match="is not of"):
        valued([make_rules("kalah").position(), make_rules("kalah", seeds=5).position()], oracle(make_rules("kalah", seeds=5)))


def test_a_set_reads_back(own, tmp_path):
    save_set(tmp_path / "own.npz", own)
    read = load_set(tmp_path / "own.npz")
    assert read.rules == own.rules
    assert (read.states == own.states).all()
    assert (read.values == own.values).all()
    assert [path.name for path in tmp_path.iterdir()] == ["own.npz"]


def test_the_same_set_is_the_same_file(own, tmp_path):
    save_set(tmp_path / "one.npz", own)
    save_set(tmp_path / "other.npz", own)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "other.npz").read_bytes()


def rewrite(path, own, **about):
    save_set(path, own)
    with np.load(path) as file:
        told = {**json.loads(str(file["about"])), **about}
        arrays = {name: file[name] for name in ("states", "values")}
    np.savez_compressed(path, **arrays, about=json.dumps(told))


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"version": 0}, "is of version 0; this is version 1"),
        ({"digest": "0"}, "was made with other rules of kalah"),
        ({"ruleset": "owara"}, "no ruleset 'owara'"),
    ],
)
def test_sets_that_do_not_fit_are_refused(own, tmp_path, about, message):
    rewrite(tmp_path / "own.npz", own, **about)
    with pytest.raises(ValueError, match=message):
        load_set(tmp_path / "own.npz")


def test_a_set_of_other_options_is_refused(own, tmp_path):
    save_set(tmp_path / "own.npz", own)
    with pytest.raises(ValueError, match=r"is of kalah with .*'houses': 3.*, not of <Rules of kalah: houses=6"):
        load_set(tmp_path / "own.npz", "kalah")


def test_damaged_files_are_refused(tmp_path):
    whole = (PACKAGED / "kalah-v1.npz").read_bytes()
    for name, contents in {"short": whole[:3000], "flipped": whole[:5000] + b"\0\1\2" + whole[5003:], "empty": b""}.items():
        (tmp_path / name).write_bytes(contents)
        with pytest.raises(ValueError, match="no set of positions, or damaged"):
            load_set(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        load_set(tmp_path / "nowhere.npz")
