"""Single worked positions of Oware and Kalah: one move and what it leaves."""

import pytest
from recorded import EXAMPLES

import mancala_envs

RULES = {
    "OW1": ("oware", {}),
    "OW2a": ("oware", {"grand_slam": "legal"}),
    "OW3": ("oware", {}),
    "WA1a": ("wari_pl", {"capture_chain": "preceding"}),
    "KA1": ("kalah", {}),
}


@pytest.mark.parametrize("name", RULES)
def test_example(name):
    example = EXAMPLES[name]
    ruleset, options = RULES[name]
    after = mancala_envs.make_rules(ruleset, **options).position(holes=example["pre"]).play(example["action"])

    expected = example["post"]["holes"]  # before a sweep that the move may bring about
    stores = example["post"].get("stores") or [example["post"].get("captured"), 0]
    if after.end_reason == "no_moves":
        houses = len(expected) // 2
        stores = [stores[0] + sum(expected[:houses]), stores[1] + sum(expected[houses:])]
        expected = [0] * len(expected)
    assert list(after.holes) == expected
    assert list(after.stores) == stores
    assert after.to_move == (0 if example["post"].get("again") else 1)
