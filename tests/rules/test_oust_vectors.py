"""Whole games of Oust that AbstractPlay recorded, placement by placement; in it, a forced pass is a ply of its own."""

import pytest
from recorded import games_of

import mancala_envs

GAMES = games_of("oust__abstractplay")


def coordinates(side):
    """The cells as the records write them, in the order of their numbers."""
    reach = range(1 - side, side)
    return [f"{q},{r}" for r in reach for q in reach if abs(q + r) < side]


@pytest.mark.parametrize("side", sorted({game["side"] for game in GAMES}))
def test_recorded_games(side):
    rules, cells = mancala_envs.make_rules("oust", side=side), coordinates(side)
    for game in (game for game in GAMES if game["side"] == side):
        position, placed_in_turn = rules.position(), False
        for ply in game["plies"]:
            stones = {cell: value for cell, value in zip(cells, position.cells, strict=True) if value}
            assert stones == ply["board_before"]
            assert ply["mid_turn"] == placed_in_turn
            if ply["move"] == "pass":
                assert position.to_move == 2 - ply["mover"]  # the rules have passed already
                placed_in_turn = False
                continue
            assert position.to_move == ply["mover"] - 1
            assert sorted(cells[action] for action in position.legal_actions()) == sorted(ply["legal"])
            position = position.play(cells.index(ply["move"]))
            captured = [cell for cell in stones if position.cells[cells.index(cell)] == 0]
            assert sorted(captured) == sorted(ply["captured"])
            assert position.is_over or ply["turn_continues"] == bool(captured)
            placed_in_turn = bool(captured)
        assert {cell: value for cell, value in zip(cells, position.cells, strict=True) if value} == game["final_board"]
        assert (position.end_reason, position.returns[game["winner"] - 1]) == ("captured_all", 1)


def test_the_records_hold_forced_passes_in_mid_turn():
    passes = [ply for game in GAMES for ply in game["plies"] if ply["move"] == "pass"]
    assert (len(passes), all(ply["mid_turn"] and not ply["legal"] for ply in passes)) == (11, True)
