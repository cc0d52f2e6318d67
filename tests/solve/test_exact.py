"""Perfect play of whole games: solved ones, small ones beside plain minimax, limits, checkpoints."""

import contextlib
import functools
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.solve import exact as exact_module
from mancala_envs.solve.exact import Exact, Unsolved, solve
from mancala_envs.solve.perfect import to_the_end
from mancala_envs.solve.retrograde import build_tables
from mancala_envs.solve.tables import Tables

DATA = Path(__file__).parents[1] / "data"
KALAH = json.loads((DATA / "kalah_solved.json").read_text())
TAKTIX = json.loads((DATA / "taktix_solved.json").read_text())
SMALL = 1 << 22  # bytes of a table


# Kalah

PUBLISHED = {False: {(6, 3): 2}, True: {(6, 1): 2, (6, 2): 10, (6, 3): 2}}
LONG = {False: {(6, 4): 8}, True: {(6, 4): 10}}  # a minute each


@functools.cache
def kalah(houses, empty_capture):
    """One game for all numbers of seeds: the holes alone decide."""
    return Exact(make_rules("kalah", houses=houses, empty_capture=empty_capture), memory=1 << 26)


def kalah_value(houses, seeds, empty_capture):
    exact = kalah(houses, empty_capture)
    return exact.value(exact.rules.position(holes=[seeds] * 2 * houses))


@pytest.mark.parametrize(("name", "empty_capture"), [("STANDARD", False), ("EMPTY_CAPTURE", True)])
def test_solved_kalah(name, empty_capture):
    sizes = [tuple(map(int, size.split(","))) for size in KALAH[name]]
    found = {f"{houses},{seeds}": kalah_value(houses, seeds, empty_capture) for houses, seeds in sizes}
    assert found == KALAH[name]


@pytest.mark.parametrize("empty_capture", [False, True])
def test_published_kalah(empty_capture):
    for (houses, seeds), value in PUBLISHED[empty_capture].items():
        assert kalah_value(houses, seeds, empty_capture) == value


@pytest.mark.slow
@pytest.mark.parametrize("empty_capture", [False, True])
def test_published_kalah_of_four_seeds(empty_capture):
    for (houses, seeds), value in LONG[empty_capture].items():
        assert kalah_value(houses, seeds, empty_capture) == value


# TakTix and Oust

VARIANTS = {
    "3x3_any_normal": {"size": 3, "contiguous": False, "misere": False},
    "3x3_contiguous_normal": {"size": 3, "contiguous": True, "misere": False},
    "4x4_any_normal": {"size": 4, "contiguous": False, "misere": False},
    "4x4_contiguous_misere": {"size": 4, "contiguous": True, "misere": True},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_solved_taktix(name):
    exact = Exact(make_rules("taktix", **VARIANTS[name]), memory=SMALL)
    result = {"win": 1, "loss": -1}[TAKTIX[name]["full_board_first_player"]]
    assert exact.value(exact.rules.position()) == result


@pytest.mark.parametrize("name", [name for name in VARIANTS if name.startswith("3x3")])
def test_every_position_of_small_taktix(name):
    losing = losing_positions(**VARIANTS[name])
    assert hashlib.sha256(losing.tobytes()).hexdigest() == TAKTIX[name]["sha256_P_uint16le"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in VARIANTS if name.startswith("4x4")])
def test_every_position_of_taktix(name):
    losing = losing_positions(**VARIANTS[name])
    assert hashlib.sha256(losing.tobytes()).hexdigest() == TAKTIX[name]["sha256_P_uint16le"]


def losing_positions(size, **options):
    """The bitmasks of the pieces of all positions that the player to move loses, ascending, uint16."""
    exact = Exact(make_rules("taktix", size=size, **options), memory=1 << 24)
    cells = np.arange(2 ** (size * size))[:, None] >> np.arange(size * size) & 1
    values = [exact.value(exact.rules.position(cells=row)) for row in cells]
    return np.flatnonzero(np.array(values) == -1).astype("<u2")


def test_oust_with_three_cells_a_side_is_won_by_the_first_player():
    exact = Exact(make_rules("oust", side=3), memory=SMALL)
    assert exact.value(exact.rules.position()) == 1


# Beside plain minimax


def minimax(position, known):
    """The final margin, or the result where seeds do not count, for South."""
    counts = position.rules.stores_only_count
    if position.is_over:
        return position.margin if counts else position.returns[0]
    if position not in known:
        after = [minimax(position.play(action), known) for action in position.legal_actions()]
        known[position] = max(after) if position.to_move == 0 else min(after)
    return known[position]


