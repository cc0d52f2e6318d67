import ctypes
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from mancala_envs import make_agent, make_rules
from mancala_envs.agents.policy import load_policy
from mancala_envs.kernels.lookahead import with_lookahead
from training import maskable_ppo
from training.maskable_ppo import Config, League, Progressed, newest_checkpoint, train

OPTIONS = ("houses=2", "seeds=2")
RULES = make_rules("kalah", houses=2, seeds=2)
SMALL = Config(
    ruleset="kalah",
    options=OPTIONS,
    torch_threads=1,
    games=8,
    rollout=4,
    batch_size=16,
    hidden=(8,),
    snapshot_iterations=2,
    evaluation_games=0,
)


def config(run, **changes):
    return dataclasses.replace(SMALL, run=run, **changes)


def command_line(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["maskable_ppo", *map(str, words)])
    maskable_ppo.main()


@pytest.fixture
def learned_with(monkeypatch):
    """The configurations that came to `learn`, which does nothing."""
    configs = []
    monkeypatch.setattr(maskable_ppo, "learn", lambda run, config, *_: configs.append(config))
    return configs


def iterations(run):
    return [json.loads(line)["iteration"] for line in (run / "metrics.jsonl").read_text().splitlines()]


def weights(run):
    return torch.cat([tensor.flatten() for tensor in load_policy(RULES, run).state_dict().values()])


def test_a_run_leaves_its_folder_and_a_table(tmp_path, capsys):
    run = train(config(tmp_path / "run", total_steps=320, evaluation_games=20, evaluation_agents=("random",)))
    assert {path.name for path in run.iterdir()} == {
        "config.json",
        "metrics.jsonl",
        "tensorboard",
        "policy.safetensors",
        "policy.json",
        "model.zip",
        "checkpoints",
        "evaluation.json",
    }
    assert iterations(run) == list(range(1, 11))
    assert json.loads((run / "config.json").read_text())["config"]["options"] == list(OPTIONS)
    assert json.loads((run / "evaluation.json").read_text())[0]["games"] == 20
    printed = capsys.readouterr().out
    assert "95 % interval" in printed
    assert f"mancala-envs arena --ruleset kalah --options houses=2 seeds=2 --agents policy:{run} greedy random" in printed
    assert f"make_agent('policy:{run}', mancala_envs.make_rules('kalah', houses=2, seeds=2))" in printed


def test_the_policy_and_the_zip_play_alike(tmp_path):
    run = train(config(tmp_path / "run", total_steps=320))
    agent = make_agent(f"policy:{run}", RULES)
    model = MaskablePPO.load(run / "model.zip")
    position = RULES.position()
    while not position.is_over:
        mask = np.zeros((1, 2), bool)
        mask[0, position.legal_actions()] = True
        seen = with_lookahead(RULES, position.state[None], position.observe(position.to_move)[None])
        predicted, _ = model.predict(seen, action_masks=mask, deterministic=True)
        assert agent.act(position) == predicted[0]
        position = position.play(int(predicted[0]))


def test_runs_that_count_steps_follow_from_the_seed(tmp_path):
    one, same, other = (train(config(tmp_path / name, seed=seed, total_steps=320)) for name, seed in (("a", 0), ("b", 0), ("c", 1)))
    assert (weights(one) == weights(same)).all()
    assert (weights(one) != weights(other)).any()


def test_the_rate_of_learning_falls_to_nothing(tmp_path):
    run = train(config(tmp_path / "run", total_steps=320))
    rates = [json.loads(line)["train/learning_rate"] for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert rates == pytest.approx([2e-3 * (10 - done) / 10 for done in range(10)])


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path):
    run = tmp_path / "run"
    arguments = "--ruleset kalah --options houses=2 seeds=2 --games 8 --rollout 4 --batch-size 16 --hidden 8 --torch-threads 1"
    command = [sys.executable, "-m", "training.maskable_ppo", *arguments.split(), "--checkpoint-seconds", "0.5", "--run", str(run)]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not newest_checkpoint(run) or newest_checkpoint(run).name == "00000000"):
        time.sleep(0.05)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

    before = Progressed(**json.loads((newest_checkpoint(run) / "progressed.json").read_text()))
    assert before.iteration > 0
    assert before.seconds > 0.5
    load_policy(RULES, run)
    train(Config(resume=run, minutes=(before.seconds + 0.5) / 60, evaluation_games=2))
    after = Progressed(**json.loads((newest_checkpoint(run) / "progressed.json").read_text()))
    assert after.iteration > before.iteration
    assert after.steps == after.iteration * 32
    assert before.seconds + 0.5 <= after.seconds < before.seconds + 5
    assert iterations(run) == list(range(1, after.iteration + 1))


