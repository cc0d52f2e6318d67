"""Machine code that different processes compiled meets in one process."""

import os
import subprocess
import sys

FIRST_MASKS = """
import sys
from mancala_envs import make_rules
from mancala_envs.kernels.batch import Batch
for houses in map(int, sys.argv[1:]):
    batch = Batch(make_rules("kalah", houses=houses, seeds=houses), 1)
    batch.reset(0)
    print(batch.states[0, 7:].tolist(), batch.masks[0].tolist())
"""


def test_kernels_of_two_games_that_two_processes_compiled_are_not_mixed_up(tmp_path):
    def run(*houses):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", FIRST_MASKS, *map(str, houses)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    one, other = run(1), run(2)
    assert one == "[1, 1] [True]\n"
    assert other == "[2, 2, 2, 2] [True, True]\n"
    assert run(1, 2) == one + other
    assert run(2, 1) == other + one


TABLES = """
import sys
from pathlib import Path
from mancala_envs import make_rules
from mancala_envs.solve.retrograde import build_tables
from mancala_envs.solve.tables import Tables
for houses in sys.argv[2:]:
    folder = Path(sys.argv[1], "_".join(sys.argv[2:]), houses)
    rules = make_rules("kalah", houses=int(houses), seeds=3)
    build_tables(rules, 3, folder, threads=1)
    print([int(layer.sum()) for layer in map(Tables.open(folder, rules).layer, range(4))])
"""


def test_endgame_tables_that_other_processes_have_built_are_not_mixed_up(tmp_path):
    def run(*houses):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-c", TABLES, str(tmp_path), *map(str, houses)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    one, other = run(2), run(4)
    assert one != other
    assert run(2, 4) == one + other
    assert run(4, 2) == other + one
