"""Endgame tables: built, compared with other programs' values and with plain search, read back, refused."""

import errno
import json
import os
import shutil
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_rules
from mancala_envs.rules.contract import BOARD, TO_MOVE
from mancala_envs.rules.jit import compiled
from mancala_envs.solve import retrograde, table_files
from mancala_envs.solve.ranking import layer_offset, layer_size
from mancala_envs.solve.retrograde import BuiltLayer, build_tables, memory_needed
from mancala_envs.solve.table_files import HEADER, layer_path, read_header
from mancala_envs.solve.table_games import table_game
from mancala_envs.solve.tables import PACKAGED, Tables, make_probe, packaged
from mancala_envs.solve.verify import verify

PUBLISHED = json.loads((Path(__file__).parents[1] / "data" / "oware_endgame.json").read_text())["rules"]
GRAND_SLAMS = {"A_grand_slam_captures": "legal", "B_grand_slam_no_capture": "no_capture"}


def built(folder, rules, seeds, **keywords):
    build_tables(rules, seeds, folder, **{"threads": 1, **keywords})
    return Tables.open(folder, rules)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A table of Oware with bounds, up to 5 seeds; not to be changed."""
    return built(tmp_path_factory.mktemp("oware"), make_rules("oware"), 5)


@pytest.fixture
def copy(small, tmp_path):
    """The folder of a table that may be changed."""
    return Path(shutil.copytree(small.folder, tmp_path / "copy"))


def states_of(rules, boards):
    states = np.zeros((len(boards), rules.state_size), np.int16)
    states[:, BOARD:] = boards
    return states


@pytest.mark.parametrize("name", PUBLISHED)
def test_values_of_oware_are_those_published(name, tmp_path):
    rules = make_rules("oware", grand_slam=GRAND_SLAMS[name], cycle_rule="split_even")
    layers = PUBLISHED[name]["layers"]
    tables = built(tmp_path, rules, len(layers) - 1)
    for layer in layers:
        values = tables.layer(layer["n"])[0]
        assert len(values) == layer["positions"]
        assert f"{zlib.crc32(values):08x}" == layer["crc32_values_int8"]
        for board, value, _, _, moves in layer["samples"]:
            found = tables.bounds(states_of(rules, [board]))
            assert (found[0][0], found[1][0]) == (value, value)
            if moves:
                by_action = tables.values(rules.position(holes=board))
                assert by_action == {action: (worth, worth) for action, _, worth in moves}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("cycle_rule", ["draw", "own_side"])
def test_bounds_of_oware_are_those_published(name, cycle_rule, tmp_path):
    rules = make_rules("oware", grand_slam=GRAND_SLAMS[name], cycle_rule=cycle_rule)
    tables = built(tmp_path, rules, 6)
    samples = [sample for layer in PUBLISHED[name]["layers"] for sample in layer["samples"]]
    lower, upper = tables.bounds(states_of(rules, [sample[0] for sample in samples]))
    assert lower.tolist() == [sample[2] for sample in samples]
    assert upper.tolist() == [sample[3] for sample in samples]


def check_by_search(folder, id, options):
    found = verify(built(folder, make_rules(id, **options), 5), sample=500)
    assert found.by_a_ply > found.by_search > 60


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("oware", {}),
        ("oware", {"houses": 3, "grand_slam": "illegal", "cycle_rule": "off"}),
        ("kalah", {}),
        ("congkak", {"houses": 5, "no_move": "pass", "direction": "ccw"}),
    ],
)
def test_tables_are_what_plain_search_finds(id, options, tmp_path):
    check_by_search(tmp_path, id, options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("awari", {}),
        ("wari_pl", {}),
        ("kalah", {"houses": 2, "empty_capture": True, "end_test": "mover_only"}),
        ("bao_kenya", {}),
        ("bao_kenya", {"houses": 4, "sow_stores": "both"}),
        ("bao_kenya_laps", {"houses": 4}),
        ("congkak", {}),
    ],
)
def test_tables_of_every_family_are_what_plain_search_finds(id, options, tmp_path):
    check_by_search(tmp_path, id, options)


def test_threads_build_the_same(tmp_path):
    rules = make_rules("oware_abapa")
    one, other = built(tmp_path / "one", rules, 7), built(tmp_path / "other", rules, 7, threads=3)
    assert (one.data() == other.data()).all()


def test_the_value_lies_between_the_bounds(small, tmp_path):
    rules = make_rules("oware", cycle_rule="split_even")
    values = built(tmp_path, rules, 5).data()
    lower, upper = np.split(small.data(), 2)
    assert (lower <= values).all()
    assert (values <= upper).all()


@pytest.mark.parametrize("id", ["kalah", "oware", "oware_abapa"])
def test_packaged_tables_are_those_a_build_makes(id, tmp_path):
    fresh = built(tmp_path, make_rules(id), 6)
    table = Tables.open(id)
    assert table.folder == PACKAGED / id
    assert table.seeds == {"kalah": 10, "oware": 9, "oware_abapa": 9}[id]
    table.check()
    assert (table.data(6) == fresh.data()).all()
    assert [layer_path(table.folder, n).read_bytes() for n in range(7)] == [layer_path(tmp_path, n).read_bytes() for n in range(7)]


def test_packaged_tables_are_small():
    assert packaged() == ["kalah", "oware", "oware_abapa"]
    assert sum(path.stat().st_size for path in PACKAGED.rglob("*.bin")) < 2_000_000


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 11), min_size=1, max_size=9), st.integers(0, 1), st.booleans())
def test_a_position_is_worth_what_its_best_action_gains(seeds, to_move, abapa):
    tables = Tables.open("oware_abapa" if abapa else "oware")
    rules = make_rules(tables.game.ruleset)
    position = rules.position(holes=np.bincount(seeds, minlength=12), to_move=to_move)
    if not position.is_over:
        lower, upper = tables.bounds(position.state[None])
        values = tables.values(position).values()
        assert (lower[0], upper[0]) == (max(low for low, _ in values), max(high for _, high in values))


def test_both_players_are_read_alike(small):
    rules = small.rules
    states = states_of(rules, np.eye(12, dtype=np.int64) + np.roll(np.eye(12, dtype=np.int64), 2))
    turned = states.copy()
    turned[:, BOARD:] = np.roll(states[:, BOARD:], 6, axis=1)
    turned[:, TO_MOVE] = 1
    assert np.array_equal(small.bounds(states), small.bounds(turned))


def test_values_count_from_the_stores_as_they_are():
    rules = make_rules("kalah")
    position = rules.position(holes=[0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0], stores=(20, 24))
    assert Tables.open("kalah").values(position) == {4: (-2, -2), 5: (0, 0)}


def test_a_probe_reads_what_the_table_holds():
    for id in packaged():
        tables = Tables.open(id)
        rules = make_rules(id)
        probe = make_probe(rules)

        @compiled
        def read(state, data, probe=probe):
            return probe(state, data, 6)

        data = tables.data(6)
        assert len(data) == (1 + tables.game.bounds) * layer_offset(12, 7)
        generator = np.random.default_rng(0)
        states = states_of(rules, [np.bincount(generator.integers(12, size=n), minlength=12) for n in range(9) for _ in range(20)])
        states[:, TO_MOVE] = generator.integers(2, size=len(states))
        lower, upper = tables.bounds(states)
        for state, low, high in zip(states, lower, upper, strict=True):
            inside = state[BOARD:].sum() <= 6
            assert read(state, data) == ((True, low, high) if inside else (False, 0, 0))


def test_positions_outside_are_refused(small):
    rules = make_rules("oware")
    with pytest.raises(ValueError, match=r"a position with 48 seeds, \[4, 4, .*\], is outside the table: it has up to 5"):
        small.bounds(rules.position().state[None])
    with pytest.raises(ValueError, match="is outside the table"):
        small.values(rules.position())
    with pytest.raises(ValueError, match=r"the game is over \(no_moves\)"):
        small.values(rules.position(holes=[0] * 12))
    with pytest.raises(ValueError, match=r"the table is of <Rules of oware: .*, the position of <Rules of kalah: "):
        small.values(make_rules("kalah").position())
    with pytest.raises(ValueError, match="seeds=6 is not accepted: this table has 0 to 5"):
        small.data(6)


def test_tables_of_another_game_are_refused(copy):
    with pytest.raises(ValueError, match=r"layer_00.bin is a table with ruleset='oware', not 'kalah'"):
        Tables.open(copy, "kalah")
    with pytest.raises(ValueError, match=r"layer_00.bin is a table with cycle_rule='draw', not 'split_even'"):
        Tables.open(copy, make_rules("oware", cycle_rule="split_even"))
    with pytest.raises(ValueError, match="is a table with ruleset='oware', not 'kalah'"):
        build_tables(make_rules("kalah"), 3, copy)


def rewrite(path, **changes):
    """Change entries of a header."""
    content = path.read_bytes()
    header = json.dumps({**read_header(path), **changes}).encode()
    path.write_bytes(content[:32] + header.ljust(HEADER - 32) + content[HEADER:])


def test_tables_of_another_version_are_refused(copy):
    rewrite(layer_path(copy, 2), digest="0" * 64)
    with pytest.raises(
        ValueError, match=r"layer_02.bin was built by other rules: what they do in some positions has changed since"
    ):
        Tables.open(copy, "oware")
    rewrite(layer_path(copy, 2), format=2)
    with pytest.raises(ValueError, match=r"layer_02.bin is of format 2; this version reads format 1"):
        Tables.open(copy, "oware")


def test_damaged_files_are_refused(copy):
    path = layer_path(copy, 3)
    whole = path.read_bytes()
    for content, message in [
        (whole[:-1], f"layer_03.bin is truncated: it has {len(whole) - 1} bytes, not {len(whole)}"),
        (whole + b"0", f"layer_03.bin is damaged: it has {len(whole) + 1} bytes, not {len(whole)}"),
        (whole[:100], "layer_03.bin is damaged: "),
        (b"", "layer_03.bin is no layer of an endgame table"),
        (whole[:-1] + b"\x7f", "layer_03.bin is damaged: its checksum is another; delete it, and `tables build` builds it anew"),
        (layer_path(copy, 4).read_bytes(), "layer_03.bin is a table with seeds=4, not 3"),
    ]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            Tables.open(copy, "oware")
        with pytest.raises(ValueError, match=message):
            build_tables(make_rules("oware"), 5, copy)
    path.unlink()
    with pytest.raises(ValueError, match=r"holds 5 layers of an endgame table, but not layer_03.bin"):
        Tables.open(copy, "oware")


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a folder with layer_00.bin and so on, or one of kalah, oware, oware_abapa"):
        Tables.open(tmp_path)
    with pytest.raises(ValueError, match="no endgame table in 'nowhere'"):
        Tables.open("nowhere", "oware")


def test_a_wrong_value_is_found_by_verify(copy):
    tables = Tables.open(copy, "oware")
    wrong = np.array(tables.layer(4))
    wrong[:, 700] = 3
    table_files.write_layer(copy, tables.game, 4, list(wrong))
    with pytest.raises(ValueError, match=r"copy is wrong: \[.*\] has the bounds \[3, 3\] there, \[.*\] by its moves"):
        verify(Tables.open(copy, "oware"), 2000)


def test_a_table_that_is_only_consistent_is_found_by_search(copy, tmp_path):
    """The values of another cycle rule in place of both bounds: no move tells that they are wrong, lines without an end do."""
    rules = make_rules("oware")
    values = built(tmp_path / "values", make_rules("oware", cycle_rule="split_even"), 5)
    for layer in range(6):
        table_files.write_layer(copy, table_game(rules), layer, [np.array(values.layer(layer)[0])] * 2)
    with pytest.raises(ValueError, match=r"copy is wrong: \[.*\] has the bounds \[0, 0\] there, \[-2, 2\] by a search"):
        verify(Tables.open(copy, rules), 2000)


def test_a_build_goes_on_from_its_last_layer(copy):
    layer_path(copy, 4).unlink()
    layer_path(copy, 5).unlink()
    old = layer_path(copy, 3).stat()
    layers: list[BuiltLayer] = []
    build_tables(make_rules("oware"), 5, copy, 1, layers.append)
    assert [layer.settled is None for layer in layers] == [True] * 4 + [False] * 2
    assert [layer.positions for layer in layers] == [layer_size(12, seeds) for seeds in range(6)]
    assert layer_path(copy, 3).stat().st_mtime_ns == old.st_mtime_ns
    verify(Tables.open(copy), 200)


def test_a_disk_that_fills_loses_no_finished_layer(tmp_path, monkeypatch):
    sync = os.fsync
    synced = []

    def fill_up(descriptor):
        synced.append(descriptor)
        if len(synced) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fill_up)
    rules = make_rules("kalah")
    message = "layer_03.bin cannot be written: No space left on device; layers 0 to 2 are done, and the same command goes on"
    with pytest.raises(OSError, match=message):
        build_tables(rules, 5, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layer_00.bin", "layer_01.bin", "layer_02.bin"]
    monkeypatch.undo()
    assert built(tmp_path, rules, 5).seeds == 5


def test_room_is_looked_for_before_the_work(tmp_path, monkeypatch):
    rules = make_rules("kalah")
    monkeypatch.setattr(retrograde, "available_memory", lambda: 100_000_000)
    with pytest.raises(MemoryError, match=r"layers with up to 20 seeds take [\d,.]+ MB to build, 100.0 MB are available"):
        build_tables(rules, 20, tmp_path)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(OSError, match=r"the layers to be built take 0.1 MB, .* has 0.0 MB left"):
        build_tables(rules, 8, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("id", ["oware", "kalah"])
def test_memory_is_below_three_bytes_a_position(id):
    assert memory_needed(table_game(make_rules(id)), 18) < 3 * layer_offset(12, 19)


@pytest.mark.parametrize(("seeds", "threads"), [(-1, 1), (49, 1), (3, 0)])
def test_numbers_out_of_range_are_refused(seeds, threads, tmp_path):
    with pytest.raises(ValueError, match="is not accepted: seeds from 0 to 48, threads from 1 to 256"):
        build_tables(make_rules("oware"), seeds, tmp_path, threads)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["awari", "oware"])
def test_larger_tables_hold_in_a_sample(id, tmp_path):
    verify(built(tmp_path, make_rules(id), 12), 5000)
