import json
import subprocess
import sys

import pytest

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.cli import main
from mancala_envs.cli.bench import benchmarks
from mancala_envs.cli.common import write_json
from mancala_envs.rules.registry import parse_options

OWN_RULESET = """\
from mancala_envs import register
from mancala_envs.rules.taktix import TAKTIX

register("taktix_2", TAKTIX, "TakTix of four", "A small one.", size=2)
"""


def run(capsys, *argv):
    """The exit code and the lines on stdout and stderr."""
    code = main(argv)
    captured = capsys.readouterr()
    return code, captured.out.splitlines(), captured.err.splitlines()


def test_rulesets_lists_id_title_board_and_actions(capsys):
    code, lines, _ = run(capsys, "rulesets")
    assert code == 0
    assert lines[0].split() == ["id", "title", "board", "actions"]
    assert [line.split()[0] for line in lines[1:]] == mancala_envs.rulesets()
    told = [" ".join(line.split()) for line in lines]
    assert "kalah Kalah 2 x 6, 48 seeds 6" in told
    assert "taktix TakTix 4 x 4 104" in told
    assert "oust Oust six-sided, 127 cells 127" in told


def test_starting_imports_neither_torch_nor_rich():
    code = "import sys, mancala_envs.cli; print([name for name in ('torch', 'rich', 'stable_baselines3') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("id", mancala_envs.rulesets())
def test_every_ruleset_has_a_page(capsys, id):
    code, lines, _ = run(capsys, "rules", id)
    rules = make_rules(id)
    assert code == 0
    assert lines[0] == f"# {rules.title} (`{id}`)"
    assert [line for line in lines if line.startswith("## ")] == [
        "## Options",
        "## Opening",
        "## Typical games",
        "## Actions",
        "## Observation",
        "## State",
    ]
    assert all(any(line.startswith(f"| `{name}` | `{value!r}` |") for line in lines) for name, value in rules.options.items())
    assert f"float32 of shape {rules.observation_shape}." in lines
    assert any(line.startswith("Sources:") for line in lines)


def test_page_shows_the_sizes_of_the_options_given(capsys):
    _, lines, _ = run(capsys, "rules", "oware", "--options", "seeds=5", "houses=3")
    assert "What follows is that of houses=3, seeds=5." in lines
    assert "2 x 3, 30 seeds. South, below, moves first." in lines
    assert "| `houses` | `6` | an integer from 3 to 10 | houses a row |" in lines
    assert "float32 of shape (9,)." in lines
    assert "int16[13]; the first 7 numbers are the header that all games share." in lines


def test_page_accounts_for_every_number_of_a_state(capsys):
    assert main(["rules", "oust", "--options", "side=2"]) == 0
    page = capsys.readouterr().out
    assert "| 7 .. 13 | cells |\n| 14 .. 15 | placed |\n| 16 .. 75 | what follows from the above" in page


def test_page_tells_how_long_games_are(capsys):
    _, lines, _ = run(capsys, "rules", "taktix", "--options", "size=2")
    (told,) = [line for line in lines if line.startswith("10,000 games")]
    assert told == (
        "10,000 games at random (seed 0) take 3.1 plies on average: half of them at most 3, nine in ten from 2 to 4, the shortest "
        "2, the longest 4. A position has 4.4 legal actions on average. Endings: last_piece 100 %. South wins 60.5 %, North 39.5 %."
    )


def test_a_flag_given_twice_is_refused(capsys):
    code, _, errors = run(capsys, "rules", "kalah", "--options", "houses=3", "--options", "seeds=2")
    assert (code, errors) == (2, ["mancala-envs: --options is given twice: write it once, with all its values after it"])


def test_perft_counts_per_depth(capsys):
    code, lines, _ = run(capsys, "perft", "kalah", "--depth", "3")
    assert code == 0
    assert [line.split() for line in lines[:4]] == [["depth", "sequences"], ["1", "6"], ["2", "35"], ["3", "185"]]
    assert lines[5].startswith("226 nodes in ")


def test_perft_takes_options(capsys):
    _, lines, _ = run(capsys, "perft", "taktix", "--depth", "2", "--options", "size=2", "contiguous=TRUE")
    assert [line.split() for line in lines[1:3]] == [["1", "8"], ["2", "32"]]


def test_arena_prints_scores_and_writes_them(capsys, tmp_path):
    out = tmp_path / "scores.json"
    argv = ["arena", "--ruleset", "taktix", "--agents", "greedy", "random", "--games", "20", "--seed", "3", "--out", str(out)]
    code, lines, _ = run(capsys, *argv, "--options", "size=2")
    written = json.loads(out.read_text())
    (match,) = written["matches"]
    assert code == 0
    assert lines[0] == "TakTix (taktix), 20 games a match, 2 random plies, seed 3"
    interval = f"{match['score']:.3f} [{match['low']:.3f}, {match['high']:.3f}]"
    assert [line for line in lines if line.startswith("1 greedy") and interval in line]
    assert match["agents"] == ["greedy", "random"]
    assert match["wins"] + match["draws"] + match["losses"] == 20
    assert written["total_scores"] == {"greedy": match["score"], "random": 1 - match["score"]}
    assert written["options"] == dict(make_rules("taktix", size=2).options)
    assert written["parameters"]["seed"] == 3
    assert written["versions"]["python"] == sys.version.split()[0]
    assert [path.name for path in tmp_path.iterdir()] == ["scores.json"]


