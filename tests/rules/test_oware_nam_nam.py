"""The rules of Nam Nam, one a test, each on a board that shows it.

Boards are written South | North, each row from its owner's left; South moves first. Owners: 0 South, 1 North, in the same order.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.rules.registry import ruleset
from mancala_envs.testing import check_env, check_ruleset

NONE = [0] * 6
FOURS = (4,) * 12
OWN_ROWS = [0] * 6 + [1] * 6

ROUND, MATCH = "oware_nam_nam_round", "oware_nam_nam"
MUST_FEED = {"no_seeds": "must_feed"}
NEAREST = {"ownership_choice": "nearest", "round_starter": "loser", "max_rounds": 3}
LOSER_MUST_FEED = {"round_starter": "loser", "no_seeds": "must_feed", "max_rounds": 3}
SHORT = {"max_rounds": 2, "max_plies": 2}


def board(south, north, stores=None, to_move=0, ruleset=ROUND, owners=OWN_ROWS, extras=(), **options):
    """A position; the stores make up 48 seeds, halves as far as not given."""
    away = 48 - sum(south) - sum(north)
    stores = (away // 2, away - away // 2) if stores is None else stores
    return make_rules(ruleset, **options).position(south + north, stores, to_move, owners=owners, **dict(extras))


def rows(position):
    return list(position.holes[:6]), list(position.holes[6:])


def end_of(position):
    """How a game has ended: all holes are empty."""
    assert set(position.holes) == {0}
    return position.stores, position.end_reason, position.returns


def play_all(position, actions):
    for action in actions:
        assert not position.is_over
        position = position.play(action)
    return position


# The rulesets


def test_what_each_ruleset_plays():
    one_round = {"no_seeds": "pass", "cycle_rule": "own_side", "cycle_count": 3}
    match = {"ownership_choice": "leader_chooses", "round_starter": "alternate", "max_rounds": 20}
    assert make_rules(ROUND).options == {**one_round, "max_plies": 1000}
    assert make_rules(MATCH).options == {**one_round, **match, "max_plies": 5000}
    assert (ruleset(ROUND).title, ruleset(MATCH).title) == ("Oware Nam Nam (one round)", "Oware Nam Nam (match)")


@pytest.mark.parametrize("id", [ROUND, MATCH])
def test_the_board_is_two_rows_of_six_with_four_seeds_each_and_each_player_owns_his_row(id):
    opening = make_rules(id).position()
    assert (opening.holes, opening.stores, opening.to_move) == (FOURS, (0, 0), 0)
    assert opening.owners == tuple(OWN_ROWS)
    assert opening.legal_actions() == [0, 1, 2, 3, 4, 5]


def test_a_match_begins_with_round_0_by_south():
    opening = make_rules(MATCH).position()
    assert (opening.round, opening.starter, opening.to_place) == (0, 0, 0)


@pytest.mark.parametrize(("name", "value"), [("houses", 6), ("seeds", 4), ("max_rounds", 20), ("round_starter", "loser")])
def test_one_round_has_no_options_of_size_or_of_the_match(name, value):
    with pytest.raises(ValueError, match=f"oware_nam_nam_round has no option '{name}'"):
        make_rules(ROUND, **{name: value})


# Sowing


def test_south_sows_counter_clockwise_until_a_last_seed_falls_into_an_empty_hole():
    after = board([0, 0, 0, 0, 3, 0], [5, 0, 6, 0, 0, 0]).play(4)
    assert rows(after) == ([0, 0, 0, 0, 0, 1], [6, 1, 6, 0, 0, 0])
    assert (after.to_move, after.ply) == (1, 1)


def test_north_sows_counter_clockwise_into_souths_row():
    after = board([5, 0, 6, 0, 0, 0], [0, 0, 0, 0, 3, 0], to_move=1).play(4)
    assert rows(after) == ([6, 1, 6, 0, 0, 0], [0, 0, 0, 0, 0, 1])
    assert after.to_move == 0


def test_the_hole_the_seeds_came_from_is_sown_like_any_other():
    after = board([12, 0, 0, 0, 0, 0], NONE).play(0)
    assert rows(after) == ([1] * 6, [1] * 6)


def test_a_last_seed_in_an_occupied_hole_of_either_player_is_lifted_with_the_others_and_sown_on():
    after = board([1, 1, 0, 0, 0, 0], [0, 0, 5, 0, 0, 0]).play(0)
    assert rows(after) == ([0, 0, 1, 1, 0, 0], [0, 0, 5, 0, 0, 0])
    after = board([0, 0, 6, 0, 0, 1], [1, 0, 0, 0, 0, 5]).play(5)
    assert rows(after) == ([0, 0, 6, 0, 0, 0], [0, 1, 1, 0, 0, 5])


# Captures


def test_n1_a_four_made_in_passing_is_captured_by_the_owner_of_the_hole_whoever_sows():
    after = board([6, 0, 0, 0, 0, 3], [3, 0, 0, 0, 0, 0], stores=(20, 16)).play(5)
    assert rows(after) == ([6, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0])
    assert after.stores == (20, 20)
    after = board([0, 0, 0, 3, 3, 0], [0, 6, 0, 0, 0, 0], stores=(20, 16)).play(3)
    assert rows(after) == ([0, 0, 0, 0, 0, 1], [1, 6, 0, 0, 0, 0])
    assert after.stores == (24, 16)


def test_n1_the_owner_is_who_owns_the_hole_not_whose_row_it_is_in():
    owners = [0] * 7 + [1] * 5
    after = board([6, 0, 0, 0, 0, 3], [3, 0, 0, 0, 0, 0], stores=(20, 16), owners=owners).play(5)
    assert after.stores == (24, 16)


def test_n1_a_four_made_by_the_last_seed_is_captured_by_the_mover_whoever_owns_the_hole_and_ends_the_turn():
    after = board([6, 0, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(20, 17)).play(5)
    assert rows(after) == ([6, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0])
    assert (after.stores, after.to_move) == ((24, 17), 1)


def test_n2_a_four_is_captured_at_once_so_that_the_next_seed_finds_the_hole_empty():
    """Thirteen seeds pass the North hole of three twice."""
    after = board([0, 0, 0, 0, 0, 13], [3, 0, 0, 0, 0, 5], stores=(16, 11)).play(5)
    assert rows(after) == ([1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 6])
    assert after.stores == (16, 15)


def test_a_hole_of_four_that_no_sown_seed_made_is_not_captured():
    after = board([6, 0, 0, 0, 0, 1], [4, 0, 1, 0, 0, 0], stores=(20, 16)).play(5)
    assert rows(after) == ([6, 0, 0, 0, 0, 0], [0, 1, 2, 1, 1, 1])  # five by then, they were sown on
    assert after.stores == (20, 16)


def test_captures_begin_the_quiet_plies_anew():
    quiet = board([6, 0, 0, 0, 0, 1], [0, 0, 3, 1, 0, 0]).play(5)
    assert quiet.observe(0)[-1] == pytest.approx(0.01)
    assert board([6, 0, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0]).play(5).observe(0)[-1] == 0


# Eight left


def test_n3_who_captures_four_of_the_last_eight_takes_the_other_four_too():
    after = board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(20, 20)).play(5)
    assert end_of(after) == ((28, 20), "captured_all", (1, -1))


def test_n3_he_need_not_be_the_mover_and_seeds_in_hand_go_to_him_as_well():
    after = board([0, 3, 0, 0, 0, 2], [3, 0, 0, 0, 0, 0], stores=(20, 20)).play(5)
    assert end_of(after) == ((20, 28), "captured_all", (-1, 1))


def test_n3_with_twelve_left_a_capture_takes_four():
    after = board([4, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(18, 18)).play(5)
    assert (rows(after), after.stores) == (([4, 3, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]), (22, 18))


def test_n3_with_eight_left_and_no_capture_the_round_goes_on():
    after = board([0, 0, 0, 3, 0, 2], [2, 0, 0, 1, 0, 0], stores=(20, 20)).play(5)
    assert (rows(after), after.stores, after.is_over) == (([0, 0, 0, 3, 0, 0], [3, 1, 0, 1, 0, 0]), (20, 20), False)


def test_one_round_with_equal_totals_is_a_draw():
    after = board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(16, 24)).play(5)
    assert end_of(after) == ((24, 24), "captured_all", (0, 0))


def test_more_than_half_of_the_seeds_does_not_end_a_round():
    assert not board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(40, 0)).is_over


def test_a_round_set_up_with_empty_holes_is_over():
    assert end_of(board(NONE, NONE, stores=(30, 18))) == ((30, 18), "captured_all", (1, -1))


# Starts


def test_n11_a_player_starts_from_any_hole_he_owns_and_from_no_other():
    owners = [0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1]
    holes = [1, 0, 2, 2, 2, 1], [2, 2, 2, 0, 2, 2]
    assert board(*holes, owners=owners).legal_actions() == [0, 2, 5, 6]
    assert board(*holes, owners=owners, to_move=1).legal_actions() == [1, 2, 4, 5, 9, 10]  # 9 and 10 are South's D and E


def test_an_action_of_north_counts_from_his_own_first_hole():
    position = board([0, 0, 0, 1, 0, 0], [0, 0, 5, 0, 0, 0], owners=[0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1], to_move=1)
    assert position.legal_actions() == [2, 9]
    assert rows(position.play(9)) == ([0, 0, 0, 0, 1, 0], [0, 0, 5, 0, 0, 0])


def test_notation_names_the_holes():
    position = make_rules(ROUND).position()
    assert [position.notation(action) for action in range(12)] == list("ABCDEFabcdef")
    assert [position.play(0).notation(action) for action in range(12)] == list("abcdefABCDEF")
    assert position.play(0).parse("F") == 11


# A player without seeds


NORTH_HAS_NONE = ([1, 0, 1, 1, 2, 3], NONE, (20, 20))


def test_n4_pass_a_player_without_seeds_in_his_holes_misses_his_turn():
    after = board(*NORTH_HAS_NONE).play(0)
    assert (rows(after)[0], after.to_move, after.ply) == ([0, 1, 1, 1, 2, 3], 0, 1)


def test_n4_pass_no_start_must_feed():
    assert board(*NORTH_HAS_NONE).legal_actions() == [0, 2, 3, 4, 5]


def test_n4_a_pass_depends_on_owned_holes_not_on_rows():
    holes, stores = ([1, 0, 0, 0, 0, 2], [2, 0, 3, 0, 0, 0]), (20, 20)
    position = board(*holes, stores=stores, owners=[0] * 9 + [1] * 3, to_move=1)
    assert (position.to_move, position.legal_actions()) == (0, [0, 5, 6, 8])


def test_n4_must_feed_only_starts_are_legal_after_which_the_opponent_has_seeds():
    """MancalaGames' record of NamNam: holes 0, 4 and 6 give North nothing."""
    holes = [2, 3, 0, 1, 1, 1], [1, 3, 0, 0, 0, 0]
    owners = [0] * 8 + [1] * 4
    assert board(*holes, stores=(28, 8), owners=owners).legal_actions() == [0, 1, 3, 4, 5, 6, 7]
    assert board(*holes, stores=(28, 8), owners=owners, **MUST_FEED).legal_actions() == [1, 3, 5, 7]


