"""Checking endgame tables: a sample against what one ply leads to, and, in small layers, against a search that knows no tables.

That a position is worth what its best move makes of it is one law for all positions; a table that breaks it in no sampled position
can still be wrong as a whole, where positions support each other in a circle. So small layers are solved once more, in plain
Python, from the positions that can be reached by play alone: no numbering, no order, no bounds that are bettered in place.
"""

from dataclasses import dataclass

import numpy as np

from ..rules.contract import BOARD, LIVE, STATUS, TO_MOVE
from .ranking import layer_size, make_ranking
from .table_games import margins, moves
from .tables import Tables

SEARCHED = 4  # seeds: layers up to here are searched as well
Pair = tuple[int, int]  # lower and upper bound
Ply = tuple[int, bool, bytes | None]  # gain, whether the same player moves next, the position after it; None where the game is over


@dataclass(frozen=True)
class Verified:
    """How many positions were found right.

    Args:
        by_a_ply: compared with what their moves lead to.
        by_search: compared with a search of their own.
    """

    by_a_ply: int
    by_search: int


def verify(tables: Tables, sample: int, seed: int = 0) -> Verified:
    """Check a sample of each layer, and the checksums.

    Args:
        tables: a table.
        sample: how many positions of each layer; all of smaller ones.
        seed: which ones.

    Raises:
        ValueError: a position is wrong in the table; names it and what it should hold.
    """
    if sample < 1:
        raise ValueError(f"sample={sample} is not accepted: an integer from 1")
    tables.check()
    generator = np.random.default_rng(seed)
    by_a_ply = by_search = 0
    solved: dict[bytes, Pair] = {}
    for seeds in range(tables.seeds + 1):
        states = _sample(tables, seeds, sample, generator)
        stored = np.stack(tables.bounds(states), axis=1)
        _compare(tables, states, stored, _by_a_ply(tables, states), "its moves")
        by_a_ply += len(states)
        if seeds <= SEARCHED:
            _search(tables, states, solved)
            found = np.array([solved[state[BOARD:].tobytes()] for state in states])
            _compare(tables, states, stored, found, "a search")
            by_search += len(states)
    return Verified(by_a_ply, by_search)


def _sample(tables: Tables, seeds: int, sample: int, generator: np.random.Generator) -> np.ndarray:
    """Positions of a layer, South to move, int16[N, S]."""
    size = layer_size(2 * tables.game.houses, seeds)
    ranks = np.arange(size) if size <= sample else np.sort(generator.choice(size, sample, replace=False))
    states = np.zeros((len(ranks), tables.rules.state_size), np.int16)
    unrank = make_ranking(tables.game.houses).unrank
    for state, rank in zip(states, ranks.tolist(), strict=True):
        unrank(state, seeds, rank)
    return states


def _by_a_ply(tables: Tables, states: np.ndarray) -> np.ndarray:
    """The bounds that positions have by what follows from them, South to move, int64[N, 2]."""
    settled = moves(tables.rules, states).settled
    bounds = np.repeat(margins(settled)[:, None], 2, axis=1)
    live = settled[:, STATUS] == LIVE
    passed = live & (settled[:, TO_MOVE] == 1)
    if passed.any():
        lower, upper = tables.bounds(settled[passed])
        bounds[passed] += np.stack((-upper, -lower), axis=1)
    moving = live & ~passed
    legal, lower, upper = tables.action_bounds(settled[moving])
    for bound, found in enumerate((lower, upper)):
        bounds[moving, bound] += np.where(legal, found, -np.inf).max(axis=1, initial=-np.inf).astype(np.int64)
    return bounds


def _compare(tables: Tables, states: np.ndarray, stored: np.ndarray, found: np.ndarray, by: str) -> None:
    wrong = np.flatnonzero((stored != found).any(axis=1))
    if len(wrong):
        holes = states[wrong[0], BOARD:].tolist()
        held, right = stored[wrong[0]].tolist(), found[wrong[0]].tolist()
        raise ValueError(f"{tables.folder} is wrong: {holes} has the bounds {held} there, {right} by {by}")


def _search(tables: Tables, states: np.ndarray, solved: dict[bytes, Pair]) -> None:
    """Add the bounds of all positions that can be reached from some to those `solved`, by their holes from the mover's side."""
    plies: dict[bytes, list[Ply]] = {}
    waiting = [state[BOARD:].tobytes() for state in states]
    while waiting:
        position = waiting.pop()
        if position not in solved and position not in plies:
            plies[position] = _plies(tables, position)
            waiting += [after for _, _, after in plies[position] if after is not None]
    seeds_of = {position: int(np.frombuffer(position, np.int16).sum()) for position in plies}
    for seeds in sorted(set(seeds_of.values())):
        layer = [position for position in plies if seeds_of[position] == seeds]
        at_most = seeds if tables.game.bounds else 0  # an endless line gives all that is left, or nothing
        now = dict.fromkeys(layer, (-at_most, at_most))
        before: dict[bytes, Pair] = {}
        while now != before:  # all at once: what lines of at most 1, 2, ... plies come to
            before, known = now, solved | now
            now = {position: _best(plies[position], known) for position in layer}
        solved.update(now)


def _plies(tables: Tables, position: bytes) -> list[Ply]:
    """What follows from a position: its moves, or, where there is none, the pass or the end."""
    state = np.zeros((1, tables.rules.state_size), np.int16)
    state[0, BOARD:] = np.frombuffer(position, np.int16)
    found = moves(tables.rules, state)
    can_move = found.settled[0, STATUS] == LIVE and found.settled[0, TO_MOVE] == 0
    return [_ply(after) for after in (found.after[0][found.legal[0]] if can_move else found.settled)]


def _ply(after: np.ndarray) -> Ply:
    holes, mover = after[BOARD:], int(after[TO_MOVE])
    position = np.roll(holes, -mover * (len(holes) // 2)).tobytes()
    return int(margins(after)), mover == 0, position if after[STATUS] == LIVE else None


def _best(plies: list[Ply], bounds: dict[bytes, Pair]) -> Pair:
    """The bounds of a position by those of the positions after its plies."""
    found = []
    for gain, same_player, after in plies:
        lower, upper = (0, 0) if after is None else bounds[after]
        found.append((gain + lower, gain + upper) if same_player else (gain - upper, gain - lower))
    return max(lower for lower, _ in found), max(upper for _, upper in found)
