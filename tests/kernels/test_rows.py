"""Many states at once: what they are worth to South."""

import numpy as np
import pytest

from mancala_envs import make_rules
from mancala_envs.kernels.rows import evaluations

FULL_ROW = [0] * 8 + [4] * 8


@pytest.mark.parametrize(
    ("id", "position", "worth"),
    [
        ("oware", {"holes": [3] * 12, "stores": (7, 2)}, 5),  # the margin of the stores
        ("congkak", {"holes": [7] + [0] * 12 + [3], "stores": (7, 2)}, 5),
        ("congkak_match", {"holes": [7] + [0] * 12 + [3], "stores": (7, 2)}, 9),  # and of the rows
        ("bao_kujifunza", {"holes": [2] * 15 + [5] + [1] * 16}, 19),  # the seeds on a player's side
        ("bao_kiswahili", {"holes": [2] * 16 + [1] * 16, "hands": (3, 10), "nyumba": (0, 0)}, 9),  # and in his hand
        ("omweso", {"holes": [4] * 8 + [0] * 8 + [3] * 10 + [0] * 6}, 2),
        ("oust", {"cells": [1, 0, 2, 0, 0, 1, 0], "placed": (1, 1)}, 1),  # stones
        ("taktix", {"cells": [1] * 16}, 0),
    ],
)
def test_evaluation(id, position, worth):
    rules = make_rules(id, **({"side": 2} if id == "oust" else {}))
    assert evaluations(rules, rules.position(**position).state[None]).tolist() == [worth]


def test_a_round_of_nam_nam_counts_holes_owned_as_far_as_it_is_not_played():
    rules = make_rules("oware_nam_nam")
    owners = [0] * 8 + [1] * 4
    begun = rules.position(owners=owners)
    half_played = rules.position(holes=[2] * 12, stores=(8, 16), owners=owners)
    played = rules.position(holes=[0] * 12, stores=(32, 16))
    states = np.stack([position.state for position in (begun, half_played, played)])
    assert evaluations(rules, states).tolist() == [16, -8 + 8, 16]
