"""The command line: `mancala-envs COMMAND`, one module a command."""

import os
import sys
from collections.abc import Sequence

from tyro.extras import SubcommandApp

from .arena import arena
from .bench import bench
from .common import check_flags
from .perft import perft
from .positions import positions
from .rules import rules
from .rulesets import rulesets
from .solve import solve
from .tables import tables

TRAIN_MODULES = ("safetensors", "sb3_contrib", "stable_baselines3", "torch")

app = SubcommandApp()
for command in (rulesets, rules, perft, arena, bench, solve, tables, positions):
    app.command(command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the command and its arguments; those of the process if None.

    Returns:
        The exit code: 0, or 2 after an error of the input, which is told in one line on stderr.
    """
    try:
        check_flags(sys.argv if argv is None else argv)
        app.cli(prog="mancala-envs", description="Mancala games: rules, matches between agents, measurements.", args=argv)
    except BrokenPipeError:  # as in `mancala-envs rulesets | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError as error:
        print(f"mancala-envs: too much for the memory: {error}", file=sys.stderr)
        return 2
    except (ValueError, OSError) as error:
        print(f"mancala-envs: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name not in TRAIN_MODULES:
            raise
        print(f"mancala-envs: {error.name} is not installed: pip install 'mancala-envs[train]'", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
