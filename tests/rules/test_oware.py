"""The rules of the Oware family, one a test, each on a board that shows it.

Boards are written South | North, each row from its owner's left; South moves first.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_rules

NONE = [0, 0, 0, 0, 0, 0]

# All moves are forced: two seeds go round the board at the same pace and come back every 12 plies.
SHUFFLE = ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])
SHUFFLE_MOVES = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def board(ruleset, south, north, stores=(0, 0), to_move=0, **options):
    return make_rules(ruleset, **options).position(holes=south + north, stores=stores, to_move=to_move)


def rows(position):
    houses = len(position.holes) // 2
    return list(position.holes[:houses]), list(position.holes[houses:])


def play_all(position, actions):
    for action in actions:
        assert not position.is_over
        position = position.play(action)
    return position


# The rulesets


@pytest.mark.parametrize(
    ("ruleset", "grand_slam", "feeding", "capture_chain", "stop_at_majority", "cycle_rule"),
    [
        ("oware", "legal", "sown", "preceding", True, "draw"),
        ("oware_tr", "legal", "sown", "preceding", True, "own_side"),
        ("oware_abapa", "no_capture", "sown", "preceding", True, "own_side"),
        ("awari", "illegal_unless_only", "sown", "preceding", False, "split_even"),
        ("wari_pl", "legal", "none", "both_sides", False, "own_side"),
    ],
)
def test_what_each_ruleset_plays(ruleset, grand_slam, feeding, capture_chain, stop_at_majority, cycle_rule):
    assert make_rules(ruleset).options == {
        "houses": 6,
        "seeds": 4,
        "grand_slam": grand_slam,
        "feeding": feeding,
        "capture_chain": capture_chain,
        "stop_at_majority": stop_at_majority,
        "cycle_rule": cycle_rule,
        "cycle_count": 3,
        "max_plies": 1000,
    }


@pytest.mark.parametrize("ruleset", ["oware", "oware_tr", "oware_abapa", "awari", "wari_pl"])
def test_o4_the_board_is_two_rows_of_six_with_four_seeds_each(ruleset):
    opening = make_rules(ruleset).position()
    assert rows(opening) == ([4] * 6, [4] * 6)
    assert (opening.stores, opening.to_move) == ((0, 0), 0)


# Sowing


def test_south_sows_counter_clockwise_into_norths_row():
    after = make_rules("oware").position().play(4)
    assert rows(after) == ([4, 4, 4, 4, 0, 5], [5, 5, 5, 4, 4, 4])
    assert after.to_move == 1


def test_north_sows_counter_clockwise_into_souths_row():
    after = board("oware", [4] * 6, [4] * 6, to_move=1).play(4)
    assert rows(after) == ([5, 5, 5, 4, 4, 4], [4, 4, 4, 4, 0, 5])
    assert after.to_move == 0


def test_an_empty_house_cannot_be_sown():
    assert board("oware", [0, 1, 0, 0, 0, 2], [0, 0, 1, 0, 0, 0]).legal_actions() == [1, 5]


def test_the_twelfth_seed_leaves_out_the_origin():
    after = board("oware", [0, 0, 0, 0, 12, 0], NONE).play(4)
    assert rows(after) == ([1, 1, 1, 1, 0, 2], [1, 1, 1, 1, 1, 1])


def test_the_twenty_third_seed_leaves_out_the_origin():
    after = board("oware", [0, 0, 23, 0, 0, 0], NONE).play(2)
    assert rows(after) == ([2, 2, 0, 3, 2, 2], [2, 2, 2, 2, 2, 2])


# Capture


@pytest.mark.parametrize(("before", "left", "captured"), [(0, 1, 0), (1, 0, 2), (2, 0, 3), (3, 4, 0)])
def test_a_last_seed_that_makes_two_or_three_captures(before, left, captured):
    after = board("oware", [1, 0, 0, 0, 0, 1], [before, 0, 0, 5, 0, 0]).play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [left, 0, 0, 5, 0, 0])
    assert after.stores == (captured, 0)


def test_north_captures_into_his_own_store():
    after = board("oware", [1, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 1], to_move=1).play(5)
    assert rows(after) == ([0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    assert after.stores == (0, 2)


def test_a_last_seed_in_the_own_row_captures_nothing():
    after = board("oware", [1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]).play(0)
    assert rows(after) == ([0, 2, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])
    assert after.stores == (0, 0)


def test_the_twos_and_threes_before_it_are_captured_too():
    after = board("oware", [0, 0, 0, 0, 0, 3], [1, 2, 1, 4, 0, 0]).play(5)
    assert rows(after) == (NONE, [0, 0, 0, 4, 0, 0])
    assert after.stores == (7, 0)


def test_a_chain_ends_at_a_gap():
    after = board("oware", [1, 0, 0, 0, 0, 3], [1, 3, 1, 0, 0, 0]).play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [2, 4, 0, 0, 0, 0])
    assert after.stores == (2, 0)


def test_a_chain_ends_at_the_border_of_the_own_row():
    after = board("oware", [0, 0, 0, 0, 2, 1], [1, 0, 0, 0, 0, 1]).play(4)
    assert rows(after) == ([0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 1])
    assert after.stores == (2, 0)


def test_a_lap_of_more_than_a_circuit_captures_what_holds_two_or_three_after_it():
    after = board("oware", [19, 0, 0, 0, 0, 0], NONE).play(0)
    assert rows(after) == ([0, 2, 2, 2, 2, 2], [0, 0, 0, 1, 1, 1])
    assert after.stores == (6, 0)


CHAIN = ([0, 0, 0, 0, 3, 0], [1, 1, 2, 0, 0, 5])


def test_w2_both_sides_captures_joined_twos_and_threes_after_the_last_house_too():
    after = board("wari_pl", *CHAIN).play(4)
    assert rows(after) == ([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 5])
    assert after.stores == (6, 0)


def test_w2_preceding_captures_only_backwards():
    after = board("wari_pl", *CHAIN, capture_chain="preceding", cycle_rule="off").play(4)
    assert rows(after) == ([0, 0, 0, 0, 0, 1], [0, 0, 2, 0, 0, 5])
    assert after.stores == (4, 0)


def test_w2_a_chain_on_both_sides_stays_in_the_opponents_row():
    after = board("wari_pl", [2, 0, 0, 0, 0, 6], [3, 3, 3, 3, 3, 1]).play(5)
    assert rows(after) == ([2, 0, 0, 0, 0, 0], [4, 4, 4, 4, 4, 0])
    assert after.stores == (2, 0)


@pytest.mark.parametrize("mover", [0, 1])
def test_w2_a_chain_on_both_sides_reaches_the_last_house_of_the_opponents_row(mover):
    mine, others = [3, 0, 0, 0, 0, 5], [3, 3, 3, 3, 1, 2]
    after = board("wari_pl", *((mine, others) if mover == 0 else (others, mine)), to_move=mover).play(5)
    assert rows(after)[mover] == [3, 0, 0, 0, 0, 0]
    assert rows(after)[1 - mover] == [4, 4, 4, 4, 0, 0]
    assert after.stores[mover] == 4


def test_w2_nothing_is_captured_beside_a_last_house_that_is_not():
    after = board("wari_pl", [0, 0, 0, 0, 0, 2], [1, 3, 2, 0, 0, 0]).play(5)
    assert rows(after) == (NONE, [2, 4, 2, 0, 0, 0])
    assert after.stores == (0, 0)


def test_w1_the_store_is_not_sown_and_there_is_no_further_turn():
    after = board("wari_pl", [0, 0, 0, 0, 1, 1], [4, 0, 0, 0, 0, 0]).play(5)
    assert rows(after) == ([0, 0, 0, 0, 1, 0], [5, 0, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((0, 0), 1)


# Grand slam

SLAM = ([1, 0, 0, 0, 0, 3], [1, 2, 1, 0, 0, 0])
ONLY_SLAM = ([0, 0, 0, 0, 0, 3], [1, 2, 1, 0, 0, 0])


@pytest.mark.parametrize("ruleset", ["oware", "oware_tr", "wari_pl"])
def test_o1_w6_legal_a_grand_slam_captures_and_the_rest_falls_to_the_mover(ruleset):
    position = board(ruleset, *SLAM)
    assert position.legal_actions() == [0, 5]
    after = position.play(5)
    assert (after.stores, after.end_reason, after.returns) == ((8, 0), "no_moves", (1, -1))


def test_o1_no_capture_a_grand_slam_is_legal_and_captures_nothing():
    position = board("oware_abapa", *SLAM)
    assert position.legal_actions() == [0, 5]
    after = position.play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [2, 3, 2, 0, 0, 0])
    assert (after.stores, after.is_over) == ((0, 0), False)


def test_o1_no_capture_takes_what_is_no_grand_slam():
    after = board("oware_abapa", [1, 0, 0, 0, 0, 3], [1, 2, 1, 0, 1, 0]).play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0])
    assert after.stores == (7, 0)


def test_o1_illegal_a_grand_slam_is_masked():
    assert board("oware", *SLAM, grand_slam="illegal", cycle_rule="off").legal_actions() == [0]


def test_o1_illegal_with_nothing_else_to_play_each_keeps_his_side():
    position = board("oware", *ONLY_SLAM, grand_slam="illegal", cycle_rule="off")
    assert (position.stores, position.end_reason, position.returns) == ((3, 4), "no_moves", (-1, 1))


def test_o1_illegal_unless_only_a_grand_slam_is_masked_while_there_is_another_move():
    assert board("awari", *SLAM).legal_actions() == [0]


def test_o1_illegal_unless_only_a_grand_slam_may_be_played_when_all_moves_are():
    position = board("awari", *ONLY_SLAM)
    assert position.legal_actions() == [5]
    assert position.play(5).stores == (7, 0)


def test_o1_illegal_unless_only_counts_only_the_moves_that_feed():
    position = board("awari", [1, 0, 0, 0, 0, 17], NONE)
    assert position.legal_actions() == [5]  # house 0 feeds nobody, house 5 captures the twelve seeds that it leaves in North's row
    after = position.play(5)
    assert (after.stores, after.end_reason) == ((18, 0), "no_moves")


# Feeding


@pytest.mark.parametrize("ruleset", ["oware", "oware_tr", "oware_abapa", "awari"])
def test_a_player_without_seeds_must_be_fed(ruleset):
    assert board(ruleset, [1, 0, 0, 3, 1, 1], NONE).legal_actions() == [3, 5]


def test_o3_if_no_move_feeds_the_game_ends_and_the_mover_keeps_his_side():
    after = board("oware", [4, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], stores=(3, 4), to_move=1).play(5)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((8, 4), "no_moves", (1, -1))


FEEDS_AND_CAPTURES_ALL = ([1, 0, 0, 0, 2, 17], NONE)


def test_o5_sown_a_feeding_move_may_capture_all_that_it_fed():
    position = board("oware", *FEEDS_AND_CAPTURES_ALL)
    assert position.legal_actions() == [4, 5]
    assert position.play(5).stores == (20, 0)  # twelve captured, then North cannot move


def test_o5_after_capture_a_seed_must_be_left_to_the_opponent():
    assert board("oware", *FEEDS_AND_CAPTURES_ALL, feeding="after_capture").legal_actions() == [4]


def test_o5_after_capture_with_no_such_move_ends_the_game():
    position = board("oware", [1, 0, 0, 0, 0, 17], NONE, feeding="after_capture")
    assert (position.stores, position.end_reason) == ((18, 0), "no_moves")


def test_o5_sixteen_seeds_in_the_last_house_leave_a_seed():
    assert board("oware", [1, 0, 0, 0, 0, 16], NONE, feeding="after_capture").legal_actions() == [5]


def test_w3_without_a_feeding_rule_every_house_may_be_sown():
    assert board("wari_pl", *FEEDS_AND_CAPTURES_ALL).legal_actions() == [0, 4, 5]


def test_w3_a_player_without_seeds_ends_the_game_and_seeds_go_to_their_side():
    after = board("wari_pl", [1, 0, 0, 2, 0, 0], NONE, stores=(1, 3)).play(0)
    assert rows(after) == (NONE, NONE)
    assert (after.stores, after.end_reason, after.returns) == ((4, 3), "no_moves", (1, -1))


# End


def test_a_player_who_cannot_move_ends_the_game_and_the_other_takes_his_side():
    position = board("oware", NONE, [3, 0, 5, 0, 0, 0], stores=(10, 2))
    assert rows(position) == (NONE, NONE)
    assert (position.stores, position.end_reason, position.returns) == ((10, 10), "no_moves", (0, 0))


def test_more_than_half_of_all_seeds_wins_and_the_rest_stays_on_the_board():
    after = board("oware", [1, 0, 0, 0, 0, 1], [1, 0, 0, 9, 0, 0], stores=(23, 13)).play(5)
    assert rows(after) == ([1, 0, 0, 0, 0, 0], [0, 0, 0, 9, 0, 0])
    assert (after.stores, after.end_reason, after.returns, after.margin) == ((25, 13), "majority", (1, -1), 12)


def test_half_of_all_seeds_is_not_yet_a_majority():
    after = board("oware", [1, 0, 0, 0, 0, 1], [1, 0, 0, 9, 0, 0], stores=(22, 14)).play(5)
    assert (after.stores, after.is_over) == ((24, 14), False)


def test_half_each_is_a_draw_by_majority():
    after = board("oware", [0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0], stores=(22, 24)).play(5)
    assert (after.stores, after.end_reason, after.returns, after.margin) == ((24, 24), "majority", (0, 0), 0)


@pytest.mark.parametrize("ruleset", ["awari", "wari_pl"])
def test_w4_without_the_stop_a_majority_plays_on(ruleset):
    after = board(ruleset, [1, 0, 0, 0, 0, 1], [1, 0, 0, 9, 0, 0], stores=(23, 13)).play(5)
    assert (after.stores, after.is_over) == ((25, 13), False)


def test_w4_without_the_stop_half_each_ends_when_nothing_can_move():
    after = board("awari", [0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0], stores=(22, 24)).play(5)
    assert (after.stores, after.end_reason, after.returns) == ((24, 24), "no_moves", (0, 0))


@pytest.mark.parametrize(("stores", "is_over"), [((28, 0), False), ((29, 0), True)])
def test_the_majority_grows_with_the_seeds(stores, is_over):
    after = board("oware_tr", [1, 0, 0, 0, 0, 1], [1, 0, 0, 9, 0, 0], stores=stores, seeds=5).play(5)
    assert after.is_over is is_over  # 31 of 60


def test_the_ply_limit_truncates():
    position = make_rules("oware", max_plies=3).position()
    after = play_all(position, [0, 0, 1])
    assert (after.is_over, after.end_reason, after.returns, after.ply) == (True, "max_plies", (0, 0), 3)


def test_an_end_by_rule_at_the_ply_limit_is_no_truncation():
    position = board("oware", [2, 1, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0], stores=(23, 11), max_plies=3)
    after = play_all(position, [1, 3, 5])
    assert (after.ply, after.end_reason, after.returns) == (3, "majority", (1, -1))


# Repetition


def shuffle(ruleset, rounds, **options):
    position = board(ruleset, *SHUFFLE, stores=(22, 24), **options)
    return play_all(position, SHUFFLE_MOVES * rounds)


def shuffle_to_the_end(ruleset, **options):
    position = board(ruleset, *SHUFFLE, stores=(22, 24), **options)
    while not position.is_over:
        position = position.play(*position.legal_actions())
    return position


def test_a_position_set_up_is_its_own_first_occurrence():
    position = board("oware", *SHUFFLE, stores=(22, 24))
    before = play_all(position, (SHUFFLE_MOVES * 2)[:-1])
    assert not before.is_over
    after = before.play(SHUFFLE_MOVES[-1])
    assert (after.ply, after.end_reason) == (24, "cycle")


def test_the_second_occurrence_is_not_yet_the_end():
    assert not shuffle("oware", 1).is_over


def test_o2_draw_nobody_wins_whatever_the_stores_hold():
    after = shuffle("oware", 2)
    assert (rows(after), after.stores, after.end_reason, after.returns) == (SHUFFLE, (22, 24), "cycle", (0, 0))


@pytest.mark.parametrize("ruleset", ["oware_tr", "oware_abapa", "wari_pl"])
def test_o2_w5_own_side_each_player_banks_his_row(ruleset):
    after = shuffle(ruleset, 2)
    assert (rows(after), after.stores, after.end_reason, after.returns) == ((NONE, NONE), (23, 25), "cycle", (-1, 1))


# The same shuffle begun where both seeds lie in North's row.
UNEVEN_SHUFFLE = {"south": NONE, "north": [1, 0, 0, 0, 0, 1], "stores": (22, 24), "to_move": 1}


def test_o2_own_side_of_an_uneven_board():
    after = play_all(board("oware_abapa", **UNEVEN_SHUFFLE), (SHUFFLE_MOVES[-1:] + SHUFFLE_MOVES[:-1]) * 2)
    assert (after.stores, after.end_reason, after.returns) == ((22, 26), "cycle", (-1, 1))


def test_o2_split_even_leaves_the_margin_of_the_stores():
    after = play_all(board("awari", **UNEVEN_SHUFFLE), (SHUFFLE_MOVES[-1:] + SHUFFLE_MOVES[:-1]) * 2)
    assert (after.margin, after.end_reason, after.returns) == (-2, "cycle", (-1, 1))


def test_o2_split_even_is_a_draw_with_even_stores():
    after = play_all(board("awari", **{**UNEVEN_SHUFFLE, "stores": (23, 23)}), (SHUFFLE_MOVES[-1:] + SHUFFLE_MOVES[:-1]) * 2)
    assert (after.margin, after.end_reason, after.returns) == (0, "cycle", (0, 0))


@pytest.mark.parametrize(("max_plies", "reason"), [(23, "max_plies"), (24, "cycle")])
def test_a_position_that_comes_back_at_the_ply_limit_ends_the_game_by_the_rules(max_plies, reason):
    assert shuffle_to_the_end("oware_abapa", max_plies=max_plies).end_reason == reason


def test_o2_off_nothing_ends():
    assert not shuffle("oware", 5, cycle_rule="off").is_over


def test_cycle_count_says_which_occurrence_ends_the_game():
    after = shuffle("oware_abapa", 1, cycle_count=2)
    assert (after.ply, after.end_reason, after.stores) == (12, "cycle", (23, 25))


def test_cycle_count_accepts_two_to_a_hundred():
    for count in (1, 101):
        with pytest.raises(ValueError, match=f"cycle_count={count} is not accepted: cycle_count is an integer from 2 to 100"):
            make_rules("oware", cycle_count=count)


# Board sizes


def test_the_smallest_board():
    opening = make_rules("oware", houses=3, seeds=1).position()
    assert rows(opening) == ([1, 1, 1], [1, 1, 1])
    after = opening.play(2)
    assert rows(after) == ([1, 1, 0], [0, 1, 1])
    assert after.stores == (2, 0)


def test_the_largest_board():
    opening = make_rules("oware", houses=10, seeds=12).position()
    after = opening.play(9)
    assert rows(after) == ([13, 13] + [12] * 7 + [0], [13] * 10)


@pytest.mark.parametrize(("name", "value"), [("houses", 2), ("houses", 11), ("seeds", 0), ("seeds", 13)])
def test_sizes_out_of_range_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name}={value} is not accepted"):
        make_rules("oware", **{name: value})


# Always


@settings(max_examples=20, deadline=None)
@given(ruleset=st.sampled_from(["oware", "oware_abapa", "awari", "wari_pl"]), random=st.randoms(use_true_random=False))
def test_seeds_are_conserved(ruleset, random):
    position = make_rules(ruleset).position()
    while not position.is_over:
        assert sum(position.holes) + sum(position.stores) == 48
        position = position.play(random.choice(position.legal_actions()))
    assert sum(position.holes) + sum(position.stores) == 48
