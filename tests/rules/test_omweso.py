"""The rules of Omweso, one a test, each on a board that shows it.

Boards are four rows as South sees them, files 1 to 8 from his left: North's outer and inner row, South's inner and outer row.
South's hole h is his inner hole of file h + 1 (0 to 7) or his outer hole of file 16 - h (8 to 15).
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import EXAMPLES

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.testing import check_env, check_ruleset

NONE = "0 0 0 0 0 0 0 0"
LEFT_MOST = (14, 15, 0, 1)
CCW, CW = 0, 1
EXTRAS = ("lap_start", "pending", "files_taken", "laps")
DRAWS_CYCLES = {"infinite_turn": "illegal", "cycle_rule": "draw"}


def board(*rows, to_move=0, extras=(0, 0, 0, 0), **options):
    rules = make_rules("omweso", **options)
    holes = [0] * 32
    for row, text in zip(rules.board.rows, rows, strict=True):
        for hole, seeds in zip(row, text.split(), strict=True):
            holes[hole] = int(seeds)
    return rules.position(holes=holes, to_move=to_move, **dict(zip(EXTRAS, extras, strict=True)))


def rows(position):
    return tuple(" ".join(str(position.holes[hole]) for hole in row) for row in position.rules.board.rows)


def mid_turn(position):
    return tuple(getattr(position, name) for name in EXTRAS)


def turned(*rows):
    """The same board as North would have it."""
    return [" ".join(reversed(row.split())) for row in reversed(rows)]


def play_all(position, actions):
    for action in actions:
        assert not position.is_over
        position = position.play(action)
    return position


def test_the_defaults():
    assert make_rules("omweso").options == {
        "setup": "outer4",
        "infinite_turn": "draw",
        "cycle_rule": "off",
        "cycle_count": 3,
        "max_plies": 1000,
    }


# Opening


def test_m1_four_seeds_in_each_outer_hole():
    opening = make_rules("omweso").position()
    assert rows(opening) == ("4 4 4 4 4 4 4 4", NONE, NONE, "4 4 4 4 4 4 4 4")
    assert (opening.to_move, opening.stores, mid_turn(opening)) == (0, (0, 0), (0, 0, 0, 0))
    assert opening.legal_actions() == [2 * hole for hole in range(8, 16)]


def test_m1_all2_two_seeds_in_every_hole():
    opening = make_rules("omweso", setup="all2", **DRAWS_CYCLES).position()
    assert rows(opening) == ("2 2 2 2 2 2 2 2",) * 4
    assert opening.legal_actions() == sorted([2 * hole for hole in range(16)] + [29, 31, 1, 3])


def test_m2_the_first_turn_of_a_game_may_capture():
    after = make_rules("omweso", setup="all2", **DRAWS_CYCLES).position().play(2 * 4 + CCW)
    assert sum(after.holes[16:]) < 32


# Sowing


def test_a_lap_goes_counter_clockwise_along_the_outer_row_and_back_along_the_inner_row():
    after = board("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 0 0 0 5 0 0").play(2 * 10)
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, "0 0 0 0 0 1 1 1", "0 0 0 0 0 0 1 1")
    assert (after.to_move, after.ply, mid_turn(after)) == (1, 1, (0, 0, 0, 0))


def test_a_lap_turns_from_the_inner_into_the_outer_row_at_the_left():
    after = board("2 0 0 0 0 0 0 0", NONE, "0 3 0 0 0 0 0 0", NONE).play(2 * 1)
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, "1 0 0 0 0 0 0 0", "1 1 0 0 0 0 0 0")


def test_north_too_sows_counter_clockwise():
    after = board("0 0 3 0 0 0 0 0", NONE, NONE, "0 0 0 0 0 0 0 2", to_move=1).play(2 * 10)
    assert rows(after) == ("1 1 0 0 0 0 0 0", "1 0 0 0 0 0 0 0", NONE, "0 0 0 0 0 0 0 2")
    assert after.to_move == 0


def test_a_start_needs_two_seeds():
    assert board("2 0 0 0 0 0 0 0", NONE, "0 0 1 0 3 0 0 0", "0 2 1 0 0 0 0 1").legal_actions() == [2 * 4, 2 * 14]


def test_relay_an_occupied_last_hole_is_lifted_with_the_last_seed_and_sown():
    after = board("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 2 0 1 0 0 1").play(2 * 13)
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 0 1 0 1 1 1")


def test_m9_the_sixteenth_seed_falls_into_the_emptied_start_and_ends_the_turn():
    after = board("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 0 16 0 0 0 0").play(2 * 12)
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, "1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1 1")
    assert after.to_move == 1


def test_m9_the_seventeenth_seed_falls_into_a_hole_that_the_same_lap_filled_and_relays():
    after = board("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 0 17 0 0 0 0").play(2 * 12)  # laps: 17 and then 2 seeds, fourteen times
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, "2 0 2 0 2 0 2 0", "0 2 0 2 1 2 0 2")


# Capture

BEFORE_CAPTURE = ("0 0 0 0 0 0 3 1", "4 0 0 0 0 0 2 0", "0 0 0 0 0 0 1 0", "0 0 0 0 0 0 3 0")
AFTER_CAPTURE = ("0 0 0 0 0 0 0 1", "4 0 0 0 0 0 0 0", "0 0 0 0 1 1 3 2", "0 0 0 0 0 0 0 2")


def test_m8_both_holes_of_the_file_are_captured_and_sown_from_the_hole_after_the_same_start():
    after = board(*BEFORE_CAPTURE).play(2 * 9)
    assert rows(after) == AFTER_CAPTURE
    assert (after.to_move, mid_turn(after)) == (1, (0, 0, 0, 0))


def test_north_captures_as_south_does():
    after = board(*turned(*BEFORE_CAPTURE), to_move=1).play(2 * 9)
    assert rows(after) == tuple(turned(*AFTER_CAPTURE))


@pytest.mark.parametrize("emptied", [0, 1])
def test_nothing_is_captured_where_one_of_the_two_holes_is_empty(emptied):
    north = ["4 0 0 0 0 0 3 0", "0 0 0 0 0 0 2 0"]
    north[emptied] = "4 0 0 0 0 0 0 0"
    after = board(*north, "0 0 0 0 0 0 1 0", "0 0 0 0 0 0 3 0").play(2 * 9)
    assert rows(after) == (*north, "0 0 0 0 1 1 0 1", "0 0 0 0 0 0 0 1")  # the two seeds are sown on


def test_a_last_seed_in_an_empty_hole_captures_nothing():
    north = ("4 0 0 0 0 0 3 0", "0 0 0 0 0 0 2 0")
    after = board(*north, NONE, "0 0 0 0 0 0 3 0").play(2 * 9)
    assert rows(after) == (*north, "0 0 0 0 0 0 1 1", "0 0 0 0 0 0 0 1")


def test_a_last_seed_in_the_outer_row_captures_nothing():
    north = ("4 0 0 0 0 0 3 0", "0 0 0 0 0 0 2 0")
    after = board(*north, NONE, "0 0 0 0 2 0 1 0").play(2 * 11)
    assert rows(after) == (*north, "0 0 0 0 0 0 0 1", "0 0 0 0 0 1 0 1")  # the two seeds are sown on


def test_a_hole_that_the_same_lap_filled_is_occupied():
    # 19 seeds from hole 9 pass hole 6 and end there; the five captured end in hole 4, then six laps of two and one of four follow
    after = board("4 0 0 0 0 0 3 0", "0 0 0 0 0 0 2 0", NONE, "0 0 0 0 0 0 19 0").play(2 * 9)
    assert rows(after) == ("4 0 0 0 0 0 0 0", NONE, "0 2 0 2 1 3 4 4", "2 0 2 0 2 0 2 0")


def test_no_start_has_to_be_one_that_captures():
    assert board(*BEFORE_CAPTURE[:3], "0 2 0 0 0 0 3 0").legal_actions() == [2 * 9, 2 * 14]


def test_a_relay_lap_that_captures_is_sown_again_from_its_own_start():
    after = board("2 0 0 0 0 0 0 2", "0 0 0 0 0 0 0 1", "0 0 0 0 0 0 0 1", "0 0 0 2 0 2 0 0").play(2 * 12)
    # two from hole 12 to hole 10, three from there to hole 7, the three captured from hole 10 again, three from hole 7
    assert rows(after) == ("2 0 0 0 0 0 0 0", NONE, "0 0 0 0 1 1 1 0", "0 0 0 0 1 0 2 2")


# Reverse


def clockwise_from(start, seeds, to_move=0):
    """`seeds` in hole `start` of the player to move, whose clockwise lap ends in an occupied inner hole that faces two others."""
    holes, last = [0] * 32, (start + seeds) % 16
    own, other = 16 * to_move, 16 - 16 * to_move
    holes[own + start], holes[own + last] = seeds, 1
    holes[other + 7 - last], holes[other + 8 + last] = 2, 3
    return holes


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize("start", LEFT_MOST)
def test_a_lap_from_one_of_the_four_left_most_holes_may_go_clockwise_if_it_captures(start, to_move):
    holes = clockwise_from(start, 3, to_move)
    position = make_rules("omweso").position(holes=holes, to_move=to_move)
    assert position.legal_actions() == [2 * start + CCW, 2 * start + CW]
    after = position.play(2 * start + CW)
    assert sum(after.holes[16 * to_move : 16 * to_move + 16]) == 9


@pytest.mark.parametrize("start", [2, 3, 12, 13])
def test_a_lap_from_any_other_hole_may_not(start):
    position = make_rules("omweso").position(holes=clockwise_from(start, 4))
    assert position.legal_actions() == [2 * start + CCW]


@pytest.mark.parametrize("emptied", ["last", "front", "back"])
@pytest.mark.parametrize("start", LEFT_MOST)
def test_a_clockwise_lap_must_capture_at_its_own_end(start, emptied):
    holes, last = clockwise_from(start, 3), (start + 3) % 16
    holes[{"last": last, "front": 16 + 7 - last, "back": 16 + 8 + last}[emptied]] = 0
    assert make_rules("omweso").position(holes=holes).legal_actions() == [2 * start + CCW]


def test_omw2_from_the_outer_hole_at_the_left_into_the_inner_row():
    position = board("0 0 3 0 0 0 0 0", "0 0 1 0 0 2 0 0", "0 0 2 0 0 0 0 0", "3 0 0 0 0 0 0 0")  # Wernham: i -> a b c
    after = position.play(2 * 15 + CW)
    # the four captured seeds would end in the empty hole 3 if they went clockwise
    assert rows(after) == (NONE, "0 0 0 0 0 2 0 0", "1 1 3 0 0 0 0 0", "0 1 1 1 1 0 0 0")
    assert after.to_move == 1


@pytest.mark.parametrize(("seeds", "may"), [(17, False), (20, True), (32, False)])
def test_a_clockwise_start_of_many_seeds_is_judged_by_the_hole_where_it_ends(seeds, may):
    position = board("0 0 0 0 3 0 0 0", "0 0 0 0 1 0 0 0", NONE, NONE)
    holes = list(position.holes)
    holes[0] = seeds  # the last of 20 falls into hole 4, which the lap has filled before
    assert (2 * 0 + CW in make_rules("omweso").position(holes=holes).legal_actions()) is may


@pytest.mark.parametrize(("seeds", "may"), [(16, False), (32, True)])
def test_a_clockwise_lap_that_ends_in_its_start_captures_if_it_has_filled_it(seeds, may):
    holes = list(board("3 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 0", NONE, NONE).holes)
    holes[0] = seeds
    assert (2 * 0 + CW in make_rules("omweso").position(holes=holes).legal_actions()) is may


# Reverse in mid-turn

RESOW = ("0 0 1 1 0 0 0 0", "0 0 3 1 0 2 0 0", "0 0 1 1 0 0 0 0", "3 0 0 0 0 0 0 0")


def test_m7_captured_seeds_of_a_left_most_start_are_sown_either_way_if_they_capture_clockwise():
    choice = board(*RESOW).play(2 * 15 + CW)
    assert rows(choice) == ("0 0 0 1 0 0 0 0", "0 0 0 1 0 2 0 0", "1 1 2 1 0 0 0 0", NONE)
    assert (choice.to_move, choice.ply, mid_turn(choice)) == (0, 1, (16, 4, 0, 1))
    assert choice.legal_actions() == [2 * 15 + CCW, 2 * 15 + CW]


def test_m7_captured_seeds_sown_clockwise():
    after = board(*RESOW).play(2 * 15 + CW).play(2 * 15 + CW)
    # two more captured; they would end in hole 1, occupied but facing nothing, so they go counter-clockwise
    assert rows(after) == (NONE, "0 0 0 0 0 2 0 0", "2 2 3 2 0 0 0 0", "0 1 1 0 0 0 0 0")
    assert (after.to_move, after.ply, mid_turn(after)) == (1, 2, (0, 0, 0, 0))


def test_m7_captured_seeds_sown_counter_clockwise():
    after = board(*RESOW).play(2 * 15 + CW).play(2 * 15 + CCW)
    assert rows(after) == ("0 0 0 1 0 0 0 0", "0 0 0 1 0 2 0 0", "1 1 2 1 0 0 0 0", "0 1 1 1 1 0 0 0")
    assert (after.to_move, after.ply, mid_turn(after)) == (1, 2, (0, 0, 0, 0))


RELAY = ("0 0 0 3 0 0 0 0", "0 0 0 1 0 2 0 0", "0 1 0 0 0 4 0 0", NONE)


def test_m7_a_relay_lap_of_a_left_most_hole_goes_either_way_if_it_captures_clockwise():
    choice = board(*RELAY).play(2 * 5)
    assert rows(choice) == (*RELAY[:2], "0 2 1 1 1 0 0 0", NONE)  # the relay hole is not yet lifted
    assert (choice.to_move, mid_turn(choice)) == (0, (2, 0, 0, 1))
    assert choice.legal_actions() == [2 * 1 + CCW, 2 * 1 + CW]


def test_m7_a_relay_lap_sown_clockwise():
    after = board(*RELAY).play(2 * 5).play(2 * 1 + CW)
    # four captured, sown from hole 1 again and counter-clockwise, as they would end in the empty hole 5
    assert rows(after) == (NONE, "0 0 0 0 0 2 0 0", "1 0 2 2 1 0 0 0", "1 1 1 0 0 0 0 0")
    assert (after.to_move, mid_turn(after)) == (1, (0, 0, 0, 0))


def test_m7_a_relay_lap_sown_counter_clockwise():
    after = board(*RELAY).play(2 * 5).play(2 * 1 + CCW)
    assert rows(after) == (*RELAY[:2], "1 0 1 1 1 0 0 0", "1 0 0 0 0 0 0 0")
    assert (after.to_move, mid_turn(after)) == (1, (0, 0, 0, 0))


def test_north_has_the_same_choice():
    choice = board(*turned(*RELAY), to_move=1).play(2 * 5)
    assert (choice.to_move, mid_turn(choice), choice.legal_actions()) == (1, (2, 0, 0, 1), [2, 3])
    assert rows(choice.play(3)) == tuple(turned(NONE, "0 0 0 0 0 2 0 0", "1 0 2 2 1 0 0 0", "1 1 1 0 0 0 0 0"))


def test_a_relay_lap_that_would_not_capture_clockwise_goes_on_by_itself():
    after = board("0 0 0 0 0 0 0 0", *RELAY[1:]).play(2 * 5)
    assert rows(after) == (NONE, RELAY[1], "1 0 1 1 1 0 0 0", "1 0 0 0 0 0 0 0")
    assert after.to_move == 1


def test_a_lap_that_captures_at_a_left_most_hole_leaves_no_choice_there():
    after = board("0 1 0 3 0 0 0 0", "0 1 0 1 0 2 0 0", *RELAY[2:]).play(2 * 5)
    # two captured in file 2 and sown from hole 5 capture four in file 4; three from hole 1 find nothing clockwise
    assert rows(after) == (NONE, "0 0 0 0 0 2 0 0", "1 0 2 3 3 0 0 0", "1 1 0 0 0 0 0 0")
    assert (after.to_move, mid_turn(after)) == (1, (0, 0, 0, 0))


def test_a_turn_in_mid_course_reads_back_and_keeps_its_laps():
    choice = board(*RELAY).play(2 * 5)
    assert choice.rules.parse(str(choice)) == choice
    assert choice != board(*rows(choice), extras=(2, 0, 0, 2))


# Emitwe-ebiri

BOTH = ("2 0 0 0 0 0 0 5", "3 0 0 4 0 0 0 5", "1 0 0 0 0 0 0 1", "0 0 0 0 0 3 0 0")


def test_m3_captures_in_the_first_and_the_last_file_in_one_turn_win_at_the_second():
    after = board(*BOTH).play(2 * 10)  # ten captured in file 8 reach hole 0 and capture in file 1
    assert (after.is_over, after.returns, after.end_reason) == (True, (1, -1), "both_ends")
    assert rows(after) == (NONE, "0 0 0 4 0 0 0 0", "2 1 1 1 1 1 1 3", "0 0 0 0 0 0 2 2")
    assert mid_turn(after) == (0, 5, 3, 0)  # the five seeds of the second capture are not sown
    assert after.rules.parse(str(after)) == after


def test_m3_north_wins_by_both_ends():
    after = board(*turned(*BOTH), to_move=1).play(2 * 10)
    assert (after.returns, after.end_reason) == ((-1, 1), "both_ends")


LAST_THEN_FIRST = ("1 0 0 2 0 0 0 2", "1 0 0 4 0 0 0 1", "1 0 2 0 0 0 0 1", "0 0 0 0 0 3 0 0")


def test_m3_captures_at_both_ends_in_two_turns_do_not_win():
    position = board(*LAST_THEN_FIRST).play(2 * 10)
    assert rows(position) == ("1 0 0 2 0 0 0 0", "1 0 0 4 0 0 0 0", "1 0 2 0 1 1 1 0", "0 0 0 0 0 0 2 2")
    position = position.play(2 * 11)  # two of North's outer row, of no consequence
    assert position.to_move == 0
    after = position.play(2 * 2)
    assert sum(after.holes[:16]) == 10 + 2
    assert (after.is_over, after.to_move) == (False, 1)


FROM_OUTER_2 = ("1 0 0 0 0 0 0 0", "1 0 0 4 0 0 0 0", "1 0 0 0 0 0 0 0", "0 2 0 0 0 0 0 0")


@pytest.mark.parametrize(("files_taken", "wins"), [(0, False), (1, False), (2, True)])
def test_m3_files_taken_before_a_choice_of_direction_count(files_taken, wins):
    position = board(*FROM_OUTER_2, extras=(15, 0, files_taken, 3))
    assert position.legal_actions() == [28, 29]
    after = position.play(29)
    assert (after.end_reason == "both_ends") is wins
    assert after.files_taken == (3 if wins else 0)


def test_a_turn_leaves_nothing_behind():
    assert mid_turn(board(*FROM_OUTER_2, extras=(15, 0, 2, 3)).play(28)) == (0, 0, 0, 0)


def test_m3_the_turn_carries_its_files_into_a_choice():
    # two captured in file 8 by a clockwise lap from hole 1 are due from there again and would capture in file 4
    choice = board("0 0 0 1 0 0 0 1", "4 0 0 3 0 0 0 1", "0 6 0 0 0 0 0 1", NONE).play(2 * 1 + CW)
    assert mid_turn(choice) == (2, 2, 2, 1)


# End


def test_a_player_without_two_seeds_in_a_hole_has_lost():
    after = board("0 1 1 0 0 0 0 0", NONE, NONE, "0 0 0 2 0 0 0 0").play(2 * 12)
    assert (after.end_reason, after.returns, after.to_move) == ("no_moves", (1, -1), 1)
    assert board(NONE, "1 1 0 0 0 0 0 0", "1 0 1 0 0 0 0 0", NONE).returns == (-1, 1)


def test_the_mover_may_leave_himself_without_two_seeds():
    after = board("0 2 0 0 0 0 0 0", NONE, NONE, "0 0 0 2 0 0 0 0").play(2 * 12)
    assert not after.is_over
    assert after.play(after.legal_actions()[0]).returns == (-1, 1)


def test_a_turn_goes_on_when_the_opponent_has_nothing_left():
    position = board("0 0 0 0 0 0 3 0", "0 0 0 0 0 0 2 0", "0 0 0 0 0 0 1 0", "0 0 0 0 0 0 3 0").play(2 * 9)
    assert rows(position) == (NONE, NONE, "0 0 0 0 1 1 3 2", "0 0 0 0 0 0 0 2")
    assert (position.end_reason, position.returns) == ("no_moves", (1, -1))


def test_the_ply_limit_truncates_in_mid_turn_too():
    after = board(*RELAY, max_plies=1).play(2 * 5)
    assert (after.end_reason, after.returns, after.lap_start) == ("max_plies", (0, 0), 2)


def test_an_end_by_rule_at_the_ply_limit_is_no_truncation():
    assert board(*BOTH, max_plies=1).play(2 * 10).end_reason == "both_ends"


# Endless turns

RUNNER = ("0 2 0 0 0 0 0 0", NONE, "3 1 0 1 0 1 0 1", "1 0 1 0 1 0 1 0")  # two or three seeds run round the ring for ever
START = "1,8,3,6,5,10,0,10,4,5,0,2,1,2,3,2,0,0,0,1,1,0,0,0,0,0,0,0,0,0,0,0 0 0 0 0 0:0 S"  # met in random games: action 22
CHOICE = "0,0,0,0,1,0,0,0,0,0,0,2,3,0,0,3,3,13,8,8,0,1,0,3,2,1,0,3,0,9,3,1 1 0 1 25 0:0 N"  # so was this: action 0


def test_m6_draw_an_endless_turn_is_a_draw_in_the_position_before_it():
    position = board(*RUNNER)
    assert position.legal_actions() == [0]
    after = position.play(0)
    assert rows(after) == RUNNER
    assert (after.end_reason, after.returns, after.ply) == ("endless_turn", (0, 0), 1)


def test_m6_loss_an_endless_turn_loses():
    after = board(*turned(*RUNNER), to_move=1, infinite_turn="loss").play(0)
    assert rows(after) == tuple(turned(*RUNNER))
    assert (after.end_reason, after.returns, after.ply) == ("endless_turn", (1, -1), 1)


def test_m6_illegal_a_player_with_no_other_start_has_lost():
    after = board(*RUNNER, **DRAWS_CYCLES)
    assert (after.end_reason, after.returns, after.ply) == ("no_moves", (-1, 1), 0)


@pytest.mark.parametrize(("text", "endless"), [(START, 22), (CHOICE, 0)])
def test_m6_an_endless_start_and_an_endless_direction_of_real_games(text, endless):
    position = make_rules("omweso").parse(text)
    after = position.play(endless)
    assert (after.end_reason, after.returns) == ("endless_turn", (0, 0))
    assert (after.holes, mid_turn(after)) == (position.holes, mid_turn(position))
    masked = make_rules("omweso", **DRAWS_CYCLES).parse(text)
    assert masked.legal_actions() == [action for action in position.legal_actions() if action != endless]
    lost = make_rules("omweso", infinite_turn="loss").parse(text).play(endless)
    assert (lost.end_reason, lost.returns[position.to_move]) == ("endless_turn", -1)


RELAY_CHOICE = (*RELAY[:2], "0 2 1 1 1 0 0 0", NONE)  # one lap counter-clockwise, two laps clockwise


@pytest.mark.parametrize(("laps", "legal"), [(998, [2, 3]), (999, [2])])
def test_laps_are_counted_over_the_whole_turn_and_the_thousandth_may_be_its_last(laps, legal):
    position = board(*RELAY_CHOICE, extras=(2, 0, 0, laps))
    assert position.legal_actions() == [2, 3]
    assert [action for action in (2, 3) if position.play(action).end_reason != "endless_turn"] == legal
    assert board(*RELAY_CHOICE, extras=(2, 0, 0, laps), **DRAWS_CYCLES).legal_actions() == legal


def test_a_choice_due_after_the_thousandth_lap_comes_too_late():
    assert board(*RESOW, extras=(16, 0, 0, 998)).play(31).laps == 999
    after = board(*RESOW, extras=(16, 0, 0, 999)).play(31)
    assert (after.end_reason, after.returns) == ("endless_turn", (0, 0))
    assert (rows(after), mid_turn(after), after.to_move) == (RESOW, (16, 0, 0, 999), 0)


def test_the_thousandth_lap_may_win_by_both_ends():
    assert board(*FROM_OUTER_2, extras=(15, 0, 2, 999)).play(29).end_reason == "both_ends"


def test_m6_illegal_a_move_that_reaches_a_choice_is_finite_and_a_choice_without_a_finite_direction_loses():
    longer = (*RESOW[:3], "3 0 0 0 1 0 0 0")  # counter-clockwise, too, the captured seeds are sown on
    position = board(*longer, extras=(16, 0, 0, 998), **DRAWS_CYCLES)
    assert 31 in position.legal_actions()
    after = position.play(31)
    assert (after.end_reason, after.returns, after.ply) == ("no_moves", (-1, 1), 1)
    assert board(*longer, extras=(16, 0, 0, 997), **DRAWS_CYCLES).play(31).legal_actions() == [30, 31]


# Repetition

SHUFFLE = (NONE, "0 2 1 0 0 0 0 0", NONE, "0 0 0 2 1 0 0 0")  # two seeds and one walk round each ring, all moves forced


def shuffle(plies, **options):
    position = board(*SHUFFLE, **options)
    for _ in range(plies):
        (action,) = position.legal_actions()
        position = position.play(action)
    return position


def test_a_position_that_comes_back_ends_nothing():
    position = shuffle(96)
    assert (rows(position), position.is_over) == (SHUFFLE, False)


def test_cycle_rule_draw_the_third_occurrence_is_a_draw():
    assert not shuffle(63, **DRAWS_CYCLES).is_over
    after = shuffle(64, **DRAWS_CYCLES)
    assert (rows(after), after.end_reason, after.returns) == (SHUFFLE, "cycle", (0, 0))


def test_cycle_count_says_which_occurrence():
    assert shuffle(32, **DRAWS_CYCLES, cycle_count=2).end_reason == "cycle"


# Notation and observation


def test_notation_names_the_row_the_file_and_the_side():
    opening = make_rules("omweso", setup="all2", **DRAWS_CYCLES).position()
    names = {0: "A1L", 1: "A1R", 14: "A8L", 16: "B8R", 28: "B2R", 29: "B2L", 30: "B1R", 31: "B1L"}
    assert {action: opening.notation(action) for action in names} == names
    north = {0: "a1L", 16: "b8R", 31: "b1L"}
    assert {action: board(*SOUTH_TWO, to_move=1).notation(action) for action in north} == north


def test_an_observation_shows_the_own_ring_first():
    position = board("0 0 0 0 0 0 0 8", NONE, "16 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 4")
    expected = np.zeros(44, np.float32)
    expected[[0, 8, 16 + 15]] = 1 / 4, 1 / 16, 1 / 8
    assert (position.observe(0) == expected).all()
    expected = np.zeros(44, np.float32)
    expected[[15, 16, 16 + 8]] = 1 / 8, 1 / 4, 1 / 16
    assert (position.observe(1) == expected).all()


@pytest.mark.parametrize(("start", "seen"), [(14, 0), (15, 1), (0, 2), (1, 3)])
def test_an_observation_shows_the_turn_in_mid_course(start, seen):
    holes = clockwise_from(start, 3)
    holes[start] = 0
    position = make_rules("omweso").position(holes=holes, lap_start=start + 1, pending=3, files_taken=1, laps=250)
    for player, first in ((0, 32), (1, 36)):
        expected = np.zeros(12, np.float32)
        expected[first - 32 + seen] = 1
        expected[8:] = 3 / 64, 1, 0, 1 / 4
        assert (position.observe(player)[32:] == expected).all()


def test_an_observation_shows_the_last_file():
    assert board(*FROM_OUTER_2, extras=(15, 0, 2, 3)).observe(0)[41:43].tolist() == [0, 1]


def test_quiet_plies_are_observed_where_a_position_may_not_come_back():
    assert shuffle(50).observe(0).shape == (44,)
    assert shuffle(50, **DRAWS_CYCLES).observe(0)[44] == np.float32(0.5)


# Positions that cannot be

SOUTH_TWO = ("2 0 0 0 0 0 0 0", NONE, NONE, "0 0 0 2 0 0 0 0")


@pytest.mark.parametrize(
    ("rows", "extras", "message"),
    [
        (("61 0 0 0 0 0 0 0", *SOUTH_TWO[1:]), (2, 2, 0, 1), "65 seeds: the game has 64"),
        (SOUTH_TWO, (0, 0, 4, 0), "files_taken=4 is not accepted"),
        (SOUTH_TWO, (0, 2, 0, 0), "pending 2, files_taken 0 and laps 0 are 0 between turns"),
        (SOUTH_TWO, (0, 0, 1, 0), "pending 0, files_taken 1 and laps 0 are 0 between turns"),
        (SOUTH_TWO, (0, 0, 0, 5), "pending 0, files_taken 0 and laps 5 are 0 between turns"),
        (SOUTH_TWO, (0, 0, 3, 0), "lap_start=0, laps=0, pending=0 with files_taken=3: the game is over then"),
        (SOUTH_TWO, (1, 2, 3, 1), "lap_start=1, laps=1, pending=2 with files_taken=3: the game is over then"),
        (SOUTH_TWO, (3, 2, 0, 1), "lap_start=3 is not accepted: 0 for none, or 1"),
        (SOUTH_TWO, (17, 2, 0, 1), "lap_start=17 is not accepted: 0 for none, or 1"),
        (RELAY_CHOICE, (2, 0, 0, 1000), "laps=1000 is not accepted: 1 to 999"),
        (RELAY_CHOICE, (2, 1, 0, 1), "lap_start=2, pending=1: two seeds at least"),
        (RELAY_CHOICE, (1, 0, 0, 1), "lap_start=1, pending=0: two seeds at least"),
        (RELAY_CHOICE, (2, 4, 0, 1), "lap_start=2: there is no choice, as the lap would not capture clockwise"),
    ],
)
def test_a_position_that_cannot_be_is_refused(rows, extras, message):
    with pytest.raises(ValueError, match=message):
        board(*rows, extras=extras)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"setup": "free"}, "setup='free' is not accepted: setup is 'outer4' or 'all2'"),
        ({"infinite_turn": "void"}, "infinite_turn='void' is not accepted: infinite_turn is 'draw' or 'illegal' or 'loss'"),
        ({"cycle_rule": "own_side"}, "cycle_rule='own_side' is not accepted: cycle_rule is 'off' or 'draw'"),
        ({"cycle_count": 1}, "cycle_count=1 is not accepted"),
        ({"houses": 8}, "omweso has no option 'houses'"),
    ],
)
def test_other_options_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        make_rules("omweso", **option)


def test_omweso_has_no_stores():
    with pytest.raises(ValueError, match="omweso has no stores"):
        make_rules("omweso").position(stores=(1, 1))


# Worked examples


@pytest.mark.parametrize(("name", "start"), [("OM0", 15), ("OM4", 11), ("OMW1", 11)])
def test_example(name, start):
    """The rings of these examples run the other way: hole h here is theirs of index 15 - h."""
    before, after = ([seeds for ring in EXAMPLES[name][part]["rings"] for seeds in reversed(ring)] for part in ("pre", "post"))
    assert list(make_rules("omweso").position(holes=before).play(2 * start).holes) == after


# Always

SEEDS = st.lists(st.integers(0, 31), min_size=0, max_size=64)
SIDES = st.integers(0, 1)


def scattered(seeds, to_move, **options):
    holes = [seeds.count(hole) for hole in range(32)]
    return make_rules("omweso", **options).position(holes=holes, to_move=to_move)


@settings(max_examples=100, deadline=None)
@given(seeds=SEEDS, to_move=SIDES)
def test_a_ply_of_any_position(seeds, to_move):
    position = scattered(seeds, to_move)
    own, other = slice(16 * to_move, 16 * to_move + 16), slice(16 - 16 * to_move, 32 - 16 * to_move)
    for action in position.legal_actions():
        after = position.play(action)
        assert sum(after.holes) + after.pending == len(seeds)
        assert all(now in (0, before) for now, before in zip(after.holes[other], position.holes[other], strict=True))
        assert sum(after.holes[own]) + after.pending >= sum(position.holes[own])
        if after.lap_start:
            hole = after.lap_start - 1
            assert after.legal_actions() == [2 * hole, 2 * hole + 1]
            assert sum(after.play(2 * hole + CW).holes[other]) < sum(after.holes[other])
        if action % 2 == CW:
            assert sum(after.holes[other]) < sum(position.holes[other]) or after.end_reason == "endless_turn"


@settings(max_examples=100, deadline=None)
@given(seeds=SEEDS)
def test_north_plays_as_south_does(seeds):
    south, north = scattered(seeds, 0), scattered([(hole + 16) % 32 for hole in seeds], 1)
    assert south.legal_actions() == north.legal_actions()
    for action in south.legal_actions():
        after, mirrored = south.play(action), north.play(action)
        assert after.holes == mirrored.holes[16:] + mirrored.holes[:16]
        assert (after.to_move, mid_turn(after)) == (1 - mirrored.to_move, mid_turn(mirrored))
        assert (after.returns, after.end_reason) == (mirrored.returns[::-1], mirrored.end_reason)


@settings(max_examples=100, deadline=None)
@given(seeds=SEEDS, to_move=SIDES)
def test_m6_illegal_masks_what_would_be_endless_and_nothing_else(seeds, to_move):
    position, masked = scattered(seeds, to_move), scattered(seeds, to_move, **DRAWS_CYCLES)
    finite = [action for action in position.legal_actions() if position.play(action).end_reason != "endless_turn"]
    assert masked.legal_actions() == finite
    assert masked.is_over is not bool(finite)


@pytest.mark.parametrize("options", [{}, {"setup": "all2", **DRAWS_CYCLES}, {"infinite_turn": "loss"}])
def test_the_ruleset_keeps_the_contract(options):
    check_ruleset(make_rules("omweso", **options), games=20)


def test_the_environment_keeps_its_contract():
    check_env(mancala_envs.make("omweso"))


def test_laps_left_out_in_mid_turn_count_as_one():
    assert board(*RELAY_CHOICE, extras=(2, 0, 0, 0)) == board(*RELAY_CHOICE, extras=(2, 0, 0, 1))
