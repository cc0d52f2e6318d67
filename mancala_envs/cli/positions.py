"""`mancala-envs positions`: sets of positions with known values, drawn and described."""

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from tyro.conf import OmitArgPrefixes, OmitSubcommandPrefixes, Positional, subcommand

from ..arena.sampling import draw_set
from ..rules.contract import BOARD
from ..solve.perfect import to_the_end
from ..solve.positions import PACKAGED, PositionSet, load_set, position_sets, save_set
from .common import check_out, table


def build(ruleset: Positional[str], out: Path, count: int = 2000, seed: int = 0) -> None:
    """Draw positions from games of players of mixed strength, find the value of every action and write the set.

    Args:
        ruleset: its id; not all have positions that perfect play is known of.
        out: the file, .npz.
        count: how many positions.
        seed: of the games.
    """
    check_out(out)
    begin = time.perf_counter()
    positions = draw_set(ruleset, count, seed, lambda line: print(line, flush=True))
    save_set(out, positions)
    print(f"\n{len(positions)} positions of {positions.name} in {time.perf_counter() - begin:.1f} s, written to {out}")


def info(paths: Positional[tuple[Path, ...]] = ()) -> None:
    """Tell what sets hold: those that are packaged, or files.

    Args:
        paths: files of sets.
    """
    files = paths or tuple(PACKAGED / f"{name}.npz" for name in position_sets())
    header = ("set", "positions", "seeds", "actions", "best", "chance finds the best", "chance gives away", "bytes")
    rows = [(*_row(load_set(path)), f"{path.stat().st_size:,}") for path in files]
    print(table(header, rows, right=range(1, len(header))))
    print("\nvalues are final margins or, where no seeds are told, results (+1, 0, -1) for the player to move")


def positions(
    what: OmitArgPrefixes[
        OmitSubcommandPrefixes[
            Annotated[Any, subcommand("build", constructor=build)] | Annotated[Any, subcommand("info", constructor=info)]
        ]
    ],
) -> None:
    """Positions with known values, to measure agents by: build, info."""


def _row(known: PositionSet) -> tuple[str, ...]:
    """What a set holds: seeds on the board, legal actions, values of the best, and how a player by chance fares, on average."""
    values = np.where(known.legal, known.values, np.nan)
    best = np.nanmax(values, axis=1, keepdims=True)
    seeds = known.states[:, BOARD:].sum(axis=1) if to_the_end(known.rules).stores_only_count else None  # results need no count
    return (
        known.name,
        f"{len(known):,}",
        "" if seeds is None else f"{seeds.min()} to {seeds.max()}",
        f"{known.legal.sum(axis=1).mean():.1f}",
        f"{best.min():+.0f} to {best.max():+.0f}",
        f"{((values == best).sum(axis=1) / known.legal.sum(axis=1)).mean():.3f}",
        f"{np.nanmean(best - values, axis=1).mean():.2f}",
    )
