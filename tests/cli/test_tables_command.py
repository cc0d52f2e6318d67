"""`mancala-envs tables`."""

import pytest

from mancala_envs.cli import main


def run(capsys, *argv):
    """The exit code and the lines on stdout and stderr."""
    code = main(argv)
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


def test_build_info_verify_and_probe(capsys, tmp_path):
    folder = str(tmp_path / "kalah")
    code, lines, _ = run(capsys, "tables", "build", "kalah", "--seeds", "4", "--out", folder, "--threads", "1")
    assert code == 0
    assert lines[4].split()[:4] == ["4", "seeds", "1,365", "positions"]
    assert lines[-1].startswith(f"{folder}: built in ")

    _, lines, _ = run(capsys, "tables", "build", "kalah", "--seeds", "5", "--out", folder, "--threads", "1")
    assert lines[4].split(maxsplit=4)[4] == "there already, checksum as written"
    assert "sweeps" in lines[5]

    _, lines, _ = run(capsys, "tables", "info", folder)
    assert lines[0] == "Kalah (kalah), houses=6, skip_origin=False, empty_capture=False, end_test=either"
    assert lines[1] == "values for the player to move, by play to the last seed"
    assert [line.split() for line in lines[3:5]] == [["seeds", "positions", "bytes"], ["0", "1", "1,025"]]
    assert lines[10].split() == ["all", "6,188", "12,332"]

    _, lines, _ = run(capsys, "tables", "verify", folder, "--sample", "100")
    assert lines == ["checksums as written; right by their moves: 391 positions, by search: 291"]

    _, lines, _ = run(capsys, "tables", "probe", folder, "0,0,0,0,1,1,0,0,1,1,0,0 20:24 S")
    assert "South still gains 0" in lines
    assert [line.split() for line in lines[-2:]] == [["5", "-2"], ["6", "0"]]


def test_probe_of_a_packaged_table_tells_both_bounds(capsys):
    _, lines, _ = run(capsys, "tables", "probe", "oware", "0,1,0,0,0,0,1,0,0,0,0,1 20:25 S")
    assert "South still gains -3 to +3, by the cycle rule" in lines
    assert lines[-1].split(maxsplit=1) == ["B", "-3 to +3, by the cycle rule"]


def test_probe_of_a_game_that_is_over(capsys):
    _, lines, _ = run(capsys, "tables", "probe", "kalah", "0,0,0,0,0,0,1,0,0,0,0,0 20:25 S")
    assert lines[-1] == "the game is over (no_moves), margin -6"


def test_info_of_bounds_tells_what_is_settled(capsys):
    _, lines, _ = run(capsys, "tables", "info", "oware")
    assert lines[3].split() == ["seeds", "positions", "bytes", "settled"]
    assert lines[6].split() == ["2", "78", "1,180", "83.33%"]
    assert lines[-1] == "checksums as written"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("build", "oust", "--seeds", "3"), "oust has no endgame tables"),
        (("build", "oware", "--seeds", "60"), "seeds=60, threads=2 is not accepted: seeds from 0 to 48"),
        (("info", "nowhere"), "no endgame table in 'nowhere'"),
        (("probe", "oware", "1,2 S"), "'1,2 S' is no position of oware"),
        (("probe", "oware", "4,4,4,4,4,4,4,4,4,4,4,4 0:0 S"), "a position with 48 seeds"),
        (("verify", "kalah", "--sample", "0"), "sample=0 is not accepted"),
    ],
)
def test_errors_are_told_in_a_line(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    code, _, errors = run(capsys, "tables", *argv)
    assert code == 2
    (line,) = errors
    assert line.startswith("mancala-envs: ")
    assert message in line
