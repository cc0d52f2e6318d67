"""Whole rounds of Dakon that MancalaGames played, ply by ply, and single worked positions of Congkak."""

import pytest
from recorded import EXAMPLES, games_of

from mancala_envs import Position, make_rules

DAKON = {"direction": "ccw", "no_move": "pass", "empty_opposite": "leave"}

RECORDS = [  # file, size of the board, plies, rounds that the program ends early
    ("congkak_dakon_round__mancalagames", {"houses": 7, "seeds": 7}, 164, 3),
    ("congkak_dakon6_round__mancalagames", {"houses": 6, "seeds": 4}, 114, 3),
]


def four_houses_are_out_of_reach(position: Position) -> bool:
    """All seeds that a player can still get fill no four houses: MancalaGames then ends the match at once, and sweeps nothing."""
    seeds_within_reach = position.rules.board.seeds - max(position.stores)
    return seeds_within_reach < 4 * position.rules.options["seeds"]


@pytest.mark.parametrize(("file", "size", "plies", "ended_early"), RECORDS, ids=[record[0] for record in RECORDS])
def test_recorded_rounds(file, size, plies, ended_early):
    rules = make_rules("congkak", **DAKON, **size)
    for game in games_of(file):
        result = game["result"]
        position = rules.position()
        assert list(position.holes) == game["setup"]
        for ply in game["plies"]:
            assert not position.is_over
            assert not four_houses_are_out_of_reach(position)
            assert position.to_move == ply["mover"]
            assert (list(position.holes), list(position.stores)) == (ply["board_before"], ply["stores_before"])
            first = ply["mover"] * rules.num_actions
            assert [first + action for action in position.legal_actions()] == ply["legal"]
            position = position.play(ply["move"] - first)
            assert (list(position.holes), list(position.stores)) == (ply["board_after"], ply["stores_after"])
            plies -= 1

        assert (list(position.holes), list(position.stores)) == (result["final_board"], result["final_stores"])
        assert four_houses_are_out_of_reach(position) == (result["cond"] == "WIN")
        assert position.is_over or result["cond"] == "WIN"
        ended_early -= not position.is_over
        if position.is_over:
            assert position.end_reason == "no_moves"
            assert position.returns == {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[result["winner"]]
    assert (plies, ended_early) == (0, 0)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("CO")])
def test_example(name):
    example = EXAMPLES[name]
    after = make_rules("congkak").position(holes=example["pre"]).play(example["action"])
    assert list(after.holes) == example["post"]["holes"]
    assert list(after.stores) == example["post"]["stores"]
    assert after.to_move == (0 if example["post"]["end"] == "again" else 1)
