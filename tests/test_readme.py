"""The README's own ruleset works everywhere, and its examples run."""

import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import mancala_envs
from mancala_envs.testing import check_env, check_ruleset

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
(MINI,) = (block for block in BLOCKS if "mancala_envs.register(" in block)


@pytest.fixture(scope="module")
def mini_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("mini") / "mini.py"
    file.write_text(MINI, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def mini(mini_file):
    sys.path.insert(0, str(mini_file.parent))
    try:
        __import__("mini")
    finally:
        sys.path.remove(str(mini_file.parent))
    return mancala_envs.make_rules("mini")


def test_it_is_short():
    assert len(MINI.splitlines()) < 40


def test_its_rules(mini):
    after = mini.position(holes=[0, 0, 2, 1, 1, 0]).play(2)
    assert (after.holes, after.stores, after.to_move) == ((0, 0, 0, 2, 0, 0), (2, 0), 1)


def test_its_check_runs_as_written(mini_file):
    (check,) = (block for block in BLOCKS if "check_ruleset" in block)
    done = subprocess.run([sys.executable, "-c", check], cwd=mini_file.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_it_conforms(mini):
    check_ruleset(mini)
    check_env(mancala_envs.make("mini"))


def test_it_has_the_vector_and_single_environments(mini):
    env = gymnasium.make("mancala_envs/Mini-v0", opponent="greedy", seat=0)
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1, 1, 1]
    vector = gymnasium.make_vec("mancala_envs/Mini-v0", num_envs=8)
    observation, _ = vector.reset(seed=0)
    observation, *_ = vector.step(np.zeros(8, np.int64))
    assert observation["observation"].shape == (8, *mini.observation_shape)


def test_its_agents_play_matches(mini):
    match = mancala_envs.play_match(["alphabeta:depth=6", "random"], mini, games=100, seed=0)
    assert match.low > 0.5


def test_it_is_on_the_command_line(mini_file):
    command = [sys.executable, "-c", "import sys, mancala_envs.cli; sys.exit(mancala_envs.cli.main())"]
    arena = ["arena", "--rules-file", str(mini_file), "--ruleset", "mini", "--agents", "greedy", "random", "--games", "40"]
    done = subprocess.run([*command, *arena], capture_output=True, text=True, check=True)
    assert "Mini (mini), 40 games a match" in done.stdout


def test_it_trains(mini_file, tmp_path):
    run = tmp_path / "run"
    arguments = ["--rules-file", str(mini_file), "--ruleset", "mini", "--total-steps", "4096", "--games", "64", "--hidden", "16"]
    done = subprocess.run(
        [sys.executable, "-m", "training.maskable_ppo", *arguments, "--run", str(run), "--evaluation-games", "20"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (run / "policy.safetensors").exists()
    assert "alphabeta:depth=4" in done.stdout


def test_the_example_game_runs(capsys):
    (example,) = (block for block in BLOCKS if "agent_iter" in block)
    exec(example, {})
    assert "wins (" in capsys.readouterr().out


def test_the_drawn_board_is_that_of_its_moves(capsys):
    (example,) = (block for block in BLOCKS if "position.parse(move)" in block)
    exec(example, {"mancala_envs": mancala_envs})
    board = README.read_text(encoding="utf-8").split(example)[1].split("```\n")[2]
    assert capsys.readouterr().out == board