def test_bench_measures_every_way_to_play(capsys, tmp_path):
    out = tmp_path / "bench.json"
    code, _, _ = run(capsys, "bench", "oware", "--repetitions", "2", "--seconds", "0.001", "--out", str(out))
    measurements = json.loads(out.read_text())["measurements"]
    assert code == 0
    assert [(found["ruleset"], found["benchmark"]) for found in measurements] == [
        ("oware", "random playouts"),
        ("oware", "batch of 4096"),
        ("oware", "gymnasium vector"),
        ("oware", "AEC"),
        ("oware", "Position.play"),
        ("oware", "alpha-beta nodes"),
        ("oware", "MCTS simulations"),
        ("oware", "SB3 VecEnv"),
    ]
    assert all(0 < found["fastest"] <= found["nanoseconds"] <= found["slowest"] for found in measurements)


def test_bench_leaves_out_the_sb3_env_where_sb3_is_not_installed(monkeypatch):
    assert "SB3 VecEnv" in benchmarks()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "SB3 VecEnv" not in benchmarks()


def run_in_new_process(*argv):
    """The finished process of a command whose rulesets are not to be registered here."""
    command = [sys.executable, "-c", "import sys; from mancala_envs.cli import main; sys.exit(main())"]
    return subprocess.run([*command, *argv], capture_output=True, text=True, check=False)


def test_rules_file_brings_a_ruleset_of_ones_own(tmp_path):
    file = tmp_path / "own.py"
    file.write_text(OWN_RULESET)
    argv = ["arena", "--ruleset", "taktix_2", "--agents", "random", "greedy", "--games", "4", "--rules-file", str(file)]
    done = run_in_new_process(*argv)
    assert done.stderr == ""
    assert done.stdout.startswith("TakTix of four (taktix_2), 4 games a match")


def test_rules_file_imports_what_stands_beside_it(tmp_path):
    (tmp_path / "sizes.py").write_text("SMALL = 2\n")
    (tmp_path / "own.py").write_text("from sizes import SMALL\n" + OWN_RULESET.replace("size=2", "size=SMALL"))
    done = run_in_new_process("perft", "taktix_2", "--depth", "1", "--rules-file", str(tmp_path / "own.py"))
    assert done.stderr == ""
    assert done.stdout.splitlines()[1].split() == ["1", "8"]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("import sizes_of_boards", "No module named 'sizes_of_boards'"),
        ("raise ModuleNotFoundError('no torch', name='torch')", "no torch"),
        ("raise ValueError('wrong size')", "wrong size"),
    ],
)
def test_rules_file_that_fails_keeps_its_error(tmp_path, text, cause):
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(ImportError, match=r"rules file '.*broken.py' cannot be imported") as caught:
        main(["rulesets", "--rules-file", str(tmp_path / "broken.py")])
    assert str(caught.value.__cause__) == cause
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("rules owara", "no ruleset 'owara' (did you mean 'oware'?); there are "),
        ("rules oware --options seeds=13", "seeds=13 is not accepted: seeds is an integer from 1 to 12"),
        ("rules oware --options seeds=many", "seeds='many' is not accepted: seeds is an integer from 1 to 12"),
        ("rules oware --options seeds", "option 'seeds' is not accepted: write name=value"),
        ("rules oware --options sedes=5", "oware has no option 'sedes' (did you mean 'seeds'?); it has houses, seeds, "),
        ("rulesets --rules-file nowhere.py", "rules file 'nowhere.py' is not accepted: a Python file"),
        ("perft kalah --depth 0", "depth=0: at least 1"),
        ("arena --ruleset oware --agents greedy random --games 3", "games=3 is not accepted: an even number from 2"),
        ("arena --ruleset oware --agents greedy", "agents=['greedy'] is not accepted: two or more agents"),
        ("arena --ruleset oware --agents greedy greedi", "no agent 'greedi'; there are random, greedy, "),
        ("arena --ruleset oware --agents greedy random --out no/x.json", "--out 'no/x.json' is not accepted: a file in a folder"),
        ("bench oware --threads 0", "threads=0, repetitions=5, seconds=0.3: at least 1"),
    ],
)
def test_errors_are_one_line_and_exit_code_2(capsys, argv, message):
    code, lines, errors = run(capsys, *argv.split())
    assert (code, lines, len(errors)) == (2, [], 1)
    assert errors[0].startswith(f"mancala-envs: {message}")


def test_options_are_read_by_their_declared_type():
    given = ["seeds=5", "stop_at_majority=false", "cycle_rule=off", "max_plies=100"]
    assert parse_options("oware", given) == {"seeds": 5, "stop_at_majority": False, "cycle_rule": "off", "max_plies": 100}


@pytest.mark.parametrize(
    ("text", "message"),
    [("stop_at_majority=1", "is True or False"), ("seeds=-1", "seeds=-1 is not"), ("seeds=4.5", "'4.5' is not")],
)
def test_options_of_another_type_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_options("oware", [text])


def test_an_option_given_twice_is_refused():
    with pytest.raises(ValueError, match="option seeds is given twice"):
        parse_options("oware", ["seeds=4", "seeds=5"])


def test_a_file_that_cannot_be_written_whole_is_not_touched(tmp_path):
    path = tmp_path / "results.json"
    write_json(path, {"score": 1})
    with pytest.raises(TypeError):
        write_json(path, {"score": 1, "more": object()})
    assert json.loads(path.read_text()) == {"score": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def test_a_reader_who_has_seen_enough_is_no_error():
    command = f"{sys.executable} -c 'import mancala_envs.cli, sys; sys.exit(mancala_envs.cli.main())' rules oware | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("# Oware (`oware`)\n", "")


def test_an_unknown_ruleset_may_be_in_a_rules_file(capsys):
    code, _, errors = run(capsys, "rules", "mini")
    assert code == 2
    assert errors[0].endswith("and those of a --rules-file")