def test_resuming_takes_over_weights_optimizer_and_pool(tmp_path, monkeypatch):
    run = train(config(tmp_path / "run", total_steps=320))
    kept = {}

    def look(*arguments):
        kept.update(zip(("run", "config", "rules", "env", "model", "league"), arguments, strict=False))

    monkeypatch.setattr(maskable_ppo, "learn", look)
    train(Config(resume=run, total_steps=640))
    model, league = kept["model"], kept["league"]
    assert (model.policy.action_net.weight == load_policy(RULES, run).action_head.weight).all()
    assert model.policy.optimizer.state_dict()["state"][0]["step"] == 10 * 4 * 2  # updates, epochs, minibatches
    assert model.num_timesteps == 320
    assert len(league.pool) == 5
    assert kept["config"].hidden == (8,)


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    log, before = maskable_ppo.log, signal.getsignal(signal.SIGINT)

    def press_at_the_third(run, model, progressed, *rest):
        log(run, model, progressed, *rest)
        if progressed.iteration == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(maskable_ppo, "log", press_at_the_third)
    with pytest.raises(SystemExit) as stopped:
        train(config(tmp_path / "run", total_steps=3200))
    assert stopped.value.code == 130
    assert newest_checkpoint(tmp_path / "run").name == "00000003"
    assert f"python -m training.maskable_ppo --resume {tmp_path / 'run'}" in capsys.readouterr().out
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("name", ["model.zip", "league.safetensors", "progressed.json"])
def test_a_full_disk_leaves_the_checkpoint_before(tmp_path, monkeypatch, name):
    write = maskable_ppo.write_file

    def full(path, contents):
        if path.name == name and path.parent.name == "00000010.tmp":
            raise OSError(28, "No space left on device")
        write(path, contents)

    monkeypatch.setattr(maskable_ppo, "write_file", full)
    with pytest.raises(OSError, match=r"No space.*\. Saved are 0 updates, go on with: python -m .* --resume"):
        train(config(tmp_path / "run", total_steps=320))
    assert [path.name for path in (tmp_path / "run" / "checkpoints").iterdir()] == ["00000000"]