def test_n4_must_feed_the_turn_is_the_opponents_when_a_player_has_no_seeds():
    position = board([6, 1, 0, 0, 0, 0], NONE, stores=(20, 21), to_move=1, **MUST_FEED)
    assert (position.to_move, position.legal_actions()) == (0, [0])


def test_n4_must_feed_if_he_cannot_each_player_takes_the_seeds_in_his_holes():
    position = board([1, 0, 1, 0, 1, 0], NONE, stores=(15, 30), **MUST_FEED)
    assert end_of(position) == ((18, 30), "no_moves", (-1, 1))
    after = board([1, 0, 1, 1, 0, 5], [3, 0, 0, 0, 0, 0], stores=(17, 20), **MUST_FEED).play(3)
    assert not after.is_over  # North has seeds yet


def test_n4_must_feed_a_turn_that_takes_the_last_seeds_of_the_opponent_is_allowed():
    assert board([6, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0], **MUST_FEED).legal_actions() == [0, 5]


def test_n4_must_feed_a_turn_that_ends_the_round_feeds_nobody():
    position = board([1, 3, 0, 0, 0, 4], NONE, stores=(20, 20))
    assert position.play(0).end_reason == "captured_all"
    assert board([1, 3, 0, 0, 0, 4], NONE, stores=(20, 20), **MUST_FEED).legal_actions() == [5]


