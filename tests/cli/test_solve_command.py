"""`mancala-envs solve`."""

import sys

import pytest

from mancala_envs.cli import main
from mancala_envs.cli.solve import memory_size
from mancala_envs.solve import exact


def run(capsys, *argv):
    """The exit code and the lines on stdout and stderr."""
    code = main(argv)
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


def told(lines):
    """What the lines from "value" on tell, by name."""
    begin = next(number for number, line in enumerate(lines) if line.startswith("value"))
    return {line.split("  ")[0]: line[13:] for line in lines[begin:-1]}


def test_kalah_from_the_opening(capsys):
    code, lines, errors = run(capsys, "solve", "kalah", "--houses", "4", "--seeds", "3", "--memory", "4MiB")
    assert (code, errors) == (0, [])
    assert lines[0] == "Kalah (kalah), houses=4, seeds=3"
    assert lines[7] == "South to move: 1 2 3 4"
    found = told(lines)
    assert found["value"] == "+6 for South: South wins by 6"
    assert found["best moves"] == "2"
    assert found["line"].startswith("South 2 4, North ")
    assert found["nodes"].split()[1:4] == ["for", "the", "value,"]
    assert lines[-1].startswith("time  ")


def test_options_say_the_same_as_the_short_cuts(capsys):
    _, lines, _ = run(capsys, "solve", "kalah", "--options", "houses=4", "seeds=3", "--memory", "4MiB")
    assert told(lines)["value"] == "+6 for South: South wins by 6"


def test_position_for_north(capsys):
    text = "0,1,0,0,1,1 4:5 N"
    _, lines, _ = run(capsys, "solve", "kalah", "--houses", "3", "--position", text, "--memory", "4MiB")
    assert told(lines)["value"].startswith("+2 for North: North wins by 2")


def test_game_without_seeds_and_moves_that_make_no_difference(capsys):
    _, lines, _ = run(capsys, "solve", "taktix", "--options", "size=3", "--memory", "4MiB")
    assert told(lines)["value"] == "-1 for South: North wins"
    assert told(lines)["best moves"] == "any of 33"


def test_cycle_rule_that_decides_is_told(capsys):
    _, lines, _ = run(capsys, "solve", "oware", "--houses", "3", "--seeds", "2")
    assert told(lines)["value"] == "0 to +6 for South, as the cycle rule decides"
    assert told(lines)["best moves"] == "B"
    assert told(lines)["nodes"].startswith("18,564 for the value, ")


def test_table_of_openings(capsys):
    _, lines, _ = run(capsys, "solve", "kalah", "--table", "3", "4", "--options", "empty_capture=true", "--memory", "4MiB")
    assert [line.split() for line in lines[2:6]] == [
        ["1", "2", "3", "4"],
        ["1", "0", "-2", "+6", "-2"],
        ["2", "+2", "-2", "-2", "-12"],
        ["3", "0", "+4", "+2", "+2"],
    ]


def test_table_of_a_game_that_the_cycle_rule_decides(capsys):
    _, lines, _ = run(capsys, "solve", "oware", "--table", "3", "2")
    assert lines[3].split()[0] == "3"
    assert lines[3].split()[2] == "0..+6"


def test_progress_of_a_terminal_is_one_line_that_goes_away(capsys, monkeypatch):
    monkeypatch.setattr(exact, "REPORT_EVERY", 1e-3)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    main(("solve", "kalah", "--houses", "4", "--seeds", "4", "--memory", "1MiB"))
    errors = capsys.readouterr().err
    assert "\n" not in errors
    parts = errors.split("\r")
    assert "nodes" in parts[1]
    assert " s, value " in parts[1]
    assert parts[-2:] == [" " * 78, ""]