def random_positions(rules, count, most_seeds, seed):
    """Positions with random seeds in the holes, or, in games on cells, of random games."""
    generator = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        position = rules.position()
        if rules.board.has_stores:
            seeds = int(generator.integers(1, most_seeds + 1))
            holes = np.bincount(generator.integers(len(position.holes), size=seeds), minlength=len(position.holes))
            position = rules.position(holes=holes, stores=generator.integers(3, size=2), to_move=int(generator.integers(2)))
        else:
            for _ in range(generator.integers(6)):
                if not position.is_over:
                    position = position.play(int(generator.choice(position.legal_actions())))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("rules", "most_seeds"),
    [
        (make_rules("kalah", houses=2), 10),
        (make_rules("kalah", houses=3, empty_capture=True), 9),
        (make_rules("bao_kenya", houses=3), 8),
        (make_rules("congkak", houses=5, seeds=3), 8),
        (make_rules("taktix", size=3, misere=True), 0),
        (make_rules("oust", side=2), 0),
    ],
    ids=lambda given: getattr(given, "id", None),
)
def test_every_action_is_worth_what_minimax_says(rules, most_seeds):
    exact = Exact(rules, memory=1 << 14)  # so small that entries are lost
    known = {}
    for position in random_positions(to_the_end(rules), 60, most_seeds, seed=1):
        sign = 1 - 2 * position.to_move
        expected = {action: sign * minimax(position.play(action), known) for action in position.legal_actions()}
        assert exact.values(position) == expected
        assert exact.value(position) == max(expected.values())


ROUNDABOUT = {"houses": 3, "seeds": 1, "single_rule": "any", "infinite_turn": "loss", "stop_at_majority": False}


def test_games_that_a_repetition_draws():
    """Kenyan Bao with laps in which an endless turn loses: some games are drawn by going in circles."""
    rules = make_rules("bao_kenya_laps", cycle_rule="draw", **ROUNDABOUT)
    exact = Exact(rules, memory=SMALL)
    expected = without_repetition(rules.position())
    assert set(expected.values()) == {1, 0, -1}
    assert {position: exact.value(position) for position in expected} == expected


@functools.cache
def without_repetition(opening, endless=0):
    """What each live position that can be reached is worth to the player to move, endless lines being worth `endless` to South."""
    fresh = [opening]
    children = {}
    while fresh:
        position = fresh.pop()
        if position not in children:
            children[position] = [opening.rules.parse(str(position)).play(action) for action in position.legal_actions()]
            fresh += [child for child in children[position] if not child.is_over]
    values = {position: endless * (1 - 2 * position.to_move) for position in children}
    before = None
    while values != before:
        before = dict(values)
        for position, after in children.items():
            sign = 1 - 2 * position.to_move
            worth = [
                sign * child.returns[0] if child.is_over else sign * (1 - 2 * child.to_move) * before[child] for child in after
            ]
            values[position] = max(worth)
    return values


# Solutions


def test_solution_of_kalah():
    position = make_rules("kalah", houses=3).position(holes=[3] * 6)
    solution = solve(position, memory=SMALL)
    assert solution.value == KALAH["STANDARD"]["3,3"]
    values = kalah(3, False).values(position)
    assert solution.best == tuple(action for action, value in values.items() if value == solution.value)
    assert solution.line[0] in solution.best
    for action in solution.line:
        position = position.play(action)
    assert position.is_over
    assert position.margin == solution.value


def test_solution_for_north_counts_stores():
    position = make_rules("kalah", houses=2).position(holes=[0, 1, 1, 0], stores=(3, 5), to_move=1)
    solution = solve(position, memory=SMALL)
    assert solution.value == -minimax(position, {})


def test_endgame_tables_given_say_the_same_in_fewer_nodes(tmp_path):
    position = make_rules("kalah", houses=4, seeds=3).position()
    build_tables(position.rules, 12, tmp_path, threads=1)
    tables = Tables.open(tmp_path, position.rules)
    plain, probing = solve(position, SMALL), solve(position, SMALL, tables=tables)
    assert (probing.value, probing.best) == (plain.value, plain.best)
    assert probing.nodes < plain.nodes / 3
    oware = make_rules("oware", houses=3, cycle_rule="split_even").position(holes=[1, 0, 2, 0, 1, 1])
    build_tables(oware.rules, 5, tmp_path / "oware", threads=1)
    probing = solve(oware, SMALL, tables=Tables.open(tmp_path / "oware", oware.rules))
    assert (probing.value, probing.nodes) == (solve(oware, SMALL).value, 0)  # no table is built


def test_endgame_tables_of_another_game_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"the endgame tables are of <Rules of kalah.*>, not of <Rules of kalah.*houses=4"):
        Exact(make_rules("kalah", houses=4), SMALL, tables=Tables.open("kalah"))


