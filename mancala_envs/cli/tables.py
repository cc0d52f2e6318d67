"""`mancala-envs tables`: endgame tables, built, described, checked and asked."""

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from tyro.conf import OmitArgPrefixes, OmitSubcommandPrefixes, Positional, subcommand

from ..position import Position
from ..solve.retrograde import BuiltLayer, build_tables
from ..solve.table_files import layer_bytes
from ..solve.tables import Tables
from ..solve.verify import verify as check
from .common import chosen_rules, load_rules_file, table


def build(
    ruleset: Positional[str],
    seeds: int,
    options: tuple[str, ...] = (),
    out: Path | None = None,
    threads: int = 2,
    rules_file: Path | None = None,
) -> None:
    """Build the tables of all positions with few seeds on the board; a command that was stopped goes on from its last layer.

    Args:
        ruleset: its id, see `mancala-envs rulesets`.
        seeds: on the board, in the largest layer.
        options: options of the rules, as name=value.
        out: the folder; tables/RULESET by default.
        threads: how many share the work.
        rules_file: a Python file that registers rulesets of your own.
    """
    rules = chosen_rules(ruleset, options, rules_file)
    folder = Path("tables") / ruleset if out is None else out
    begin = time.perf_counter()
    build_tables(rules, seeds, folder, threads, lambda layer: print(_progress(layer), flush=True))
    print(f"\n{folder}: built in {time.perf_counter() - begin:.1f} s")


def info(source: Positional[str], rules_file: Path | None = None) -> None:
    """Tell what a table holds, and compare it with its checksums.

    Args:
        source: its folder, or the id of a ruleset whose table is packaged.
        rules_file: a Python file that registers rulesets of your own.
    """
    load_rules_file(rules_file)
    tables = Tables.open(source)
    tables.check()
    game = tables.game
    layers = [tables.layer(seeds) for seeds in range(tables.seeds + 1)]
    sizes = [(layer.shape[1], layer_bytes(game, seeds)) for seeds, layer in enumerate(layers)]
    rows = [
        (str(seeds), *(f"{size:,}" for size in sizes[seeds]), _settled(layer) if game.bounds else "")
        for seeds, layer in enumerate(layers)
    ]
    rows.append(("all", *(f"{sum(column):,}" for column in zip(*sizes, strict=True)), ""))
    print(f"{tables.rules.title} ({game.ruleset}), {', '.join(f'{name}={value}' for name, value in game.options.items())}")
    print("lower and upper bounds" if game.bounds else "values", "for the player to move, by play to the last seed\n")
    print(table(("seeds", "positions", "bytes", "settled" if game.bounds else ""), rows, right=range(4)))
    print("\nchecksums as written")


def verify(source: Positional[str], sample: int = 1000, seed: int = 0, rules_file: Path | None = None) -> None:
    """Check a sample of a table's positions: by their moves, and by search where few seeds are on the board.

    Args:
        source: its folder, or the id of a ruleset whose table is packaged.
        sample: how many positions of each layer.
        seed: which ones.
        rules_file: a Python file that registers rulesets of your own.
    """
    load_rules_file(rules_file)
    tables = Tables.open(source)
    found = check(tables, sample, seed)
    print(f"checksums as written; right by their moves: {found.by_a_ply} positions, by search: {found.by_search}")


def probe(source: Positional[str], position: Positional[str], rules_file: Path | None = None) -> None:
    """Tell what each move of a position gains in the end for the player to move, by perfect play to the last seed.

    Args:
        source: a table's folder, or the id of a ruleset whose table is packaged.
        position: holes, stores and player, as in "0,0,0,0,1,2,0,3,0,0,0,0 20:22 S".
        rules_file: a Python file that registers rulesets of your own.
    """
    load_rules_file(rules_file)
    tables = Tables.open(source)
    parsed = tables.rules.parse(position)
    lower, upper = tables.bounds(parsed.state[None])
    print(parsed.text())
    if parsed.is_over:
        print(f"\nthe game is over ({parsed.end_reason}), margin {parsed.margin:+}")
        return
    print(f"\n{'South' if parsed.to_move == 0 else 'North'} still gains {_gain(int(lower[0]), int(upper[0]))}\n")
    print(table(("move", "gains"), _moves(tables, parsed)))


def tables(
    what: OmitArgPrefixes[
        OmitSubcommandPrefixes[
            Annotated[Any, subcommand("build", constructor=build)]
            | Annotated[Any, subcommand("info", constructor=info)]
            | Annotated[Any, subcommand("verify", constructor=verify)]
            | Annotated[Any, subcommand("probe", constructor=probe)]
        ]
    ],
) -> None:
    """Endgame tables: build, info, verify, probe."""


def _progress(layer: BuiltLayer) -> str:
    if layer.settled is None:
        return f"{layer.seeds:2} seeds  {layer.positions:>13,} positions  there already, checksum as written"
    return (
        f"{layer.seeds:2} seeds  {layer.positions:>13,} positions  {layer.sweeps:3} sweeps  {layer.settled:7.2%} settled  "
        f"{layer.seconds:8.1f} s"
    )


def _settled(layer: np.ndarray) -> str:
    """The share of the positions whose bounds are equal."""
    return f"{float(np.mean(layer[0] == layer[-1])):.2%}"


def _moves(tables: Tables, position: Position) -> list[tuple[str, str]]:
    return [(position.notation(action), _gain(*bounds)) for action, bounds in tables.values(position).items()]


def _gain(lower: int, upper: int) -> str:
    least, most = (f"{bound:+}" if bound else "0" for bound in (lower, upper))
    return least if lower == upper else f"{least} to {most}, by the cycle rule"
