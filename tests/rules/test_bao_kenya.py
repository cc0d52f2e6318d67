"""The rules of Kenyan Bao, one a test, each on a board that shows it.

Boards are written South | North, each row from its owner's left.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import EXAMPLES

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.rules.contract import QUIET
from mancala_envs.testing import check_env, check_ruleset

NONE = [0, 0, 0, 0, 0, 0, 0, 0]
BOTH = {"sow_stores": "both"}


def board(south, north, stores=(0, 0), to_move=0, **options):
    return make_rules("bao_kenya", **options).position(holes=south + north, stores=stores, to_move=to_move)


def rows(position):
    houses = len(position.holes) // 2
    return list(position.holes[:houses]), list(position.holes[houses:])


def test_the_defaults():
    rules = make_rules("bao_kenya")
    assert rules.title == "Bao (Kenyan)"
    assert rules.options == {
        "houses": 8,
        "seeds": 3,
        "sow_stores": "own",
        "capture_own_seed": False,
        "stop_at_majority": True,
        "max_plies": 1000,
    }
    assert rules.cycle_count == 0  # K9


def test_k1_k2_the_board_is_two_rows_of_eight_with_three_seeds_each():
    opening = make_rules("bao_kenya").position()
    assert rows(opening) == ([3] * 8, [3] * 8)
    assert (opening.stores, opening.to_move, opening.rules.board.seeds) == ((0, 0), 0, 48)
    assert opening.legal_actions() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_notation_is_a_letter_for_each_hole():
    opening = make_rules("bao_kenya").position()
    assert [opening.notation(action) for action in (0, 7)] == ["A", "H"]
    assert opening.play(0).notation(7) == "h"
    assert make_rules("bao_kenya", houses=12).position().notation(11) == "L"


# Sowing


@pytest.mark.parametrize("name", ["KB1", "KB2", "KB4"])
def test_examples(name):
    example = EXAMPLES[name]
    after = make_rules("bao_kenya").position(holes=example["pre"]).play(example["action"])
    assert list(after.holes) == example["post"]["holes"]
    assert list(after.stores) == example["post"]["stores"]
    assert after.to_move == (0 if example["post"]["again"] else 1)


def test_the_own_store_is_sown_and_then_the_other_row():
    after = make_rules("bao_kenya").position().play(6)
    assert rows(after) == ([3, 3, 3, 3, 3, 3, 0, 4], [4, 3, 3, 3, 3, 3, 3, 3])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_north_sows_into_his_own_store_and_on_into_souths_row():
    after = board([3] * 8, [3] * 8, to_move=1).play(6)
    assert rows(after) == ([4, 3, 3, 3, 3, 3, 3, 3], [3, 3, 3, 3, 3, 3, 0, 4])
    assert (after.stores, after.to_move) == ((0, 1), 0)


@pytest.mark.parametrize("mover", [0, 1])
def test_a_last_seed_in_the_own_store_gives_another_turn(mover):
    after = board([3] * 8, [3] * 8, to_move=mover).play(5)
    assert rows(after)[mover] == [3, 3, 3, 3, 3, 0, 4, 4]
    assert (after.stores[mover], after.stores[1 - mover], after.to_move, after.ply) == (1, 0, mover, 1)


def test_k4_the_opponents_store_is_skipped():
    after = board([1, 0, 0, 0, 0, 0, 0, 10], [1, 0, 0, 0, 0, 0, 0, 0]).play(7)
    assert rows(after) == ([2, 0, 0, 0, 0, 0, 0, 0], [2, 1, 1, 1, 1, 1, 1, 1])
    assert (after.stores, after.to_move) == ((1, 0), 1)


@pytest.mark.parametrize("mover", [0, 1])
def test_k4_both_sows_the_opponents_store_too(mover):
    mine, others = [0, 1, 0, 0, 0, 0, 0, 11], [1, 0, 0, 0, 0, 0, 0, 0]
    after = board(*((mine, others) if mover == 0 else (others, mine)), to_move=mover, **BOTH).play(7)
    assert rows(after)[mover] == [1, 1, 0, 0, 0, 0, 0, 0]
    assert rows(after)[1 - mover] == [2, 1, 1, 1, 1, 1, 1, 0]  # the last seed, in A, has captured that opposite
    assert (after.stores[mover], after.stores[1 - mover], after.to_move) == (2, 1, 1 - mover)


def test_k4_both_a_last_seed_in_the_opponents_store_ends_the_turn():
    after = board([1, 0, 0, 0, 0, 0, 0, 10], NONE, **BOTH).play(7)
    assert rows(after) == ([1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1])
    assert (after.stores, after.to_move) == ((1, 1), 1)


def test_k4_both_a_last_seed_in_the_own_store_gives_another_turn():
    after = board([3] * 8, [3] * 8, **BOTH).play(5)
    assert (after.stores, after.to_move) == ((1, 0), 0)


def test_k3_the_seventeenth_seed_leaves_out_the_origin():
    after = board([0, 0, 0, 17, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]).play(3)
    assert rows(after) == ([1, 1, 1, 0, 2, 1, 1, 1], [2, 2, 2, 2, 2, 2, 2, 2])
    assert (after.stores, after.to_move) == ((1, 0), 1)


def test_k3_sixteen_seeds_are_a_full_circuit():
    after = board([0, 0, 0, 16, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1]).play(3)
    assert rows(after) == ([1, 1, 1, 0, 1, 1, 1, 1], [2, 2, 2, 2, 2, 0, 2, 2])  # the last seed, in C, captures
    assert after.stores == (3, 0)


def test_k3_with_both_stores_it_is_the_eighteenth():
    seventeen = board([0, 1, 0, 17, 0, 0, 0, 0], NONE, **BOTH).play(3)
    assert rows(seventeen) == ([1, 2, 1, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 1, 1])
    assert seventeen.stores == (2, 1)
    eighteen = board([0, 1, 0, 18, 0, 0, 0, 0], NONE, **BOTH).play(3)
    assert rows(eighteen) == ([1, 2, 1, 0, 2, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1])
    assert eighteen.stores == (1, 1)


def test_k3_two_circuits_sow_the_store_twice():
    after = board([0, 0, 0, 0, 0, 0, 0, 33], [1, 0, 0, 0, 0, 0, 0, 0]).play(7)
    assert rows(after) == ([2, 2, 2, 2, 2, 2, 2, 0], [3, 2, 2, 2, 2, 2, 2, 2])
    assert (after.stores, after.to_move) == ((3, 0), 0)


def test_k3_two_circuits_sow_both_stores_twice():
    after = board([0, 0, 0, 0, 0, 0, 0, 35], NONE, **BOTH).play(7)
    assert rows(after) == ([2, 2, 2, 2, 2, 2, 2, 0], [2, 2, 2, 2, 2, 2, 2, 2])
    assert (after.stores, after.to_move) == ((3, 2), 0)


def test_there_is_no_relay():
    after = board([2, 0, 5, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]).play(0)
    assert rows(after) == ([0, 1, 6, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0])


# Capture


@pytest.mark.parametrize("mover", [0, 1])
def test_k5_a_last_seed_in_an_empty_own_hole_captures_the_seeds_opposite_and_stays(mover):
    mine, others = [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 5, 0]
    after = board(*((mine, others) if mover == 0 else (others, mine)), to_move=mover).play(0)
    assert rows(after)[mover] == [0, 1, 0, 0, 0, 0, 0, 0]
    assert rows(after)[1 - mover] == [1, 0, 0, 0, 0, 0, 0, 0]
    assert (after.stores[mover], after.stores[1 - mover], after.to_move) == (5, 0, 1 - mover)


def test_k5_capture_own_seed_takes_the_capturing_seed_too():
    after = board([1, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 5, 0], capture_own_seed=True).play(0)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0])
    assert after.stores == (6, 0)


@pytest.mark.parametrize("capture_own_seed", [False, True])
def test_k6_with_nothing_opposite_nothing_is_captured(capture_own_seed):
    after = board([1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 3], capture_own_seed=capture_own_seed).play(0)
    assert rows(after) == ([0, 1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 3])
    assert (after.stores, after.to_move) == ((0, 0), 1)


def test_a_last_seed_in_an_own_hole_with_seeds_captures_nothing():
    after = board([1, 1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 5, 0]).play(0)
    assert rows(after) == ([0, 2, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 5, 0])
    assert after.stores == (0, 0)


def test_a_last_seed_in_an_empty_hole_of_the_opponent_captures_nothing():
    after = board([0, 0, 0, 0, 0, 0, 4, 2], [0, 1, 0, 0, 0, 0, 0, 0]).play(7)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 4, 0], [1, 1, 0, 0, 0, 0, 0, 0])
    assert after.stores == (1, 0)


def test_a_last_seed_in_the_store_captures_nothing():
    after = board([1, 0, 0, 0, 0, 0, 2, 0], [3, 0, 0, 0, 0, 0, 0, 0]).play(6)
    assert rows(after) == ([1, 0, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((1, 0), 0)


def test_k7_a_hole_sown_on_an_earlier_circuit_is_not_empty():
    after = board([0, 0, 0, 0, 0, 0, 0, 31], NONE, stop_at_majority=False).play(7)
    assert rows(after) == ([2, 2, 2, 2, 2, 2, 1, 0], [2, 2, 2, 2, 2, 2, 2, 2])  # the last seed, in F, captures nothing
    assert after.stores == (2, 0)


# Feeding


def test_k8_the_opponent_need_not_be_given_seeds():
    assert board([1, 0, 0, 0, 0, 0, 0, 2], NONE).legal_actions() == [0, 7]


# End


def test_a_player_to_move_without_seeds_ends_the_game_and_the_other_takes_the_rest():
    after = board([1, 0, 2, 0, 0, 0, 0, 0], NONE, stores=(3, 9)).play(0)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((6, 9), "no_moves", (-1, 1))


def test_a_player_without_seeds_ends_the_game_also_when_another_turn_is_due():
    after = board([0, 0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 0, 0]).play(7)
    assert (after.stores, after.end_reason, after.returns) == ((1, 2), "no_moves", (-1, 1))


def test_the_row_of_a_player_who_is_not_to_move_may_be_empty():
    after = board([0, 0, 0, 0, 0, 0, 0, 2], [0, 0, 1, 0, 0, 0, 0, 0]).play(7)
    assert rows(after) == (NONE, [1, 0, 1, 0, 0, 0, 0, 0])
    assert (after.to_move, after.is_over) == (1, False)


DECISIVE = {"south": [1, 0, 0, 0, 0, 0, 0, 1], "north": [1, 0, 0, 0, 0, 0, 0, 0], "stores": (24, 21)}


def test_25_seeds_win_at_once_and_the_rest_stays_on_the_board():
    after = board(**DECISIVE).play(7)
    assert rows(after) == ([1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.end_reason, after.returns) == ((25, 21), "majority", (1, -1))


def test_24_each_are_a_draw():
    after = board([0, 0, 0, 0, 0, 0, 0, 1], NONE, stores=(23, 24)).play(7)
    assert (after.stores, after.end_reason, after.returns) == ((24, 24), "majority", (0, 0))


def test_without_stop_at_majority_the_game_goes_on():
    after = board(**DECISIVE, stop_at_majority=False).play(7)
    assert (after.stores, after.is_over, after.to_move) == ((25, 21), False, 0)


def test_both_the_opponent_may_win_by_a_seed_sown_in_his_store():
    after = board([1, 0, 0, 0, 0, 0, 0, 10], [1, 0, 0, 0, 0, 0, 0, 0], stores=(10, 24), **BOTH).play(7)
    assert (after.stores, after.end_reason, after.returns) == ((11, 25), "majority", (-1, 1))


def test_the_ply_limit_truncates():
    after = make_rules("bao_kenya", max_plies=2).position().play(5).play(0)
    assert (after.ply, after.end_reason, after.returns) == (2, "max_plies", (0, 0))


def test_quiet_plies_are_those_that_bank_nothing():
    opening = make_rules("bao_kenya").position()
    quiet = opening.play(0).play(0)
    assert [position.state[QUIET] for position in (opening, opening.play(0), quiet, quiet.play(5))] == [0, 1, 2, 0]


# Board sizes


def test_the_smallest_board():
    after = make_rules("bao_kenya", houses=2, seeds=1).position().play(1)
    assert (after.holes, after.stores, after.to_move) == ((1, 0, 1, 1), (1, 0), 0)


def test_the_largest_board():
    opening = make_rules("bao_kenya", houses=12, seeds=12).position()
    assert sum(opening.holes) == 288
    after = opening.play(0)
    assert rows(after) == ([0] + [13] * 11, [12] * 12)
    assert (after.stores, after.to_move) == ((1, 0), 0)


@pytest.mark.parametrize(("name", "value"), [("houses", 1), ("houses", 13), ("seeds", 0), ("seeds", 13), ("sow_stores", "none")])
def test_values_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r} is not accepted"):
        make_rules("bao_kenya", **{name: value})


def test_more_seeds_than_there_are_are_refused():
    with pytest.raises(ValueError, match="49 seeds in the holes and stores: the game has 48"):
        board([3] * 8, [3] * 8, stores=(1, 0))


# Always


@settings(max_examples=20, deadline=None)
@given(options=st.sampled_from([{}, BOTH, {"stop_at_majority": False}]), random=st.randoms(use_true_random=False))
def test_no_position_comes_back(options, random):
    position = make_rules("bao_kenya", **options).position()
    seen = {position}
    while not position.is_over:
        assert sum(position.holes) + sum(position.stores) == 48
        position = position.play(random.choice(position.legal_actions()))
        assert position not in seen
        seen.add(position)
    assert position.end_reason in ("no_moves", "majority")


@pytest.mark.parametrize("options", [{}, BOTH, {"capture_own_seed": True}, {"houses": 2, "seeds": 1}])
def test_conformance(options):
    check_ruleset(make_rules("bao_kenya", **options), games=20)


def test_environment():
    check_env(mancala_envs.make("bao_kenya"))