# The turn that begins with South's first hole does not end.
ENDLESS = ([2, 0, 1, 0, 2, 1], [0, 1, 0, 1, 0, 1])


def test_n4_must_feed_an_endless_turn_feeds_nobody():
    owners = [0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0]
    assert 0 in board(*ENDLESS, owners=owners).legal_actions()
    assert 0 not in board(*ENDLESS, owners=owners, **MUST_FEED).legal_actions()


# A round without end


def test_n8_after_an_endless_turn_each_player_takes_the_seeds_in_his_holes_as_they_were_before_it():
    after = board(*ENDLESS, stores=(19, 20)).play(0)
    assert end_of(after) == ((25, 23), "endless_turn", (1, -1))
    assert after.ply == 1


def test_n8_after_an_endless_turn_the_holes_are_those_that_a_player_owns():
    position = board(*ENDLESS, stores=(19, 20), owners=[0] * 6 + [1, 0] + [1] * 4)
    assert end_of(position.play(0)) == ((26, 22), "endless_turn", (1, -1))


def test_n8_an_endless_turn_of_twelve_seeds():
    after = board([1, 0, 2, 1, 0, 2], [1, 0, 2, 1, 2, 0], stores=(12, 24), to_move=1).play(4)
    assert end_of(after) == ((18, 30), "endless_turn", (-1, 1))


