"""Values of whole games that were solved elsewhere, found here by plain search over the rules."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.kernels.rows import legal_masks
from mancala_envs.rules.contract import BOARD

DATA = Path(__file__).parents[1] / "data"
KALAH = json.loads((DATA / "kalah_solved.json").read_text())
TAKTIX = json.loads((DATA / "taktix_solved.json").read_text())


# Kalah

SIZES = sorted(tuple(map(int, size.split(","))) for size in KALAH["STANDARD"])
SMALL = [(houses, seeds) for houses, seeds in SIZES if houses <= 2 or (houses, seeds) < (3, 4)]
LARGE = [(3, 4), (4, 1), (4, 2), (4, 3)]  # up to a minute each; 4 x 4 is too much for plain search


def kalah_margin(houses, seeds, empty_capture):
    """South's final seeds less North's under perfect play."""
    rules = make_rules("kalah", houses=houses, empty_capture=empty_capture)
    known = {}

    def gain(position):
        """What South will gain on North from here on."""
        if position.is_over:
            return 0
        key = position.to_move, position.holes
        if key not in known:
            after = [position.play(action) for action in position.legal_actions()]
            gains = [later.margin - position.margin + gain(later) for later in after]
            known[key] = max(gains) if position.to_move == 0 else min(gains)
        return known[key]

    return gain(rules.position(holes=[seeds] * 2 * houses))


@pytest.mark.parametrize(("name", "empty_capture"), [("STANDARD", False), ("EMPTY_CAPTURE", True)])
@pytest.mark.parametrize(("houses", "seeds"), SMALL)
def test_small_kalah(houses, seeds, name, empty_capture):
    assert kalah_margin(houses, seeds, empty_capture) == KALAH[name][f"{houses},{seeds}"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "empty_capture"), [("STANDARD", False), ("EMPTY_CAPTURE", True)])
@pytest.mark.parametrize(("houses", "seeds"), LARGE)
def test_larger_kalah(houses, seeds, name, empty_capture):
    assert kalah_margin(houses, seeds, empty_capture) == KALAH[name][f"{houses},{seeds}"]


# TakTix

VARIANTS = {
    "any_normal": {"contiguous": False, "misere": False},
    "contiguous_normal": {"contiguous": True, "misere": False},
    "any_misere": {"contiguous": False, "misere": True},
    "contiguous_misere": {"contiguous": True, "misere": True},
}


def bits_of(cells):
    return sum(cell << index for index, cell in enumerate(cells))


def solve_taktix(size, variant):
    """By bitmask of pieces: whether the player to move wins, bool[2**cells], and in how many plies of best play, int[2**cells]."""
    rules = make_rules("taktix", size=size, **VARIANTS[variant])
    opening = rules.position()
    cells = size * size
    full = 2**cells - 1
    taken = np.array([full ^ bits_of(opening.play(action).cells) for action in opening.legal_actions()])

    states = np.zeros((2**cells, rules.state_size), np.int16)
    states[:, BOARD:] = np.arange(2**cells)[:, None] >> np.arange(cells) & 1
    legal = legal_masks(rules, states)

    wins = np.zeros(2**cells, bool)
    plies = np.zeros(2**cells, int)
    wins[0] = rules.position(cells=[0] * cells).returns == (1, -1)
    for pieces in range(1, 2**cells):
        after = pieces ^ taken[legal[pieces]]
        lost = after[~wins[after]]
        wins[pieces] = len(lost) > 0
        plies[pieces] = 1 + (plies[lost].min() if wins[pieces] else plies[after].max())
    return wins, plies


@pytest.mark.parametrize(
    ("size", "variant", "first_player_wins"),
    [
        (3, "any_normal", False),
        (3, "contiguous_normal", True),
        (3, "any_misere", True),
        (3, "contiguous_misere", True),
        (4, "any_normal", False),
        (4, "contiguous_normal", False),
        (4, "any_misere", True),
        (4, "contiguous_misere", False),
    ],
)
def test_taktix(size, variant, first_player_wins):
    wins, plies = solve_taktix(size, variant)
    assert wins[-1] == first_player_wins
    solved = TAKTIX.get(f"{size}x{size}_{variant}")
    if solved:
        losing = np.flatnonzero(~wins).astype("<u2")
        assert plies[-1] == solved["optimal_length_plies_from_full"]
        assert len(losing) == solved["num_P_positions_incl_empty_if_P"]
        assert hashlib.sha256(losing.tobytes()).hexdigest() == solved["sha256_P_uint16le"]


def test_every_solved_taktix_variant_is_looked_at():
    names = [name for name in TAKTIX if name[0].isdigit()]
    assert sorted(names) == ["3x3_any_normal", "3x3_contiguous_normal", "4x4_any_normal", "4x4_contiguous_misere"]
