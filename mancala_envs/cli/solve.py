"""`mancala-envs solve`: perfect play of a game or a position."""

import re
import sys
import time
from pathlib import Path

from tyro.conf import Positional

from ..position import Position
from ..rules import Rules, make_rules
from ..rules.registry import ruleset as find
from ..solve.exact import Progress, Solution
from ..solve.exact import solve as solve_position
from ..solve.perfect import to_the_end
from ..solve.tables import Tables
from .common import chosen_rules

NAMES = ("South", "North")
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
LOG_EVERY = 60.0  # seconds, of progress that goes to a file


def solve(
    ruleset: Positional[str],
    houses: int | None = None,
    seeds: int | None = None,
    position: str | None = None,
    table: tuple[int, int] | None = None,
    options: tuple[str, ...] = (),
    endgame_table: str | None = None,
    memory: str = "1GiB",
    checkpoint: Path | None = None,
    rules_file: Path | None = None,
) -> None:
    """Solve a game: its value with perfect play to the last seed, the best moves and a line of them.

    The value is the final margin of the stores for the player to move, or win, draw or loss where a game has no seeds to count.

    Args:
        ruleset: its id, see `mancala-envs rulesets`.
        houses: short for --options houses=...
        seeds: short for --options seeds=...
        position: holes, stores and player, as in "0,0,0,0,1,2,0,3,0,0,0,0 20:22 S"; the opening if not given.
        table: M and N, to solve the openings of every board with up to M houses a row and N seeds a house.
        options: options of the rules, as name=value.
        endgame_table: a folder, or the id of a ruleset whose table is packaged; search stops where it begins.
        memory: of the transposition table at most, such as 512MiB or 4GiB; it grows as the proof does.
        checkpoint: a file for what is known, written every ten minutes and at Ctrl-C; the same command then goes on from there. It
            stays when the proof is done.
        rules_file: a Python file that registers rulesets of your own.
    """
    size = memory_size(memory)
    shortcuts = {"houses": houses, "seeds": seeds}
    given = tuple(f"{name}={value}" for name, value in shortcuts.items() if value is not None)
    rules = chosen_rules(ruleset, (*options, *given), rules_file)
    if table is not None:
        if position is not None or checkpoint is not None or endgame_table is not None or given:
            raise ValueError(
                "--table is of openings on boards of all sizes: leave out --position, --checkpoint, --endgame-table, --houses "
                "and --seeds"
            )
        _print_table(rules, *table, size)
        return
    start = rules.position() if position is None else rules.parse(position)
    changed = [f"{name}={value}" for name, value in rules.options.items() if value != find(rules.id).options[name].default]
    print(", ".join((f"{rules.title} ({rules.id})", *changed)), f"\n\n{start.text()}\n", sep="", flush=True)
    begin = time.perf_counter()
    tables = None if endgame_table is None else Tables.open(endgame_table, rules)
    goes_on = checkpoint is not None and checkpoint.exists()
    if goes_on:
        print(f"going on from {checkpoint}", file=sys.stderr, flush=True)
    solution = _solved(start, size, checkpoint, tables)
    in_all = f"{time.perf_counter() - begin:.1f} s with best moves and line"
    print(_described(start, solution))
    print(f"{'time':<13}{solution.seconds:.2f} s for the value{', all runs together; this run ' if goes_on else ', '}{in_all}")


def memory_size(text: str) -> int:
    """Bytes, as "512MiB" says them; raises ValueError where it says none."""
    found = re.fullmatch(r"(\d+) ?(B|KiB|MiB|GiB)", text)
    if not found:
        raise ValueError(f"memory {text!r} is not accepted: a whole number with its unit, {', '.join(UNITS)}, such as 4GiB")
    return int(found[1]) * UNITS[found[2]]


def signed(value: int) -> str:
    """A value with its sign; 0 has none."""
    return f"{value:+}" if value else "0"


