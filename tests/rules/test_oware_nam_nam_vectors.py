"""Rounds and a match of Nam Nam that MancalaGames played, ply by ply: legal moves, boards, stores, next player, result.

Where it differs, a function explains exactly what was met: at eight left it sows on after a capture, and the last four seeds go to
the player who sows; with us they go at once to who captured.
"""

import pytest
from recorded import EXAMPLES, games_of

from mancala_envs import make_rules

ROUND = make_rules("oware_nam_nam_round", cycle_rule="off")  # MancalaGames has no repetition rule
EMPTY = (0,) * 12


def state_of(position):
    return position.holes, position.stores


def recorded(ply, when="after"):
    return tuple(ply[f"board_{when}"]), tuple(ply[f"stores_{when}"])


def play(position, ply):
    """The position after a recorded ply, which begins as recorded."""
    mover = ply["mover"]
    assert position.to_move == mover
    assert state_of(position) == recorded(ply, "before")
    assert sorted((action + 6 * mover) % 12 for action in position.legal_actions()) == ply["legal"]
    return position.play((ply["move"] - 6 * mover) % 12)


def play_to_the_last_ply(position, plies):
    """The position before the last ply of a recorded round."""
    for ply in plies[:-1]:
        position = play(position, ply)
        assert state_of(position) == recorded(ply)
        assert not position.is_over
    return position


def last_four_go_to_the_mover(after, ply):
    """Whether these are the stores of a turn in which the player who does not sow captured the first four of the last eight."""
    moved = [theirs - ours for ours, theirs in zip(after.stores, ply["stores_after"], strict=True)]
    return tuple(ply["board_after"]) == after.holes == EMPTY and (moved[ply["mover"]], moved[1 - ply["mover"]]) == (4, -4)


@pytest.mark.parametrize(
    ("file", "plies", "differences"),
    [("oware_nam_nam_round__mancalagames", 66, 1), ("oware_nam_nam_passes__mancalagames", 54, 0)],
)
def test_recorded_rounds(file, plies, differences):
    games = games_of(file)
    assert sum(len(game["plies"]) for game in games) == plies
    met = 0
    for game in games:
        first, last = game["plies"][0], game["plies"][-1]
        after = play(play_to_the_last_ply(ROUND.position(holes=game["setup"], to_move=first["mover"]), game["plies"]), last)
        assert (after.is_over, after.end_reason) == (True, "captured_all")
        assert recorded(last) == (EMPTY, tuple(game["result"]["final_stores"]))
        if state_of(after) == recorded(last):
            south, north = after.stores
            sign = (south > north) - (south < north)
            assert after.returns == (sign, -sign)
            assert game["result"]["cond"] == ("ROUND_WIN" if sign else "ROUND_TIE")
        else:
            assert last_four_go_to_the_mover(after, last)
            met += 1
    assert met == differences


def test_recorded_passes():
    plies = [ply for game in games_of("oware_nam_nam_passes__mancalagames") for ply in game["plies"]]
    passed_over = [ply for ply in plies if "forced_pass_after" in ply["events"]]
    assert len(passed_over) == 6
    for ply in passed_over:
        board, stores = recorded(ply)
        assert ROUND.position(holes=board, stores=stores, to_move=1 - ply["mover"]).to_move == ply["mover"]


def test_the_recorded_match():
    (game,) = games_of("oware_nam_nam_match__mancalagames")
    rules = make_rules("oware_nam_nam", ownership_choice="nearest", round_starter="loser", cycle_rule="off")
    position = rules.position()
    for number, round in enumerate(game["rounds"]):
        assert (position.round, position.starter, position.to_move) == (number, round["starter"], round["starter"])
        assert (list(position.holes), list(position.owners)) == (round["setup"], round["owner"])
        last = round["plies"][-1]
        position = play_to_the_last_ply(position, round["plies"])
        alone = ROUND.position(holes=position.holes, stores=position.stores, to_move=position.to_move, owners=position.owners)
        assert state_of(play(alone, last)) == recorded(last)
        position = play(position, last)
    assert [len(round["plies"]) for round in game["rounds"]] == [56, 50, 40]
    assert (position.stores, position.end_reason, position.returns) == ((0, 48), "captured_all", (-1, 1))


@pytest.mark.parametrize("ruleset", ["oware_nam_nam_round", "oware_nam_nam"])
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("NN")])
def test_worked_examples(ruleset, name):
    before, action, after = (EXAMPLES[name][key] for key in ("pre", "action", "post"))
    mover = before["owner"][action]
    position = make_rules(ruleset).position(holes=before["holes"], stores=before["stores"], owners=before["owner"], to_move=mover)
    played = position.play((action - 6 * mover) % 12)
    assert (list(played.holes), list(played.stores)) == (after["holes"], after["stores"])
    assert (played.is_over, played.to_move) == (after["round_over"], 1 - mover)