def test_n8_an_endless_turn_ends_a_round_without_a_cycle_rule_too():
    assert board(*ENDLESS, cycle_rule="off").play(0).end_reason == "endless_turn"


# South's first hole and North's last one play into each other's hands: the position comes back after two plies.
CIRCLE = ([2, 0, 1, 0, 1, 0], [1, 0, 1, 0, 1, 1])


def test_n8_a_position_that_occurs_for_the_third_time_ends_the_round_each_player_takes_the_seeds_in_his_holes():
    before = play_all(board(*CIRCLE, stores=(20, 20)), [0, 5, 0])
    assert not before.is_over
    assert end_of(before.play(5)) == ((24, 24), "cycle", (0, 0))


def test_n8_the_holes_of_a_circle_are_those_that_a_player_owns():
    after = play_all(board(*CIRCLE, stores=(20, 20), owners=[0] * 7 + [1] * 5), [0, 5, 0, 5])
    assert end_of(after) == ((25, 23), "cycle", (1, -1))


def test_n8_cycle_count_says_which_occurrence_ends_the_round():
    assert play_all(board(*CIRCLE, cycle_count=2), [0, 5]).end_reason == "cycle"


def test_n8_off_nothing_ends():
    assert not play_all(board(*CIRCLE, cycle_rule="off"), [0, 5] * 20).is_over


def test_the_ply_limit_truncates():
    after = make_rules(ROUND, max_plies=1).position().play(0)
    assert (after.end_reason, after.returns, after.ply) == ("max_plies", (0, 0), 1)


def test_an_end_by_rule_at_the_ply_limit_is_no_truncation():
    assert board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], max_plies=1).play(5).end_reason == "captured_all"
    assert board(*ENDLESS, max_plies=1).play(0).end_reason == "endless_turn"
    assert play_all(board(*CIRCLE, cycle_count=2, max_plies=2), [0, 5]).end_reason == "cycle"


def test_a_round_that_a_repetition_ends_at_the_ply_limit_of_a_match_is_banked_before_the_match_is_truncated():
    after = play_all(board(*CIRCLE, stores=(20, 20), ruleset=MATCH, cycle_count=2, max_plies=2), [0, 5])
    assert (after.end_reason, after.returns, after.ply) == ("max_plies", (0, 0), 2)
    assert (after.round, after.holes, after.stores) == (1, FOURS, (0, 0))  # 24:24, six holes each


# Between two rounds of a match


def after_round(south, north, to_move=0, owners=OWN_ROWS, round=0, starter=0, **options):
    """What follows a round with these totals."""
    rules = make_rules(MATCH, **options)
    return rules.position([0] * 12, (south, north), to_move, owners=owners, round=round, starter=starter)


def is_new_round(position, round, starter):
    assert (position.holes, position.stores, position.to_place) == (FOURS, (0, 0), 0)
    return (position.round, position.starter, position.to_move) == (round, starter, starter)


def owned(position):
    """How many holes South and North own."""
    return position.owners.count(0), position.owners.count(1)


