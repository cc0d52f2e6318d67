"""The rules of Kenyan Bao with laps, one a test, each on a board that shows it.

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
DRAW, LOSS = {"infinite_turn": "draw"}, {"infinite_turn": "loss"}

# South's hole A, the only one that the rule on singles allows, is back after 128 laps.
ENDLESS = ([2, 0, 1, 0, 1, 0, 1, 0], [2, 1, 0, 1, 0, 1, 0, 1])

# All moves are forced, nothing is captured, and after six plies the position is back.
SHUFFLE = ([2, 1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0, 2, 0])
SHUFFLE_MOVES = [0, 6, 1, 0, 4, 1]


def board(south, north, stores=(0, 0), to_move=0, **options):
    return make_rules("bao_kenya_laps", **options).position(holes=south + north, stores=stores, to_move=to_move)


def rows(position):
    houses = len(position.holes) // 2
    return list(position.holes[:houses]), list(position.holes[houses:])


def play_all(position, actions):
    for action in actions:
        assert position.legal_actions() == [action]
        position = position.play(action)
    return position


def laps(holes, hole, limit=1000, skip_origin=False):
    """How many laps a turn from `hole` has, None if more than `limit`; sown seed by seed."""
    holes = list(holes)
    for lap in range(1, limit + 1):
        origin, in_hand, holes[hole] = hole, holes[hole], 0
        while in_hand:
            hole = (hole + 1) % len(holes)
            if hole != origin or not skip_origin:
                holes[hole] += 1
                in_hand -= 1
        if holes[hole] == 1:
            return lap
    return None


def test_the_defaults():
    rules = make_rules("bao_kenya_laps")
    assert rules.title == "Bao (Kenyan, with laps)"
    assert rules.options == {
        "houses": 8,
        "seeds": 2,
        "single_rule": "own_side",
        "skip_origin": False,
        "capture_own_seed": False,
        "infinite_turn": "illegal",
        "stop_at_majority": True,
        "cycle_rule": "draw",
        "cycle_count": 3,
        "max_plies": 1000,
    }


def test_the_board_is_two_rows_of_eight_with_two_seeds_each():
    opening = make_rules("bao_kenya_laps").position()
    assert rows(opening) == ([2] * 8, [2] * 8)
    assert (opening.stores, opening.to_move, opening.rules.board.seeds) == ((0, 0), 0, 32)
    assert opening.legal_actions() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [opening.notation(action) for action in (0, 7)] == ["A", "H"]
    assert opening.play(0).notation(7) == "h"


# Sowing


@pytest.mark.parametrize("name", ["KL1", "KL2"])
def test_examples(name):
    example = EXAMPLES[name]
    after = make_rules("bao_kenya_laps").position(holes=example["pre"]).play(example["action"])
    assert list(after.holes) == example["post"]["holes"]
    assert list(after.stores) == example["post"]["stores"]
    assert after.to_move == 1
    assert laps(example["pre"], example["action"]) == example["post"]["laps"]


def test_sowing_goes_on_into_the_other_row_and_no_store_is_sown():
    after = board([2, 0, 0, 0, 0, 0, 0, 3], [1, 1, 0, 2, 0, 0, 0, 0]).play(7)
    assert rows(after) == ([2, 0, 0, 0, 0, 0, 0, 0], [2, 2, 1, 2, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((0, 0), 1)


def test_north_sows_on_into_souths_row():
    after = board([1, 1, 0, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 3], to_move=1).play(7)
    assert rows(after) == ([2, 2, 1, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((0, 0), 0)


def test_a_last_seed_in_an_own_hole_with_seeds_goes_on_with_them():
    after = board([2, 0, 2, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]).play(0)  # A: B, C; C: D, E, F
    assert rows(after) == ([0, 1, 0, 1, 1, 1, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0])


def test_so_does_one_in_a_hole_of_the_opponent():
    after = board([2, 0, 0, 0, 0, 0, 0, 2], [1, 1, 0, 1, 0, 0, 0, 0]).play(7)  # H: a, b; b: c, d; d: e, f
    assert rows(after) == ([2, 0, 0, 0, 0, 0, 0, 0], [2, 0, 1, 0, 1, 1, 0, 0])


def test_there_is_no_further_turn():
    assert board([0, 0, 0, 0, 0, 0, 2, 2], [3, 0, 0, 0, 0, 0, 0, 0]).play(7).to_move == 1


SIXTEEN = ([0, 0, 0, 16, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1])


def test_l3_the_sixteenth_seed_falls_into_the_emptied_origin_and_captures():
    after = board(*SIXTEEN).play(3)
    assert rows(after) == ([1, 1, 1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 0, 2, 2, 2])
    assert after.stores == (2, 0)


def test_l3_skip_origin_leaves_it_out():
    # the sixteenth seed falls into E, which has got one; six more laps, the last one into D, which is still empty
    after = board(*SIXTEEN, skip_origin=True).play(3)
    assert laps(SIXTEEN[0] + SIXTEEN[1], 3, skip_origin=True) == 7
    assert rows(after) == ([2, 0, 2, 1, 0, 2, 0, 2], [0, 3, 3, 0, 0, 3, 0, 3])
    assert after.stores == (3, 0)


def test_l3_skip_origin_fifteen_seeds_end_before_the_origin():
    after = board([0, 0, 0, 15, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1], skip_origin=True).play(3)
    assert rows(after) == ([1, 1, 1, 0, 1, 1, 1, 1], [2, 2, 2, 2, 2, 0, 2, 2])
    assert after.stores == (2, 0)


# Capture


@pytest.mark.parametrize("mover", [0, 1])
def test_l4_a_turn_that_ends_in_an_own_hole_captures_the_seeds_opposite_and_its_seed_stays(mover):
    mine, others = [2, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 5, 1, 0]
    after = board(*((mine, others) if mover == 0 else (others, mine)), to_move=mover).play(0)
    assert rows(after)[mover] == [0, 1, 1, 0, 0, 0, 0, 0]
    assert rows(after)[1 - mover] == [1, 0, 0, 0, 0, 0, 1, 0]
    assert (after.stores[mover], after.stores[1 - mover], after.to_move) == (5, 0, 1 - mover)


def test_l4_capture_own_seed_takes_the_capturing_seed_too():
    after = board([2, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 5, 1, 0], capture_own_seed=True).play(0)
    assert rows(after) == ([0, 1, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0])
    assert after.stores == (6, 0)


@pytest.mark.parametrize("capture_own_seed", [False, True])
def test_with_nothing_opposite_nothing_is_captured(capture_own_seed):
    after = board([2, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0], capture_own_seed=capture_own_seed).play(0)
    assert rows(after) == ([0, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0])
    assert after.stores == (0, 0)


def test_a_turn_that_ends_in_a_hole_of_the_opponent_captures_nothing():
    after = board([0, 0, 0, 0, 0, 0, 4, 2], [0, 0, 1, 0, 0, 0, 0, 0]).play(7)
    assert rows(after) == ([0, 0, 0, 0, 0, 0, 4, 0], [1, 1, 1, 0, 0, 0, 0, 0])
    assert after.stores == (0, 0)


# Singles

A_PAIR = ([2, 1, 0, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 0, 0, 0])  # South has more than singles, North has not
ALL_SINGLES = ([1, 1, 0, 1, 0, 0, 0, 0], [3, 0, 1, 0, 0, 0, 0, 0])  # South has only singles, North has not


@pytest.mark.parametrize(
    ("single_rule", "a_pair", "all_singles"),
    [
        ("own_side", [0], [0, 1, 3]),
        ("own_side_to_empty", [0], [1, 3]),
        ("opponent_side", [0, 1, 3], []),
        ("any", [0, 1, 3], [0, 1, 3]),
    ],
)
def test_l2_when_a_single_may_be_sown(single_rule, a_pair, all_singles):
    options = {"single_rule": single_rule, **DRAW}
    assert board(*A_PAIR, **options).legal_actions() == a_pair
    assert board(*reversed(A_PAIR), to_move=1, **options).legal_actions() == a_pair
    assert board(*ALL_SINGLES, **options).legal_actions() == all_singles
    assert board(*reversed(ALL_SINGLES), to_move=1, **options).legal_actions() == all_singles


def test_l2_own_side_is_the_default():
    assert board(*A_PAIR).legal_actions() == [0]
    assert board(*ALL_SINGLES).legal_actions() == [0, 1, 3]


TO_EMPTY = {"single_rule": "own_side_to_empty", **DRAW}


def test_l2_to_empty_a_single_in_the_last_hole_goes_by_the_opponents_first():
    row = [0, 0, 0, 1, 0, 0, 0, 1]
    assert board(row, [0, 2, 0, 0, 0, 0, 0, 0], **TO_EMPTY).legal_actions() == [3, 7]
    assert board(row, [2, 0, 0, 0, 0, 0, 0, 0], **TO_EMPTY).legal_actions() == [3]
    assert board([2, 0, 0, 0, 0, 0, 0, 0], row, to_move=1, **TO_EMPTY).legal_actions() == [3]


def test_l2_to_empty_without_such_a_single_each_takes_his_own_side():
    position = board([0, 0, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 1, 0], stores=(5, 7), **TO_EMPTY)
    assert rows(position) == (NONE, NONE)
    assert (position.stores, position.end_reason, position.returns) == ((6, 10), "no_moves", (-1, 1))


def test_l2_to_empty_asks_it_of_singles_alone():
    assert board([2, 0, 2, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0], **TO_EMPTY).legal_actions() == [0, 2]


THEIR_SIDE = {"single_rule": "opponent_side", **DRAW}


def test_l2_the_opponents_side_leaves_a_player_of_singles_without_a_move():
    position = board(*ALL_SINGLES, stores=(9, 7), **THEIR_SIDE)
    assert (position.stores, position.end_reason, position.returns) == ((12, 11), "no_moves", (1, -1))


def test_l2_the_opponents_side_without_seeds_holds_nothing_but_singles():
    assert board([1, 1, 0, 2, 0, 0, 0, 0], NONE, **THEIR_SIDE).legal_actions() == [0, 1, 3]


# Endless turns


@pytest.mark.parametrize("to_move", [0, 1])
def test_l5_illegal_an_endless_start_is_masked(to_move):
    south, north = [1, 3, 4, 1, 0, 1, 0, 3], [0, 1, 2, 1, 2, 3, 4, 0]  # in a game that another program recorded, North to move
    holes = (south, north) if to_move else (north, south)
    assert [laps(south + north, 8 + action) for action in (2, 4, 5, 6)] == [2, None, 5, None]
    assert board(*holes, to_move=to_move).legal_actions() == [2, 5]
    assert board(*holes, to_move=to_move, **DRAW).legal_actions() == [2, 4, 5, 6]


def test_l5_illegal_with_endless_starts_alone_each_takes_his_own_side():
    position = board(*ENDLESS, stores=(10, 11))
    assert rows(position) == (NONE, NONE)
    assert (position.stores, position.end_reason, position.returns) == ((15, 17), "no_moves", (-1, 1))


def test_l5_illegal_singles_that_may_not_be_sown_are_no_way_out():
    assert [laps(ENDLESS[0] + ENDLESS[1], action) for action in (0, 2, 4, 6)] == [None, 1, 1, 1]
    assert board(*ENDLESS).is_over


@pytest.mark.parametrize(("options", "returns"), [(DRAW, (0, 0)), (LOSS, (-1, 1))])
def test_l5_draw_loss_an_endless_turn_ends_the_game_with_the_board_as_it_was(options, returns):
    position = board(*ENDLESS, stores=(11, 10), **options)
    assert position.legal_actions() == [0]
    after = position.play(0)
    assert (rows(after), after.stores, after.ply) == (ENDLESS, (11, 10), 1)
    assert (after.end_reason, after.returns) == ("endless_turn", returns)


def test_l5_loss_north_loses_too():
    after = board(ENDLESS[1], ENDLESS[0], to_move=1, **LOSS).play(0)
    assert (after.end_reason, after.returns) == ("endless_turn", (1, -1))


@pytest.mark.parametrize("options", [{}, DRAW])
def test_l5_a_turn_that_ends_may_be_long(options):
    south, north = [4, 0, 3, 2, 3, 0, 1, 4], [2, 0, 1, 2, 1, 3, 4, 1]
    assert laps(south + north, 0) == 497
    after = board(south, north, **options).play(0)
    assert rows(after) == ([1, 4, 1, 0, 5, 2, 1, 4], [0, 0, 1, 2, 1, 2, 3, 2])  # ends in G, captures two
    assert (after.stores, after.to_move) == ((2, 0), 1)


def test_l5_a_turn_that_is_not_back_where_it_began_by_then_is_endless_too():
    south, north = [2, 4, 1, 0, 1, 2, 1, 0], [3, 2, 1, 2, 1, 3, 4, 3]
    assert laps(south + north, 0) is None
    assert 0 not in board(south, north).legal_actions()
    assert board(south, north, **DRAW).play(0).end_reason == "endless_turn"


LARGE = {"houses": 4, "seeds": 12}  # seeds enough for turns as long as that


def test_l5_a_turn_of_a_thousand_laps_ends():
    south, north = [7, 25, 19, 14], [1, 5, 20, 3]
    assert laps(south + north, 0, limit=2000) == 1000
    after = board(south, north, **LARGE).play(0)
    assert rows(after) == ([31, 1, 3, 9], [12, 7, 0, 25])
    assert (after.stores, after.is_over) == ((6, 0), False)


def test_l5_a_turn_of_a_thousand_and_one_laps_counts_as_endless():
    south, north = [12, 3, 18, 1], [5, 24, 18, 13]
    assert laps(south + north, 0, limit=2000) == 1001
    assert 0 not in board(south, north, **LARGE).legal_actions()


# Repetition


def test_l6_at_the_third_occurrence_the_game_is_drawn_whatever_the_stores_hold():
    position = play_all(board(*SHUFFLE, stores=(5, 16)), 2 * SHUFFLE_MOVES)
    assert (rows(position), position.stores) == (SHUFFLE, (5, 16))
    assert (position.end_reason, position.returns) == ("cycle", (0, 0))


def test_l6_own_side_each_takes_the_seeds_of_his_row():
    position = play_all(board(*SHUFFLE, stores=(5, 16), cycle_rule="own_side"), 2 * SHUFFLE_MOVES)
    assert rows(position) == (NONE, NONE)
    assert (position.stores, position.end_reason, position.returns) == ((11, 21), "cycle", (-1, 1))


def test_l6_split_even_the_stores_decide():
    position = play_all(board(*SHUFFLE, stores=(5, 16), cycle_rule="split_even"), 2 * SHUFFLE_MOVES)
    assert (position.margin, position.end_reason, position.returns) == (-11, "cycle", (-1, 1))


def test_l6_cycle_count_says_which_occurrence():
    position = play_all(board(*SHUFFLE, stores=(5, 16), cycle_count=2), SHUFFLE_MOVES)
    assert position.end_reason == "cycle"


def test_l6_off_the_game_goes_on_to_the_ply_limit():
    position = play_all(board(*SHUFFLE, stores=(5, 16), cycle_rule="off", max_plies=30), 5 * SHUFFLE_MOVES)
    assert (position.end_reason, position.returns) == ("max_plies", (0, 0))


def test_quiet_plies_are_those_that_capture_nothing_and_are_observed():
    opening = make_rules("bao_kenya_laps").position()
    assert opening.play(0).state[QUIET] == 0
    shuffled = play_all(board(*SHUFFLE), SHUFFLE_MOVES)
    assert shuffled.state[QUIET] == 6
    assert shuffled.observe(0)[-1] == pytest.approx(0.06)


# Feeding and end


def test_l7_the_opponent_need_not_be_given_seeds():
    assert board([2, 0, 0, 0, 0, 0, 0, 2], NONE).legal_actions() == [0, 7]


def test_a_player_to_move_without_seeds_ends_the_game_and_the_other_takes_the_rest():
    after = board([1, 0, 1, 0, 0, 0, 0, 0], NONE, stores=(3, 9)).play(0)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((5, 9), "no_moves", (-1, 1))


TO_CAPTURE = ([2, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 2, 1, 0])


def test_l1_17_seeds_win_at_once_and_the_rest_stays_on_the_board():
    after = board(*TO_CAPTURE, stores=(15, 11)).play(0)
    assert rows(after) == ([0, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 0])
    assert (after.stores, after.end_reason, after.returns) == ((17, 11), "majority", (1, -1))


def test_l1_16_seeds_do_not():
    assert not board(*TO_CAPTURE, stores=(14, 12)).play(0).is_over


def test_l1_16_each_are_a_draw():
    after = board([1, 0, 1, 0, 0, 0, 0, 0], NONE, stores=(14, 16)).play(0)
    assert (after.stores, after.end_reason, after.returns) == ((16, 16), "no_moves", (0, 0))
    position = board(NONE, NONE, stores=(16, 16))
    assert (position.end_reason, position.returns) == ("majority", (0, 0))


def test_l1_without_stop_at_majority_the_game_goes_on():
    after = board(*TO_CAPTURE, stores=(15, 11), stop_at_majority=False).play(0)
    assert (after.stores, after.is_over) == ((17, 11), False)


# Board sizes


def test_the_smallest_board():
    opening = make_rules("bao_kenya_laps", houses=2, seeds=1).position()
    assert opening.legal_actions() == [action for action in (0, 1) if laps([1] * 4, action)]


def test_the_largest_board():
    opening = make_rules("bao_kenya_laps", houses=12, seeds=12).position()
    assert sum(opening.holes) == 288
    assert opening.legal_actions() == [action for action in range(12) if laps(opening.holes, action)]


@pytest.mark.parametrize(
    ("name", "value"),
    [("houses", 1), ("houses", 13), ("seeds", 0), ("seeds", 13), ("single_rule", "none"), ("infinite_turn", "own_side")],
)
def test_values_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}={value!r} is not accepted"):
        make_rules("bao_kenya_laps", **{name: value})


def test_an_opening_without_a_move_is_refused():
    with pytest.raises(ValueError, match="single_rule='own_side_to_empty' is not accepted with seeds=1"):
        make_rules("bao_kenya_laps", single_rule="own_side_to_empty", seeds=1)


def test_more_seeds_than_there_are_are_refused():
    with pytest.raises(ValueError, match="33 seeds in the holes and stores: the game has 32"):
        board([2] * 8, [2] * 8, stores=(1, 0))


# Always


@settings(max_examples=60, deadline=None)
@given(
    holes=st.lists(st.sampled_from([0, 0, 1, 1, 1, 2, 2, 3]), min_size=16, max_size=16).filter(lambda holes: sum(holes) <= 32),
    options=st.sampled_from([{"stop_at_majority": False}, {"skip_origin": True}]),
)
def test_a_start_is_legal_if_its_turn_ends_within_a_thousand_laps(holes, options):
    position = board(holes[:8], holes[8:], **options)
    fewest = 1 if max(holes[:8]) == 1 else 2
    finite = [
        action
        for action in range(8)
        if holes[action] >= fewest and laps(holes, action, skip_origin=options.get("skip_origin", False)) is not None
    ]
    assert position.legal_actions() == finite
    assert position.is_over == (not finite)


@pytest.mark.parametrize("options", [{}, {"skip_origin": True}, TO_EMPTY])
def test_conformance(options):
    check_ruleset(make_rules("bao_kenya_laps", **options), games=20)


def test_environment():
    check_env(mancala_envs.make("bao_kenya_laps"))
