"""The rules of Kalah, one a test, each on a board that shows it.

Boards are written South | North, each row from its owner's left.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_rules
from mancala_envs.rules.contract import QUIET

NONE = [0, 0, 0, 0, 0, 0]


def board(south, north, stores=(0, 0), to_move=0, **options):
    return make_rules("kalah", **options).position(holes=south + north, stores=stores, to_move=to_move)


def rows(position):
    houses = len(position.holes) // 2
    return list(position.holes[:houses]), list(position.holes[houses:])


def test_the_defaults():
    assert make_rules("kalah").options == {
        "houses": 6,
        "seeds": 4,
        "skip_origin": False,
        "empty_capture": False,
        "end_test": "either",
        "stop_at_majority": False,
        "max_plies": 1000,
    }


# Sowing


def test_the_own_store_is_sown():
    after = make_rules("kalah").position().play(4)
    assert rows(after) == ([4, 4, 4, 4, 0, 5], [5, 5, 4, 4, 4, 4])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_north_sows_into_his_own_store_and_on_into_souths_row():
    after = board([4] * 6, [4] * 6, to_move=1).play(4)
    assert rows(after) == ([5, 5, 4, 4, 4, 4], [4, 4, 4, 4, 0, 5])
    assert (after.stores, after.to_move) == ((0, 1), 0)


def test_the_opponents_store_is_skipped():
    after = board([1, 0, 0, 0, 0, 8], [3, 0, 0, 0, 0, 0]).play(5)
    assert rows(after) == ([2, 0, 0, 0, 0, 0], [4, 1, 1, 1, 1, 1])
    assert after.stores == (1, 0)


def test_a_last_seed_in_the_own_store_gives_another_turn():
    after = make_rules("kalah").position().play(2)
    assert rows(after) == ([4, 4, 0, 5, 5, 5], [4] * 6)
    assert (after.stores, after.to_move, after.ply) == ((1, 0), 0, 1)


def test_north_too_gets_another_turn():
    after = board([4] * 6, [4] * 6, to_move=1).play(2)
    assert (after.stores, after.to_move) == ((0, 1), 1)


FULL_CIRCUIT = ([13, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1])


def test_a1_the_thirteenth_seed_falls_into_the_emptied_origin_and_captures():
    after = board(*FULL_CIRCUIT).play(0)
    assert rows(after) == ([0, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 0])
    assert after.stores == (4, 0)


def test_a1_skip_origin_leaves_out_the_origin():
    after = board(*FULL_CIRCUIT, skip_origin=True).play(0)
    assert rows(after) == ([0, 2, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2])
    assert after.stores == (1, 0)


def test_a1_two_circuits_sow_the_origin_and_the_store_twice():
    after = board([27, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]).play(0)
    assert rows(after) == ([2, 3, 2, 2, 2, 2], [5, 2, 2, 2, 2, 2])
    assert after.stores == (2, 0)


def test_a1_two_circuits_with_skip_origin_sow_the_store_twice():
    after = board([25, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0], skip_origin=True).play(0)
    assert rows(after) == ([0, 3, 2, 2, 2, 2], [5, 2, 2, 2, 2, 2])
    assert after.stores == (2, 0)


def test_a1_with_skip_origin_a_full_circuit_ends_before_the_origin():
    after = board([1, 0, 12, 0, 0, 0], [1, 1, 1, 1, 1, 1], skip_origin=True).play(2)
    assert rows(after) == ([2, 0, 0, 1, 1, 1], [2, 2, 2, 2, 0, 2])  # the last seed in house 1, which was empty, captures
    assert after.stores == (1 + 1 + 2, 0)


# Capture


def test_a_last_seed_in_an_empty_own_house_captures_it_and_the_seeds_opposite():
    after = board([0, 1, 0, 0, 0, 3], [1, 0, 0, 5, 0, 0]).play(1)
    assert rows(after) == ([0, 0, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((6, 0), 1)


def test_north_captures_into_his_own_store():
    after = board([1, 0, 0, 5, 0, 0], [0, 1, 0, 0, 0, 3], to_move=1).play(1)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 3])
    assert after.stores == (0, 6)


def test_a_last_seed_in_an_own_house_with_seeds_captures_nothing():
    after = board([0, 1, 1, 0, 0, 3], [1, 0, 0, 5, 0, 0]).play(1)
    assert rows(after) == ([0, 0, 2, 0, 0, 3], [1, 0, 0, 5, 0, 0])
    assert after.stores == (0, 0)


def test_a_last_seed_in_an_empty_house_of_the_opponent_captures_nothing():
    after = board([0, 0, 0, 2, 0, 2], [0, 0, 1, 0, 0, 0]).play(5)
    assert rows(after) == ([0, 0, 0, 2, 0, 0], [1, 0, 1, 0, 0, 0])
    assert after.stores == (1, 0)


def test_a_last_seed_in_the_store_captures_nothing():
    after = board([1, 0, 0, 0, 2, 0], [3, 0, 0, 0, 0, 0]).play(4)
    assert rows(after) == ([1, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 0)


NOTHING_OPPOSITE = ([0, 1, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0])


def test_a2_with_nothing_opposite_there_is_no_capture():
    after = board(*NOTHING_OPPOSITE).play(1)
    assert rows(after) == ([0, 0, 1, 0, 0, 3], [1, 0, 0, 0, 0, 0])
    assert after.stores == (0, 0)


def test_a2_empty_capture_banks_the_last_seed():
    after = board(*NOTHING_OPPOSITE, empty_capture=True).play(1)
    assert rows(after) == ([0, 0, 0, 0, 0, 3], [1, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 1)


# End

EMPTIES_HIS_ROW = ([0, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 0])


def test_a3_either_the_movers_empty_row_ends_the_game():
    after = board(*EMPTIES_HIS_ROW).play(5)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((1, 2), "no_moves", (-1, 1))


def test_a3_either_the_opponents_empty_row_ends_the_game():
    after = board([1, 0, 0, 0, 2, 0], [0, 0, 0, 0, 5, 0]).play(0)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((8, 0), "no_moves", (1, -1))


def test_a3_either_an_empty_row_ends_the_game_also_when_another_turn_is_due():
    after = board([0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0]).play(5)
    assert (after.stores, after.end_reason, after.returns) == ((1, 2), "no_moves", (-1, 1))


def test_a3_mover_only_the_row_of_the_player_who_has_moved_may_be_empty():
    after = board(*EMPTIES_HIS_ROW, end_test="mover_only").play(5)
    assert rows(after) == (NONE, [2, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move, after.is_over) == ((1, 0), 1, False)


def test_a3_mover_only_the_opponents_row_may_be_empty_when_another_turn_is_due():
    after = board([1, 0, 0, 0, 0, 1], NONE, end_test="mover_only").play(5)
    assert (after.stores, after.to_move, after.is_over) == ((1, 0), 0, False)


def test_a3_mover_only_a_player_who_cannot_move_ends_the_game():
    after = board([0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0], end_test="mover_only").play(5)
    assert (after.stores, after.end_reason) == ((1, 2), "no_moves")


def test_a4_equal_totals_are_a_draw():
    after = board([0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0], stores=(23, 23)).play(5)
    assert (after.stores, after.end_reason, after.returns, after.margin) == ((24, 24), "no_moves", (0, 0), 0)


DECISIVE = {"south": [1, 0, 0, 0, 0, 1], "north": [1, 0, 0, 0, 0, 0], "stores": (24, 21)}


def test_a5_a_majority_does_not_end_the_game():
    after = board(**DECISIVE).play(5)
    assert (after.stores, after.is_over) == ((25, 21), False)


def test_a5_stop_at_majority_ends_the_game_and_leaves_the_seeds():
    after = board(**DECISIVE, stop_at_majority=True).play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])
    assert (after.stores, after.end_reason, after.returns) == ((25, 21), "majority", (1, -1))


def test_a5_half_each_is_a_draw_by_majority():
    after = board([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], stores=(22, 24), stop_at_majority=True).play(0)
    assert (after.stores, after.end_reason, after.returns) == ((24, 24), "majority", (0, 0))


def test_a6_there_is_no_swap():
    after = make_rules("kalah").position().play(0)
    assert (after.to_move, after.legal_actions(), after.rules.num_actions) == (1, [0, 1, 2, 3, 4, 5], 6)


def test_the_ply_limit_truncates():
    after = make_rules("kalah", max_plies=2).position().play(2).play(5)
    assert (after.ply, after.end_reason, after.returns) == (2, "max_plies", (0, 0))


def test_quiet_plies_are_those_that_bank_nothing():
    opening = make_rules("kalah").position()
    quiet = opening.play(0).play(0)
    assert [position.state[QUIET] for position in (opening, opening.play(0), quiet, quiet.play(5))] == [0, 1, 2, 0]


# Board sizes


def test_the_smallest_board():
    after = make_rules("kalah", houses=1, seeds=1).position().play(0)
    assert (after.holes, after.stores, after.end_reason, after.returns) == ((0, 0), (1, 1), "no_moves", (0, 0))


def test_the_largest_board():
    opening = make_rules("kalah", houses=12, seeds=12).position()
    assert sum(opening.holes) == 288
    after = opening.play(0)
    assert rows(after) == ([0] + [13] * 11, [12] * 12)
    assert (after.stores, after.to_move) == ((1, 0), 0)


@pytest.mark.parametrize(("name", "value"), [("houses", 0), ("houses", 13), ("seeds", 0), ("seeds", 13)])
def test_sizes_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}={value} is not accepted"):
        make_rules("kalah", **{name: value})


# Always


@settings(max_examples=20, deadline=None)
@given(
    options=st.sampled_from([{}, {"skip_origin": True}, {"empty_capture": True}, {"end_test": "mover_only"}]),
    random=st.randoms(use_true_random=False),
)
def test_seeds_are_conserved_and_all_banked_at_the_end(options, random):
    position = make_rules("kalah", **options).position()
    while not position.is_over:
        assert sum(position.holes) + sum(position.stores) == 48
        position = position.play(random.choice(position.legal_actions()))
    assert sum(position.stores) == 48