def test_n5_the_leader_names_the_holes_that_he_fills_on_the_other_side_one_an_action():
    """South takes the last eight seeds and has 32, which are eight holes."""
    between = board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(24, 16), ruleset=MATCH).play(5)
    assert (between.holes, between.stores, between.to_move, between.ply) == ((0,) * 12, (32, 16), 0, 1)
    assert (between.to_place, between.owners, between.round, between.starter) == (2, tuple(OWN_ROWS), 0, 0)
    assert between.legal_actions() == [6, 7, 8, 9, 10, 11]

    between = between.play(between.parse("d"))
    assert (between.to_place, between.to_move, between.owners) == (1, 0, (0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1))
    assert (between.holes, between.stores) == ((0,) * 12, (32, 16))
    assert between.legal_actions() == [6, 7, 8, 10, 11]

    between = between.play(6)
    assert is_new_round(between, 1, 1)
    assert between.owners == (0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1)
    assert between.legal_actions() == [1, 2, 4, 5]
    assert between.ply == 3


def test_n5_north_names_holes_of_the_south_row():
    between = after_round(12, 36)
    assert (between.to_move, between.to_place, between.legal_actions()) == (1, 3, [6, 7, 8, 9, 10, 11])
    after = play_all(between, [11, 6, 8])  # F, A and C
    assert after.owners == (1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1)
    assert is_new_round(after, 1, 1)


@pytest.mark.parametrize(
    ("totals", "owners"),
    [
        ((32, 16), [0] * 8 + [1] * 4),
        ((44, 4), [0] * 11 + [1]),
        ((20, 28), [1] + [0] * 5 + [1] * 6),
        ((8, 40), [1] * 4 + [0] * 2 + [1] * 6),
    ],
)
def test_n5_nearest_takes_the_holes_after_his_own_counter_clockwise(totals, owners):
    after = after_round(*totals, **NEAREST)
    assert after.owners == tuple(owners)
    assert after.to_place == 0


