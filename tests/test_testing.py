"""The conformance tests: every ruleset passes, and rules that break the contract do not."""

from dataclasses import replace

import numpy as np
import pytest

import mancala_envs
from mancala_envs import compiled, make_rules
from mancala_envs.rules.contract import BOARD, STORE_SOUTH
from mancala_envs.testing import check_env, check_ruleset

KALAH = {"houses": 2, "seeds": 2}


@pytest.mark.parametrize("ruleset", mancala_envs.rulesets())
def test_every_ruleset_conforms(ruleset):
    check_ruleset(ruleset, games=20)


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("oware", {"houses": 3, "seeds": 1, "cycle_rule": "own_side", "cycle_count": 2}),
        ("oware", {"houses": 10, "seeds": 12, "capture_chain": "both_sides", "feeding": "after_capture", "max_plies": 60}),
        ("oware", {"houses": 4, "grand_slam": "illegal", "feeding": "none", "max_plies": 40}),
        ("kalah", {"houses": 1, "seeds": 1}),
        ("kalah", {"houses": 12, "seeds": 12, "skip_origin": True, "stop_at_majority": True}),
        ("taktix", {"size": 5, "misere": True}),
        ("tactix_hein", {"size": 2}),
    ],
)
def test_rulesets_with_options_conform(ruleset, options):
    check_ruleset(make_rules(ruleset, **options), games=10)


def test_finds_a_lost_seed():
    good_apply = make_rules("kalah", **KALAH).apply

    @compiled
    def apply(state, action):
        good_apply(state, action)
        state[STORE_SOUTH] = max(0, state[STORE_SOUTH] - 1)

    with pytest.raises(AssertionError, match="seeds, 8 in the opening"):
        check_ruleset(replace(make_rules("kalah", **KALAH), apply=apply))


def test_finds_a_wrong_count_of_legal_actions():
    good_legal = make_rules("kalah", **KALAH).legal

    @compiled
    def legal(state, mask):
        return good_legal(state, mask) + 1

    with pytest.raises(AssertionError, match=r"legal\(\) returned 3 and marked 2 actions"):
        check_ruleset(replace(make_rules("kalah", **KALAH), legal=legal))


def test_finds_a_mask_that_changes_the_state():
    good_legal = make_rules("kalah", **KALAH).legal

    @compiled
    def legal(state, mask):
        state[BOARD] += 1
        return good_legal(state, mask)

    with pytest.raises(AssertionError, match=r"legal\(\) changed the state"):
        check_ruleset(replace(make_rules("kalah", **KALAH), legal=legal))


def test_finds_an_observation_out_of_range():
    @compiled
    def observe(state, player, out):
        out[:] = 2

    with pytest.raises(AssertionError, match="observes 2"):
        check_ruleset(replace(make_rules("kalah", **KALAH), observe=observe))


def test_finds_an_environment_with_a_wrong_mask(monkeypatch):
    env = mancala_envs.make("kalah", **KALAH)
    seen = type(env).observe

    def observe(self, agent):
        return {**seen(self, agent), "action_mask": np.ones(2, np.int8)}

    monkeypatch.setattr(type(env), "observe", observe)
    with pytest.raises(AssertionError, match="mask of player_1"):
        check_env(env)