# Files may have 8 KB from the first checkpoint on; not before, when compiled code may be written to Numba's cache.
LIMITED = """
import resource
from training import maskable_ppo
save = maskable_ppo.save_checkpoint
def save_limited(*arguments):
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
    save(*arguments)
maskable_ppo.save_checkpoint = save_limited
maskable_ppo.main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_disk_that_is_full_from_the_beginning_leaves_nothing(tmp_path):
    arguments = f"--ruleset kalah --options houses=2 seeds=2 --games 8 --batch-size 16 --hidden 8 --run {tmp_path / 'run'}"
    command = [sys.executable, "-c", LIMITED, *arguments.split()]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: [Errno 27] File too large")
    assert done.stderr.endswith("Nothing was begun.\n")
    assert list(tmp_path.iterdir()) == []


def test_what_fails_before_the_first_checkpoint_leaves_no_folder(tmp_path, monkeypatch):
    def fail(*_):
        raise RuntimeError("no memory")

    monkeypatch.setattr(maskable_ppo, "make_model", fail)
    with pytest.raises(RuntimeError, match="no memory"):
        train(config(tmp_path / "run"))
    assert list(tmp_path.iterdir()) == []


def press_ctrl_c(*_, **__):
    raise KeyboardInterrupt


def test_ctrl_c_before_the_first_checkpoint_leaves_no_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(maskable_ppo, "make_model", press_ctrl_c)
    with pytest.raises(SystemExit) as stopped:
        train(config(tmp_path / "run"))
    assert stopped.value.code == 130
    assert capsys.readouterr().out == "Stopped. Nothing was begun.\n"
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_in_the_evaluation_says_that_the_policy_is_saved(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(maskable_ppo, "play_match", press_ctrl_c)
    with pytest.raises(SystemExit) as stopped:
        train(config(tmp_path / "run", total_steps=32, evaluation_games=2))
    assert stopped.value.code == 130
    printed = capsys.readouterr().out
    assert "Stopped; the policy is trained and saved.\n" in printed
    assert f"--agents policy:{tmp_path / 'run'} greedy random" in printed


def test_ctrl_c_before_anything_ends_without_a_traceback(monkeypatch):
    monkeypatch.setattr(maskable_ppo, "checked_rules", press_ctrl_c)
    with pytest.raises(SystemExit) as stopped:
        command_line(monkeypatch)
    assert stopped.value.code == 130


def test_printed_paths_are_quoted_and_no_markup(tmp_path, monkeypatch, capsys):
    run = tmp_path / "[bold] run"
    train(config(run, total_steps=32))
    printed = capsys.readouterr().out
    assert f"into {run}, from scratch" in printed
    assert f"--agents 'policy:{run}' greedy random" in printed
    monkeypatch.setattr(maskable_ppo, "learn", press_ctrl_c)
    with pytest.raises(SystemExit):
        train(Config(resume=run))
    assert (
        f"Stopped. Saved are 1 updates, go on with: python -m training.maskable_ppo --resume '{run}'\n" in capsys.readouterr().out
    )


def test_a_run_folder_that_exists_is_refused(tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    with pytest.raises(SystemExit, match=r"error: run folder .* exists: choose another with --run, or .* --resume"):
        command_line(monkeypatch, "--run", tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []


def test_a_folder_without_a_checkpoint_cannot_be_resumed(tmp_path):
    with pytest.raises(ValueError, match="nothing to resume in"):
        train(Config(resume=tmp_path))


def test_options_of_a_new_run_are_refused_when_resuming(tmp_path):
    run = train(config(tmp_path / "run", total_steps=32))
    with pytest.raises(ValueError, match="of epochs, hidden it takes none"):
        train(Config(resume=run, hidden=(16,), epochs=2))


def test_what_is_given_when_resuming_counts_and_is_kept(tmp_path, monkeypatch, learned_with):
    fixed = {"greedy": 0.5, "random": 0.25}
    run = train(config(tmp_path / "run", total_steps=32, minutes=7.0, fixed=fixed))
    command_line(monkeypatch, "--resume", run, "--total-steps", 0, "--minutes", 10)
    command_line(monkeypatch, "--resume", run)
    train(Config(resume=run, total_steps=64))
    command_line(monkeypatch, "--resume", run, "--minutes", 5)
    assert [(each.total_steps, each.minutes) for each in learned_with] == [(32, 7), (0, 10), (0, 10), (64, 10), (64, 5)]
    assert all(each.fixed == fixed and each.hidden == (8,) and each.evaluation_games == 0 for each in learned_with)


def test_a_default_given_when_resuming_is_refused_where_the_run_differs(tmp_path, monkeypatch, learned_with):
    run = train(config(tmp_path / "run", epochs=2))
    command_line(monkeypatch, "--resume", run, "--epochs", 2)
    with pytest.raises(SystemExit, match="of epochs it takes none"):
        command_line(monkeypatch, "--resume", run, "--epochs", 4)
    assert len(learned_with) == 2


def test_a_run_with_a_rules_file_is_resumed_from_another_folder(tmp_path, monkeypatch, learned_with):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "mine.py").write_text("")
    monkeypatch.chdir(tmp_path)
    run = train(config(tmp_path / "run", rules_file=Path("mine.py")))
    monkeypatch.chdir(tmp_path / "elsewhere")
    train(Config(resume=run))
    assert [each.rules_file for each in learned_with] == [tmp_path / "mine.py"] * 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ruleset": "chess"}, "no ruleset 'chess'"),
        ({"options": ("houses=99",)}, "houses=99 is not accepted"),
        ({"games": 0}, "games=0 is not accepted"),
        ({"minutes": 0.0}, "minutes=0.0 is not accepted"),
        ({"minutes": float("inf")}, "minutes=inf is not accepted"),
        ({"seed": -1}, "seed=-1 is not accepted: from 0 to 2147483647"),
        ({"random_plies": -1}, "random_plies=-1 is not accepted"),
        ({"learning_rate": -1.0}, "learning_rate=-1.0 is not accepted: 0 or more"),
        ({"learning_rate": float("nan")}, "learning_rate=nan is not accepted"),
        ({"gamma": 1.1}, "gamma=1.1 is not accepted: from 0 to 1"),
        ({"gae_lambda": -0.1}, "gae_lambda=-0.1 is not accepted: from 0 to 1"),
        ({"clip_range": -0.1}, "clip_range=-0.1 is not accepted: from 0 to 1"),
        ({"entropy": -0.1}, "entropy=-0.1 is not accepted"),
        ({"value_weight": -0.1}, "value_weight=-0.1 is not accepted"),
        ({"max_grad_norm": -0.1}, "max_grad_norm=-0.1 is not accepted"),
        ({"margin_weight": float("inf")}, "margin_weight=inf is not accepted"),
        ({"checkpoint_seconds": -1.0}, "checkpoint_seconds=-1.0 is not accepted"),
        ({"batch_size": 31}, "batch_size=31 is not accepted: it leaves a minibatch of one"),
        ({"newest": 0.0, "pool": 0.0, "fixed": {}}, "shares from 0, not all 0"),
        ({"evaluation_games": 3}, "evaluation_games=3 is not accepted: an even number"),
        ({"hidden": ()}, "hidden="),
        ({"fixed": {"nobody": 1.0}}, "no agent 'nobody'"),
        ({"evaluation_agents": ("alphabeta:depth=0",)}, "depth=0"),
    ],
)
def test_configurations_that_cannot_be_are_refused_before_anything_is_written(tmp_path, changes, message):
    with pytest.raises(ValueError, match=message):
        train(config(tmp_path / "run", **changes))
    assert not (tmp_path / "run").exists()


def test_the_league_keeps_a_pool_of_older_snapshots(tmp_path):
    small = config(tmp_path / "run", pool_size=3, pool_active=2)
    league = League(RULES, small)
    agents, shares = league.opponents()
    assert [agent.name for agent in agents] == ["newest", "greedy", "random"]
    assert shares == [0.6, 0.2, 0.2]
    env = maskable_ppo.SelfPlayVecEnv(RULES, 8)
    model = maskable_ppo.make_model(small, RULES, env, Progressed())
    for _ in range(5):
        league.update(model)
    agents, shares = league.opponents()
    assert [agent.name for agent in agents] == ["newest", "pool", "pool", "greedy", "random"]
    assert shares == [0.3, 0.15, 0.15, 0.2, 0.2]
    assert len(league.pool) == 3
    assert (league.newest.network.action_head.weight == model.policy.action_net.weight).all()


def test_a_snapshot_does_not_change_with_the_learner(tmp_path):
    small = config(tmp_path / "run")
    league = League(RULES, small)
    model = maskable_ppo.make_model(small, RULES, maskable_ppo.SelfPlayVecEnv(RULES, 8), Progressed())
    league.update(model)
    before = league.newest.network.action_head.weight.clone()
    with torch.no_grad():
        model.policy.action_net.weight += 1
    assert (league.newest.network.action_head.weight == before).all()
    league.update(model)
    assert (league.pool[-1].network.action_head.weight == before).all()


def test_weights_of_the_league_are_taken_over(tmp_path):
    one, other = League(RULES, SMALL), League(RULES, SMALL)
    model = maskable_ppo.make_model(SMALL, RULES, maskable_ppo.SelfPlayVecEnv(RULES, 8), Progressed())
    one.update(model)
    one.update(model)
    other.load(one.weights())
    assert len(other.pool) == 2
    assert all((tensor == one.weights()[name]).all() for name, tensor in other.weights().items())


def test_a_resumed_league_does_not_draw_as_at_its_beginning():
    def drawn(iteration):
        league = League(RULES, SMALL, iteration)
        league.pool = [league._snapshot(str(number)) for number in range(10)]
        return [agent.name for _ in range(5) for agent in league.opponents()[0]]

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(0)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None) if sys.platform == "linux" else None, "mallopt"), reason="a setting of glibc")
def test_glibc_takes_the_settings_that_keep_freed_memory(monkeypatch):
    mallopt, taken = ctypes.CDLL(None).mallopt, []
    monkeypatch.setattr(
        ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=lambda *setting: taken.append(mallopt(*setting)) or taken[-1])
    )
    maskable_ppo.keep_freed_memory()
    assert taken == [1, 1]


@pytest.mark.skipif(sys.platform != "linux", reason="a setting of glibc")
def test_the_trim_threshold_stays_where_the_other_is_refused(monkeypatch):
    asked = []
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=lambda *setting: asked.append(setting) or 0))
    maskable_ppo.keep_freed_memory()
    assert asked == [(-3, 32 * 2**20)]


@pytest.mark.parametrize("name", ["progressed.json", "model.zip", "league.safetensors"])
def test_a_damaged_checkpoint_is_named(tmp_path, name):
    run = train(config(tmp_path / "run", total_steps=64))
    file = newest_checkpoint(run) / name
    file.write_bytes(file.read_bytes()[:20])
    with pytest.raises(ValueError, match=f"{name}' is damaged"):
        train(Config(resume=run, total_steps=128))


def test_strange_entries_among_the_checkpoints_are_left_alone(tmp_path):
    run = train(config(tmp_path / "run", total_steps=64))
    (run / "checkpoints" / ".DS_Store").write_bytes(b"")
    (run / "checkpoints" / "zzz").mkdir()
    train(Config(resume=run, total_steps=128))
    assert iterations(run) == [1, 2, 3, 4]


def test_a_run_that_diverges_keeps_what_was_saved(tmp_path):
    with pytest.raises(ValueError, match="training has diverged by update"):
        train(config(tmp_path / "run", total_steps=640, learning_rate=1e30))
    load_policy(RULES, tmp_path / "run")
