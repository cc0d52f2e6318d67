"""The rules of TakTix and its relatives, one a test; boards are drawn, o for a piece, a1 at the top left."""

import pytest

from mancala_envs import make_rules


def board(drawing, to_move=0, ruleset="taktix", **options):
    """The position of a drawing such as "oo/.o", its rows from the top."""
    cells = [int(cell == "o") for cell in drawing.replace("/", "")]
    return make_rules(ruleset, size=len(drawing.split("/")), **options).position(cells=cells, to_move=to_move)


def moves(position):
    return [position.notation(action) for action in position.legal_actions()]


@pytest.mark.parametrize(("ruleset", "contiguous", "misere"), [("taktix", False, False), ("tactix_hein", True, True)])
def test_what_each_ruleset_plays(ruleset, contiguous, misere):
    assert make_rules(ruleset).options == {"size": 4, "contiguous": contiguous, "misere": misere, "max_plies": 1000}


def test_the_board_is_full_at_the_start_and_no_seeds_are_counted():
    opening = make_rules("taktix").position()
    assert (opening.cells, opening.holes) == ((1,) * 16, (1,) * 16)
    assert (opening.to_move, opening.stores, opening.margin) == (0, (0, 0), 0)


def test_the_actions_are_the_sets_of_a_line_in_ascending_order_of_their_bits():
    assert moves(board("oo/oo")) == ["a1", "b1", "a1b1", "a2", "a1a2", "b2", "b1b2", "a2b2"]


def test_any_pieces_of_one_row_or_column_may_be_taken():
    assert moves(board("ooo/o../o..")) == [
        "a1",
        "b1",
        "a1b1",
        "c1",
        "a1c1",
        "b1c1",
        "a1b1c1",
        "a2",
        "a1a2",
        "a3",
        "a1a3",
        "a2a3",
        "a1a2a3",
    ]


def test_a_piece_taken_is_gone_and_the_other_player_moves():
    opening = board("ooo/ooo/ooo")
    after = opening.play(opening.parse("b1b2"))
    assert after.cells == (1, 0, 1, 1, 0, 1, 1, 1, 1)
    assert (after.to_move, after.ply, after.is_over) == (1, 1, False)


GAP = "o.o/.../..."


def test_gaps_may_be_jumped():
    assert moves(board(GAP)) == ["a1", "c1", "a1c1"]


def test_contiguous_pieces_must_stand_without_a_gap():
    assert moves(board(GAP, contiguous=True)) == ["a1", "c1"]
    assert moves(board("ooo/.../...", contiguous=True)) == ["a1", "b1", "a1b1", "c1", "b1c1", "a1b1c1"]


@pytest.mark.parametrize("to_move", [0, 1])
def test_who_takes_the_last_piece_wins(to_move):
    after = board("o./..", to_move).play(0)
    assert (after.end_reason, after.returns[to_move], after.returns[1 - to_move]) == ("last_piece", 1, -1)


@pytest.mark.parametrize("to_move", [0, 1])
def test_misere_who_takes_the_last_piece_loses(to_move):
    after = board("o./..", to_move, misere=True).play(0)
    assert (after.end_reason, after.returns[to_move], after.returns[1 - to_move]) == ("last_piece", -1, 1)


def test_the_last_pieces_may_be_taken_together():
    position = board("oo/..")
    after = position.play(position.parse("a1b1"))
    assert (after.end_reason, after.returns) == ("last_piece", (1, -1))


def test_tactix_hein_is_contiguous_and_misere():
    assert moves(board(GAP, ruleset="tactix_hein")) == ["a1", "c1"]
    after = board("o../.../...", ruleset="tactix_hein").play(0)
    assert after.returns == (-1, 1)


@pytest.mark.parametrize(("size", "any_set", "contiguous_set"), [(2, 8, 8), (3, 33, 27), (4, 104, 64), (5, 285, 125)])
def test_the_number_of_actions_by_size(size, any_set, contiguous_set):
    for ruleset, count in (("taktix", any_set), ("tactix_hein", contiguous_set)):
        opening = make_rules(ruleset, size=size).position()
        assert opening.rules.num_actions == count
        assert opening.legal_actions() == list(range(count))


@pytest.mark.parametrize("size", [1, 6])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ValueError, match=f"size={size} is not accepted: size is an integer from 2 to 5"):
        make_rules("taktix", size=size)


def test_the_ply_limit_truncates():
    after = make_rules("taktix", size=2, max_plies=1).position().play(0)
    assert (after.is_over, after.end_reason, after.returns) == (True, "max_plies", (0, 0))


def test_the_last_piece_at_the_ply_limit_is_no_truncation():
    after = board("o./..", max_plies=1).play(0)
    assert (after.end_reason, after.returns) == ("last_piece", (1, -1))


def test_cells_hold_nothing_or_a_piece():
    with pytest.raises(ValueError, match=r"cells \[2, 0, 0, 0\]: each is 0 \(empty\) or 1 \(a piece\)"):
        make_rules("taktix", size=2).position(cells=[2, 0, 0, 0])