def test_majority_does_not_end_perfect_play():
    rules = make_rules("kalah", houses=2, seeds=2, stop_at_majority=True)
    position = rules.position(holes=[0, 1, 1, 0], stores=(6, 0))
    assert position.is_over
    assert Exact(rules, memory=SMALL).value(position) == 6


def test_cycle_rule_that_decides_gives_two_bounds():
    rules = make_rules("oware", houses=3, seeds=2)
    position = rules.position()
    exact = Exact(rules)
    assert exact.bounds(position) == (0, 6)
    assert exact.action_bounds(position) == {0: (-4, -2), 1: (0, 6), 2: (0, 0)}
    with pytest.raises(Unsolved, match=r"no single value: \+0 to \+6"):
        exact.value(position)
    solution = solve(position)
    assert (solution.lower, solution.upper, solution.best) == (0, 6, (1,))
    with pytest.raises(Unsolved, match="cycle rule"):
        _ = solution.value


def test_awari_has_one_value():
    rules = make_rules("awari", houses=3, seeds=1)
    solution = solve(rules.position())
    assert solution.value == Exact(rules).value(rules.position())
    assert solution.lower == solution.upper


# Limits and wrong input


def test_too_few_nodes():
    rules = make_rules("kalah", houses=3)
    with pytest.raises(Unsolved, match="nodes=1000; raise nodes"):
        Exact(rules, memory=SMALL, nodes=1000).value(rules.position())
    with pytest.raises(Unsolved, match="nodes=1000"):
        solve(rules.position(), memory=SMALL, nodes=1000)


def test_each_call_has_its_own_nodes():
    rules = make_rules("kalah", houses=3)
    exact = Exact(rules, memory=SMALL, nodes=30_000)
    position = rules.position(holes=[2] * 6)
    for _ in range(3):
        assert exact.value(position) == KALAH["STANDARD"]["3,2"]
        exact.solver.work.table[:] = 0


def test_game_that_goes_round_is_not_taken_for_a_draw():
    rules = make_rules("bao_kenya_laps", cycle_rule="off", **ROUNDABOUT)
    exact = Exact(rules, memory=SMALL)
    opening = make_rules("bao_kenya_laps", cycle_rule="draw", **ROUNDABOUT).position()
    drawn, won_by_south, lost_by_south = (without_repetition(opening, endless) for endless in (0, 1, -1))
    draws = [position for position, value in drawn.items() if value == 0]
    goes_round = {position for position in draws if won_by_south[position] != lost_by_south[position]}
    assert (len(draws), len(goes_round)) == (158, 10)
    for _ in range(2):  # what is in the table the second time proves nothing
        solved = set()
        for position in draws:
            with contextlib.suppress(Unsolved):
                assert exact.value(rules.parse(str(position))) == 0
                solved.add(position)
        assert len(solved) > 50
        assert not solved & goes_round


@pytest.mark.parametrize(
    ("rules", "memory", "nodes", "error", "message"),
    [
        ("kalah", 10, None, ValueError, "memory=10, nodes=None is not accepted"),
        ("kalah", SMALL, 0, ValueError, "nodes=0 is not accepted"),
        ("kalah", 1 << 60, None, MemoryError, "are available"),
        ("oware_nam_nam_round", SMALL, None, ValueError, "cannot be solved: what a position that comes back is worth"),
    ],
)
def test_what_cannot_be_had(rules, memory, nodes, error, message):
    with pytest.raises(error, match=message):
        Exact(rules, memory, nodes)


def test_tables_that_are_too_large():
    rules = make_rules("oware")
    with pytest.raises(ValueError, match=r"48 seeds on the board takes endgame tables .* `mancala-envs tables build`"):
        Exact(rules).value(rules.position())


def test_position_of_another_game():
    with pytest.raises(ValueError, match="is none of <Rules of kalah"):
        Exact("kalah", memory=SMALL).value(make_rules("kalah", houses=4).position())


def test_game_that_is_over():
    rules = make_rules("kalah", houses=2)
    over = rules.position(holes=[0, 0, 1, 0], stores=(2, 1))
    assert Exact(rules, memory=SMALL).value(over) == 0
    with pytest.raises(ValueError, match=r"the game is over \(no_moves\)"):
        Exact(rules, memory=SMALL).values(over)
    with pytest.raises(ValueError, match="the game is over"):
        solve(over)


# Checkpoints


class Interrupt(BaseException):
    """Stands for Ctrl-C."""


def interrupt_at_once(progress):
    raise Interrupt


@pytest.fixture
def position():
    return make_rules("kalah", houses=4).position()


