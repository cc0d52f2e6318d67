"""`Position`, the public surface of a game in progress."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_envs
from mancala_envs import IllegalMoveError, Position, make_rules

RULESETS = ["oware", "oware_abapa", "awari", "wari_pl", "kalah", "taktix", "tactix_hein"]
SHUFFLE = {"holes": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], "stores": (22, 24)}  # comes back every 12 plies, all forced


@st.composite
def positions(draw, rulesets=RULESETS):
    """A position after some random plies; it may be the end of its game."""
    position = make_rules(draw(st.sampled_from(rulesets))).position()
    random = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 150))):
        if position.is_over:
            break
        position = position.play(random.choice(position.legal_actions()))
    return position


# What a position tells


def test_the_opening():
    position = make_rules("oware").position()
    assert position.holes == (4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
    assert (position.stores, position.to_move, position.ply) == ((0, 0), 0, 0)
    assert (position.is_over, position.returns, position.margin, position.end_reason) == (False, (0, 0), 0, None)
    assert position.legal_actions() == [0, 1, 2, 3, 4, 5]


def test_its_numbers_are_plain_integers():
    position = make_rules("kalah").position().play(2)
    numbers = [*position.holes, *position.stores, position.to_move, position.ply, position.margin, *position.legal_actions()]
    assert {type(number) for number in numbers} == {int}


def test_a_finished_position():
    position = make_rules("kalah").position(holes=[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0], stores=(20, 25)).play(5)
    assert (position.is_over, position.returns, position.margin, position.end_reason) == (True, (-1, 1), -6, "no_moves")
    assert position.legal_actions() == []


def test_the_cells_of_a_game_on_cells():
    position = make_rules("taktix", size=2).position()
    assert position.cells == position.holes == (1, 1, 1, 1)


def test_a_part_that_the_game_does_not_have():
    with pytest.raises(AttributeError, match="Position of oware has no attribute 'cells'"):
        make_rules("oware").position().cells  # noqa: B018 (the attribute is not there)


# Playing


def test_playing_leaves_the_position_as_it_was():
    position = make_rules("oware").position()
    before = position.state.copy()
    after = position.play(2)
    assert after is not position
    assert (position.state == before).all()
    assert (position.ply, after.ply) == (0, 1)


def test_the_state_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        make_rules("oware").position().state[7] = 9


def test_an_illegal_action_names_the_legal_ones():
    position = make_rules("oware").position(holes=[0, 1, 0, 0, 0, 2, 4, 0, 0, 0, 0, 0])
    with pytest.raises(IllegalMoveError, match=r"^action 0 is not legal here; legal are 1, 5$"):
        position.play(0)


@pytest.mark.parametrize("action", [-1, 6, 100, None, "A", 0.5])
def test_an_action_out_of_range_is_illegal(action):
    with pytest.raises(IllegalMoveError, match=f"action {action!r} is not legal here; legal are 0, 1, 2, 3, 4, 5"):
        make_rules("oware").position().play(action)


def test_an_action_of_a_finished_game_is_illegal():
    position = make_rules("taktix", size=2).position(cells=[1, 0, 0, 0]).play(0)
    with pytest.raises(IllegalMoveError, match=r"action 0: the game is over \(last_piece\)"):
        position.play(0)


def test_an_illegal_move_is_a_value_error():
    assert issubclass(mancala_envs.IllegalMoveError, ValueError)


def test_numpy_integers_are_actions():
    position = make_rules("oware").position()
    assert position.play(np.int64(2)) == position.play(2)


def test_branches_of_a_game_have_histories_of_their_own():
    """A game that has met a position twice ends at the third time; the same position reached otherwise does not."""
    rules = make_rules("oware")
    position = rules.position(**SHUFFLE)
    line = [position]
    for _ in range(23):
        line.append(line[-1].play(line[-1].legal_actions()[0]))
    assert line[23].play(line[23].legal_actions()[0]).end_reason == "cycle"
    assert line[11] == line[23]
    assert line[11].play(line[11].legal_actions()[0]).end_reason is None
    assert line[23].play(line[23].legal_actions()[0]).end_reason == "cycle"


def test_the_line_holds_the_positions_that_can_come_back():
    rules = make_rules("oware")
    position = rules.position(holes=[1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0])
    later = position.play(0).play(3)
    assert [Position(rules, state.copy()) for state in later.line] == [position, position.play(0), later]
    captured = later.play(5)
    assert captured.stores == (2, 0)
    assert [Position(rules, state.copy()) for state in captured.line] == [captured]


# Equality


def test_equal_positions_are_equal_and_hash_alike():
    rules = make_rules("oware")
    position, other = rules.position().play(2), rules.position(holes=[4, 4, 0, 5, 5, 5, 5, 4, 4, 4, 4, 4], to_move=1)
    assert position == other
    assert hash(position) == hash(other)
    assert len({position, other}) == 1


def test_plies_and_history_do_not_count():
    start = make_rules("oware").position(**SHUFFLE)
    position = start
    for _ in range(12):
        position = position.play(position.legal_actions()[0])
    assert (position.ply, start.ply) == (12, 0)
    assert position == start
    assert hash(position) == hash(start)


@pytest.mark.parametrize(
    "other", [{"holes": [1] * 12, "to_move": 1}, {"holes": [1] * 11 + [2]}, {"holes": [1] * 12, "stores": (0, 1)}]
)
def test_positions_differ_by_holes_stores_and_who_is_to_move(other):
    rules = make_rules("oware")
    assert rules.position(holes=[1] * 12) != rules.position(**other)


def test_positions_of_different_rules_differ():
    assert make_rules("oware").position() != make_rules("oware_abapa").position()
    assert make_rules("kalah").position() != make_rules("kalah", skip_origin=True).position()


def test_a_position_equals_nothing_else():
    assert make_rules("oware").position() != "4,4,4,4,4,4,4,4,4,4,4,4 0:0 S"


# Notation and text


def test_notation_of_oware():
    rules = make_rules("oware")
    assert [rules.position().notation(action) for action in range(6)] == ["A", "B", "C", "D", "E", "F"]
    assert [rules.position().play(0).notation(action) for action in range(6)] == ["a", "b", "c", "d", "e", "f"]


def test_notation_of_kalah():
    rules = make_rules("kalah")
    for position in (rules.position(), rules.position().play(0)):
        assert [position.notation(action) for action in range(6)] == ["1", "2", "3", "4", "5", "6"]


def test_notation_of_taktix():
    opening = make_rules("taktix").position()
    assert (opening.notation(0), opening.notation(103)) == ("a1", "a4b4c4d4")
    assert opening.play(opening.parse("a1c1")).cells[:4] == (0, 1, 0, 1)


def test_text_that_is_no_move():
    position = make_rules("oware").position(holes=[0, 1, 0, 0, 0, 2, 4, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="no move 'a'; legal are B, F"):
        position.parse("a")


@pytest.mark.parametrize("action", [-1, 6])
def test_notation_of_no_action(action):
    with pytest.raises(ValueError, match=f"action {action} is not accepted: 0 to 5"):
        make_rules("oware").position().notation(action)


@settings(max_examples=60, deadline=None)
@given(positions())
def test_moves_read_back(position):
    names = [position.notation(action) for action in position.legal_actions()]
    assert [position.parse(name) for name in names] == position.legal_actions()


def test_a_position_in_one_line():
    assert str(make_rules("oware").position().play(2)) == "4,4,0,5,5,5,5,4,4,4,4,4 0:0 N"
    assert str(make_rules("kalah").position().play(2)) == "4,4,0,5,5,5,4,4,4,4,4,4 1:0 S"
    assert str(make_rules("taktix", size=2).position()) == "1,1,1,1 0:0 S"
    assert repr(make_rules("taktix", size=2).position()) == "<Position of taktix: 1,1,1,1 0:0 S>"


@settings(max_examples=100, deadline=None)
@given(positions())
def test_a_position_reads_back_from_its_line(position):
    assert position.rules.parse(str(position)) == position


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4,4,4",
        "4,4,4,4,4,4,4,4,4,4,4,4 0:0",
        "4,4,4,4,4,4,4,4,4,4,4,4 0:0 X",
        "4,4,4,4,4,4,4,4,4,4,4,4 0:0 S S",
        "4,4,4,4,4,4,4,4,4,4,4 0:0 S",
        "4,4,4,4,4,4,4,4,4,4,4,x 0:0 S",
        "4,4,4,4,4,4,4,4,4,4,4,4.5 0:0 S",
        "4,4,4,4,4,4,4,4,4,4,4,-4 0:0 S",
        "4,4,4,4,4,4,4,4,4,4,4,5 0:0 S",
        "4,4,4,4,4,4,4,4,4,4,4,4 0 S",
        "4,4,4,4,4,4,4,4,4,4,4,4 0:0:0 S",
    ],
)
def test_lines_that_are_no_position(text):
    with pytest.raises(ValueError, match=r"is no position of oware|is not accepted|the game has 48"):
        make_rules("oware").parse(text)


def test_the_error_of_a_line_shows_what_one_looks_like():
    with pytest.raises(
        ValueError, match="'4 4' is no position of oware: write holes stores player, as in 4,4,4,4,4,4,4,4,4,4,4,4 0:0 S"
    ):
        make_rules("oware").parse("4 4")


def test_the_drawn_board_of_two_rows():
    assert make_rules("oware").position().play(2).text().splitlines() == [
        "   f e d c b a",
        "   4 4 4 4 4 5",
        "0               0",
        "   4 4 0 5 5 5",
        "   A B C D E F",
        "North to move: a b c d e f",
    ]


def test_the_drawn_board_of_cells():
    position = make_rules("taktix", size=2).position()
    assert position.play(position.parse("b1")).text().splitlines() == [
        "   a b",
        " 1 o .",
        " 2 o o",
        "North to move: a1 a2 a1a2 b2 a2b2",
    ]


def test_the_drawn_board_says_how_the_game_ended():
    position = make_rules("taktix", size=2).position(cells=[1, 0, 0, 0], to_move=1).play(0)
    assert position.text().splitlines()[-1] == "North wins (last_piece)"
    limited = make_rules("kalah", max_plies=2).position().play(2).play(5)
    assert limited.text().splitlines()[-1] == "Nobody wins (max_plies)"


# Pickle


@settings(max_examples=30, deadline=None)
@given(positions())
def test_a_position_survives_pickling(position):
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert (copy.state == position.state).all()
    assert (copy.is_over, copy.legal_actions()) == (position.is_over, position.legal_actions())


def test_the_history_survives_pickling():
    position = make_rules("oware").position(**SHUFFLE)
    for _ in range(23):
        position = pickle.loads(pickle.dumps(position))
        position = position.play(position.legal_actions()[0])
    assert position.play(position.legal_actions()[0]).end_reason == "cycle"


def test_options_survive_pickling():
    position = make_rules("kalah", houses=3, seeds=2).position()
    assert pickle.loads(pickle.dumps(position)).rules == position.rules


# Observations


def test_a_player_sees_his_own_side_first():
    position = make_rules("kalah").position(holes=[1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 1], stores=(6, 3), to_move=1)
    south = [1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 1, 6, 3]
    north = [7, 8, 1, 0, 1, 1, 1, 2, 3, 4, 5, 6, 3, 6]
    assert np.allclose(position.observe(0), np.array(south) / 48)
    assert np.allclose(position.observe(1), np.array(north) / 48)
    assert (position.observe(0).dtype, position.observe(0).shape) == (np.float32, (14,))


def test_oware_shows_the_plies_since_the_last_capture():
    position = make_rules("oware").position(**SHUFFLE)
    for ply in range(5):
        assert np.isclose(position.observe(0)[14], ply / 100)
        position = position.play(position.legal_actions()[0])


def test_both_players_see_the_same_pieces():
    position = make_rules("taktix", size=2).position(cells=[1, 0, 0, 1])
    assert position.observe(0).tolist() == position.observe(1).tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("player", [-1, 2, None])
def test_there_are_two_players(player):
    with pytest.raises(ValueError, match=rf"player={player} is not accepted: 0 \(South\) or 1 \(North\)"):
        make_rules("oware").position().observe(player)


# Setting up


def test_a_position_set_up():
    position = make_rules("oware").position(holes=np.arange(12) % 4, stores=[1, 2], to_move=1)
    assert position.holes == (0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)
    assert (position.stores, position.to_move, position.ply) == ((1, 2), 1, 0)


def test_what_is_not_given_is_as_in_the_opening():
    position = make_rules("oware").position(to_move=1)
    assert (position.holes, position.stores, position.to_move) == ((4,) * 12, (0, 0), 1)


def test_seeds_may_be_out_of_play():
    position = make_rules("oware").position(holes=[1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    assert not position.is_over


def test_a_position_set_up_may_be_the_end_of_a_game():
    position = make_rules("oware").position(holes=[0] * 6 + [1] * 6, stores=(25, 17))
    assert (position.is_over, position.end_reason, position.returns) == (True, "majority", (1, -1))


@pytest.mark.parametrize(
    ("ruleset", "arguments", "message"),
    [
        ("oware", {"holes": [4] * 11}, r"holes=\[4, .*\] is not accepted: 12 numbers"),
        ("oware", {"holes": [4] * 13}, r"is not accepted: 12 numbers"),
        ("oware", {"holes": 4}, r"holes=\[4\] is not accepted: 12 numbers"),
        ("oware", {"holes": "444444444444"}, r"holes='444444444444' is not accepted: 12 numbers"),
        ("oware", {"holes": [4] * 11 + [4.5]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + [float("inf")]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + [float("nan")]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + [None]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + ["four"]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + [-1]}, r"numbers from 0 to 32767"),
        ("oware", {"holes": [0] * 11 + [40000]}, r"numbers from 0 to 32767"),
        ("oware", {"holes": [0] * 11 + [10**400]}, r"is not accepted: 12 whole numbers"),
        ("oware", {"holes": [4] * 11 + [5]}, r"49 seeds in the holes and stores: the game has 48"),
        ("oware", {"holes": [4] * 12, "stores": (1, 0)}, r"49 seeds in the holes and stores: the game has 48"),
        ("oware", {"holes": [30000] * 12}, r"360000 seeds in the holes and stores: the game has 48"),
        ("oware", {"stores": (0,)}, r"stores=\(0,\) is not accepted: 2 numbers"),
        ("oware", {"stores": (-1, 0)}, r"stores=\[-1, 0\] is not accepted: numbers from 0 to 32767"),
        ("oware", {"to_move": 2}, r"to_move=2 is not accepted: 0 \(South\) or 1 \(North\)"),
        ("oware", {"to_move": "South"}, r"to_move='South' is not accepted"),
        ("oware", {"to_move": None}, r"to_move=None is not accepted"),
        ("oware", {"cells": [1] * 12}, r"a position of oware has no 'cells'; it has holes"),
        ("oware", {"hands": [0, 0]}, r"a position of oware has no 'hands'; it has holes"),
        ("taktix", {"holes": [1] * 16}, r"a position of taktix has no 'holes'; it has cells"),
        ("taktix", {"cells": [1] * 15}, r"is not accepted: 16 numbers"),
        ("taktix", {"cells": [2] + [1] * 15}, r"each is 0 \(empty\) or 1 \(a piece\)"),
        ("taktix", {"stores": (0, 0)}, r"stores=\(0, 0\): taktix has no stores"),
    ],
)
def test_positions_that_cannot_be_are_refused(ruleset, arguments, message):
    with pytest.raises(ValueError, match=message):
        make_rules(ruleset).position(**arguments)


@pytest.mark.parametrize("name", ["rules", "holes", "state", "note"])
def test_a_position_cannot_be_changed(name):
    position = make_rules("oware").position()
    with pytest.raises(AttributeError, match="a position cannot be changed"):
        setattr(position, name, None)