def test_ownership_is_made_afresh_after_each_round():
    owners = [1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert after_round(28, 20, owners=owners, **NEAREST).owners == tuple([0] * 7 + [1] * 5)
    assert after_round(28, 20, owners=owners).owners == tuple(OWN_ROWS)


def test_n7_after_an_equal_round_each_player_owns_his_row_whatever_he_owned_before():
    after = after_round(24, 24, owners=[1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    assert is_new_round(after, 1, 1)
    assert after.owners == tuple(OWN_ROWS)


@pytest.mark.parametrize(
    ("leader", "holes"),
    [(25, 6), (26, 6), (27, 7), (29, 7), (30, 7), (31, 8), (33, 8), (34, 8), (35, 9), (45, 11), (46, 11)],
)
def test_n6_the_hole_of_odd_seeds_goes_to_who_has_more_of_its_four_at_two_each_to_who_trails(leader, holes):
    assert owned(after_round(leader, 48 - leader, **NEAREST)) == (holes, 12 - holes)
    assert owned(after_round(48 - leader, leader, **NEAREST)) == (12 - holes, holes)


def test_n6_with_six_holes_each_nothing_is_named():
    assert is_new_round(after_round(26, 22), 1, 1)
    assert after_round(27, 21).to_place == 1


@pytest.mark.parametrize(("round", "starter"), [(0, 0), (1, 1), (2, 0)])
def test_n9_alternate_a_round_is_begun_by_south_and_north_by_turns(round, starter):
    for totals in ((24, 24), (26, 22), (22, 26)):
        assert is_new_round(after_round(*totals, round=round, starter=starter, to_move=0), round + 1, 1 - starter)


def test_n9_loser_who_had_fewer_seeds_begins():
    assert is_new_round(after_round(28, 20, **NEAREST), 1, 1)
    assert is_new_round(after_round(20, 28, **NEAREST), 1, 0)
    assert is_new_round(after_round(25, 23, **NEAREST), 1, 1)


@pytest.mark.parametrize("to_move", [0, 1])
def test_n9_loser_after_an_equal_round_who_would_have_been_to_move_begins(to_move):
    assert is_new_round(after_round(24, 24, to_move=to_move, **NEAREST), 1, to_move)


def test_n9_loser_while_holes_are_named_the_loser_is_known_from_the_stores():
    after = after_round(32, 16, **LOSER_MUST_FEED)
    assert is_new_round(play_all(after, [6, 7]), 1, 1)


def test_n8_a_circle_ends_a_round_of_a_match_and_the_next_one_begins_with_a_new_history():
    between = play_all(board(*CIRCLE, stores=(24, 16), ruleset=MATCH), [0, 5, 0, 5])
    assert (between.is_over, between.stores, between.to_place, between.to_move) == (False, (28, 20), 1, 0)
    assert len(between.line) == 1
    assert len(between.play(6).line) == 1
    assert is_new_round(between.play(6), 1, 1)


def test_n8_an_endless_turn_ends_a_round_of_a_match():
    after = board(*ENDLESS, stores=(19, 20), ruleset=MATCH).play(0)
    assert not after.is_over
    assert is_new_round(after, 1, 1)  # 25:23, six holes each


def test_n4_must_feed_a_player_who_cannot_feed_ends_a_round_of_a_match():
    position = board([1, 0, 1, 0, 1, 0], NONE, stores=(21, 24), ruleset=MATCH, **LOSER_MUST_FEED)
    assert is_new_round(position, 1, 0)  # 24:24, South was to move


# The end of a match


@pytest.mark.parametrize("totals", [(48, 0), (0, 48), (47, 1)])
def test_n10_who_owns_all_twelve_holes_wins(totals):
    winner = 1 if totals[0] > 24 else -1
    assert end_of(after_round(*totals)) == (totals, "captured_all", (winner, -winner))


def test_n10_a_match_is_won_in_the_turn_that_takes_the_last_seeds():
    after = board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(40, 0), ruleset=MATCH).play(5)
    assert end_of(after) == ((48, 0), "captured_all", (1, -1))


def test_n10_eleven_holes_do_not_win():
    assert not after_round(44, 4).is_over


@pytest.mark.parametrize(
    ("totals", "returns"), [((28, 20), (1, -1)), ((16, 32), (-1, 1)), ((24, 24), (0, 0)), ((26, 22), (0, 0)), ((21, 27), (-1, 1))]
)
def test_n10_after_max_rounds_the_owner_of_more_holes_wins_six_each_are_a_draw(totals, returns):
    assert end_of(after_round(*totals, round=19)) == (totals, "max_rounds", returns)
    assert not after_round(*totals, round=18).is_over


def test_n10_all_twelve_holes_come_before_max_rounds():
    assert after_round(48, 0, round=19).end_reason == "captured_all"


def test_max_rounds_can_be_one_to_a_hundred():
    assert after_round(28, 20, round=1, **SHORT).end_reason == "max_rounds"
    for rounds in (0, 101):
        with pytest.raises(ValueError, match=f"max_rounds={rounds} is not accepted: max_rounds is an integer from 1 to 100"):
            make_rules(MATCH, max_rounds=rounds)


def test_naming_a_hole_is_a_ply_of_the_limit():
    between = board([0, 3, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0], stores=(24, 16), ruleset=MATCH, **SHORT).play(5)
    assert not between.is_over
    assert between.play(6).end_reason == "max_plies"


def test_positions_of_different_rounds_differ():
    rules = make_rules(MATCH)
    assert rules.position(round=2) != rules.position()
    assert rules.position(round=2, starter=0).holes == rules.position().holes


# Positions set up by hand


def test_a_match_set_up_while_holes_are_named_goes_on_there():
    rules = make_rules(MATCH)
    position = rules.position([0] * 12, (32, 16), owners=[0] * 6 + [0] + [1] * 5, round=3, starter=1, to_place=1)
    assert position.legal_actions() == [7, 8, 9, 10, 11]
    assert rules.parse(str(position)) == position
    assert is_new_round(position.play(11), 4, 0)


@pytest.mark.parametrize(
    ("id", "given", "message"),
    [
        (ROUND, {"stores": (1, 0)}, "49 seeds in the holes and stores: the game has 48"),
        (MATCH, {"stores": (1, 0)}, "49 seeds in the holes and stores: the game has 48"),
        (MATCH, {"holes": [4] * 11 + [0]}, "44 seeds in the holes and stores: the game has 48"),
        (ROUND, {"owners": [2] * 12}, "each is 0 .South. or 1 .North."),
        (ROUND, {"owners": [0] * 11}, "12 numbers"),
        (ROUND, {"round": 1}, "a position of oware_nam_nam_round has no 'round'; it has holes, owners"),
        (MATCH, {"round": 20}, "round 20: the first is 0, the last 19"),
        (MATCH, {"starter": 2}, "starter 2: 0 .South. or 1 .North."),
        (MATCH, {"to_place": 1}, "to_place 1"),
    ],
)
def test_what_cannot_be_is_refused(id, given, message):
    with pytest.raises(ValueError, match=message):
        make_rules(id).position(**given)


@pytest.mark.parametrize(
    "given",
    [
        {"to_place": 1},  # two are to be named
        {"to_place": 2, "to_move": 1},  # not by North
        {"to_place": 2, "owners": [1] + [0] * 7 + [1] * 4},  # his own row is his
        {"to_place": 2, "stores": (48, 0)},  # the match is over
        {"to_place": 2, "round": 19},  # no round follows
    ],
)
def test_holes_are_named_only_by_the_leader_and_as_many_as_he_fills(given):
    position = {"holes": [0] * 12, "stores": (32, 16), **given}
    with pytest.raises(ValueError, match=f"to_place {given['to_place']}, owners"):
        make_rules(MATCH).position(**position)


def test_no_holes_are_named_where_the_nearest_are_taken():
    with pytest.raises(ValueError, match="to_place 2, owners"):
        make_rules(MATCH, **NEAREST).position([0] * 12, (32, 16), to_place=2)


# What is observed


def test_observation_of_a_round():
    position = board([1, 2, 3, 0, 0, 0], [4, 5, 6, 0, 0, 0], stores=(20, 7), owners=[0] * 7 + [1] * 5)
    south = [1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0]
    assert (position.observe(0) * 48)[:12].tolist() == pytest.approx(south)
    assert (position.observe(1) * 48)[:12].tolist() == pytest.approx(south[6:] + south[:6])
    assert position.observe(0)[12:24].tolist() == [1] * 7 + [0] * 5
    assert position.observe(1)[12:24].tolist() == [0] + [1] * 5 + [0] * 6
    assert (position.observe(0) * 48)[24:26].tolist() == pytest.approx([20, 7])
    assert (position.observe(1) * 48)[24:26].tolist() == pytest.approx([7, 20])
    assert position.observe(0)[26:].tolist() == [0]


def test_observation_of_a_match():
    position = after_round(36, 12, round=5, starter=1)
    assert position.observe(0)[26:].tolist() == pytest.approx([5 / 20, 0, 3 / 6, 0])
    assert position.observe(1)[26:].tolist() == pytest.approx([5 / 20, 1, 3 / 6, 0])


# Always


@settings(max_examples=30, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_all_captures_of_a_round_are_of_four_unless_it_has_no_end(random):
    position = make_rules(ROUND).position()
    while not position.is_over:
        position = position.play(random.choice(position.legal_actions()))
        assert sum(position.holes) + sum(position.stores) == 48
        if position.end_reason in (None, "captured_all"):
            assert {store % 4 for store in position.stores} == {0}


@settings(max_examples=10, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_in_a_match_both_players_own_their_holes_by_the_totals_of_the_last_round(random):
    position = make_rules(MATCH).position()
    while not position.is_over:
        before, position = position, position.play(random.choice(position.legal_actions()))
        assert sum(position.holes) + sum(position.stores) == 48
        assert set(owned(position)) == {owned(position)[0], 12 - owned(position)[0]} != {0, 12}
        if before.to_place and not position.to_place:
            leader = before.to_move
            assert is_new_round(position, before.round + 1, 1 - before.starter)
            assert owned(position)[leader] == (before.stores[leader] + 1) // 4
            assert set(position.owners[6 * leader : 6 * leader + 6]) == {leader}


@settings(max_examples=30, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_must_feed_a_player_without_seeds_has_some_after_the_next_turn(random):
    position = make_rules(ROUND, **MUST_FEED).position()
    while not position.is_over:
        before, position = position, position.play(random.choice(position.legal_actions()))
        hungry = not any(before.holes[6 - 6 * before.to_move :][:6])
        assert not hungry or any(position.holes[6 - 6 * before.to_move :][:6])


@pytest.mark.parametrize(
    ("id", "options", "games"),
    [
        (ROUND, {}, 20),
        (ROUND, MUST_FEED, 20),
        (ROUND, {"cycle_rule": "off"}, 20),
        (MATCH, {}, 1),
        (MATCH, NEAREST, 5),
        (MATCH, LOSER_MUST_FEED, 5),
        (MATCH, SHORT, 20),
    ],
)
def test_conformance(id, options, games):
    check_ruleset(make_rules(id, **options), games)


@pytest.mark.parametrize("id", [ROUND, MATCH])
def test_environment(id):
    check_env(mancala_envs.make(id), games=2)
