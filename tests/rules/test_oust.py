"""The rules of Oust, one a test; boards are drawn row by row from the top, o for a stone of South, x for one of North.

With three cells a side:      a1 a2 a3
                             b1 b2 b3 b4
                            c1 c2 c3 c4 c5
                             d1 d2 d3 d4
                              e1 e2 e3
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_envs
from mancala_envs import make_rules
from mancala_envs.kernels.playouts import playouts
from mancala_envs.rules.contract import CAPTURED_ALL, REASON, STORE_SOUTH
from mancala_envs.testing import check_env, check_ruleset

SIDES = range(2, 11)
SWAPPED = str.maketrans("ox", "xo")


def settled(drawn, to_move=0, **extras):
    """The position of a drawing such as "o. ... .x"; with North to move, of one with the colours exchanged."""
    rows = drawn.translate(SWAPPED).split() if to_move else drawn.split()
    cells = [".ox".index(cell) for cell in "".join(rows)]
    return make_rules("oust", side=len(rows[0])).position(cells=cells, to_move=to_move, **extras)


def board(drawn, to_move=0, **extras):
    """As `settled`, where the player to move need not pass."""
    position = settled(drawn, to_move, **extras)
    assert position.to_move == to_move
    return position


def drawing(position, mover=0):
    """The drawing of a position; with the colours exchanged where North is the mover."""
    drawn = " ".join("".join(".ox"[position.cells[cell]] for cell in row) for row in position.rules.board.rows)
    return drawn.translate(SWAPPED) if mover else drawn


def moves(position):
    return [position.notation(action) for action in position.legal_actions()]


def play(position, *names):
    for name in names:
        assert not position.is_over
        position = position.play(position.parse(name))
    return position


def axial(side):
    """The coordinates (q, r) of the cells, in the order of their numbers."""
    reach = range(1 - side, side)
    return [(q, r) for r in reach for q in reach if abs(q + r) < side]


def neighbours(cell):
    q, r = cell
    return {(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)}


each_mover = pytest.mark.parametrize("mover", [0, 1])


# The board


def test_the_ruleset():
    rules = make_rules("oust")
    assert rules.title == "Oust"
    assert rules.options == {"side": 7, "max_plies": 1000}
    assert "Mark Steere (July 2007, marksteeregames.com)" in mancala_envs.rules.registry.ruleset("oust").family.page


@pytest.mark.parametrize("side", SIDES)
def test_the_board_is_six_sided_and_empty_at_the_start(side):
    opening = make_rules("oust", side=side).position()
    rows = opening.rules.board.rows
    assert [len(row) for row in rows] == [*range(side, 2 * side), *range(2 * side - 2, side - 1, -1)]
    assert [cell for row in rows for cell in row] == list(range(len(axial(side))))
    assert opening.cells == opening.holes == (0,) * len(axial(side))
    assert (opening.placed, opening.to_move, opening.stores, opening.margin) == ((0, 0), 0, (0, 0), 0)
    assert opening.legal_actions() == list(range(len(axial(side))))


@pytest.mark.parametrize("side", [1, 11])
def test_sizes_out_of_range_are_refused(side):
    with pytest.raises(ValueError, match=f"side={side} is not accepted: side is an integer from 2 to 10"):
        make_rules("oust", side=side)


@pytest.mark.parametrize("side", [2, 3, 7, 10])
def test_a_cell_touches_its_six_neighbours(side):
    rules, cells = make_rules("oust", side=side), axial(side)
    for number, cell in enumerate(cells):
        apart = [other for other in range(len(cells)) if other != number and cells[other] not in neighbours(cell)]
        position = rules.position(cells=[int(other == number) for other in range(len(cells))])
        if apart:
            assert (position.to_move, position.legal_actions()) == (0, apart)
        else:
            assert position.to_move == 1


def test_rows_are_lettered_from_the_top_and_cells_numbered_from_the_left():
    names = make_rules("oust", side=3).action_names
    assert names[0] == names[1]
    assert " ".join(names[0]) == "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3"
    assert make_rules("oust", side=10).action_names[0][-1] == "s10"


def test_the_drawn_board():
    assert board("o. .x. ..").text() == "\n".join(
        ["a1  o .", "b1 . x .", "c1  . .", "placed 1 1", "South to move: a2 b1 b3 c1 c2"],
    )


# Placing without a capture


@each_mover
def test_a_stone_may_touch_the_opponents_but_not_the_own(mover):
    position = board("o.. .... ..... .... ..x", mover)
    assert moves(position) == ["a3", "b3", "b4", "c1", "c2", "c3", "c4", "c5", "d1", "d2", "d3", "d4", "e1", "e2"]


@each_mover
def test_a_placement_without_a_capture_ends_the_turn(mover):
    after = play(board("o.. .... ..... .... ..x", mover), "d3")
    assert drawing(after, mover) == "o.. .... ..... ..o. ..x"
    assert (after.to_move, after.ply, after.is_over) == (1 - mover, 1, False)


@each_mover
def test_u1_own_stones_may_not_be_joined_where_no_group_of_the_opponent_is_touched(mover):
    assert "c3" not in moves(board("... .o.. ..... .... ..x", mover))
    assert "c3" in moves(board("... .o.. ..... .x.. ..x", mover))


# Capturing


@each_mover
def test_a_smaller_group_is_captured_and_the_same_player_moves_on(mover):
    after = play(board("... .o.. ..... ..x. x..", mover), "c3")
    assert drawing(after, mover) == "... .o.. ..o.. .... x.."
    assert (after.to_move, after.ply, after.is_over) == (mover, 1, False)


@each_mover
def test_a_group_of_the_same_size_cannot_be_captured(mover):
    assert "c3" not in moves(board("... .o.. ..... ..x. ..x", mover))
    assert "c3" in moves(board("... oo.. ..... ..x. ..x", mover))


@each_mover
def test_a_larger_group_cannot_be_captured(mover):
    assert "c3" not in moves(board("... .o.. ..... ..xx ..x", mover))
    assert "c3" in moves(board("o.. oo.. ..... ..xx ..x", mover))


@each_mover
def test_every_group_touched_must_be_smaller(mover):
    assert "c3" not in moves(board("..x .o.. .x... ..x. ..x", mover))


@each_mover
def test_all_groups_touched_are_captured_whole_and_no_others(mover):
    after = play(board("..x oo.. .x... ..x. ..x", mover), "c3")
    assert drawing(after, mover) == "..x oo.. ..o.. .... ..."


@each_mover
def test_u5_what_any_stone_of_the_new_group_touches_is_captured(mover):
    after = play(board("x.. .o.. ..... .... ..x", mover), "c3")
    assert drawing(after, mover) == "... .o.. ..o.. .... ..x"


@each_mover
def test_u5_what_any_stone_of_the_new_group_touches_must_be_smaller(mover):
    assert "c3" not in moves(board("xx. .o.. ..... .... ..x", mover))


def test_u5_a_pair_captures_what_its_first_stone_touched():
    after = play(board(".. .ox .."), "b1")
    assert drawing(after) == ".. oo. .."


@each_mover
def test_the_groups_that_a_stone_joins_add_up(mover):
    assert "c3" in moves(board("... oo.x ...xx oo.x ...", mover))  # 2 + 2 + 1 against 4
    assert "c3" not in moves(board("..x oo.x ...xx oo.x ...", mover))  # against 5


@each_mover
def test_a_group_that_a_stone_touches_twice_counts_once(mover):
    assert moves(board("..x oo.x o..xx oo.x ...", mover)) == ["a2", "b3", "c3", "d3", "e3"]  # 5 + 1 against 5
    assert settled("..x oo.x o..xx oo.x ..x", mover).to_move == 1 - mover  # against 6: no placement is left


@each_mover
def test_three_groups_are_joined(mover):
    assert "c3" not in moves(board("..x .o.. ...o. .ox. xxx", mover))
    after = play(board("..x .o.. ...o. .ox. .xx", mover), "c3")
    assert drawing(after, mover) == "..x .o.. ..oo. .o.. ..."


@each_mover
def test_the_turn_goes_on_until_a_placement_without_a_capture(mover):
    after = play(board("..x .o.. ..... ..x. x..", mover), "c3", "d2")
    assert drawing(after, mover) == "..x .o.. ..o.. .o.. ..."
    assert (after.to_move, after.ply) == (mover, 2)
    after = play(after, "c5")
    assert drawing(after, mover) == "..x .o.. ..o.o .o.. ..."
    assert (after.to_move, after.ply) == (1 - mover, 3)


@each_mover
def test_once_its_neighbour_is_captured_a_group_touches_nothing(mover):
    position = board("... oo.. ..x.. ..o. x..", mover)
    assert "a1" in moves(position)
    after = play(position, "d4")
    assert drawing(after, mover) == "... oo.. ..... ..oo x.."
    assert "a1" not in moves(after)


@each_mover
def test_a_group_with_another_neighbour_left_still_touches_it(mover):
    after = play(board(".x. oo.. ..x.. ..o. x..", mover), "d4")
    assert drawing(after, mover) == ".x. oo.. ..... ..oo x.."
    assert "c1" in moves(after)


@each_mover
def test_a_stone_placed_beside_a_group_is_touched_by_all_of_it(mover):
    position = board("... xx.. ..... .... o.o", mover)
    assert "c1" not in moves(play(position, "a3"))
    assert "c1" in moves(play(position, "c3"))


# Passing


@each_mover
def test_u2_a_player_without_a_placement_passes_and_that_is_no_action(mover):
    after = play(board("oxx. x...x .ooooo x....ox x.xx.o ..xx. .x..", mover), "a4")
    assert drawing(after, mover) == "oxxo x...x .ooooo x....ox x.xx.o ..xx. .x.."
    assert (after.to_move, after.ply) == (mover, 1)
    assert after.rules.position(cells=after.cells, to_move=1 - mover) == after


@each_mover
def test_u3_no_placement_after_a_capture_ends_the_turn(mover):
    after = play(board(".xo .o.. x..oo x..o o..", mover), "b4")
    assert drawing(after, mover) == "..o .o.o x..oo x..o o.."
    assert (after.to_move, after.ply) == (1 - mover, 1)
    assert after.rules.position(cells=after.cells, to_move=mover) == after


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize("drawn", ["oo oxo oo", "xx xox xx"])
def test_a_board_set_up_without_a_placement_for_either_is_a_draw(drawn, to_move):
    position = board(drawn, to_move)
    assert (position.is_over, position.end_reason, position.returns) == (True, "no_moves", (0, 0))
    assert (position.to_move, position.rules.parse(str(position))) == (to_move, position)


# End


def test_u4_nobody_has_won_before_the_other_has_placed():
    opening = make_rules("oust", side=3).position()
    first = play(opening, "c3")
    assert (first.is_over, first.placed) == (False, (1, 0))
    second = play(first, "c2")
    assert (second.is_over, second.placed) == (False, (1, 1))


@each_mover
def test_u4_who_captures_the_last_stones_has_won_at_once(mover):
    after = play(board("... .o.. ..... ..x. x..", mover), "c3", "d2")
    assert drawing(after, mover) == "... .o.. ..o.. .o.. ..."
    assert (after.end_reason, after.returns[mover], after.returns[1 - mover]) == ("captured_all", 1, -1)
    assert (after.to_move, after.ply, after.legal_actions(), after.placed) == (mover, 2, [], (1, 1))


@pytest.mark.parametrize("to_move", [0, 1])
@pytest.mark.parametrize(("drawn", "winner"), [("o. .o. ..", 0), ("x. .x. ..", 1)])
def test_u4_a_board_set_up_without_stones_of_one_who_has_placed_is_won(drawn, winner, to_move):
    cells = [".ox".index(cell) for cell in drawn.replace(" ", "")]
    rules = make_rules("oust", side=2)
    position = rules.position(cells=cells, placed=(1, 1), to_move=to_move)
    assert (position.end_reason, position.returns[winner]) == ("captured_all", 1)
    assert rules.parse(str(position)) == position


def test_the_ply_limit_truncates():
    after = play(make_rules("oust", side=3, max_plies=3).position(), "a1", "c3", "e3")
    assert (after.is_over, after.end_reason, after.returns, after.ply) == (True, "max_plies", (0, 0), 3)


def test_an_end_by_rule_at_the_ply_limit_is_no_truncation():
    after = play(make_rules("oust", side=3, max_plies=3).position(), "c3", "d3", "c2")
    assert (after.ply, after.end_reason, after.returns) == (3, "captured_all", (1, -1))


# Positions


def test_equal_positions_are_equal_rows():
    one = play(board("... .o.. .x... .... ..x"), "c3")
    other = play(board("... .... .xo.. .... ..x"), "b2")
    assert one == other
    assert (one.state[STORE_SOUTH:] == other.state[STORE_SOUTH:]).all()
    assert one == board("... .o.. ..o.. .... ..x")


def test_placed_follows_from_the_stones_where_it_is_not_told():
    assert board("o. ... ..").placed == (1, 0)
    assert board("o. ... ..", to_move=1).placed == (0, 1)
    assert board("o. .x. ..").placed == (1, 1)
    assert board(".. ... ..").placed == (0, 0)
    assert board("o. ... ..", placed=(1, 0)) == board("o. ... ..")


@pytest.mark.parametrize(
    ("drawn", "extras", "message"),
    [
        ("o. ... ..", {"placed": (0, 1)}, r"placed \[0, 1\]: a player who has stones on the board has placed one"),
        ("o. .x. ..", {"placed": (1, 0)}, r"placed \[1, 0\]: a player who has stones on the board has placed one"),
        ("o. ... ..", {"placed": (1, 2)}, r"placed \[1, 2\]: 1 for South and for North if he has placed a stone, else 0"),
        (".. ... ..", {"placed": (1, 1)}, r"placed \[1, 1\]: the board is empty, but the last stones on it cannot be captured"),
        (".. ... ..", {"placed": (0, 1)}, r"placed \[0, 1\]: the board is empty"),
        ("oo. xx.. ..... .... ...", {}, "the group of 2 stones with a1 touches one of 2: of two groups that touch at least one is"),
        ("oo. x... xx... .... ...", {}, "the group of 2 stones with a1 touches one of 3"),
        ("o. .x. ..", {"stores": (0, 1)}, "oust has no stores"),
    ],
)
def test_positions_that_cannot_be_are_refused(drawn, extras, message):
    with pytest.raises(ValueError, match=message):
        board(drawn, **extras)


def test_values_that_are_no_cells_are_refused():
    rules = make_rules("oust", side=2)
    with pytest.raises(ValueError, match=r"cells \[0, 0, 3, 0, 0, 0, 0\]: each is 0 \(empty\), 1 \(a stone of South's\) or 2"):
        rules.position(cells=[0, 0, 3, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="7 numbers"):
        rules.position(cells=[0] * 6)


def test_what_a_player_observes():
    position = board("oo. .... ..x.. .... ...")
    south, north = position.observe(0).reshape(-1), position.observe(1).reshape(-1)
    assert position.rules.observation_shape == (3 * 19 + 2,)
    for seen, own, other in ((south, 1, 2), (north, 2, 1)):
        assert seen[:19].tolist() == [float(cell == own) for cell in position.cells]
        assert seen[19:38].tolist() == [float(cell == other) for cell in position.cells]
        assert np.allclose(seen[38:57] * 19, [2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        assert seen[57:].tolist() == [1, 1]
    first = board("... .... ..o.. .... ...")
    assert (first.observe(0)[57:].tolist(), first.observe(1)[57:].tolist()) == ([1, 0], [0, 1])


# Always


def group_of(stones, cell):
    """The group of a stone by flood fill; `stones` maps coordinates to players."""
    group = [cell]
    for stone in group:
        group += [other for other in neighbours(stone) if stones.get(other) == stones[cell] and other not in group]
    return frozenset(group)


def placement(stones, cell, player):
    """The groups that a stone captures, or None if it may not be placed."""
    own = group_of({**stones, cell: player}, cell)
    touched = {group_of(stones, other) for stone in own for other in neighbours(stone) if stones.get(other, player) != player}
    if len(own) == 1:
        return set()
    return touched if touched and all(len(group) < len(own) for group in touched) else None


def stones_of(position):
    cells = axial(position.rules.options["side"])
    return {cell: value - 1 for cell, value in zip(cells, position.cells, strict=True) if value}


def allowed(stones, cells, player):
    return [number for number, cell in enumerate(cells) if cell not in stones and placement(stones, cell, player) is not None]


def sizes(stones):
    """The sizes of all groups, the largest first."""
    return sorted((len(group) for group in {group_of(stones, cell) for cell in stones}), reverse=True)


@settings(max_examples=25, deadline=None)
@given(side=st.integers(2, 5), random=st.randoms(use_true_random=False))
def test_games_go_as_flood_fill_says(side, random):
    position, cells = make_rules("oust", side=side).position(), axial(side)
    while not position.is_over:
        stones, mover = stones_of(position), position.to_move
        legal = allowed(stones, cells, mover)
        assert position.legal_actions() == legal
        before, action = sizes(stones), random.choice(legal)
        captured = placement(stones, cells[action], mover)
        stones = {cell: player for cell, player in stones.items() if not any(cell in group for group in captured)}
        stones[cells[action]] = mover

        position = position.play(action)
        assert stones_of(position) == stones
        assert sizes(stones) > before  # so that no position can come back
        group_sizes = [len(group_of(stones, cell)) if cell in stones else 0 for cell in cells]
        assert np.allclose(position.observe(0)[2 * len(cells) : 3 * len(cells)] * len(cells), group_sizes)
        for cell in stones:
            for other in neighbours(cell) & stones.keys():
                assert stones[cell] == stones[other] or 1 in (len(group_of(stones, cell)), len(group_of(stones, other)))
        if captured and set(stones.values()) == {mover}:
            assert (position.end_reason, position.returns[mover]) == ("captured_all", 1)
        else:
            mine, others = allowed(stones, cells, mover), allowed(stones, cells, 1 - mover)
            assert mine or others
            stays = (captured and mine) or not others
            assert (position.is_over, position.to_move) == (False, mover if stays else 1 - mover)


@pytest.mark.parametrize(("side", "games"), [(2, 5000), (3, 5000), (4, 5000), (7, 2000)])
def test_u6_every_game_ends_with_a_capture_of_all(side, games):
    played = playouts(make_rules("oust", side=side), games)
    assert set(played.states[:, REASON]) == {CAPTURED_ALL}


def test_on_the_smallest_board_only_a_full_one_leaves_no_placement():
    rules = make_rules("oust", side=2)
    accepted = 0
    for cells in itertools.product((0, 1, 2), repeat=7):
        stones = {cell: value - 1 for cell, value in zip(axial(2), cells, strict=True) if value}
        touching = [
            {len(group_of(stones, cell)), len(group_of(stones, other))}
            for cell in stones
            for other in neighbours(cell) & stones.keys()
            if stones[cell] != stones[other]
        ]
        if not all(1 in pair for pair in touching):
            with pytest.raises(ValueError, match="at least one is a single stone"):
                rules.position(cells=cells)
            continue
        accepted += 1
        position = rules.position(cells=cells)
        assert position.is_over == (0 not in cells)
        assert position.is_over or position.legal_actions() == allowed(stones, axial(2), position.to_move)
    assert accepted > 500


def test_on_the_smallest_board_no_game_fills_the_board():
    met, waiting = set(), [make_rules("oust", side=2).position()]
    while waiting:
        position = waiting.pop()
        if position not in met:
            met.add(position)
            assert 0 in position.cells
            assert position.end_reason in (None, "captured_all")
            waiting += [position.play(action) for action in position.legal_actions()]
    assert len(met) > 100


@pytest.mark.parametrize("side", [2, 3, 7, 10])
def test_the_contract(side):
    check_ruleset(make_rules("oust", side=side), games=5)


def test_the_environment():
    check_env(mancala_envs.make("oust", side=3))
    check_env(mancala_envs.make("oust"), games=2)
