"""Games of both kinds of Kenyan Bao that MancalaGames played: legal moves, boards, stores, the next player and the result."""

import pytest
from recorded import games_of

import mancala_envs

PLAYED_ON = {"stop_at_majority": False, "infinite_turn": "draw", "cycle_rule": "off"}

RECORDS = [  # file, ruleset, options, plies, how many of them are endless turns
    ("bao_kenya__mancalagames", "bao_kenya", {}, 162, 0),
    ("bao_kenya_bothstores__mancalagames", "bao_kenya", {"sow_stores": "both"}, 166, 0),
    ("bao_kenya_laps_singles_own__mancalagames", "bao_kenya_laps", {"single_rule": "own_side", **PLAYED_ON}, 143, 1),
    ("bao_kenya_laps_singles_any__mancalagames", "bao_kenya_laps", {"single_rule": "any", **PLAYED_ON}, 128, 0),
]


def was_endless(before, ply, after):
    """MancalaGames ends a turn at its 76th lap: who owns a row takes it, and the two seeds just lifted are lost."""
    holes, hole = list(before.holes), ply["move"]
    for _ in range(75):
        in_hand, holes[hole] = holes[hole], 0
        for _ in range(in_hand):
            hole = (hole + 1) % len(holes)
            holes[hole] += 1
    holes[hole] = 0
    houses = len(holes) // 2
    own_sides = [before.stores[0] + sum(holes[:houses]), before.stores[1] + sum(holes[houses:])]
    theirs = ply["laps"] == 76 and ply["stores_after"] == own_sides and ply["board_after"] == [0] * len(holes)
    ours = (after.holes, after.stores) == (before.holes, before.stores) and after.end_reason == "endless_turn"
    return theirs and ours


@pytest.mark.parametrize(("file", "ruleset", "options", "plies", "endless"), RECORDS, ids=[record[0] for record in RECORDS])
def test_recorded_games(file, ruleset, options, plies, endless):
    rules = mancala_envs.make_rules(ruleset, **options)
    compared, met = 0, 0
    for game in games_of(file):
        position = rules.position(holes=game["setup"])
        for ply in game["plies"]:
            before, first = position, ply["mover"] * rules.num_actions
            assert before.to_move == ply["mover"]
            assert (list(before.holes), list(before.stores)) == (ply["board_before"], ply["stores_before"])
            assert [first + action for action in before.legal_actions()] == ply["legal"]
            position = before.play(ply["move"] - first)
            compared += 1
            if "endless" in ply["events"]:
                assert was_endless(before, ply, position)
                met += 1
                continue
            assert (list(position.holes), list(position.stores)) == (ply["board_after"], ply["stores_after"])
            assert position.is_over == (ply is game["plies"][-1])
        if position.end_reason != "endless_turn":
            south, north = position.stores
            assert [south, north] == game["result"]["final_stores"]
            assert position.returns == {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[game["result"]["winner"]]
    assert (compared, met) == (plies, endless)
