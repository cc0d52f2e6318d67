"""Building endgame tables by retrograde analysis, with nothing but the forward rules.

A turn leaves the seeds on the board as many as they are or takes some away, so layers are solved by rising number of seeds: a move
that captures leads to a position that is known. What remains are the moves within a layer, which may go round in circles. A
position so has two bounds, for the player to move,

    lower(p) = max over moves of   gain + lower(q)   or, where the other player moves next,   gain - upper(q)
    upper(p) = max over moves of   gain + upper(q)   or   gain - lower(q)

of which an endless line gives all seeds left to the opponent in `lower` and to the player in `upper`. Both are found by sweeps
over the layer that begin with -n and n, forwards and backwards by turns. In every sweep `lower` can only rise and `upper` only
fall, and they end at the same bounds in whatever order positions are looked at. So threads share a sweep, reading what others are
writing, and the table is the same. Positions whose bounds have met are passed over; one that did not change when last looked at
is looked at in every other sweep only, until a sweep changes nothing, which saves a third. When a sweep over all of them changes
nothing, it is done.

Where an endless line gives nobody the rest (`cycle_rule="split_even"`, or none), a position has one value: a gain above 0 has to
be forced in finitely many moves, which is what `lower` counts, and a loss the opponent has to force, which is what `upper`
counts:

    value = lower if lower > 0,   upper if upper < 0,   else 0

Under `own_side` and `draw` an endless line is worth what its history or the stores say, between the two bounds; both are kept.
Where they are equal, no cycle rule matters.

Sources: retrograde analysis of Awari layer by layer: Romein and Bal, Solving Awari with parallel retrograde analysis, 2003, and
Lincke and Marzetta, Large endgame databases with limited memory space, 2000.
"""

import functools
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..kernels.rows import copy_row
from ..kernels.threads import MOST_THREADS, share_out
from ..rules.contract import LIVE, STATUS, TO_MOVE, Rules, State, margin
from ..rules.jit import compiled, helper, key_on_sources
from .ranking import MOST_SEEDS, layer_offset, layer_size, make_ranking
from .table_files import check_sum, layer_bytes, layer_path, open_layer, write_layer
from .table_games import Game, table_game, table_rules

PARTS_PER_THREAD = 16  # of a sweep: positions that are passed over make some parts much shorter than others


@dataclass(frozen=True)
class BuiltLayer:
    """What the building of a layer has come to.

    Args:
        seeds: the layer.
        positions: how many it has.
        sweeps: over the layer; 0 where its file was there already.
        settled: the share of the positions whose bounds are equal; None where its file was there already.
        seconds: how long it took.
    """

    seeds: int
    positions: int
    sweeps: int
    settled: float | None
    seconds: float


class LayerArrays:
    """The values or bounds of all positions with up to `seeds` seeds, by place.

    Attributes:
        lower: int8[P], the values or the lower bounds.
        upper: int8[P], the upper bounds; the same array as `lower` in a table of values.
    """

    def __init__(self, game: Game, seeds: int) -> None:
        self._game = game
        places = layer_offset(2 * game.houses, seeds + 1)
        self.lower = np.empty(places, np.int8)
        self.upper = np.empty(places, np.int8) if game.bounds else self.lower

    def layer(self, seeds: int) -> list[np.ndarray]:
        """The values of a layer, or its lower and its upper bounds: views, int8[positions] each."""
        part = slice(layer_offset(2 * self._game.houses, seeds), layer_offset(2 * self._game.houses, seeds + 1))
        return [self.lower[part], self.upper[part]][: 1 + self._game.bounds]


def build_tables(
    rules: Rules, seeds: int, folder: Path, threads: int = 2, report: Callable[[BuiltLayer], None] = lambda _: None
) -> None:
    """Build the layers with up to `seeds` seeds, or those of them that are not yet there; each is on the disk once it is done.

    Args:
        rules: the game; see `table_rules` for which ones have tables.
        seeds: of the largest layer, at most MOST_SEEDS.
        folder: where; made if it does not exist.
        threads: how many share the work.
        report: called after each layer.

    Raises:
        ValueError: the rules have no tables, a number is out of range, or the folder holds layers of another table.
        MemoryError: there is not enough memory; told before the work.
        OSError: there is not enough room on the disk, told before the work as far as it can be; layers that are done stay.
    """
    if not 0 <= seeds <= MOST_SEEDS or not 1 <= threads <= MOST_THREADS:
        accepted = f"seeds from 0 to {MOST_SEEDS}, threads from 1 to {MOST_THREADS}"
        raise ValueError(f"seeds={seeds}, threads={threads} is not accepted: {accepted}")
    game, made = table_game(rules), table_rules(rules)
    folder.mkdir(parents=True, exist_ok=True)
    _check_room(game, seeds, folder)
    arrays = LayerArrays(game, seeds)
    for layer in range(seeds + 1):
        begin = time.perf_counter()
        sweeps, settled = 0, None
        parts = arrays.layer(layer)
        if layer_path(folder, layer).exists():
            stored = open_layer(folder, game, layer)
            check_sum(folder, layer, stored)
            for part, values in zip(parts, stored, strict=True):
                part[:] = values
        else:
            sweeps, settled = solve_layer(made, game, layer, arrays, threads)
            try:
                write_layer(folder, game, layer, parts)
            except OSError as error:
                done = f"layers 0 to {layer - 1} are done, and the same command goes on from there" if layer else "nothing is done"
                raise OSError(f"{layer_path(folder, layer)} cannot be written: {error.strerror}; {done}") from error
        report(BuiltLayer(layer, len(parts[0]), sweeps, settled, time.perf_counter() - begin))


