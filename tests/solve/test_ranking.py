"""Numbering of positions, against lists of all of them in order."""

import itertools

import numpy as np
import pytest

from mancala_envs.rules.contract import BOARD, TO_MOVE
from mancala_envs.solve.ranking import MOST_SEEDS, layer_offset, layer_size, make_ranking


def all_positions(holes, seeds):
    """All ways to lay seeds into holes, in the order of words."""
    if holes == 1:
        return [(seeds,)]
    return [(first, *rest) for first in range(seeds + 1) for rest in all_positions(holes - 1, seeds - first)]


def state_of(holes, to_move=0):
    state = np.zeros(BOARD + len(holes), np.int16)
    state[BOARD:] = np.roll(holes, to_move * (len(holes) // 2))
    state[TO_MOVE] = to_move
    return state


@pytest.mark.parametrize(("houses", "most"), [(1, 9), (2, 6), (3, 5), (4, 3)])
def test_places_count_all_positions_in_order_for_either_player(houses, most):
    ranking = make_ranking(houses)
    listed = [holes for seeds in range(most + 1) for holes in all_positions(2 * houses, seeds)]
    for to_move in (0, 1):
        assert [ranking.place(state_of(holes, to_move)) for holes in listed] == list(range(len(listed)))


@pytest.mark.parametrize(("houses", "seeds"), [(1, 3), (3, 0), (3, 1), (3, 5), (6, 3)])
def test_next_and_previous_go_through_a_layer(houses, seeds):
    ranking = make_ranking(houses)
    listed = all_positions(2 * houses, seeds)
    state = np.zeros(BOARD + 2 * houses, np.int16)
    ranking.unrank(state, seeds, 0)
    for holes in listed:
        assert tuple(state[BOARD:].tolist()) == holes
        if holes != listed[-1]:
            ranking.next(state)
    for holes in reversed(listed):
        assert tuple(state[BOARD:].tolist()) == holes
        if holes != listed[0]:
            ranking.previous(state)


@pytest.mark.parametrize("houses", [3, 6, 12])
@pytest.mark.parametrize("seeds", [1, 7, MOST_SEEDS])
def test_unrank_is_the_inverse_of_place(houses, seeds):
    ranking = make_ranking(houses)
    size = layer_size(2 * houses, seeds)
    state = np.zeros(BOARD + 2 * houses, np.int16)
    for rank in {0, 1 % size, size // 3, size // 2, size - 1}:
        ranking.unrank(state, seeds, rank)
        assert state[BOARD:].sum() == seeds
        assert ranking.place(state) == layer_offset(2 * houses, seeds) + rank


def test_layers_follow_each_other():
    for holes, seeds in itertools.product((2, 12, 24), range(10)):
        assert layer_offset(holes, seeds) + layer_size(holes, seeds) == layer_offset(holes, seeds + 1)
