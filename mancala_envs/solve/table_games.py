"""Which rulesets can have endgame tables, how a table's game is told from others, and what each action of a position leads to.

A table holds, for a position with few seeds on the board, what is still to be gained from it. So the holes and the player to move
must tell that (`Rules.stores_only_count`), and options that change none of it make no other table: how many seeds the game began
with, the ply limit, the stop at the majority (perfect play is play to the last seed), which occurrence of a position ends a game.
"""

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..kernels.rows import copy_row, own_rows
from ..rules import make_rules
from ..rules.contract import (
    BOARD,
    DRAW,
    LIVE,
    NORTH_WON,
    PLY,
    QUIET,
    REASON,
    SOUTH_WON,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    TRUNCATED,
    OptionValue,
    Rules,
)
from ..rules.jit import compiled, key_on_sources
from ..rules.registry import ruleset
from .perfect import to_the_end
from .ranking import MOST_SEEDS, layer_size, make_ranking

WITHOUT_EFFECT = ("seeds", "max_plies", "stop_at_majority", "cycle_count")  # options, as far as tables go
SAMPLED = 50  # positions a layer, of which the digest tells what the rules do


@dataclass(frozen=True)
class Game:
    """What a table is of.

    Args:
        ruleset: the id of the rules.
        options: those that have an effect on tables, with their values.
        houses: holes a row.
        bounds: whether a position has a lower and an upper bound, since the cycle rule depends on history or on the stores; else it
            has one value.
        digest: SHA-256 (hex) over what the rules do in a fixed sample of positions: the same for equal games, whichever the version
            of Python or of the rules' text.
    """

    ruleset: str
    options: Mapping[str, OptionValue]
    houses: int
    bounds: bool
    digest: str


class Moves(NamedTuple):
    """What can be done in N positions.

    Args:
        settled: int16[N, S], the positions after `settle`, at ply 0.
        legal: bool[N, A], none where a position is over.
        after: int16[N, A, S], the states after each legal action, else zeros.
    """

    settled: np.ndarray
    legal: np.ndarray
    after: np.ndarray


@functools.cache
def table_rules(rules: Rules) -> Rules:
    """The rules that tables of `rules` are built with: play to the last seed, as many seeds and plies as there can be.

    Raises:
        ValueError: the rules can have no tables; says why.
    """
    rules = to_the_end(rules)
    if tuple(rules.fields) != ("holes",) or not rules.board.has_stores or rules.state_size != BOARD + 2 * rules.num_actions:
        raise ValueError(f"{rules.id} has no endgame tables: they are for two rows of holes with stores, one action a hole")
    if not rules.stores_only_count:
        raise ValueError(f"{rules!r} has no endgame tables: the holes alone do not tell what a position is worth")
    accepted = ruleset(rules.id).options
    largest = {name: accepted[name].accepts[-1] for name in ("seeds", "max_plies") if name in rules.options}
    kept = {name: value for name, value in rules.options.items() if name != "cycle_count"}
    return make_rules(rules.id, **{**kept, **largest})


@functools.cache
def table_game(rules: Rules) -> Game:
    """What tables of these rules are of; raises ValueError as `table_rules` does, and where the rules treat players differently."""
    made = table_rules(rules)
    return Game(
        ruleset=made.id,
        options={name: value for name, value in made.options.items() if name not in WITHOUT_EFFECT},
        houses=made.num_actions,
        bounds=made.options.get("cycle_rule") in ("own_side", "draw"),
        digest=_digest(made),
    )


def moves(rules: Rules, states: np.ndarray) -> Moves:
    """Play every legal action of each position, int16[N, S]; whether a game is over is judged anew."""
    found = Moves(
        settled=np.array(own_rows(states, rules)),
        legal=np.zeros((len(states), rules.num_actions), np.bool_),
        after=np.zeros((len(states), rules.num_actions, rules.state_size), np.int16),
    )
    found.settled[:, [PLY, STATUS, REASON, QUIET]] = 0
    _moves_kernel(rules)(*found)
    return found


def margins(states: np.ndarray) -> np.ndarray:
    """South's store less North's, int64[...] for int16[..., S]."""
    return states[..., STORE_SOUTH].astype(np.int64) - states[..., STORE_NORTH]


@functools.cache
def _moves_kernel(rules: Rules) -> Any:
    legal, apply, settle, actions = rules.legal, rules.apply, rules.settle, rules.num_actions

    @compiled
    def fill(settled: np.ndarray, masks: np.ndarray, after: np.ndarray) -> None:
        for row in range(len(settled)):
            settle(settled[row])
            if settled[row, STATUS] == LIVE:
                legal(settled[row], masks[row])
                for action in range(actions):
                    if masks[row, action]:
                        copy_row(settled[row], after[row, action])
                        apply(after[row, action], action)

    key_on_sources(fill)
    return fill


def _digest(rules: Rules) -> str:
    """SHA-256 (hex) over what `rules` do in a fixed sample of positions with up to MOST_SEEDS seeds.

    Raises:
        ValueError: there they make or lose seeds, or treat the players differently, so that no tables can be built.
    """
    houses = rules.num_actions
    unrank = make_ranking(houses).unrank
    states = np.zeros(((MOST_SEEDS + 1) * SAMPLED, rules.state_size), np.int16)
    for row in range(len(states)):
        seeds = row // SAMPLED
        scattered = row * 0x9E3779B97F4A7C15 % 2**64  # by the golden ratio
        unrank(states[row], seeds, layer_size(2 * houses, seeds) * scattered >> 64)
    outcomes, exists = _outcomes(rules, states)
    if not np.array_equal(outcomes[..., STORE_SOUTH:].sum(axis=-1), states.sum(axis=1)[:, None] * exists):
        raise ValueError(f"{rules!r} has no endgame tables: seeds come into the game or leave it")
    turned, turned_exists = _outcomes(rules, _turned(states))
    if not np.array_equal(exists, turned_exists) or not np.array_equal(outcomes, _turned(turned) * exists[..., None]):
        raise ValueError(f"{rules!r} has no endgame tables: they do not treat both players alike")
    told = outcomes[..., [TO_MOVE, STATUS, *range(STORE_SOUTH, rules.state_size)]]
    return hashlib.sha256(exists.tobytes() + told.astype("<i2").tobytes()).hexdigest()


def _outcomes(rules: Rules, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The states of each position itself and after each action, int16[N, 1 + A, S], and where there is one, bool[N, 1 + A]."""
    found = moves(rules, states)
    itself = np.ones((len(states), 1), np.bool_)
    outcomes = np.concatenate((found.settled[:, None], found.after), axis=1)
    outcomes[..., [PLY, REASON, QUIET]] = 0
    return outcomes, np.concatenate((itself, found.legal), axis=1)


def _turned(states: np.ndarray) -> np.ndarray:
    """The states with the players' parts exchanged."""
    turned = np.empty_like(states)
    turned[..., :BOARD] = states[..., [TO_MOVE, PLY, STATUS, REASON, QUIET, STORE_NORTH, STORE_SOUTH]]
    turned[..., BOARD:] = np.roll(states[..., BOARD:], (states.shape[-1] - BOARD) // 2, axis=-1)
    turned[..., TO_MOVE] = 1 - states[..., TO_MOVE]
    turned[..., STATUS] = np.array([LIVE, NORTH_WON, SOUTH_WON, DRAW, TRUNCATED])[states[..., STATUS]]
    return turned