def solve_layer(rules: Rules, game: Game, seeds: int, arrays: LayerArrays, threads: int = 1) -> tuple[int, float]:
    """Fill in a layer whose lower ones are filled in.

    Args:
        rules: the rules of the table, see `table_rules`.
        game: what they are as a table, see `table_game`.
        seeds: the layer.
        arrays: what is filled in.
        threads: how many share a sweep.

    Returns:
        The number of sweeps, and the share of the positions whose bounds are equal.
    """
    offset, size = layer_offset(2 * game.houses, seeds), layer_size(2 * game.houses, seeds)
    lower = arrays.layer(seeds)[0]
    # where lower layers have one value, only this one has upper bounds: its own array, which begins at its own place
    upper_from, uppers = (0, arrays.upper) if game.bounds else (offset, np.empty(size, np.int8))
    upper = uppers[offset - upper_from : offset - upper_from + size]
    lower[:], upper[:] = -seeds, seeds
    resting = np.zeros(size, np.bool_)
    sweep = _kernel(rules)

    def sweep_part(part: slice) -> int:
        rows, mask = np.zeros((3, rules.state_size), np.int16), np.zeros(rules.num_actions, np.bool_)
        return sweep(seeds, part.start, part.stop, sweeps, whole, offset, arrays.lower, uppers, upper_from, resting, rows, mask)

    sweeps, whole = 0, True
    while True:
        changed = sum(share_out(sweep_part, size, threads, PARTS_PER_THREAD))
        sweeps += 1
        if not changed and whole:
            break
        whole = not changed
    settled = float(np.mean(lower == upper))
    if not game.bounds:
        np.copyto(lower, np.minimum(upper, 0), where=lower <= 0)
    return sweeps, settled


def memory_needed(game: Game, seeds: int) -> int:
    """Bytes of memory that building the layers with up to `seeds` seeds takes: all of them, and what the last one needs besides."""
    holes = 2 * game.houses
    return (1 + game.bounds) * layer_offset(holes, seeds + 1) + (2 - game.bounds) * layer_size(holes, seeds)


def _check_room(game: Game, seeds: int, folder: Path) -> None:
    """Raise MemoryError or OSError if the layers that are not yet there will not fit."""
    missing = [layer for layer in range(seeds + 1) if not layer_path(folder, layer).exists()]
    on_disk, free = sum(layer_bytes(game, layer) for layer in missing), shutil.disk_usage(folder).free
    if on_disk > free:
        raise OSError(f"the layers to be built take {_size(on_disk)}, {str(folder)!r} has {_size(free)} left")
    needed, available = memory_needed(game, seeds), available_memory()
    if missing and available is not None and needed > available:
        raise MemoryError(f"layers with up to {seeds} seeds take {_size(needed)} to build, {_size(available)} are available")


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping, None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else None


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


@functools.cache
def _kernel(rules: Rules) -> Any:
    legal, apply, settle, actions = rules.legal, rules.apply, rules.settle, rules.num_actions
    place, _, _, unrank, to_next, to_previous = make_ranking(actions)

    @helper
    def worth(state: State, lower: np.ndarray, upper: np.ndarray, upper_from: int) -> tuple[int, int]:
        """The bounds of a state for South, with what the stores hold."""
        gained = margin(state)
        if state[STATUS] != LIVE:
            return gained, gained
        at = place(state)
        low = np.int64(lower[np.uint64(at)])
        high = np.int64(upper[np.uint64(at - upper_from)]) if at >= upper_from else low
        if state[TO_MOVE] == 0:
            return gained + low, gained + high
        return gained - high, gained - low

    @compiled
    def sweep(
        seeds: int,
        begin: int,
        end: int,
        sweep_number: int,
        whole: bool,
        offset: int,
        lower: np.ndarray,
        upper: np.ndarray,
        upper_from: int,
        resting: np.ndarray,
        rows: np.ndarray,
        mask: np.ndarray,
    ) -> int:
        """Better the bounds of the positions of a layer from rank `begin` to before `end`; returns how many have changed.

        `lower`, int8[P], and `upper`, int8[P - upper_from], are by place; below `upper_from` both bounds are in `lower`. `resting`,
        bool[positions of the layer], tells which did not change when last looked at; only a `whole` sweep looks at all of them.
        `rows`, int16[3, S], and `mask`, bool[A], are room to work in.
        """
        forwards = sweep_number % 2 == 0
        position, state, after = rows[0], rows[1], rows[2]
        rank = begin if forwards else end - 1
        unrank(position, seeds, rank)
        changed = 0
        for left in range(end - begin - 1, -1, -1):
            at = np.uint64(offset + rank)
            upper_at = np.uint64(offset + rank - upper_from)
            old_low, old_high = np.int64(lower[at]), np.int64(upper[upper_at])
            is_due = whole | (not resting[np.uint64(rank)]) | ((rank + sweep_number) % 2 == 0)
            if old_low < old_high and is_due:
                copy_row(position, state)
                settle(state)
                if state[STATUS] != LIVE or state[TO_MOVE] != 0:  # it is over, or the player is passed over
                    low, high = worth(state, lower, upper, upper_from)
                else:
                    low, high = old_low, old_low
                    legal(state, mask)
                    for action in range(actions):
                        if mask[action]:
                            copy_row(state, after)
                            apply(after, action)
                            least, most = worth(after, lower, upper, upper_from)
                            low, high = max(low, least), max(high, most)
                if low != old_low or high != old_high:
                    lower[at] = low
                    upper[upper_at] = high
                    changed += 1
                resting[np.uint64(rank)] = low == old_low and high == old_high
            if left > 0 and forwards:
                rank += 1
                to_next(position)
            elif left > 0:
                rank -= 1
                to_previous(position)
        return changed

    key_on_sources(sweep)
    return sweep