@pytest.mark.parametrize(
    ("checkpoint", "told_last"),
    [
        ((), "stopped: nothing is kept; with --checkpoint FILE, what is known would be"),
        (("--checkpoint", "proof"), "stopped: there was nothing yet to be kept in proof"),
    ],
)
def test_interrupt_without_a_checkpoint_says_so(capsys, monkeypatch, tmp_path, checkpoint, told_last):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exact.Proof, "compile", interrupt)
    code, _, errors = run(capsys, "solve", "kalah", "--houses", "2", "--seeds", "2", *checkpoint)
    assert (code, errors[-1]) == (130, told_last)


def test_interrupt_leaves_a_checkpoint(capsys, monkeypatch, tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    path = tmp_path / "proof"
    argv = ("solve", "kalah", "--houses", "4", "--seeds", "4", "--memory", "1MiB", "--checkpoint", str(path))
    with monkeypatch.context() as patched:
        patched.setattr(exact, "wait", interrupt)
        code, _, errors = run(capsys, *argv)
    assert code == 130
    assert errors[-1] == f"stopped: {path} holds what is known, and the same command goes on from there"
    assert path.exists()
    _, lines, errors = run(capsys, *argv)
    assert errors == [f"going on from {path}"]
    assert told(lines)["value"] == "+2 for South: South wins by 2"
    assert " s for the value, all runs together; this run " in lines[-1]


def test_endgame_tables_are_looked_up(capsys):
    argv = ("solve", "kalah", "--position", "0,0,1,2,0,1,1,0,2,0,1,2 18:20 S", "--memory", "1MiB")
    plain, probing = (told(run(capsys, *argv, *more)[1]) for more in ((), ("--endgame-table", "kalah")))
    assert [probing[name] for name in ("value", "best moves")] == [plain[name] for name in ("value", "best moves")]
    assert int(probing["nodes"].split()[0]) < int(plain["nodes"].split()[0])


@pytest.mark.parametrize(("text", "size"), [("512B", 512), ("64KiB", 1 << 16), ("256MiB", 1 << 28), ("4 GiB", 1 << 32)])
def test_memory(text, size):
    assert memory_size(text) == size


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("kalah", "--memory", "4GB"), "is not accepted: a whole number with its unit, B, KiB, MiB, GiB, such as 4GiB"),
        (("kalah", "--memory", "1B"), "memory=1, nodes=None is not accepted: memory from 1024 bytes"),
        (("kalah", "--memory", "999999GiB"), "too much for the memory"),
        (("kalah", "--houses", "4", "--options", "houses=5"), "option houses is given twice"),
        (("taktix", "--houses", "4"), "houses"),
        (("kalah", "--position", "1,2 S"), "'1,2 S' is no position of kalah"),
        (("kalah", "--position", "0,0,0,0,0,0,1,0,0,0,0,0 20:25 S"), "the game is over (no_moves)"),
        (("kalah", "--table", "3", "3", "--seeds", "3"), "--endgame-table, --houses and --seeds"),
        (("kalah", "--table", "3", "3", "--endgame-table", "kalah"), "leave out --position"),
        (("kalah", "--endgame-table", "nowhere"), "no endgame table in 'nowhere'"),
        (("kalah", "--endgame-table", "oware"), "is a table with ruleset='oware', not 'kalah'"),
        (("kalah", "--houses", "5", "--endgame-table", "kalah"), "is a table with houses=6, not 5"),
        (("kalah", "--table", "13", "3"), "houses=13 is not accepted: houses is an integer from 1 to 12"),
        (("taktix", "--table", "3", "3"), "--table is not accepted for taktix"),
        (("oware",), "48 seeds on the board takes endgame tables"),
        (("oware_nam_nam_round",), "cannot be solved"),
        (("kalah", "--checkpoint", "nowhere/proof"), "a file in a folder that exists"),
    ],
)
def test_errors_are_told_in_a_line(capsys, tmp_path, monkeypatch, argv, message):
    monkeypatch.chdir(tmp_path)
    code, _, errors = run(capsys, "solve", *argv)
    assert code == 2
    (line,) = errors
    assert line.startswith("mancala-envs: ")
    assert message in line