def _solved(start: Position, memory: int, checkpoint: Path | None = None, tables: Tables | None = None) -> Solution:
    """A position solved, with a line on stderr that tells how far it has come: it is overwritten, in a file it is one a minute."""
    stream, overwrites = sys.stderr, sys.stderr.isatty()
    begin = last = time.perf_counter()
    nodes_before: int | None = None

    def show(progress: Progress) -> None:
        nonlocal last, nodes_before
        now = time.perf_counter()
        if nodes_before is None:  # those of the runs before a checkpoint
            nodes_before, last = progress.nodes, now if overwrites else last
        if overwrites or now - last >= LOG_EVERY:
            last = now
            speed = (progress.nodes - nodes_before) / (now - begin)
            known = f"value {signed(progress.lower)} to {signed(progress.upper)}"
            text = f"{progress.nodes:,} nodes, {speed:,.0f}/s, {progress.seconds:,.0f} s, {known}"
            stream.write(f"\r{text:<78}" if overwrites else f"{text}\n")
            stream.flush()

    try:
        return solve_position(start, memory, show, checkpoint, tables=tables)
    except KeyboardInterrupt:
        if checkpoint is None:
            print("\nstopped: nothing is kept; with --checkpoint FILE, what is known would be", file=stream)
        elif checkpoint.exists():
            print(f"\nstopped: {checkpoint} holds what is known, and the same command goes on from there", file=stream)
        else:
            print(f"\nstopped: there was nothing yet to be kept in {checkpoint}", file=stream)
        raise
    finally:
        if overwrites:
            stream.write(f"\r{'':<78}\r")


def _described(start: Position, solution: Solution) -> str:
    rows = (
        ("value", _value(start, solution)),
        ("best moves", _best(start, solution)),
        ("line", _line(start, solution)),
        ("nodes", f"{solution.nodes:,} for the value, {solution.nodes / solution.seconds:,.0f}/s"),
    )
    return "\n".join(f"{name:<13}{text}" for name, text in rows)


def _value(start: Position, solution: Solution) -> str:
    """The value of a position in words."""
    lower, upper = solution.lower, solution.upper
    if lower < upper:
        return f"{signed(lower)} to {signed(upper)} for {NAMES[start.to_move]}, as the cycle rule decides"
    if lower == 0:
        return "0, a draw"
    winner = NAMES[start.to_move if lower > 0 else 1 - start.to_move]
    by = f" by {abs(lower)}" if to_the_end(start.rules).stores_only_count else ""
    return f"{lower:+} for {NAMES[start.to_move]}: {winner} wins{by}"


def _best(start: Position, solution: Solution) -> str:
    if list(solution.best) == start.legal_actions() and len(solution.best) > 1:
        return f"any of {len(solution.best)}"
    return ", ".join(start.notation(action) for action in solution.best)


def _line(start: Position, solution: Solution) -> str:
    """The moves of a line, those of a player's turn together."""
    position = to_the_end(start.rules).parse(str(start))
    turns: list[list[str]] = []
    mover = None
    for action in solution.line:
        if position.to_move != mover:
            mover = position.to_move
            turns.append([NAMES[mover]])
        turns[-1].append(position.notation(action))
        position = position.play(action)
    return ", ".join(" ".join(turn) for turn in turns)


def _print_table(rules: Rules, most_houses: int, most_seeds: int, memory: int) -> None:
    """Print the values of the openings, a row for each number of houses, as soon as it is filled."""
    sizes = find(rules.id).options
    if not {"houses", "seeds"} <= set(sizes):
        raise ValueError(f"--table is not accepted for {rules.id}: it has no options houses and seeds")
    for name, most in (("houses", most_houses), ("seeds", most_seeds)):
        sizes[name].check(name, most)
    columns = [seeds for seeds in range(1, most_seeds + 1) if seeds in sizes["seeds"].accepts]
    rows = [houses for houses in range(1, most_houses + 1) if houses in sizes["houses"].accepts]
    print(f"{rules.title} ({rules.id}): value for the first player, a row a number of houses, a column a number of seeds\n")
    print(f"{'':>6}", *(f"{seeds:>8}" for seeds in columns), flush=True)
    nodes, seconds, begin = 0, 0.0, time.perf_counter()
    for houses in rows:
        cells = []
        for seeds in columns:
            solution = _solved(_opening(rules, houses, seeds, most_seeds), memory)
            nodes, seconds = nodes + solution.nodes, seconds + solution.seconds
            cells.append("..".join(signed(bound) for bound in sorted({solution.lower, solution.upper})))
        print(f"{houses:>6}", *(f"{cell:>8}" for cell in cells), flush=True)
    in_all = f"{time.perf_counter() - begin:.1f} s with compiling, best moves and lines"
    print(f"\n{nodes:,} nodes in {seconds:.1f} s, {nodes / seconds:,.0f}/s; {in_all}")


def _opening(rules: Rules, houses: int, seeds: int, most_seeds: int) -> Position:
    """An opening; where the holes alone decide, on the board for most seeds, as the search need be compiled for that one only."""
    start = make_rules(rules, houses=houses, seeds=seeds).position()
    largest = to_the_end(make_rules(rules, houses=houses, seeds=most_seeds))
    return largest.position(holes=start.holes) if largest.stores_only_count else start
