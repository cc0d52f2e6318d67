"""`mancala-envs perft`: count move sequences."""

import time
from pathlib import Path

from tyro.conf import Positional

from ..kernels.perft import perft as count
from .common import chosen_rules, table


def perft(ruleset: Positional[str], depth: int = 6, options: tuple[str, ...] = (), rules_file: Path | None = None) -> None:
    """Count the sequences of 1, 2, ... plies from the opening, the classic check of a move generator.

    Args:
        ruleset: its id, see `mancala-envs rulesets`.
        depth: the longest sequences that are counted, in plies.
        options: options of the rules, as name=value.
        rules_file: a Python file that registers rulesets of your own.
    """
    rules = chosen_rules(ruleset, options, rules_file)
    count(rules, 1)  # compiles
    begin = time.perf_counter()
    counts = count(rules, depth)
    seconds = time.perf_counter() - begin
    print(table(("depth", "sequences"), [(str(plies), str(found)) for plies, found in enumerate(counts, 1)], right=(0, 1)))
    print(f"\n{sum(counts)} nodes in {seconds:.3g} s, {sum(counts) / seconds:.4g} nodes/s")
