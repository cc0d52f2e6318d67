"""Drawing positions for a set with known values (`solve.positions`) from games of players of mixed strength.

Every game opens with a few random plies; from there on each ply is played by a player drawn anew from `PLAYERS`, who play at
random, greedily and with foresight. So positions are neither those of random play alone nor those of a single way to play well.
From each game come up to PER_GAME positions that are late enough for the oracle. Kept are those that are new, where the player has
a choice, and where his choice matters: not all actions are worth the same.

Positions that the oracle cannot settle within its limits are passed over: a set holds what can be known.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..agents import make_agent
from ..kernels.batch import Batch
from ..kernels.rows import legal_masks
from ..position import Position, position_key
from ..rules import Rules, make_rules
from ..rules.contract import BOARD, PLY, QUIET, OptionValue
from ..solve.exact import Unsolved
from ..solve.oracles import Oracle, oracle
from ..solve.positions import ILLEGAL, PositionSet, set_name
from ..solve.retrograde import build_tables

PLAYERS = ("random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=4")
GAMES, RANDOM_PLIES, PER_GAME = 200, 2, 3
MOST_ROUNDS = 1000  # of GAMES games


@dataclass(frozen=True)
class Recipe:
    """From where in a game positions come, and how they are valued.

    Args:
        options: of the rules, where the board that they are made for is too large.
        most_seeds: positions with at most so many seeds on the board; None for any.
        last_plies: positions in so many last plies of a game.
        tables: whether an endgame table of `most_seeds` seeds is built for it.
        nodes: plies that the search for one position's values may take.
    """

    options: dict[str, OptionValue] = field(default_factory=dict)
    most_seeds: int | None = None
    last_plies: int = 1000
    tables: bool = False
    nodes: int = 1_000_000


OWARE = Recipe(most_seeds=12, tables=True)
BAO = Recipe(last_plies=3, nodes=20_000)
RECIPES = {
    "awari": OWARE,
    "bao_kenya": Recipe(most_seeds=22),
    "bao_kenya_laps": Recipe(most_seeds=9, tables=True),
    "bao_kiswahili": BAO,
    "bao_kujifunza": BAO,
    "congkak": Recipe(most_seeds=40),
    "congkak_match": Recipe(last_plies=6, nodes=100_000),
    "kalah": Recipe(most_seeds=30),
    "omweso": BAO,
    "oust": Recipe(options={"side": 3}),
    "oware": OWARE,
    "oware_abapa": OWARE,
    "oware_tr": OWARE,
    "tactix_hein": Recipe(),
    "taktix": Recipe(),
    "wari_pl": OWARE,
}  # In Oware Nam Nam a position that comes back is worth what its history says. Oust is solved on small boards only.


def draw_set(id: str, count: int = 2000, seed: int = 0, report: Callable[[str], None] = lambda _: None) -> PositionSet:
    """Draw the set of a ruleset; the same arguments give the same set, as long as the players play the same.

    Args:
        id: a ruleset that has a recipe.
        count: how many positions; fewer where MOST_ROUNDS rounds of games hold no more.
        seed: of the games.
        report: called with a line after each round of games.

    Raises:
        ValueError: the ruleset has no recipe, or `count` is not accepted.
    """
    if id not in RECIPES:
        raise ValueError(f"no way is known to draw positions of {id!r}; there is one for {', '.join(RECIPES)}")
    if count < 1:
        raise ValueError(f"count={count} is not accepted: an integer from 1")
    recipe = RECIPES[id]
    rules = make_rules(id, **recipe.options)
    with tempfile.TemporaryDirectory() as folder:
        if recipe.tables and recipe.most_seeds is not None:
            build_tables(rules, recipe.most_seeds, Path(folder), threads=1)
        known = oracle(rules, Path(folder) if recipe.tables else None, nodes=recipe.nodes)
        states, values = _draw(known, recipe, count, seed, report)
    return PositionSet(set_name(rules), rules, states, values)


def _draw(known: Oracle, recipe: Recipe, count: int, seed: int, report: Callable[[str], None]) -> tuple[np.ndarray, np.ndarray]:
    """States with their values, int16[N, S] and int16[N, A]."""
    rules = known.rules
    seen: set[bytes] = set()
    states: list[np.ndarray] = []
    values: list[np.ndarray] = []
    unsettled = 0
    for number, sequence in enumerate(np.random.SeedSequence(seed).spawn(MOST_ROUNDS), 1):
        for state in _candidates(rules, recipe, sequence):
            key = position_key(state)
            if len(states) == count or key in seen:
                continue
            seen.add(key)
            try:
                found = known.values(Position(rules, state))
            except Unsolved:
                unsettled += 1
                continue
            if len(set(found.values())) > 1:
                row = np.full(rules.num_actions, ILLEGAL, np.int16)
                row[list(found)] = list(found.values())
                states.append(state)
                values.append(row)
        report(f"{rules.id}: {number * GAMES} games, {len(states)} positions, {unsettled} could not be settled")
        if len(states) == count:
            break
    return np.array(states).reshape(-1, rules.state_size), np.array(values).reshape(-1, rules.num_actions)


def _candidates(rules: Rules, recipe: Recipe, seed: np.random.SeedSequence) -> Iterator[np.ndarray]:
    """Positions of a round of games with a choice of actions, int16[S] each, at ply 0."""
    generator = np.random.default_rng(seed.spawn(1)[0])
    for states in _games(rules, seed):
        late = states[-recipe.last_plies :].copy()
        late[:, [PLY, QUIET]] = 0
        fits = legal_masks(rules, late).sum(axis=1) > 1
        if recipe.most_seeds is not None:
            fits &= late[:, BOARD:].sum(axis=1) <= recipe.most_seeds
        chosen = np.flatnonzero(fits)
        yield from late[np.sort(generator.permutation(chosen)[:PER_GAME])]


def _games(rules: Rules, seed: np.random.SeedSequence) -> list[np.ndarray]:
    """The live positions of each of GAMES games, from the opening's end on, int16[P, S] each."""
    generator = np.random.default_rng(seed)
    players = [make_agent(spec, rules, int(generator.integers(2**32))) for spec in PLAYERS]
    batch = Batch(rules, GAMES, restart="next", random_plies=RANDOM_PLIES)
    batch.reset(int(generator.integers(2**32)))
    played: list[list[np.ndarray]] = [[] for _ in range(GAMES)]
    live = np.arange(GAMES)
    while len(live):
        for game in live:
            played[game].append(batch.states[game].copy())
        turns = generator.integers(len(players), size=len(live))
        actions = np.zeros(len(live), np.int64)
        for turn, player in enumerate(players):
            if (turns == turn).any():
                actions[turns == turn] = player.act_batch(batch.states[live[turns == turn]])
        live = live[batch.step(actions, live).end_codes == 0]
    return [np.array(states) for states in played]
