"""Machine code is never older than its sources, in whatever file they stand; and plain Python plays the same games."""

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import random_games

import mancala_envs
from mancala_envs import compiled, helper, make_rules
from mancala_envs.kernels import batch, perft, playouts
from mancala_envs.rules.jit import sources_digest

PACKAGE = Path(mancala_envs.__file__).parent

PARTS = """
from mancala_envs import helper

FACTOR = 1

@helper
def points(seeds):
    return seeds * FACTOR
"""

PRIZES = """
import enum

from mancala_envs import helper

class Prize(enum.IntEnum):
    PLY = 0

@helper
def gift():
    return 0

@helper
def lottery():
    return 0 * 2

DRAWS = (1, (lottery, 2))
"""

GAME = """
from parts import points

import shop.prizes
from shop.prizes import DRAWS, Prize

from mancala_envs import Family, TwoRow, compiled, register
from mancala_envs.rules.contract import BOARD, LIVE, NO_MOVES, STATUS, STORE_SOUTH, end_ply, finish, player_to_move

BONUS = 0

def build(id, title, options):
    board = TwoRow(3, 2, observes_quiet=False)
    row_is_empty = board.row_is_empty()

    @compiled
    def legal(state, mask):
        own = BOARD + player_to_move(state) * 3
        count = 0
        for action in range(3):
            mask[action] = state[own + action] > 0
            count += mask[action]
        return count

    @compiled
    def settle(state):
        if state[STATUS] == LIVE and row_is_empty(state, player_to_move(state)):
            finish(state, NO_MOVES)

    @compiled
    def apply(state, action):
        mover = player_to_move(state)
        hole = BOARD + mover * 3 + action
        state[STORE_SOUTH + mover] += points(state[hole]) + BONUS
        state[STORE_SOUTH + mover] += shop.prizes.gift() + Prize.PLY + DRAWS[1][0]()
        state[hole] = 0
        end_ply(state, True, 1 - mover)
        settle(state)

    return board.rules(id, title, options, legal, apply, settle, tuple("ABCabc"))

register("mine", Family(build))
"""

PLAY = """
import json

from mancala_envs import make_rules
from mancala_envs.kernels import playouts

rules = make_rules("mine")
store, _ = rules.position().play(0).stores
total = int(playouts.playouts(rules, 4).states[:, 5:7].sum())
used = [rules.legal.stats, rules.apply.stats, playouts._kernel(rules).stats]
print(json.dumps({
    "store": store,
    "playouts": total,
    "hits": [sum(stats.cache_hits.values()) for stats in used],
    "misses": [sum(stats.cache_misses.values()) for stats in used],
}))
"""

PLAY_OWARE = """
import json

import mancala_envs
print(json.dumps([mancala_envs.__file__, *mancala_envs.make_rules("oware").position().play(0).holes]))
"""


def run(code: str, folder: Path, **environment: str) -> str:
    """What `code` prints in a new process that finds modules in `folder` first and caches machine code there."""
    variables = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",  # a file edited twice in a second would be imported from its old bytecode
        **environment,
    }
    command = [sys.executable, "-"]
    return subprocess.run(command, input=code, cwd=folder, env=variables, check=True, capture_output=True, text=True).stdout


