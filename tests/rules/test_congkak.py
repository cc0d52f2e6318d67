"""The rules of Congkak, one a test, each on a board that shows it.

Boards are written South | North, each row from its owner's left. Sowing clockwise, a player's store lies at his left.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.rules.contract import QUIET
from mancala_envs.testing import check_env, check_ruleset

NONE = [0, 0, 0, 0, 0, 0, 0]
DAKON = {"direction": "ccw", "no_move": "pass", "empty_opposite": "leave"}


def board(south, north, stores=(0, 0), to_move=0, **options):
    return make_rules("congkak", **options).position(holes=south + north, stores=stores, to_move=to_move)


def match(south, north, stores=(0, 0), to_move=0, extras=None, **options):
    return make_rules("congkak_match", **options).position(holes=south + north, stores=stores, to_move=to_move, **(extras or {}))


def rows(position):
    houses = len(position.holes) // 2
    return list(position.holes[:houses]), list(position.holes[houses:])


ROUND_DEFAULTS = {"houses": 7, "seeds": 7, "direction": "cw", "no_move": "end_round", "empty_opposite": "bank"}


def test_the_defaults():
    assert make_rules("congkak").options == {**ROUND_DEFAULTS, "max_plies": 1000}
    assert make_rules("congkak_match").options == {**ROUND_DEFAULTS, "min_holes": 1, "max_rounds": 20, "max_plies": 5000}


def test_the_titles():
    assert make_rules("congkak").title == "Congkak (one round)"
    assert make_rules("congkak_match").title == "Congkak (match)"


@pytest.mark.parametrize("ruleset", ["congkak", "congkak_match"])
def test_c1_south_opens_with_any_of_seven_houses_of_seven_seeds(ruleset):
    opening = make_rules(ruleset).position()
    assert rows(opening) == ([7] * 7, [7] * 7)
    assert (opening.stores, opening.to_move, opening.legal_actions()) == ((0, 0), 0, [0, 1, 2, 3, 4, 5, 6])


def test_an_empty_house_cannot_be_sown():
    assert board([0, 1, 0, 0, 2, 0, 0], [7] * 7).legal_actions() == [1, 4]


# Sowing


def test_souths_seeds_go_to_his_left_into_his_store_and_on_into_norths_row():
    after = board([0, 0, 4, 0, 0, 0, 0], [*NONE[:5], 1, 0]).play(2)
    assert rows(after) == ([1, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_norths_seeds_go_to_his_left_into_his_store_and_on_into_souths_row():
    after = board([*NONE[:5], 1, 0], [0, 0, 4, 0, 0, 0, 0], to_move=1).play(2)
    assert rows(after) == ([0, 0, 0, 0, 0, 1, 1], [1, 1, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((0, 1), 0)


def test_direction_ccw_seeds_go_to_the_right_where_the_store_is():
    after = board([0, 0, 0, 0, 4, 0, 0], [0, 1, 0, 0, 0, 0, 0], direction="ccw").play(4)
    assert rows(after) == ([0, 0, 0, 0, 0, 1, 1], [1, 1, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_the_opponents_store_is_skipped():
    after = board([9, 0, 0, 0, 0, 0, 1], [1] * 7).play(0)  # into South's last house, and from there into two more of his
    assert rows(after) == ([0, 0, 0, 0, 0, 1, 0], [2, 2, 0, 2, 2, 2, 2])
    assert after.stores == (1 + 1 + 2, 0)


def test_a_last_seed_in_the_own_store_gives_another_turn_from_any_house():
    after = make_rules("congkak").position().play(6)
    assert rows(after) == ([8, 8, 8, 8, 8, 8, 0], [7] * 7)
    assert (after.stores, after.to_move, after.ply) == ((1, 0), 0, 1)
    assert after.legal_actions() == [0, 1, 2, 3, 4, 5]


def test_north_too_gets_another_turn():
    after = board([7] * 7, [7] * 7, to_move=1).play(6)
    assert (after.stores, after.to_move) == ((0, 1), 1)


def test_a_last_seed_in_an_own_house_with_seeds_is_lifted_with_them_and_sown_on():
    after = board([2, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]).play(1)
    assert rows(after) == (NONE, [1, 0, 0, 0, 0, 1, 1])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_a_last_seed_in_a_house_of_the_opponent_with_seeds_is_sown_on_too():
    after = board([2, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1]).play(0)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 0])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_a_last_seed_in_an_empty_house_of_the_opponent_stays():
    after = board([2, 0, 0, 0, 0, 0, 5], [1, 0, 0, 0, 0, 0, 0]).play(0)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 5], [1, 0, 0, 0, 0, 0, 1])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_the_origin_is_sown_so_fifteen_seeds_end_in_it_and_capture():
    after = board([0, 0, 15, 0, 0, 0, 0], [1] * 7).play(2)
    assert rows(after) == ([1, 1, 0, 1, 1, 1, 1], [2, 2, 2, 2, 0, 2, 2])
    assert (after.stores, after.to_move) == ((1 + 1 + 2, 0), 1)


def test_a_later_lap_of_fifteen_that_ends_in_the_opponents_emptied_house_leaves_the_seed_there():
    after = board([2, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 14]).play(0)
    assert rows(after) == ([1] * 7, [2, 2, 2, 2, 2, 2, 1])
    assert (after.stores, after.to_move) == ((1 + 1, 0), 1)


def test_two_circuits_sow_the_store_twice():
    after = board([31, 0, 0, 0, 0, 0, 0], [1] * 7).play(0)  # two circuits and the store
    assert rows(after) == ([2] * 7, [3] * 7)
    assert (after.stores, after.to_move) == ((3, 0), 0)


@settings(max_examples=60, deadline=None)
@given(
    ruleset=st.sampled_from(["congkak", "congkak_match"]),
    holes=st.lists(st.integers(0, 7), min_size=14, max_size=14),
    to_move=st.integers(0, 1),
    burnt=st.sets(st.sampled_from([place for place in range(14) if place % 7 > 0]), max_size=6),
)
def test_counter_clockwise_is_the_mirror_image_of_clockwise(ruleset, holes, to_move, burnt):
    burnt = [int(hole in burnt and ruleset == "congkak_match") for hole in range(14)]
    holes = [0 if burnt[hole] else holes[hole] for hole in range(14)]

    def mirrored(values):
        return [*values[6::-1], *values[:6:-1]]

    def set_up(direction, holes, burnt):
        extras = {"burnt": burnt} if ruleset == "congkak_match" else {}
        return make_rules(ruleset, direction=direction).position(holes=holes, to_move=to_move, **extras)

    one, other = set_up("cw", holes, burnt), set_up("ccw", mirrored(holes), mirrored(burnt))
    assert one.is_over == other.is_over
    assert one.legal_actions() == sorted(6 - action for action in other.legal_actions())
    for action in one.legal_actions():
        after, image = one.play(action), other.play(6 - action)
        assert list(after.holes) == mirrored(image.holes)
        assert (after.stores, after.to_move, after.end_reason) == (image.stores, image.to_move, image.end_reason)


@settings(max_examples=60, deadline=None)
@given(holes=st.lists(st.integers(0, 7), min_size=14, max_size=14), stores=st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_both_players_play_by_the_same_rules(holes, stores):
    extras = {"burnt": [int(seeds == 0 and place % 7 > 0) for place, seeds in enumerate(holes)], "round": 3}
    south = match(holes[:7], holes[7:], stores, 0, {**extras, "starter": 0})
    extras["burnt"] = extras["burnt"][7:] + extras["burnt"][:7]
    north = match(holes[7:], holes[:7], stores[::-1], 1, {**extras, "starter": 1})
    assert (south.observe(0) == north.observe(1)).all()
    assert (south.observe(1) == north.observe(0)).all()
    assert south.legal_actions() == north.legal_actions()
    for action in south.legal_actions():
        one, other = south.play(action), north.play(action)
        assert rows(one) == rows(other)[::-1]
        assert (one.stores, one.returns) == (other.stores[::-1], other.returns[::-1])
        assert one.is_over or one.to_move != other.to_move
        assert (one.observe(0) == other.observe(1)).all()


# Capture


def test_c4_a_last_seed_in_an_empty_own_house_is_banked_with_the_seeds_opposite():
    after = board([0, 1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 5]).play(1)  # c5: no circuit is needed first
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((6, 0), 1)


def test_north_captures_into_his_own_store():
    after = board([1, 0, 0, 0, 0, 0, 5], [0, 1, 0, 0, 0, 0, 1], to_move=1).play(1)
    assert rows(after) == ([1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1])
    assert (after.stores, after.to_move) == ((0, 6), 0)


def test_a_later_lap_captures_too():
    after = board([0, 0, 1, 1, 0, 0, 1], [3, 0, 0, 0, 0, 0, 4]).play(3)
    assert rows(after) == ([0, 1, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 0])
    assert after.stores == (5, 0)


NOTHING_OPPOSITE = ([0, 1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0])


def test_c3_with_nothing_opposite_the_last_seed_is_banked():
    after = board(*NOTHING_OPPOSITE).play(1)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_c3_empty_opposite_leave_the_last_seed_stays():
    after = board(*NOTHING_OPPOSITE, empty_opposite="leave").play(1)
    assert rows(after) == ([1, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((0, 0), 1)


def test_c3_leave_captures_what_lies_opposite_all_the_same():
    after = board([0, 1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 5], empty_opposite="leave").play(1)
    assert (after.stores, after.to_move) == ((6, 0), 1)


# End of the round

OPPONENT_EMPTY = ([0, 0, 1, 0, 0, 0, 2], NONE)
MOVER_EMPTY = ([1, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0])


def test_c6_a_player_to_move_without_seeds_ends_the_round_and_the_rest_goes_to_his_opponent():
    after = board(*OPPONENT_EMPTY).play(2)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((1 + 2, 0), "no_moves", (1, -1))


def test_c6_he_ends_it_also_when_he_would_move_again():
    after = board(*MOVER_EMPTY).play(0)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((1, 2), "no_moves", (-1, 1))


def test_c6_pass_the_player_without_seeds_is_passed_over():
    after = board(*OPPONENT_EMPTY, no_move="pass").play(2)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 2], NONE)
    assert (after.stores, after.to_move, after.is_over, after.ply) == ((1, 0), 0, False, 1)


def test_c6_pass_he_is_passed_over_also_when_he_would_move_again():
    after = board(*MOVER_EMPTY, no_move="pass").play(0)
    assert rows(after) == (NONE, [2, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move, after.is_over) == ((1, 0), 1, False)


def test_c6_pass_the_round_ends_when_both_rows_are_empty():
    after = board([1, 0, 0, 0, 0, 0, 0], NONE, stores=(3, 7), no_move="pass").play(0)
    assert (after.stores, after.end_reason, after.returns) == ((4, 7), "no_moves", (-1, 1))


def test_c6_a_position_set_up_is_settled_too():
    assert board(NONE, [1, 0, 0, 0, 0, 0, 0]).stores == (0, 1)
    assert board(NONE, [1, 0, 0, 0, 0, 0, 0], no_move="pass").to_move == 1
    assert board(NONE, NONE, no_move="pass").end_reason == "no_moves"


def test_the_opponents_empty_row_does_not_end_the_round():
    assert not board([1, 0, 1, 0, 0, 0, 0], NONE).play(0).is_over


def test_equal_totals_are_a_draw():
    after = board(*OPPONENT_EMPTY, stores=(45, 48)).play(2)
    assert (after.stores, after.end_reason, after.returns, after.margin) == ((48, 48), "no_moves", (0, 0), 0)


def test_a_majority_does_not_end_the_round():
    assert not board([1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], stores=(90, 4)).play(0).is_over


def test_the_ply_limit_truncates():
    after = make_rules("congkak", max_plies=2).position().play(6).play(5)
    assert (after.ply, after.end_reason, after.returns) == (2, "max_plies", (0, 0))


def test_an_end_by_the_rules_goes_before_the_ply_limit():
    position = make_rules("congkak", max_plies=2).position(holes=[1, 1, 0, 0, 0, 0, 0, *NONE])
    assert position.play(0).play(1).end_reason == "no_moves"


def test_quiet_plies_are_those_that_bank_nothing():
    quiet = board([0, 0, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0, 2], empty_opposite="leave").play(6)
    assert [position.state[QUIET] for position in (quiet, quiet.play(6), quiet.play(0))] == [1, 2, 0]


# No turn is endless


def test_a_turn_of_151_laps():
    """Every circuit banks a seed, so that no turn is endless."""
    south, north = [2, 25, 32, 9, 3, 30, 13, 1, 15], [1, 6, 18, 1, 0, 1, 0, 1, 4]
    after = board(south, north, (0, 0), 0, houses=9, seeds=9).play(4)
    assert rows(after) == ([0, 15, 10, 17, 0, 1, 0, 3, 4], [7, 6, 3, 6, 9, 10, 0, 1, 0])
    assert (after.stores, after.to_move) == ((70, 0), 1)


# The match: a round ends and the next begins


def next_round(south, north, starter=0, number=0, **options):
    """After a round in which South's store has come to hold `south` seeds and North's `north`; South banks the last one."""
    position = match([1, 0, 0, 0, 0, 0, 0], NONE, (south - 1, north), 0, {"starter": starter, "round": number}, **options)
    return position.play(0)


def test_c7_houses_are_filled_from_the_own_store_outwards():
    after = next_round(30, 68)
    assert rows(after) == ([7, 7, 7, 7, 0, 0, 0], [7] * 7)
    assert (after.burnt, after.stores, after.round) == ((0, 0, 0, 0, 1, 1, 1) + (0,) * 7, (2, 19), 1)


def test_c7_norths_too():
    after = next_round(81, 17)
    assert rows(after) == ([7] * 7, [7, 7, 0, 0, 0, 0, 0])
    assert (after.burnt, after.stores) == ((0,) * 7 + (0, 0, 1, 1, 1, 1, 1), (32, 3))


def test_c7_with_the_store_at_the_right_they_are_filled_from_the_right():
    position = match([*NONE[:6], 1], NONE, (29, 68), direction="ccw")
    after = position.play(6)
    assert rows(after) == ([0, 0, 0, 7, 7, 7, 7], [7] * 7)
    assert after.burnt == (1, 1, 1, 0, 0, 0, 0) + (0,) * 7


def test_the_rest_of_a_round_counts_for_the_next():
    after = match(*MOVER_EMPTY, stores=(44, 51)).play(0)
    assert rows(after) == ([7, 7, 7, 7, 7, 7, 0], [7] * 7)
    assert (after.stores, after.round) == ((45 - 42, 53 - 49), 1)


def test_no_move_pass_holds_in_the_match_too():
    playing = match(*MOVER_EMPTY, stores=(44, 51), no_move="pass").play(0)
    assert (playing.round, playing.to_move, rows(playing)) == (0, 1, (NONE, [2, 0, 0, 0, 0, 0, 0]))


def test_burnt_houses_are_filled_again_when_the_store_allows():
    burnt = (0, 0, 0, 0, 0, 1, 1) + (0,) * 7
    after = match([1, 0, 0, 0, 0, 0, 0], NONE, (48, 49), extras={"burnt": burnt, "round": 4}).play(0)
    assert (after.burnt, after.holes, after.round) == ((0,) * 14, (7,) * 14, 5)


def test_a_new_round_cannot_be_undone():
    after = match([0, 0, 0, 0, 0, 0, 2], NONE, (47, 49), empty_opposite="leave").play(6)  # a ply that itself banks nothing
    assert (after.round, after.state[QUIET]) == (1, 0)


def test_a_burnt_house_is_not_sown():
    extras = {"burnt": (0,) * 7 + (0, 0, 0, 0, 0, 1, 1)}
    after = match([3, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], extras=extras).play(0)
    assert rows(after) == (NONE, [1, 0, 0, 1, 1, 0, 0])
    assert (after.stores, after.burnt) == ((1, 0), extras["burnt"])


def test_nor_when_it_is_ones_own():
    extras = {"burnt": (0, 1, 1, 0, 0, 0, 0) + (0,) * 7}
    after = match([1, 0, 0, 2, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], extras=extras).play(3)
    assert rows(after) == ([2, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 0)


def test_a_lap_round_burnt_houses_ends_in_the_origin_sooner():
    extras = {"burnt": (0, 0, 0, 0, 1, 1, 1) + (0,) * 7}
    after = match([0, 0, 12, 0, 0, 0, 0], [1] * 7, extras=extras).play(2)  # twelve places
    assert rows(after) == ([1, 1, 0, 1, 0, 0, 0], [2, 2, 2, 2, 0, 2, 2])
    assert after.stores == (1 + 1 + 2, 0)


def test_a_burnt_house_is_not_played():
    assert next_round(30, 68).legal_actions() == [0, 1, 2, 3]


BURNT_OPPOSITE = ([0, 1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0], (0, 0), 0, {"burnt": NONE + NONE[:6] + [1]})


def test_a_burnt_house_opposite_counts_as_empty():
    assert match(*BURNT_OPPOSITE).play(1).stores == (1, 0)


def test_a_burnt_house_opposite_counts_as_empty_with_leave_too():
    after = match(*BURNT_OPPOSITE, empty_opposite="leave").play(1)
    assert (rows(after)[0], after.stores) == ([1, 0, 0, 0, 0, 0, 1], (0, 0))


@pytest.mark.parametrize("starter", [0, 1])
def test_c8_the_loser_of_the_round_opens_the_next(starter):
    south_loses, north_loses = next_round(48, 50, starter), next_round(50, 48, starter)
    assert (south_loses.to_move, south_loses.starter) == (0, 0)
    assert (north_loses.to_move, north_loses.starter) == (1, 1)


@pytest.mark.parametrize("starter", [0, 1])
def test_c8_after_an_equal_round_the_same_player_opens_again(starter):
    after = next_round(49, 49, starter)
    assert (after.to_move, after.starter, after.round) == (starter, starter, 1)


def test_c8_the_first_round_is_opened_by_south():
    opening = make_rules("congkak_match").position()
    assert (opening.to_move, opening.starter, opening.round, opening.burnt) == (0, 0, 0, (0,) * 14)


def test_who_opened_the_last_round_does_not_matter():
    positions = [match([1] * 7, [1] * 7, extras={"round": 19, "starter": starter}) for starter in (0, 1)]
    assert positions[0] == positions[1]
    assert next_round(50, 48, number=18).starter == 0


# The match: its end


def test_c11_a_player_who_cannot_fill_a_house_loses():
    after = next_round(92, 6)
    assert (after.end_reason, after.stores, after.returns) == ("no_moves", (92, 6), (1, -1))
    assert rows(after) == (NONE, NONE)
    assert next_round(6, 92).returns == (-1, 1)


def test_c11_who_can_fill_one_plays_on():
    after = next_round(91, 7)
    assert rows(after) == ([7] * 7, [7, 0, 0, 0, 0, 0, 0])
    assert (after.is_over, after.stores, after.to_move) == (False, (42, 0), 1)


def test_c11_min_holes_a_player_who_cannot_fill_so_many_loses():
    assert not next_round(70, 28, min_holes=4).is_over
    after = next_round(71, 27, min_holes=4)
    assert (after.end_reason, after.stores, after.returns) == ("no_moves", (71, 27), (1, -1))


def test_c11_after_max_rounds_the_larger_total_wins():
    assert not next_round(30, 68, number=18).is_over
    after = next_round(30, 68, number=19)
    assert (after.end_reason, after.stores, after.returns, after.round) == ("max_rounds", (30, 68), (-1, 1), 19)


def test_c11_equal_totals_after_max_rounds_are_a_draw():
    after = next_round(49, 49, number=2, max_rounds=3)
    assert (after.end_reason, after.returns) == ("max_rounds", (0, 0))


def test_c11_where_both_happen_the_unfilled_house_is_the_reason():
    assert next_round(92, 6, number=19).end_reason == "no_moves"


def test_a_match_of_one_round():
    rules = make_rules("congkak_match", max_rounds=1)
    after = rules.position(holes=[1, *NONE[1:], *NONE], stores=(57, 40)).play(0)
    assert (after.end_reason, after.stores, after.returns) == ("max_rounds", (58, 40), (1, -1))


def test_with_too_few_seeds_for_anybody_the_larger_total_wins():
    assert match([1, 0, 0, 0, 0, 0, 0], NONE, (3, 2)).play(0).returns == (1, -1)
    assert match([1, 0, 0, 0, 0, 0, 0], NONE, (2, 3)).play(0).returns == (0, 0)


def test_the_ply_limit_truncates_a_match_at_the_beginning_of_a_round():
    rules = make_rules("congkak_match", max_plies=1)
    assert rules.position(holes=[1, *NONE[1:], *NONE], stores=(57, 40)).play(0).end_reason == "max_plies"
    assert rules.position(holes=[1, *NONE[1:], *NONE], stores=(91, 6)).play(0).end_reason == "no_moves"


# What is observed, refused, and how large it may be


def test_a_match_is_observed_with_burnt_houses_the_round_and_who_opened_it():
    seen = next_round(30, 68, number=4).observe(1)
    seeds = np.array([7] * 7 + [7, 7, 7, 7, 0, 0, 0] + [19, 2]) / 98
    assert seen == pytest.approx([*seeds, *[0] * 7, 0, 0, 0, 0, 1, 1, 1, 5 / 20, 0])
    assert next_round(30, 68).observe(0)[-1] == 1


def test_in_the_last_round_it_is_not_observed_who_opened_it():
    last = next_round(30, 68, number=18)
    assert [last.observe(player)[-1] for player in (0, 1)] == [0, 0]


@pytest.mark.parametrize(
    ("extras", "message"),
    [
        ({"burnt": [1] + [0] * 13}, "hole 0 is burnt and holds 7 seeds"),
        ({"burnt": [2] + [0] * 13}, r"burnt=\[2, 0, .*each is 0 or 1"),
        ({"burnt": [0] * 7}, "14 numbers"),
        ({"round": 20}, "round=20 is not accepted: 0 to 19"),
        ({"starter": 2}, "starter=2 is not accepted: 0"),
        ({"stores": (1, 0)}, "99 seeds in the holes and stores: the game has 98"),
    ],
)
def test_positions_that_cannot_be_are_refused(extras, message):
    with pytest.raises(ValueError, match=message):
        make_rules("congkak_match").position(**extras)


@pytest.mark.parametrize(("min_holes", "unburnt"), [(1, 0), (4, 3)])
def test_a_player_with_fewer_than_min_holes_unburnt_houses_has_lost_already(min_holes, unburnt):
    burnt = [0] * 7 + [0] * unburnt + [1] * (7 - unburnt)
    with pytest.raises(ValueError, match=f"North has {unburnt} unburnt houses: with fewer than {min_holes} the match is lost"):
        match([7] * 7, [0] * 7, (0, 49), extras={"burnt": burnt}, min_holes=min_holes)


def test_a_single_round_has_no_burnt_houses():
    with pytest.raises(ValueError, match="no 'burnt'"):
        make_rules("congkak").position(burnt=[0] * 14)


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="min_holes=6 is not accepted with houses=5"):
        make_rules("congkak_match", houses=5, min_holes=6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("houses", 4), ("houses", 10), ("seeds", 2), ("seeds", 10), ("min_holes", 0), ("max_rounds", 0), ("direction", "left")],
)
def test_options_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r} is not accepted"):
        make_rules("congkak_match", **{name: value})


def test_the_match_alone_has_its_options():
    with pytest.raises(ValueError, match="no option 'min_holes'"):
        make_rules("congkak", min_holes=1)


def test_the_smallest_board():
    after = make_rules("congkak", houses=5, seeds=3).position().play(2)
    assert rows(after) == ([4, 4, 0, 3, 3], [3] * 5)
    assert (after.stores, after.to_move) == ((1, 0), 0)


def test_the_largest_board():
    opening = make_rules("congkak", houses=9, seeds=9).position()
    assert sum(opening.holes) == 162
    after = opening.play(8)
    assert rows(after) == ([10] * 8 + [0], [9] * 9)
    assert (after.stores, after.to_move) == ((1, 0), 0)


def test_min_holes_may_be_all():
    rules = make_rules("congkak_match", houses=5, seeds=3, min_holes=5, max_rounds=3)
    assert not rules.position(holes=[1, 0, 0, 0, 0] + [0] * 5, stores=(14, 15)).play(0).is_over
    assert rules.position(holes=[1, 0, 0, 0, 0] + [0] * 5, stores=(15, 14)).play(0).end_reason == "no_moves"


# Always


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("congkak", {}),
        ("congkak", DAKON),
        ("congkak", {"houses": 5, "seeds": 3}),
        ("congkak", {"houses": 9, "seeds": 9}),
        ("congkak_match", {"max_rounds": 3}),
        ("congkak_match", {"houses": 5, "seeds": 3, "min_holes": 5, "max_rounds": 3}),
        ("congkak_match", {**DAKON, "min_holes": 4, "max_rounds": 3}),
    ],
)
def test_conformance(ruleset, options):
    check_ruleset(make_rules(ruleset, **options), games=20)


def test_conformance_of_a_whole_match():
    check_ruleset("congkak_match", games=2)


@pytest.mark.parametrize("ruleset", ["congkak", "congkak_match"])
def test_conformance_of_the_environment(ruleset):
    check_env(mancala_envs.make(ruleset), games=3)
