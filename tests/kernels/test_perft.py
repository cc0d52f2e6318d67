"""Move counts from the opening, found by other programs."""

import json
from pathlib import Path

import pytest

from mancala_envs import make_rules
from mancala_envs.kernels.perft import perft

COUNTS = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())


@pytest.mark.parametrize("seeds", COUNTS["kalah"])
def test_kalah(seeds):
    rules = make_rules("kalah", seeds=6)
    opening = rules.position(holes=[int(seeds)] * 12)  # all in which Kalah with fewer seeds differs
    counts = COUNTS["kalah"][seeds]
    assert perft(rules, len(counts), opening.state) == counts


def test_oware():
    assert perft(make_rules("oware"), len(COUNTS["oware"])) == COUNTS["oware"]


def test_taktix():
    assert perft(make_rules("taktix"), len(COUNTS["taktix"])) == COUNTS["taktix"]


def test_the_count_of_a_shorter_depth_begins_that_of_a_longer_one():
    rules = make_rules("oware")
    assert perft(rules, 2) == COUNTS["oware"][:2]


def test_without_a_state_the_opening_is_counted():
    rules = make_rules("kalah", seeds=6)
    assert perft(rules, 3) == perft(rules, 3, rules.position().state) == [6, 35, 190]


def test_a_finished_game_is_not_extended():
    rules = make_rules("oware")
    last_ply = rules.position(holes=[1, 0, 0, 0, 0, 1, 1, 0, 0, 9, 0, 0], stores=(23, 13))
    assert perft(rules, 2, last_ply.state) == [2, 2]  # F ends the game by majority; after A, North has two moves
    assert perft(rules, 3, last_ply.play(5).state) == [0, 0, 0]


def test_a_depth_below_one_is_refused():
    with pytest.raises(ValueError, match="depth=0: at least 1"):
        perft(make_rules("oware"), 0)