def write_game(folder: Path) -> None:
    (folder / "shop").mkdir()
    for file, text in {"parts.py": PARTS, "shop/prizes.py": PRIZES, "game.py": GAME}.items():
        (folder / file).write_text(text)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """What a user's game in three files does in new processes: at first, again, after each edit, and with a broken cache."""
    folder = tmp_path_factory.mktemp("mine")
    write_game(folder)
    play = "import game\n" + PLAY
    found = {"first": json.loads(run(play, folder)), "again": json.loads(run(play, folder))}
    edits = {
        "helper": ("parts.py", "return seeds * FACTOR", "return seeds * FACTOR + 3"),
        "constant": ("parts.py", "FACTOR = 1", "FACTOR = 5"),
        "own constant": ("game.py", "BONUS = 0", "BONUS = 7"),
        "own code": ("game.py", "+ BONUS", "- BONUS"),
        "helper of a package": ("shop/prizes.py", "return 0\n", "return 10\n"),
        "member of an enum": ("shop/prizes.py", "PLY = 0", "PLY = 100"),
        "helper in a tuple": ("shop/prizes.py", "return 0 * 2", "return 500 * 2"),
    }
    for name, (file, old, new) in edits.items():
        text = (folder / file).read_text()
        assert text.count(old) == 1
        (folder / file).write_text(text.replace(old, new))
        found[name] = json.loads(run(play, folder))
    for number, file in enumerate(sorted((folder / "cache").rglob("*.nbc"))):
        os.truncate(file, number % 2 * file.stat().st_size // 2)
    found["broken cache"] = json.loads(run(play, folder))
    return found


def test_an_unedited_game_is_loaded_from_the_cache(runs):
    assert (runs["first"]["hits"], runs["first"]["misses"]) == ([0, 0, 0], [1, 1, 1])
    assert (runs["again"]["hits"], runs["again"]["misses"]) == ([1, 1, 1], [0, 0, 0])
    assert (runs["again"]["store"], runs["again"]["playouts"]) == (2, 4 * 12)


@pytest.mark.parametrize(
    ("edit", "store"),
    [
        ("first", 2),
        ("helper", 5),
        ("constant", 13),
        ("own constant", 20),
        ("own code", 6),
        ("helper of a package", 16),
        ("member of an enum", 116),
        ("helper in a tuple", 1116),
    ],
)
def test_an_edit_is_played_in_a_new_process(runs, edit, store):
    """A house of two seeds scores 2; then 2 + 3; then 2 * 5 + 3; then 7 more; then 7 less; then prizes are added."""
    assert runs[edit]["store"] == store
    assert runs[edit]["playouts"] == 4 * 6 * store  # each of the six houses is emptied once: kernels are not stale either


def test_an_edit_compiles_only_what_it_reaches(runs):
    assert (runs["helper"]["hits"], runs["helper"]["misses"]) == ([1, 0, 0], [0, 1, 1])  # legal() calls nothing edited


def test_files_of_the_cache_that_are_not_whole_are_compiled_anew(runs):
    assert (runs["broken cache"]["hits"], runs["broken cache"]["misses"]) == ([0, 0, 0], [1, 1, 1])
    assert runs["broken cache"]["store"] == 1116


def test_a_game_typed_into_an_interpreter_is_played(tmp_path):
    write_game(tmp_path)
    typed = PARTS + GAME.replace("from parts import points", "")
    assert json.loads(run(typed + PLAY, tmp_path))["store"] == 2


def test_an_edit_within_the_package_is_played_in_a_new_process(tmp_path):
    copy = tmp_path / "mancala_envs"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert json.loads(run(PLAY_OWARE, tmp_path)) == [str(copy / "__init__.py"), 0, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4]
    sowing = copy / "rules" / "sowing.py"
    text, old = sowing.read_text(), "state[np.uint64(BOARD + hole)] += 1"
    assert text.count(old) == 1
    sowing.write_text(text.replace(old, "state[np.uint64(BOARD + hole)] += 2"))
    assert json.loads(run(PLAY_OWARE, tmp_path))[1:] == [0, 6, 6, 6, 6, 4, 4, 4, 4, 4, 4, 4]


DIGESTS = """
import json

from mancala_envs import make_rules
from mancala_envs.kernels import batch, perft, playouts
from mancala_envs.rules.jit import sources_digest

found = {}
for id in ("oware", "kalah", "taktix"):
    rules = make_rules(id)
    step = batch._kernels(rules)
    kernels = (step.begin, step.adopt, step.step, playouts._kernel(rules), perft._kernel(rules))
    found[id] = [rules.digest, *map(sources_digest, kernels)]
"""


def test_digests_are_the_same_in_every_process(tmp_path):
    """A digest that held an address, the order of a set or how numbers are printed would compile all anew in every process."""
    here: dict[str, dict] = {}
    with np.printoptions(legacy="1.25"):
        exec(DIGESTS, here)
    for hash_seed in ("1", "2"):
        there = json.loads(run(DIGESTS + "print(json.dumps(found))", tmp_path, PYTHONHASHSEED=hash_seed))
        assert there == here["found"]


def times(factor):
    @helper
    def product(seeds):
        return seeds * factor

    return product


def countdown(step):
    @compiled
    def count(seeds):
        return count(seeds - step) if seeds > 0 else 0

    return count


def both(first, rest):
    @compiled
    def total(seeds):
        return first(seeds) + rest[0](seeds) + rest[1][0](seeds)

    return total


def test_functions_that_say_the_same_share_code():
    """Kernels may call functions of rules that were made twice, some of the one and some of the other."""
    first, again, thrice = times(2), times(2), times(3)
    assert sources_digest(both(first, (first, (thrice,)))) == sources_digest(both(first, (again, (thrice,))))


def test_a_function_that_calls_itself_has_a_digest():
    assert sources_digest(countdown(1)) == sources_digest(countdown(1)) != sources_digest(countdown(2))


def test_functions_that_differ_only_in_which_name_stands_for_which_function_do_not_share_code():
    functions = itertools.product((times(2), times(3)), repeat=3)
    assert len({sources_digest(both(first, (second, (third,)))) for first, second, third in functions}) == 8


def test_rules_with_different_options_do_not_share_code():
    plain, skipping = make_rules("kalah"), make_rules("kalah", skip_origin=True)
    assert sources_digest(plain.apply) != sources_digest(skipping.apply)
    boards = {rules: rules.position(holes=[13, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]).play(0).holes for rules in (plain, skipping)}
    assert boards[plain] != boards[skipping]


def test_kernels_of_rules_that_differ_in_a_number_do_not_share_code():
    twice, thrice = make_rules("oware", cycle_count=2), make_rules("oware")
    assert sources_digest(twice.apply) == sources_digest(thrice.apply)
    for kernel in (lambda rules: batch._kernels(rules).step, playouts._kernel):
        assert sources_digest(kernel(twice)) != sources_digest(kernel(thrice))
    assert sources_digest(perft._kernel(twice)) == sources_digest(perft._kernel(thrice))  # repetition is not looked for


def test_plain_python_plays_the_same_games(tmp_path):
    code = Path(random_games.__file__).read_text()
    assert json.loads(run(code, tmp_path, NUMBA_DISABLE_JIT="1")) == random_games.digests()
