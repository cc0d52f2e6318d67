"""The rules of Bao la Kujifunza, one a test, each on a board that shows it.

A side is written as its two rows, front and back, each from its owner's left; South moves first unless a test says otherwise.
Actions are written in the notation: A is the front row, B the back row.
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
# Options are tested in few combinations: each is compiled anew.
DRAW_ANY = {"infinite_turn": "draw", "lone_kichwa": "any"}
TURN_END = {"front_check": "turn_end", "infinite_turn": "loss", "lone_kichwa": "any"}
OTHERS = {"capture_direction": "first_lap", "skip_origin": True, "takasia": True, "cycle_rule": "draw"}


def board(south, north, to_move=0, **options):
    return make_rules("bao_kujifunza", **options).position(holes=ring(south) + ring(north), to_move=to_move)


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
    assert make_rules("bao_kujifunza").options == {
        "capture_direction": "current",
        "skip_origin": False,
        "lone_kichwa": "center",
        "front_check": "immediate",
        "takasia": False,
        "infinite_turn": "illegal",
        "cycle_rule": "off",
        "cycle_count": 3,
        "max_plies": 1000,
    }


def test_j1_j2_the_board_is_32_holes_of_two_seeds():
    opening = make_rules("bao_kujifunza").position()
    assert opening.holes == (2,) * 32
    assert (opening.stores, opening.margin, opening.to_move, opening.pending) == ((0, 0), 0, 0, 0)
    assert opening.rules.num_actions == 32


def test_the_sixteen_first_turns():
    opening = make_rules("bao_kujifunza").position()
    clockwise, counter_clockwise = (0, 1, 2, 3, 4, 5, 14, 15), (2, 3, 4, 5, 6, 7, 8, 9)  # an independent program's
    assert opening.legal_actions() == sorted([2 * hole + 1 for hole in clockwise] + [2 * hole for hole in counter_clockwise])


def test_the_notation_names_row_file_and_direction():
    opening = make_rules("bao_kujifunza").position()
    names = [opening.notation(action) for action in (0, 1, 15, 16, 17, 31)]
    assert names == ["A1L", "A1R", "A8R", "B8R", "B8L", "B1L"]
    assert opening.play(1).notation(9) == "a5R"


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("BJ")])
def test_example(name):
    before, after = EXAMPLES[name]["pre"], EXAMPLES[name]["post"]
    north_back, north_front, south_front, south_back = before["rows"]
    position = board((south_front, south_back), (north_front[::-1], north_back[::-1]))
    legal = sorted(2 * hole + (step == 1) for _, hole, step in before["legal"])
    assert position.legal_actions() == legal
    _, hole, step = EXAMPLES[name]["action"]
    position = position.play(2 * hole + (step == 1))
    north_back, north_front, south_front, south_back = map(tuple, after["rows"])
    assert sides(position) == ((south_front, south_back), (north_front[::-1], north_back[::-1]))
    assert (position.to_move, position.is_over) == (after["next"], False)


# Laps


def test_a_lap_that_ends_in_an_empty_hole_ends_the_turn():
    after = play(board(((0, 0, 0, 3, 0, 0, 0, 0), NONE), ((0, 0, 2, 0, 0, 0, 0, 0), NONE)), "A4L")
    assert sides(after) == (((1, 1, 1, 0, 0, 0, 0, 0), NONE), ((0, 0, 2, 0, 0, 0, 0, 0), NONE))
    assert after.to_move == 1


def test_north_sows_clockwise_as_he_sees_it():
    after = play(board(((0, 0, 2, 0, 0, 0, 0, 0), NONE), ((0, 0, 0, 0, 0, 0, 3, 0), NONE), to_move=1), "a7R")
    assert sides(after)[1] == ((0, 0, 0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0, 1, 1))


def test_a_lap_that_ends_in_an_occupied_front_hole_is_sown_on():
    after = play(board(((2, 0, 1, 0, 0, 0, 0, 0), NONE), ((1, 1, 0, 0, 0, 0, 0, 0), NONE)), "A1R")
    assert sides(after)[0] == ((0, 1, 0, 1, 1, 0, 0, 0), NONE)


def test_j4_so_is_one_that_ends_in_an_occupied_hole_of_the_back_row():
    after = play(board(((0, 0, 0, 1, 0, 2, 0, 0), (0, 0, 0, 0, 0, 0, 0, 1)), ((1, 0, 0, 0, 0, 0, 0, 0), NONE)), "A6R")
    assert sides(after)[0] == ((0, 0, 0, 1, 0, 0, 1, 1), (0, 0, 0, 0, 0, 0, 0, 1))
    after = play(board(((0, 0, 0, 1, 0, 0, 2, 0), (0, 0, 0, 0, 0, 0, 0, 1)), ((1, 0, 0, 0, 0, 0, 0, 0), NONE)), "A7R")
    assert sides(after)[0] == ((0, 0, 0, 1, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1, 1, 0))


SIXTEEN = (((1, 0, 0, 16, 0, 0, 0, 0), NONE), ((0, 0, 0, 0, 0, 0, 0, 1), NONE))


@pytest.mark.parametrize("move", ["A4L", "A4R"])
def test_j6_the_sixteenth_seed_falls_into_the_emptied_origin_and_ends_the_turn(move):
    after = play(board(*SIXTEEN), move)
    assert sides(after)[0] == ((2, 1, 1, 1, 1, 1, 1, 1), (1,) * 8)


def test_j6_skip_origin_leaves_out_the_origin():
    position = board(*SIXTEEN, **OTHERS)
    # A5 holds two, then A7, B8, B6, B4, B2 and A1: each is sown on; three from A1 end in the origin, which is empty.
    assert sides(play(position, "A4R"))[0] == ((0, 2, 2, 1, 0, 2, 0, 2), (2, 0, 2, 0, 2, 0, 2, 0))


def test_j6_skip_origin_in_a_lap_of_two_circuits():
    after = play(board(((0, 0, 0, 32, 0, 0, 0, 0), NONE), SIXTEEN[1], **OTHERS), "A4L")
    # Two in each other hole, then one in A3 and A2; three each go on from A2, B2, B5, B8 and A6, four from A3.
    assert sides(after)[0] == ((4, 1, 0, 1, 3, 0, 3, 3), (4, 1, 3, 3, 0, 3, 3, 0))


# The mtaji turn


def test_a_start_that_captures_with_its_first_lap_must_be_played():
    position = board(((2, 0, 1, 3, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0, 0, 0)), ((1, 0, 0, 0, 0, 1, 0, 0), NONE))
    assert moves(position) == ["A1R"]


def test_it_may_lie_in_the_back_row():
    position = board(((0, 1, 0, 3, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0, 0, 0)), ((1, 0, 0, 0, 0, 0, 1, 0), NONE))
    assert moves(position) == ["B1L"]


@pytest.mark.parametrize(
    ("south", "north", "expected"),
    [
        ((2, 0, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1, 0, 0), "A1R"),  # ends in an empty hole
        ((2, 0, 1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0, 0, 0), "A1L A1R"),  # in a hole that faces an empty one
        ((1, 1, 0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 1, 1, 0), "B2R B2L"),  # a lap of a single seed
    ],
)
def test_a_first_lap_that_does_not_capture(south, north, expected):
    position = board((south, (0, 2, 0, 0, 0, 0, 0, 0)), (north, NONE))
    assert moves(position) == expected.split()


def test_fifteen_seeds_capture():
    position = board(((0, 0, 15, 1, 0, 0, 0, 0), NONE), ((0, 0, 0, 0, 0, 0, 2, 1), NONE))
    assert moves(position) == ["A3L", "A3R"]  # takata: A2, where the lap clockwise ends, is empty
    position = board(((0, 1, 15, 1, 0, 0, 0, 0), NONE), ((0, 0, 0, 0, 0, 0, 2, 1), NONE))
    assert moves(position) == ["A3R"]


def test_j6_eighteen_seeds_do_not():
    position = board(((0, 0, 0, 18, 0, 1, 0, 0), NONE), ((0, 0, 1, 0, 0, 0, 0, 0), NONE))
    assert moves(position) == ["A4L", "A4R"]
    assert sides(play(position, "A4R"))[1] == ((0, 0, 1, 0, 0, 0, 0, 0), NONE)


def test_the_back_row_of_the_opponent_is_safe_and_the_own_seeds_stay():
    after = play(board(((0, 0, 2, 0, 1, 0, 0, 0), NONE), ((1, 0, 0, 2, 0, 0, 0, 0), (1, 1, 5, 1, 1, 1, 1, 1))), "A3R")
    assert sides(after) == (((1, 1, 0, 1, 2, 0, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), (1, 1, 5, 1, 1, 1, 1, 1)))


@pytest.mark.parametrize(
    ("file", "left", "right"),  # where one seed captured by a lap to the left, and to the right, comes in
    [(1, 1, None), (2, 1, 1), (3, 8, 1), (4, 8, 1), (5, 8, 1), (6, 8, 1), (7, 8, 8), (8, None, 8)],
)
def test_the_kichwa_by_the_file_of_the_capture(file, left, right):
    for step, kichwa in ((-1, left), (1, right)):
        start = file - 1 - 2 * step
        if kichwa is None or not 0 <= start < 8:
            continue
        front, other = [0] * 8, [0] * 8
        front[start], front[file - 1] = 2, 1
        other[8 - file] = 1
        position = board((front, NONE), (other, (0, 0, 0, 0, 0, 0, 0, 2)), **TURN_END)
        after = play(position, f"A{start + 1}{'R' if step > 0 else 'L'}")
        expected = list(front)
        expected[start] = 0
        expected[start + step] += 1
        expected[file - 1] += 1
        expected[kichwa - 1] += 1
        if kichwa == file:  # the seed falls into the hole that captured and faces nothing: it is sown on
            continue
        assert list(sides(after)[0][0]) == expected


def test_a_capture_at_a_kimbi_reverses():
    after = play(board(((0, 1, 0, 2, 0, 0, 0, 1), NONE), ((1, 0, 0, 0, 0, 0, 1, 0), NONE)), "A4L")
    assert sides(after) == (((1, 2, 1, 0, 0, 0, 0, 1), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


def test_a_lap_that_comes_later_captures_too():
    # A1 ends in A3, which captures three, sown from A1 to A3; that faces nothing now and is sown on to A6, which captures one.
    after = play(board(((2, 0, 1, 0, 0, 1, 0, 0), NONE), ((1, 0, 1, 0, 0, 3, 0, 0), NONE)), "A1R")
    # Its seed is the second in A1: both are sown.
    assert sides(after) == (((0, 3, 1, 1, 1, 2, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


REVERSED = (((0, 1, 0, 2, 0, 0, 0, 0), NONE), ((1, 0, 0, 0, 0, 1, 3, 0), NONE))


def test_j3_a_capture_in_the_middle_keeps_the_current_direction():
    # A4 captures at A2, which reverses; the three seeds end in A3, which captures one more, in the direction that is clockwise now.
    after = play(board(*REVERSED), "A4L")
    assert sides(after) == (((0, 4, 0, 1, 1, 1, 0, 0), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


def test_j3_first_lap_keeps_the_direction_of_the_first_lap():
    after = play(board(*REVERSED, **OTHERS), "A4L")
    assert sides(after) == (((1, 3, 2, 0, 0, 0, 0, 1), NONE), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))


# The takata turn


def test_takata_starts_from_two_seeds_of_the_front_row():
    position = board(((2, 0, 0, 1, 0, 3, 0, 0), (2, 0, 0, 0, 0, 0, 2, 0)), ((0, 1, 0, 0, 0, 0, 0, 0), NONE))
    assert moves(position) == ["A1L", "A1R", "A6L", "A6R"]


def test_takata_starts_from_the_back_row_if_it_cannot_from_the_front():
    position = board(((1, 0, 0, 1, 0, 0, 0, 0), (0, 2, 1, 0, 0, 0, 4, 0)), ((0, 1, 0, 0, 0, 0, 0, 0), NONE))
    assert moves(position) == ["B7R", "B7L", "B2R", "B2L"]


def test_takata_never_captures():
    # A1 is sown on from A3 and then from A5, which faces a seed.
    after = play(board(((2, 0, 1, 0, 1, 0, 0, 0), NONE), ((0, 0, 0, 1, 0, 0, 0, 0), NONE)), "A1R")
    assert sides(after) == (((0, 1, 0, 1, 0, 1, 1, 0), NONE), ((0, 0, 0, 1, 0, 0, 0, 0), NONE))


@pytest.mark.parametrize("seeds", [2, 9, 16, 17])
@pytest.mark.parametrize(("kichwa", "inwards"), [(0, "A1R"), (7, "A8L")])
def test_j7_a_kichwa_alone_in_the_front_row_is_sown_towards_the_centre(kichwa, inwards, seeds):
    front = [0] * 8
    front[kichwa] = seeds
    assert moves(board((front, (0, 2, 0, 0, 0, 0, 0, 0)), ((0, 1, 0, 0, 0, 0, 0, 0), NONE))) == [inwards]


def test_j7_a_kichwa_that_is_not_alone_may_go_either_way():
    assert moves(board(((2, 0, 0, 1, 0, 0, 0, 0), NONE), ((0, 1, 0, 0, 0, 0, 0, 0), NONE))) == ["A1L", "A1R"]


LONE_KICHWA = (((0, 0, 0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 0, 1, 0)), ((0, 1, 0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0, 0, 0)))


def test_j7_any_lets_it_go_to_the_back_row():
    assert moves(board(*LONE_KICHWA, **DRAW_ANY)) == ["A8L", "A8R"]


# End


def test_j8_immediate_who_empties_his_own_front_row_has_lost_at_once():
    after = play(board(*LONE_KICHWA, **DRAW_ANY), "A8R")
    assert sides(after)[0] == (NONE, (0, 0, 0, 0, 0, 0, 2, 1))  # B7 is not sown on
    assert (after.end_reason, after.returns) == ("front_row", (-1, 1))


def test_j8_turn_end_the_turn_is_played_to_its_end_first():
    after = play(board(*LONE_KICHWA, **TURN_END), "A8R")
    assert sides(after)[0] == (NONE, (0, 0, 0, 0, 1, 1, 0, 1))
    assert (after.end_reason, after.returns) == ("front_row", (-1, 1))


LAST_CAPTURE = (((2, 0, 1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 2, 0)), ((0, 0, 0, 0, 0, 4, 0, 0), (9, 0, 0, 0, 0, 0, 0, 9)))


def test_j8_immediate_who_captures_all_of_the_front_row_has_won_and_the_seeds_stay_in_hand():
    after = play(board(*LAST_CAPTURE), "A1R")
    assert sides(after) == (((0, 1, 2, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 2, 0)), (NONE, (9, 0, 0, 0, 0, 0, 0, 9)))
    assert (after.pending, after.end_reason, after.returns) == (4, "front_row", (1, -1))
    assert after.rules.parse(str(after)) == after


def test_j8_turn_end_sows_them():
    after = play(board(*LAST_CAPTURE, **TURN_END), "A1R")
    assert sides(after)[0] == ((1, 2, 3, 1, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 2, 0))
    assert (after.pending, after.end_reason, after.returns) == (0, "front_row", (1, -1))


def test_a_player_whose_front_row_is_empty_on_his_turn_has_lost():
    position = board((NONE, (2,) * 8), ((1, 0, 0, 0, 0, 0, 0, 0), NONE))
    assert (position.end_reason, position.returns) == ("front_row", (-1, 1))


def test_if_both_are_empty_it_is_the_player_who_moved():
    position = board((NONE, (2,) * 8), (NONE, (2,) * 8))
    assert (position.end_reason, position.returns) == ("front_row", (1, -1))


def test_a_player_without_a_hole_of_two_has_lost():
    position = board(((1, 1, 1, 1, 0, 0, 0, 0), (1,) * 8), ((0, 0, 0, 0, 0, 0, 0, 5), NONE))
    assert (position.end_reason, position.returns) == ("no_moves", (-1, 1))
    after = play(board(((3, 1, 1, 1, 0, 0, 0, 0), NONE), ((1, 1, 0, 0, 0, 0, 0, 0), NONE)), "A1L")
    assert (after.end_reason, after.returns) == ("no_moves", (1, -1))


def test_the_ply_limit_truncates():
    after = play(make_rules("bao_kujifunza", max_plies=1).position(), "A1R")
    assert (after.ply, after.end_reason, after.returns) == (1, "max_plies", (0, 0))


def test_an_end_by_rule_at_the_ply_limit_is_no_truncation():
    after = play(board(*LAST_CAPTURE, max_plies=1), "A1R")
    assert (after.ply, after.end_reason, after.returns) == (1, "front_row", (1, -1))


# Repetition: two seeds and one walk round each ring, a lap of two at a time, and are back after 28 plies

WALK = (((0, 1, 0, 0, 0, 0, 0, 0), (0, 0, 1, 2, 0, 0, 0, 0)), ((1, 0, 0, 0, 0, 0, 0, 0), (0, 2, 1, 0, 0, 0, 0, 0)))
ROUND = [25, 28, 27, 26, 29, 24, 31, 22, 1, 20, 7, 18, 9, 16, 11, 14, 13, 12, 15, 10, 17, 8, 19, 6, 21, 4, 23, 2]


def walk(actions, **options):
    position = board(*WALK, **options)
    for action in actions:
        assert not position.is_over
        position = position.play(action)
    return position


def test_j9_off_a_position_may_come_back():
    after = walk(ROUND * 3)
    assert (sides(after), after.is_over) == (WALK, False)


def test_j9_draw_the_third_occurrence_is_a_draw():
    assert not walk(ROUND * 1, **OTHERS).is_over
    after = walk(ROUND * 2, **OTHERS)
    assert (sides(after), after.end_reason, after.returns) == (WALK, "cycle", (0, 0))


def test_j9_captures_can_be_undone_so_every_ply_is_quiet():
    after = play(make_rules("bao_kujifunza").position(), "A1R", "a3R")
    assert after.state[QUIET] == 2


# Endless turns

ENDLESS = (((2, 1, 3, 1, 0, 1, 0, 1), (1, 2, 1, 0, 1, 0, 1, 0)), ((0, 0, 0, 1, 0, 0, 0, 0), (0, 0, 2, 0, 0, 0, 0, 0)))


def test_j11_illegal_an_endless_start_is_masked():
    assert moves(board(*ENDLESS)) == ["A1L", "A1R"]  # A3 would go on for ever either way


def test_j11_draw():
    after = play(board(*ENDLESS, **DRAW_ANY), "A3R")
    assert (sides(after), after.end_reason, after.returns) == (ENDLESS, "endless_turn", (0, 0))


def test_j11_loss():
    after = play(board(*ENDLESS, **TURN_END), "A3R")
    assert (sides(after), after.end_reason, after.returns) == (ENDLESS, "endless_turn", (-1, 1))


LAPS_1000 = (((0, 3, 0, 1, 0, 4, 5, 0), (1, 8, 1, 4, 1, 0, 7, 6)), ((2, 0, 0, 0, 0, 0, 0, 0), NONE))
LAPS_1001 = (((0, 3, 0, 1, 2, 3, 4, 0), (1, 8, 1, 4, 1, 0, 7, 6)), ((2, 0, 0, 0, 0, 0, 0, 0), NONE))


def laps(south, hole, step):
    """How many laps a takata turn takes."""
    holes, count = ring(south), 0
    while count == 0 or holes[hole] > 1:
        in_hand, holes[hole] = holes[hole], 0
        for _ in range(in_hand):
            hole = (hole + step) % 16
            holes[hole] += 1
        count += 1
    return count


def test_j11_a_turn_of_1000_laps_is_not_endless_one_of_1001_is():
    assert (laps(LAPS_1000[0], 6, 1), laps(LAPS_1001[0], 4, 1)) == (1000, 1001)
    assert "A7R" in moves(board(*LAPS_1000))
    assert "A5R" not in moves(board(*LAPS_1001))
    assert not play(board(*LAPS_1000, **DRAW_ANY), "A7R").is_over
    assert play(board(*LAPS_1001, **DRAW_ANY), "A5R").end_reason == "endless_turn"


# A ring that is the same in both directions, with one start in the front row.
BOTH_ENDLESS = (((1, 0, 1, 5, 1, 0, 1, 0), (0, 1, 6, 5, 0, 5, 6, 1)), ((0, 0, 0, 0, 0, 0, 2, 0), NONE))


def test_j11_with_no_finite_start_in_the_front_row_the_mover_has_lost_whatever_the_back_row_holds():
    position = board(*BOTH_ENDLESS)
    assert (position.end_reason, position.returns) == ("no_moves", (-1, 1))
    assert moves(board(*BOTH_ENDLESS, **DRAW_ANY)) == ["A4L", "A4R"]


WON = (((4, 1, 1, 0, 3, 2, 1, 3), (2, 3, 1, 4, 1, 2, 5, 2)), ((0, 0, 0, 0, 0, 0, 1, 0), NONE))


def test_j8_turn_end_a_won_turn_that_would_go_on_for_ever_is_won():
    after = play(board(*WON, **TURN_END), "B2L")
    assert (sides(after), after.end_reason, after.returns) == (WON, "front_row", (1, -1))
    after = play(board(*WON), "B2L")
    assert (after.pending, after.end_reason, after.returns) == (1, "front_row", (1, -1))


# Takasia

BLOCKING = (
    ((0, 2, 0, 0, 0, 0, 2, 0), (0, 0, 2, 2, 0, 2, 6, 4)),
    ((1, 0, 1, 2, 10, 0, 0, 10), (2, 2, 8, 4, 1, 2, 1, 0)),
)


def test_j10_there_is_no_takasia():
    after = play(board(*BLOCKING), "A7L")
    assert "a4R" in moves(after)
    assert "blocked" not in after.rules.fields


def test_j10_takasia_blocks():
    after = play(board(*BLOCKING, **OTHERS), "A7L")
    assert after.blocked == 4
    assert moves(after) == ["a5L", "a5R", "a8L", "a8R"]
    assert play(after, "a5R").blocked == 0


# States


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"holes": [3] * 32}, "96 seeds: the game has 64"),
        ({"pending": 1, "holes": [1] * 32}, "pending=1: captured seeds wait only where a front row is empty and the game is over"),
        ({"blocked": 1}, "blocked=1 is not accepted here: 0"),
        ({"blocked": 17}, "blocked=17 is not accepted here: 0"),
        ({"stores": (1, 1)}, "bao_kujifunza has no stores"),
        ({"hands": (1, 1)}, "a position of bao_kujifunza has no 'hands'; it has holes, blocked, pending"),
    ],
)
def test_positions_that_cannot_be_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        make_rules("bao_kujifunza", **OTHERS).position(**change)


def test_captured_seeds_do_not_wait_where_they_are_always_sown():
    with pytest.raises(ValueError, match="pending=4"):
        make_rules("bao_kujifunza", **TURN_END).position(holes=ring(LAST_CAPTURE[0]) + [0] * 16, pending=4)


def test_an_observation_shows_the_own_holes_first():
    position = board(((2, 0, 1, 0, 0, 0, 0, 4), (0, 0, 0, 0, 0, 0, 0, 8)), ((0, 0, 0, 16, 0, 0, 0, 0), NONE))
    south = np.array([2, 0, 1, 0, 0, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0]) / 64
    north = np.array([0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) / 64
    assert position.observe(0).tolist() == [*south, *north]
    assert position.observe(1).tolist() == [*north, *south]


def test_an_observation_shows_the_blocked_hole_and_quiet_plies():
    rules = make_rules("bao_kujifunza", **OTHERS)
    after = play(rules.position(holes=ring(BLOCKING[0]) + ring(BLOCKING[1])), "A7L")
    own, other = after.observe(1)[32:], after.observe(0)[32:]
    assert np.flatnonzero(own).tolist() == [3, 16]
    assert np.flatnonzero(other).tolist() == [8 + 3, 16]
    assert own[16] == other[16] == np.float32(0.01)


@settings(max_examples=30, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_either_all_moves_capture_or_none_and_nobody_empties_his_own_front_row(random):
    position = make_rules("bao_kujifunza").position()
    while not position.is_over:
        mover = position.to_move
        afters = [position.play(action) for action in position.legal_actions()]
        kept = [sum(sides(after)[1 - mover][0]) == sum(sides(position)[1 - mover][0]) for after in afters]
        assert len(set(kept)) == 1
        assert all(any(sides(after)[mover][0]) for after in afters)
        assert all(sides(after)[1 - mover][1] == sides(position)[1 - mover][1] for after in afters)
        position = random.choice(afters)


@pytest.mark.parametrize("options", [{}, TURN_END, OTHERS])
def test_the_contract_is_kept(options):
    check_ruleset(make_rules("bao_kujifunza", **options), games=20)


def test_the_environment():
    check_env(mancala_envs.make("bao_kujifunza"))
