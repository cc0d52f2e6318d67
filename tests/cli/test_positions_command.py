"""`mancala-envs positions`, and perfect play in `mancala-envs arena`."""

import json

import pytest

from mancala_envs.arena import sampling
from mancala_envs.cli import main
from mancala_envs.solve import position_sets


def run(capsys, *argv):
    """The exit code and the lines on stdout and stderr."""
    code = main(argv)
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


def test_build_and_info(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "GAMES", 10)
    out = str(tmp_path / "own.npz")
    code, lines, _ = run(capsys, "positions", "build", "kalah", "--out", out, "--count", "20")
    assert code == 0
    assert lines[0].startswith("kalah: 10 games, ")
    assert lines[-1].startswith("20 positions of kalah-v1 in ")
    _, lines, _ = run(capsys, "positions", "info", out)
    assert lines[1].split()[:2] == ["kalah-v1", "20"]


def test_info_of_the_packaged_sets(capsys):
    code, lines, _ = run(capsys, "positions", "info")
    assert code == 0
    assert [line.split()[0] for line in lines[1:-2]] == position_sets()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("build", "oware_nam_nam", "--out", "x.npz"), "no way is known to draw positions of 'oware_nam_nam'"),
        (("build", "kalah", "--out", "no/x.npz"), "--out 'no/x.npz' is not accepted"),
        (("info", "nowhere.npz"), "No such file"),
    ],
)
def test_errors_are_told_in_a_line(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    code, _, errors = run(capsys, "positions", *argv)
    assert code == 2
    (line,) = errors
    assert message in line


def test_arena_shows_perfect_play_beside_scores(capsys, tmp_path):
    out = tmp_path / "scores.json"
    _, lines, _ = run(capsys, "arena", "--ruleset", "kalah", "--agents", "greedy", "random", "--games", "20", "--out", str(out))
    truths = json.loads(out.read_text())["perfect_play"]
    assert [truth["agent"] for truth in truths] == ["greedy", "random"]
    assert lines[3].split()[-3:] == ["total", "regret", "optimal"]
    for line, truth in zip(lines[4:6], truths, strict=True):
        assert line.split()[-2:] == [f"{truth['regret']:.3f}", f"{truth['optimal_move_rate']:.3f}"]
    assert "regret and optimal moves: on kalah-v1, see `mancala-envs positions info`" in lines


def test_arena_leaves_perfect_play_out_where_it_is_not_known(capsys):
    _, lines, _ = run(capsys, "arena", "--ruleset", "taktix", "--options", "size=2", "--agents", "greedy", "random", "--games", "4")
    assert lines[3].split()[-1] == "total"
    assert not any("regret" in line for line in lines)