def test_interrupted_proof_goes_on_from_its_checkpoint(tmp_path, monkeypatch, position):
    monkeypatch.setattr(exact_module, "REPORT_EVERY", 1e-4)
    path = tmp_path / "proof"
    with pytest.raises(Interrupt):
        solve(position, SMALL, interrupt_at_once, path)
    assert [found.name for found in tmp_path.iterdir()] == ["proof"]
    solution = solve(position, SMALL, checkpoint=path)
    assert solution.value == KALAH["STANDARD"]["4,4"]
    again = solve(position, SMALL, checkpoint=path)
    assert (again.value, again.best, again.line, again.nodes) == (solution.value, solution.best, solution.line, solution.nodes)


def test_checkpoint_goes_on_with_other_endgame_tables_and_holds_what_is_used(tmp_path, monkeypatch):
    monkeypatch.setattr(exact_module, "REPORT_EVERY", 1e-4)
    position = make_rules("kalah", houses=5, seeds=4).position()
    path = tmp_path / "proof"
    tables = []
    for seeds in (9, 5):
        build_tables(position.rules, seeds, tmp_path / str(seeds), threads=1)
        tables.append(Tables.open(tmp_path / str(seeds), position.rules))
    with pytest.raises(Interrupt):
        solve(position, 1 << 30, interrupt_at_once, path, tables=tables[0])
    assert path.stat().st_size < 1 << 27
    assert solve(position, 1 << 30, checkpoint=path, tables=tables[1]).value == solve(position, 1 << 26).value


def test_proof_that_halts_for_checkpoints_plays_no_ply_more(tmp_path, monkeypatch, position):
    plain = solve(position, 1 << 16)
    monkeypatch.setattr(exact_module, "REPORT_EVERY", 0.01)
    monkeypatch.setattr(exact_module, "CHECKPOINT_EVERY", 0)
    told = []
    solution = solve(position, 1 << 16, told.append, tmp_path / "proof")
    assert (solution.value, solution.nodes) == (plain.value, plain.nodes)
    assert len(told) > 1
    assert all(progress.lower <= solution.value <= progress.upper for progress in told)


@pytest.mark.parametrize(
    ("other", "memory", "message"),
    [
        ({"houses": 5}, SMALL, "is of rules="),
        ({}, 2 * SMALL, f"is of memory={SMALL}, not {2 * SMALL}"),
        ({"holes": [2] * 8}, SMALL, "is of position="),
    ],
)
def test_checkpoint_of_another_proof_is_refused(tmp_path, position, other, memory, message):
    path = tmp_path / "proof"
    solve(position, SMALL, checkpoint=path)
    houses = other.get("houses", 4)
    wrong = make_rules("kalah", houses=houses).position(holes=other.get("holes", [4] * 2 * houses))
    with pytest.raises(ValueError, match=message):
        solve(wrong, memory, checkpoint=path)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda contents: contents[:-1], "is damaged: it does not hold what was written"),
        (lambda contents: contents[:5000] + b"\1" + contents[5001:], "is damaged: it does not hold what was written"),
        (lambda contents: contents[:100], "is damaged"),
        (lambda contents: contents.replace(b'"lower": 2', b'"lower": 0'), "is damaged: it does not hold what was written"),
        (lambda contents: contents.replace(b'"known": {', b'"known": 3,{'), "is damaged"),
        (lambda contents: contents.replace(b'"format"', b'"fromat"'), "is damaged: KeyError"),
        (lambda contents: contents.replace(b'"buckets"', b'"bukcets"'), "is damaged: KeyError"),
        (lambda contents: contents.replace(b'"buckets": ', b'"buckets":-'), "is damaged"),
        (lambda contents: b"", "is no checkpoint"),
    ],
)
def test_damaged_checkpoint_is_refused(tmp_path, position, damage, message):
    path = tmp_path / "proof"
    solve(position, SMALL, checkpoint=path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=message):
        solve(position, SMALL, checkpoint=path)


def test_checkpoint_that_cannot_be_written_is_told_before_the_work(tmp_path, position):
    with pytest.raises(ValueError, match="a file in a folder that exists"):
        solve(position, SMALL, checkpoint=tmp_path / "nowhere" / "proof")


def test_proof_goes_on_when_the_disk_fills_up(tmp_path, monkeypatch, position):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(exact_module, "save_checkpoint", full)
    with pytest.warns(UserWarning, match="no checkpoint written, the one before is unchanged: No space left"):
        assert solve(position, SMALL, checkpoint=tmp_path / "proof").value == KALAH["STANDARD"]["4,4"]


def test_endgame_tables_have_no_checkpoint(tmp_path):
    with pytest.raises(ValueError, match="is not accepted: endgame tables are built here"):
        solve(make_rules("awari", houses=3, seeds=1).position(), checkpoint=tmp_path / "proof")
