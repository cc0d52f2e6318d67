"""The rules of Bao la Kiswahili, one a test, each on a board that shows it; what it shares with Bao la Kujifunza is tested there.

A side is written as its two rows, front and back, each from its owner's left; South moves first unless a test says otherwise. Seeds
in hand and who owns his nyumba, the fifth front hole, stand beside. Actions are written in the notation.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import EXAMPLES

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.rules.contract import QUIET
from mancala_envs.testing import check_env, check_ruleset

NONE = (0, 0, 0, 0, 0, 0, 0, 0)
FAR = ((0, 0, 0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0, 0, 9))  # a side that faces nothing but A1
NAMUA, MTAJI = (5, 5), (0, 0)

# Options are tested in few combinations: each is compiled anew.
TURN_END = {"front_check": "turn_end", "infinite_turn": "loss", "lone_kichwa": "any"}
MALAWI = {"setup": "malawi", "takasia": False, "infinite_turn": "draw"}
OTHERS = {"mtaji_house": "choice", "singles_rule": "owned", "takasia_obligation": True, "cycle_rule": "draw"}


def board(south, north, hands=NAMUA, nyumba=(0, 0), to_move=0, blocked=0, **options):
    rules = make_rules("bao_kiswahili", **options)
    return rules.position(holes=ring(south) + ring(north), hands=hands, nyumba=nyumba, to_move=to_move, blocked=blocked)


def ring(side):
    front, back = side
    return [*front, *back[::-1]]


def sides(position):
    """The rows of South and of North."""
    holes = position.holes
    return (holes[:8], holes[15:7:-1]), (holes[16:24], holes[31:23:-1])


def moves(position):
    return [position.notation(action) for action in position.legal_actions()]


def play(position, *texts):
    for text in texts:
        assert not position.is_over
        position = position.play(position.parse(text))
    return position


def test_what_the_ruleset_plays():
    assert make_rules("bao_kiswahili").options == {
        "setup": "zanzibar",
        "singles_rule": "functional",
        "mtaji_house": "forced",
        "takasia_obligation": False,
        "takasia": True,
        "skip_origin": False,
        "lone_kichwa": "center",
        "front_check": "immediate",
        "infinite_turn": "illegal",
        "cycle_rule": "off",
        "cycle_count": 3,
        "max_plies": 1000,
    }


def test_zanzibar_six_seeds_in_the_nyumba_two_in_each_of_the_next_two_and_22_in_hand():
    opening = make_rules("bao_kiswahili").position()
    assert sides(opening) == (((0, 0, 0, 0, 6, 2, 2, 0), NONE), ((0, 0, 0, 0, 6, 2, 2, 0), NONE))
    assert (opening.hands, opening.nyumba, opening.blocked, opening.pending) == ((22, 22), (1, 1), 0, 0)
    assert (opening.to_move, opening.stores, opening.rules.num_actions) == (0, (0, 0), 64)
    assert moves(opening) == ["A6L", "A6R", "A7L", "A7R"]


def test_malawi_eight_in_the_nyumba_and_20_in_hand():
    opening = make_rules("bao_kiswahili", **MALAWI).position()
    assert sides(opening)[1] == ((0, 0, 0, 0, 8, 2, 2, 0), NONE)
    assert (opening.hands, opening.nyumba) == ((20, 20), (1, 1))


BLOCKED = {"BK9.1": 4, "BK9.2": 4}  # positions after a takata turn


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("BK")])
def test_example(name):
    before, after = EXAMPLES[name]["pre"], EXAMPLES[name]["post"]
    position = board(
        *rows(before), before["store"], list(map(int, before["owned"])), before["player"], blocked=BLOCKED.get(name, 0)
    )
    assert position.legal_actions() == sorted(map(number, before["legal"]))
    position = position.play(number(EXAMPLES[name]["action"]))
    assert sides(position) == rows(after)
    assert (list(position.hands), list(map(bool, position.nyumba))) == (after["store"], after["owned"])
    assert position.blocked == (0 if after["block"] is None else after["block"] + 1)
    assert (position.to_move, position.is_over) == (after["next"], False)


def rows(example):
    north_back, north_front, south_front, south_back = map(tuple, example["rows"])
    return (south_front, south_back), (north_front[::-1], north_back[::-1])


def number(move):
    """The action of a recorded move: kind, hole, +1 clockwise or -1 or the kichwa, and whether it goes on safari."""
    clockwise = move[2] in (1, "L")
    return 2 * move[1] + clockwise + 32 * ("safari" in move)


# Namua: captures


def test_a_hole_that_faces_an_occupied_one_must_capture_even_with_a_single_seed():
    position = board(((1, 0, 3, 0, 0, 0, 2, 0), NONE), ((0, 0, 0, 0, 0, 0, 0, 1), NONE))
    assert moves(position) == ["A1L"]


def test_the_seed_is_added_the_seeds_faced_are_sown_and_the_own_ones_stay():
    position = board(((0, 0, 0, 3, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 3, 0, 0, 0), (1, 1, 1, 1, 1, 1, 1, 1)))
    after = play(position, "A4L")
    assert sides(after) == (((1, 1, 1, 4, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 1, 1, 1)))
    assert (after.hands, after.to_move) == ((4, 5), 1)
    assert sides(play(position, "A4R"))[0] == ((0, 0, 0, 4, 0, 1, 1, 1), NONE)


def test_files_1_and_2_enter_at_the_left_kichwa_7_and_8_at_the_right_one_the_others_at_either():
    position = board(((1,) * 8, NONE), ((1,) * 8, NONE))
    both = [f"A{file}{side}" for file in (3, 4, 5, 6) for side in "RL"]
    assert moves(position) == ["A1L", "A2L", *both, "A7R", "A8R"]


def test_a_later_capture_in_the_middle_keeps_the_direction():
    # Three seeds end in A3, which captures one more from A1 on; two are sown on from A1 and three from A3.
    after = play(board(((0, 0, 1, 1, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 3, 1, 0, 0), NONE)), "A4L")
    assert sides(after) == (((0, 2, 0, 3, 1, 1, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


def test_a_later_capture_at_a_kimbi_may_reverse():
    # Seven seeds from the right end in A2, which captures two from the left; A2, A5 and A7 are sown on to the right.
    after = play(board(((0, 1, 0, 1, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 7, 0, 2, 0), NONE)), "A4R")
    assert sides(after) == (((1, 0, 2, 4, 0, 2, 0, 2), (0, 0, 0, 0, 0, 0, 0, 1)), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


def test_the_last_capture_wins_and_its_seeds_stay_in_hand():
    after = play(board(((0, 0, 0, 1, 0, 2, 0, 0), NONE), ((0, 0, 0, 0, 7, 0, 0, 0), (2, 2, 2, 2, 2, 2, 2, 2))), "A4L")
    assert sides(after)[0] == ((0, 0, 0, 2, 0, 2, 0, 0), NONE)
    assert (after.pending, after.hands, after.end_reason, after.returns) == (7, (4, 5), "front_row", (1, -1))
    assert after.rules.parse(str(after)) == after


# Namua: takata


@pytest.mark.parametrize(
    ("front", "owned", "options", "expected"),
    [
        ((1, 0, 3, 0, 6, 0, 0, 0), 1, {}, "A1 A3"),  # functional nyumba: all but it
        ((1, 0, 3, 0, 5, 0, 0, 0), 1, {}, "A3 A5"),  # below six it is a hole like others
        ((1, 0, 3, 0, 6, 0, 0, 0), 0, {}, "A3 A5"),  # as it is when it was lost
        ((1, 0, 1, 0, 5, 0, 0, 0), 1, {}, "A5"),
        ((1, 0, 1, 0, 0, 1, 0, 0), 0, {}, "A1 A3 A6"),  # only singles
        ((1, 0, 3, 0, 6, 0, 0, 0), 1, OTHERS, "A1 A3"),
        ((1, 0, 3, 0, 5, 0, 0, 0), 1, OTHERS, "A1 A3 A5"),
        ((1, 0, 3, 0, 6, 0, 0, 0), 0, OTHERS, "A3 A5"),
        ((1, 0, 1, 0, 0, 1, 0, 0), 0, OTHERS, "A1 A3 A6"),
    ],
)
def test_b1_the_holes_that_takata_may_start_from(front, owned, options, expected):
    position = board((front, (3,) * 8), ((0, 0, 0, 0, 0, 0, 2, 0), NONE), nyumba=(owned, 0), **options)
    assert moves(position) == [hole + side for hole in expected.split() for side in "LR"]


def test_the_hole_is_lifted_with_the_seed_from_the_hand():
    after = play(board(((0, 0, 0, 2, 0, 0, 0, 0), NONE), FAR), "A4R")
    assert sides(after)[0] == ((0, 0, 0, 0, 1, 1, 1, 0), NONE)
    assert after.hands == (4, 5)


def test_takata_of_the_namua_stage_captures_nothing_either():
    # Three seeds of A4 end in A1, which faces a seed.
    after = play(board(((0, 0, 0, 2, 0, 0, 0, 0), NONE), FAR), "A4L")
    assert sides(after) == (((1, 1, 1, 0, 0, 0, 0, 0), NONE), FAR)
    after = play(board(((0, 0, 0, 2, 1, 0, 0, 0), NONE), ((0, 0, 1, 0, 0, 0, 0, 0), NONE)), "A4R")
    assert sides(after) == (((0, 0, 0, 0, 2, 1, 1, 0), NONE), ((0, 0, 1, 0, 0, 0, 0, 0), NONE))


def test_a_kichwa_alone_in_the_front_row_is_sown_towards_the_centre():
    position = board(((0, 0, 0, 0, 0, 0, 0, 1), (1, 1, 1, 1, 1, 1, 1, 1)), FAR)
    assert moves(position) == ["A8L"]


def test_b4_five_seeds_and_the_one_from_the_hand_are_lifted():
    after = play(board(((0, 0, 0, 0, 5, 0, 0, 0), NONE), FAR, nyumba=(1, 0)), "A5L")
    assert sides(after)[0] == ((1, 1, 1, 1, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0))
    assert after.nyumba == (0, 0)


@pytest.mark.parametrize(("move", "front"), [("A5L", (0, 0, 1, 1, 8, 0, 0, 0)), ("A5R", (0, 0, 0, 0, 8, 1, 1, 0))])
def test_a_functional_nyumba_alone_pays_a_tax_of_two_and_stays_owned(move, front):
    position = board(((0, 0, 0, 0, 9, 0, 0, 0), (3,) * 8), FAR, nyumba=(1, 0))
    assert moves(position) == ["A5L", "A5R"]
    after = play(position, move)
    assert sides(after)[0] == (front, (3,) * 8)
    assert (after.nyumba, after.hands) == ((1, 0), (4, 5))


# Namua: the nyumba


def test_a_takata_lap_ends_the_turn_in_a_functional_nyumba():
    after = play(board(((0, 0, 1, 0, 6, 0, 0, 0), NONE), FAR, nyumba=(1, 0)), "A3R")
    assert sides(after)[0] == ((0, 0, 0, 1, 7, 0, 0, 0), NONE)
    assert after.nyumba == (1, 0)


def test_the_seed_just_sown_counts_for_the_six():
    after = play(board(((0, 2, 0, 0, 5, 0, 0, 0), NONE), FAR, nyumba=(1, 0)), "A2R")
    assert sides(after)[0] == ((0, 0, 1, 1, 6, 0, 0, 0), NONE)
    assert after.nyumba == (1, 0)


@pytest.mark.parametrize(("seeds", "owned"), [(4, 1), (5, 0)])
def test_a_takata_lap_lifts_a_nyumba_that_is_not_functional_and_so_it_is_lost(seeds, owned):
    after = play(board(((0, 2, 0, 0, seeds, 0, 0, 0), NONE), FAR, nyumba=(owned, 0)), "A2R")
    back = (0, 0, 0, 0, 0, 0, 1, 1) if seeds == 4 else (0, 0, 0, 0, 0, 1, 1, 1)
    assert sides(after)[0] == ((0, 0, 1, 1, 0, 1, 1, 1), back)
    assert after.nyumba == (0, 0)


HOUSE = (((0, 0, 2, 0, 5, 0, 0, 0), NONE), ((1, 0, 0, 0, 0, 5, 0, 0), NONE))  # five from A1 on end in the nyumba


def test_a_capturing_lap_that_ends_in_a_functional_nyumba_stops_there_or_goes_on_safari():
    position = board(*HOUSE, nyumba=(1, 0))
    assert moves(position) == ["A3R", "A3L", "A3L+"]
    stopped, gone = play(position, "A3L"), play(position, "A3L+")
    assert (sides(stopped)[0], stopped.nyumba) == (((1, 1, 4, 1, 6, 0, 0, 0), NONE), (1, 0))
    assert (sides(gone)[0], gone.nyumba) == (((1, 1, 4, 1, 0, 1, 1, 1), (0, 0, 0, 0, 0, 1, 1, 1)), (0, 0))


def test_there_is_no_safari_without_a_functional_nyumba():
    position = board(*HOUSE, nyumba=(0, 0))
    assert moves(position) == ["A3R", "A3L"]
    assert sides(play(position, "A3L"))[0] == ((1, 1, 4, 1, 0, 1, 1, 1), (0, 0, 0, 0, 0, 1, 1, 1))


def test_the_nyumba_captures_before_it_stops():
    position = board(((0, 0, 2, 0, 5, 0, 0, 0), NONE), ((1, 0, 0, 2, 0, 5, 0, 0), NONE), nyumba=(1, 0))
    after = play(position, "A3L")
    # Two more come in at A1 and are sown on from A2, then two from A4, over the nyumba.
    assert sides(after) == (((2, 0, 5, 0, 7, 1, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))
    assert after.nyumba == (1, 0)


def test_a_captured_nyumba_is_lost():
    after = play(board(((0, 0, 0, 1, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 6, 0, 0, 0), NONE), nyumba=(0, 1)), "A4R")
    assert after.nyumba == (0, 0)


def test_north_has_a_nyumba_of_his_own():
    after = play(board(HOUSE[1], HOUSE[0], nyumba=(0, 1), to_move=1), "a3L")
    assert (sides(after)[1], after.nyumba) == (((1, 1, 4, 1, 6, 0, 0, 0), NONE), (0, 1))


# Stages


def test_the_stage_is_told_by_the_players_own_hand():
    south = ((0, 0, 0, 2, 0, 1, 0, 0), NONE)
    assert moves(board(south, FAR, hands=(0, 1))) == ["A4L", "A4R"]
    assert sides(play(board(south, FAR, hands=(0, 1)), "A4R"))[0] == ((0, 0, 0, 0, 1, 0, 1, 1), NONE)
    assert sides(play(board(south, FAR, hands=(1, 0)), "A4R"))[0] == ((0, 0, 0, 0, 1, 2, 1, 0), NONE)


def test_the_mtaji_stage_begins_with_an_empty_hand():
    position = board(((0, 0, 0, 2, 0, 0, 0, 0), NONE), ((0, 3, 0, 0, 0, 0, 0, 0), (3,) * 8), hands=(1, 1))
    position = play(position, "A4L", "a2R")
    assert position.hands == (0, 0)
    assert "A1R" not in moves(position)  # a single seed


# Mtaji: the nyumba

MTAJI_HOUSE = (((0, 1, 0, 1, 6, 0, 0, 3), (2, 0, 0, 0, 0, 0, 0, 0)), ((0, 0, 1, 2, 1, 0, 0, 0), NONE))
# A8 to the left captures two with the nyumba; they end in A7 and are sown on over A6 into the nyumba again, which faces nothing.


def test_b2_forced_a_capturing_lap_goes_on_from_the_nyumba():
    position = board(*MTAJI_HOUSE, MTAJI, nyumba=(1, 0))
    assert moves(position) == ["A8L"]
    after = play(position, "A8L")
    assert sides(after)[0] == ((1, 2, 1, 2, 0, 2, 0, 1), (3, 1, 1, 1, 0, 0, 0, 0))
    assert after.nyumba == (0, 0)


def test_b2_choice_the_player_may_stop_there():
    position = board(*MTAJI_HOUSE, MTAJI, nyumba=(1, 0), **OTHERS)
    assert moves(position) == ["A8L", "A8L+"]
    stopped, gone = play(position, "A8L"), play(position, "A8L+")
    assert (sides(stopped)[0], stopped.nyumba) == (((0, 1, 0, 1, 8, 2, 0, 1), (2, 0, 0, 0, 0, 0, 0, 0)), (1, 0))
    assert (sides(gone)[0], gone.nyumba) == (((1, 2, 1, 2, 0, 2, 0, 1), (3, 1, 1, 1, 0, 0, 0, 0)), (0, 0))


def test_b2_choice_needs_a_nyumba_that_is_owned():
    assert moves(board(*MTAJI_HOUSE, MTAJI, nyumba=(0, 0), **OTHERS)) == ["A8L"]


def test_b2_choice_is_for_captures_takata_goes_on():
    south = ((0, 0, 2, 0, 6, 0, 0, 0), NONE)
    position = board(south, ((1, 0, 0, 0, 0, 0, 0, 0), NONE), MTAJI, nyumba=(1, 0), **OTHERS)
    after = play(position, "A3R")
    assert (sides(after)[0], after.nyumba) == (((0, 0, 0, 1, 0, 1, 1, 1), (0, 0, 0, 0, 1, 1, 1, 1)), (0, 0))


CAPTURES_ELSEWHERE = (((2, 0, 1, 0, 6, 0, 0, 0), NONE), ((1, 0, 0, 0, 7, 1, 0, 0), NONE))


@pytest.mark.parametrize(("options", "owns"), [({}, 0), (OTHERS, 1)])
def test_b3_ownership_ends_with_its_owners_first_capture_of_the_mtaji_stage(options, owns):
    after = play(board(*CAPTURES_ELSEWHERE, MTAJI, nyumba=(1, 1), **options), "A1R")
    assert sides(after)[0] == ((1, 1, 2, 0, 6, 0, 0, 0), NONE)
    assert after.nyumba == (owns, 1)


def test_b3_captures_of_the_namua_stage_leave_it():
    after = play(board(*CAPTURES_ELSEWHERE, nyumba=(1, 1)), "A3R")
    assert after.nyumba == (1, 1)


def test_takata_of_the_mtaji_stage_leaves_ownership_and_may_lift_the_nyumba():
    position = board(((2, 0, 0, 0, 6, 0, 0, 0), NONE), ((0, 1, 0, 0, 0, 0, 0, 0), NONE), MTAJI, nyumba=(1, 0))
    assert moves(position) == ["A1L", "A1R", "A5L", "A5R"]
    assert play(position, "A1R").nyumba == (1, 0)
    assert play(position, "A5R").nyumba == (0, 0)


# Takasia (the position of the K.I.B.A. rules, 4.5)

BLOCKER = ((0, 2, 0, 0, 0, 0, 2, 0), (0, 0, 2, 2, 0, 2, 6, 4))  # after A7 to the left only a4 can be captured, from B8
BACK = (2, 2, 8, 4, 1, 2, 1, 0)


def block(front, back=BACK, south=BLOCKER, **options):
    return play(board(south, (front, back), MTAJI, **options), "A7L")


def test_b5_the_only_hole_that_could_be_captured_is_blocked_for_one_turn():
    after = block((1, 0, 1, 2, 10, 0, 0, 10))
    assert (after.blocked, moves(after)) == (4, ["a5L", "a5R", "a8L", "a8R"])
    assert play(after, "a5L").blocked == 0


def test_b6_a_lap_that_ends_in_it_ends_the_turn():
    after = block((1, 0, 1, 2, 10, 0, 0, 10))
    fronts = {move: sides(play(after, move))[1][0] for move in moves(after)}
    assert {move: front[3] for move, front in fronts.items()} == {"a5L": 6, "a5R": 2, "a8L": 5, "a8R": 2}
    free = play(block((1, 0, 1, 2, 10, 0, 0, 10), **MALAWI), "a8L")
    assert sides(free)[1][0][3] == 2  # it would have been sown on


def test_b5_takasia_can_be_left_out():
    after = block((1, 0, 1, 2, 10, 0, 0, 10), **MALAWI)
    assert (after.blocked, moves(after)) == (0, ["a4L", "a4R", "a5L", "a5R", "a8L", "a8R"])


@pytest.mark.parametrize(
    ("front", "back"),
    [
        ((1, 0, 1, 1, 10, 0, 0, 10), BACK),  # a single seed
        ((0, 0, 0, 2, 0, 0, 0, 0), BACK),  # the only occupied front hole
        ((1, 0, 1, 2, 1, 0, 0, 1), BACK),  # the only one with two or more
        ((1, 0, 1, 2, 10, 0, 0, 10), (3, 2, 8, 4, 1, 1, 1, 0)),  # b1 captures with a3
    ],
)
def test_b5_holes_that_are_not_blocked(front, back):
    assert block(front, back).blocked == 0


@pytest.mark.parametrize(
    ("back", "blocked"),
    [
        ((0, 0, 2, 2, 0, 2, 4, 4), 0),  # from B7, too, A6 can capture a3
        ((0, 0, 2, 2, 0, 6, 2, 4), 4),  # from B6, too, A5 can capture a4
        ((0, 0, 2, 2, 0, 2, 6, 3), 0),  # from B8 nothing can be captured
    ],
)
def test_b5_holes_are_counted_not_moves(back, blocked):
    assert block((1, 0, 1, 2, 10, 0, 0, 10), south=(BLOCKER[0], back)).blocked == blocked


def test_a_capturing_turn_blocks_nothing():
    south, north = ((1, 0, 1, 0, 0, 2, 0, 1), (0, 0, 0, 1, 1, 0, 0, 0)), ((1, 0, 2, 2, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0))
    after = play(board(south, north, MTAJI), "A6R")
    assert sides(after)[1][0] == (0, 0, 2, 2, 0, 0, 0, 0)
    assert after.blocked == 0
    blocked = board(*sides(after), MTAJI, to_move=1, blocked=4)  # as a takata turn would have left it
    assert moves(blocked) != moves(after)


def test_the_last_turn_of_the_namua_stage_blocks_nothing():
    south, north = ((0, 1, 0, 0, 0, 0, 1, 0), BLOCKER[1]), ((1, 0, 1, 2, 10, 0, 0, 10), BACK)
    after = play(board(south, north, (1, 0)), "A7L")
    assert (after.hands, after.blocked) == ((0, 0), 0)
    same = play(board(((0, 1, 0, 0, 0, 0, 2, 0), BLOCKER[1]), north, MTAJI), "A7L")
    assert (sides(same), same.blocked) == (sides(after), 4)


@pytest.mark.parametrize(("seeds", "owned", "blocked"), [(6, 1, 0), (5, 1, 5), (6, 0, 5)])
def test_an_owned_nyumba_of_six_or_more_is_not_blocked(seeds, owned, blocked):
    south = ((0, 0, 0, 0, 0, 2, 0, 0), (0, 0, 0, 0, 0, 0, 0, 5))  # then B8 can capture with A4
    after = play(board(south, ((1, 0, 0, 0, seeds, 0, 0, 10), NONE), MTAJI, nyumba=(0, owned)), "A6L")
    assert after.blocked == blocked


# B7: South has blocked a5, and North's answer was a6 to the right

OBLIGED = {"holes": [1, 2, 2, 2, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 2, 2, 0, 0, 0, 0, 1, 1, 0, 1, 0, 2]}


def obliged(**options):
    rules = make_rules("bao_kiswahili", **options)
    position = rules.position(**OBLIGED, hands=(0, 0), nyumba=(0, 0), to_move=1, blocked=5)
    return play(position, "a6R")


def test_b7_the_blocker_is_free():
    assert (obliged().blocked, moves(obliged())) == (0, ["A2R", "A3L", "A4L"])


def test_b7_obligation_the_blocker_must_capture_the_blocked_hole_if_only_later_in_the_turn():
    position = obliged(**OTHERS)
    assert (position.blocked, moves(position)) == (8 + 5, ["A2R", "A3L"])
    # A3 captures at A1 first, then a5 at A4.
    south = ((0, 6, 0, 4, 1, 0, 1, 0), (0, 1, 0, 1, 1, 1, 0, 0))
    assert sides(play(position, "A3L")) == (south, ((0, 0, 0, 1, 0, 0, 0, 0), (2, 0, 1, 0, 1, 1, 0, 0)))


# Endless turns

ENDLESS = (((0, 1, 2, 1, 2, 0, 1, 0), (1, 0, 1, 0, 2, 1, 0, 1)), ((0, 0, 0, 0, 0, 0, 0, 2), NONE))


def test_b8_an_endless_takata_of_the_namua_stage_is_illegal():
    assert moves(board(*ENDLESS)) == ["A3R", "A5L", "A5R"]
    assert moves(board(*ENDLESS, **MALAWI)) == ["A3L", "A3R", "A5L", "A5R"]


@pytest.mark.parametrize(("options", "returns"), [(MALAWI, (0, 0)), (TURN_END, (-1, 1))])
def test_b8_draw_and_loss_leave_the_position_before_the_turn(options, returns):
    after = play(board(*ENDLESS, **options), "A3L")
    assert (sides(after), after.hands, after.end_reason, after.returns) == (ENDLESS, NAMUA, "endless_turn", returns)


# States


def test_the_notation_of_safari():
    opening = make_rules("bao_kiswahili").position()
    assert (opening.notation(9), opening.notation(32 + 9), opening.parse("A5R+")) == ("A5R", "A5R+", 41)


def test_a_capture_of_the_namua_stage_is_written_with_the_kichwa():
    """The second turn of Ramadhan and Kijumbe, 17 October 1994, was A7L a5R: the seeds enter at the right kichwa."""
    after = play(make_rules("bao_kiswahili").position(), "A7L")
    assert moves(after) == ["a5R", "a5L"]
    assert after.parse("a5R") == 2 * 4
    assert sides(after.play(after.parse("a5R")))[1] == ((0, 0, 0, 0, 7, 2, 2, 1), NONE)


def test_plies_of_the_namua_stage_cannot_be_undone():
    assert play(make_rules("bao_kiswahili").position(), "A7L").state[QUIET] == 0
    assert block((1, 0, 1, 2, 10, 0, 0, 10)).state[QUIET] == 1


def test_an_observation_shows_hands_nyumba_and_the_blocked_hole():
    opening = make_rules("bao_kiswahili").position(hands=(20, 22), nyumba=(0, 1))
    assert opening.observe(0)[32:].tolist() == [20 / 64, 22 / 64, 0, 1] + [0] * 16
    assert opening.observe(1)[32:].tolist() == [22 / 64, 20 / 64, 1, 0] + [0] * 16
    blocked = block((1, 0, 1, 2, 10, 0, 0, 10))
    assert np.flatnonzero(blocked.observe(1)[36:]).tolist() == [3]
    assert np.flatnonzero(blocked.observe(0)[36:]).tolist() == [8 + 3]
    assert np.flatnonzero(obliged(**OTHERS).observe(0)[36:52]).tolist() == [8 + 4]
    assert make_rules("bao_kiswahili", **MALAWI).observation_shape == (36,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": (22, 23)}, "65 seeds: the game has 64"),
        ({"nyumba": (2, 0)}, r"nyumba=\[2, 0\]: 1 for a player who owns his"),
        (
            {"holes": [1, 0, 0, 0, 0, 1, 0, 0] * 4, "nyumba": (1, 0)},
            r"nyumba=\[1, 0\]: 1 for a player who owns his, with seeds in it",
        ),
        ({"pending": 1, "hands": (0, 0)}, "pending=1: captured seeds wait only where a front row is empty"),
        ({"blocked": 5}, "blocked=5 is not accepted here: 0"),
    ],
)
def test_positions_that_cannot_be_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        make_rules("bao_kiswahili").position(**change)


def test_only_the_hole_that_takasia_blocks_can_be_said_to_be_blocked():
    position = block((1, 0, 1, 2, 10, 0, 0, 10))
    with pytest.raises(ValueError, match="blocked=5 is not accepted here: 0 or 4"):
        make_rules("bao_kiswahili").position(holes=position.holes, hands=(0, 0), nyumba=(0, 0), to_move=1, blocked=5)


@pytest.mark.parametrize("blocked", [13, 17])
def test_a_duty_to_capture_needs_the_option_and_a_hole(blocked):
    options = OTHERS if blocked == 17 else {}
    with pytest.raises(ValueError, match=f"blocked={blocked} is not accepted here"):
        board(BLOCKER, ((1, 0, 1, 2, 10, 0, 0, 10), BACK), MTAJI, blocked=blocked, **options)


def test_a_duty_that_forbids_nothing_is_forgotten():
    position = board(BLOCKER, ((1, 0, 1, 2, 10, 0, 0, 10), BACK), MTAJI, blocked=8 + 4, **OTHERS)
    assert position.blocked == 0


def test_a_duty_to_capture_without_takasia_is_refused():
    with pytest.raises(ValueError, match="takasia_obligation=True is not accepted with takasia=False"):
        make_rules("bao_kiswahili", takasia=False, takasia_obligation=True)


@settings(max_examples=20, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_safari_differs_from_stopping_only_by_the_nyumba_that_is_lost(random):
    position = make_rules("bao_kiswahili").position()
    while not position.is_over:
        legal = position.legal_actions()
        for action in legal:
            if action >= 32:
                stopped, gone = position.play(action - 32), position.play(action)
                assert stopped.nyumba[position.to_move] == 1
                assert stopped.holes[16 * position.to_move + 4] >= 6
                assert gone.nyumba[position.to_move] == 0
        position = position.play(random.choice(legal))


@pytest.mark.parametrize("options", [{}, OTHERS, MALAWI])
def test_the_contract_is_kept(options):
    check_ruleset(make_rules("bao_kiswahili", **options), games=20)


def test_the_environment():
    check_env(mancala_envs.make("bao_kiswahili"))
