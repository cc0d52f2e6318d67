"""Move counts of Oust from the opening, found by another program; no pass occurs that early."""

import json

import pytest
from recorded import DATA

from mancala_envs import make_rules
from mancala_envs.kernels.perft import perft

COUNTS = json.loads((DATA / "perft.json").read_text())["oust"]


@pytest.mark.parametrize("side", COUNTS)
def test_oust(side):
    assert perft(make_rules("oust", side=int(side)), len(COUNTS[side])) == COUNTS[side]
