"""Single worked positions: one move and what it leaves."""

import json
from pathlib import Path

import pytest

import mancala_envs

EXAMPLES = {entry["id"]: entry for entry in json.loads((Path(__file__).parents[1] / "data" / "examples.json").read_text())}

RULES = {
    "OW1": ("oware", {}),
    "OW2a": ("oware", {"grand_slam": "legal"}),
    "OW3": ("oware", {}),
    "WA1a": ("wari_pl", {"capture_chain": "preceding"}),
    "KA1": ("kalah", {}),
}


@pytest.mark.parametrize("name", EXAMPLES)
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


def test_every_example_is_played():
    assert sorted(EXAMPLES) == sorted(RULES)
