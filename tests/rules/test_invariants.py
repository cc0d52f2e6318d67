"""What holds in every game, met in thousands of random games of each ruleset and of its options.

Each game is played twice: from the opening, and from the opening with the sides swapped. The player to move must see the same
position, have the same actions and get the same reward in both, ply after ply.
"""

import numpy as np
import pytest

from mancala_envs import make_rules, rulesets
from mancala_envs.agents import choose_all
from mancala_envs.kernels.batch import END_REASONS, Batch
from mancala_envs.rules.contract import LIVE, STATUS, STORE_NORTH, STORE_SOUTH, TO_MOVE, TRUNCATED
from mancala_envs.rules.registry import ruleset

GAMES = 20_000
SIDE_BY_SIDE = 4000
SEEDS = ("holes", "hands", "pending")  # the parts of a state that hold seeds, beside the stores


def swapped(position):
    """The same position with South and North swapped."""
    rules, extras = position.rules, {}
    for name, part in rules.fields.items():
        values = position.state[part]
        if name in ("holes", "hands", "nyumba", "burnt", "owners", "placed"):
            values = np.roll(values, len(values) // 2)
        if name in ("owners", "starter"):
            values = 1 - values
        if name == "cells" and rules.id == "oust":
            values = np.array([0, 2, 1])[values]
        extras[name] = values.tolist()
    stores = position.stores[::-1] if rules.board.has_stores else None
    return rules.position(stores=stores, to_move=1 - position.to_move, **extras)


def seeds(rules, states):
    """All seeds of each state, wherever they are."""
    places = [part for name, part in rules.fields.items() if name in SEEDS]
    return states[:, STORE_SOUTH] + states[:, STORE_NORTH] + sum(states[:, part].sum(axis=1) for part in places)


def play(rules, games, seed):
    """Play random games with all checks; returns how many ended for each reason."""
    generator = np.random.default_rng(seed)
    opening = rules.position()
    batch, mirror = (Batch(rules, games, restart="next") for _ in range(2))
    seen = batch.reset(seed)
    mirror.reset(seed)
    mirror_seen = np.stack([mirror.set_state(row, swapped(opening).state) for row in range(games)])
    all_seeds = seeds(rules, opening.state[None])[0]
    reasons = np.zeros(len(END_REASONS), np.int64)
    rows = np.arange(games)
    for _ in range(rules.max_plies + 1):
        masks = batch.masks[rows]
        assert masks.any(axis=1).all()
        assert (masks == mirror.masks[rows]).all()
        assert (seen == mirror_seen).all()
        assert (batch.states[rows, TO_MOVE] == 1 - mirror.states[rows, TO_MOVE]).all()
        actions = choose_all(masks, generator)
        step, mirror_step = batch.step(actions, rows), mirror.step(actions, rows)
        assert (step.end_codes == mirror_step.end_codes).all()
        assert (step.rewards == mirror_step.rewards).all()
        assert (step.returns.sum(axis=1) == 0).all()
        assert (step.returns == mirror_step.returns[:, ::-1]).all()
        states = batch.states[rows]
        assert all((states[:, part] >= 0).all() for part in rules.fields.values())
        if rules.board.seeds:
            assert (seeds(rules, states) == all_seeds).all()
        ended = step.end_codes != 0
        assert (ended == (states[:, STATUS] != LIVE)).all()
        assert (step.truncated == (states[:, STATUS] == TRUNCATED)).all()
        reasons += np.bincount(step.end_codes[ended], minlength=len(reasons))
        rows, seen, mirror_seen = rows[~ended], step.observations[~ended], mirror_step.observations[~ended]
        if not len(rows):
            break
    assert not len(rows)
    return {reason: int(count) for reason, count in zip(END_REASONS, reasons, strict=True) if count}


def symmetric(options):
    """Options under which a game does not depend on who is South: the first round of a match is South's by default."""
    return {**options, "round_starter": "loser"} if "round_starter" in options else options


def other_values():
    """Each option of each ruleset at each other value, or at the ends of its range."""
    for id in rulesets():
        for name, option in ruleset(id).options.items():
            ends = {option.accepts[0], option.accepts[-1]} if isinstance(option.accepts, range) else set(option.accepts)
            for value in sorted(ends - {option.default}, key=str):
                if name not in ("max_plies", "cycle_count"):
                    needed = {"houses": value} if name == "min_holes" else {}  # as many as are to be filled
                    yield pytest.param(id, {name: value, **needed}, id=f"{id}-{name}={value}")


def check(id, options, games):
    defaults = {name: option.default for name, option in ruleset(id).options.items()}
    rules = make_rules(id, **symmetric({**defaults, **options}))
    met = [play(rules, SIDE_BY_SIDE, seed) for seed in range(-(-games // SIDE_BY_SIDE))]
    assert sum(sum(reasons.values()) for reasons in met) >= games


@pytest.mark.parametrize("id", rulesets())
def test_every_ruleset(id):
    check(id, {}, GAMES)


@pytest.mark.slow
@pytest.mark.parametrize(("id", "options"), list(other_values()))
def test_every_value_of_every_option(id, options):
    check(id, options, GAMES)
