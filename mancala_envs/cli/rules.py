"""`mancala-envs rules`: everything there is to know about a ruleset, on a page."""

from collections import Counter
from pathlib import Path

import numpy as np
from tyro.conf import Positional

from ..kernels.playouts import playouts
from ..rules import Rules
from ..rules.contract import BOARD, NORTH_WON, PLY, REASON, REASONS, SOUTH_WON, STATUS
from ..rules.registry import ruleset as find
from .common import chosen_rules
from .rulesets import board_size

RANDOM_GAMES = 10_000


def rules(ruleset: Positional[str], options: tuple[str, ...] = (), rules_file: Path | None = None) -> None:
    """Print a ruleset's page in Markdown: how it is played, options, actions, observation, sources.

    Args:
        ruleset: its id, see `mancala-envs rulesets`.
        options: options that change the board and the sizes shown, as name=value.
        rules_file: a Python file that registers rulesets of your own.
    """
    print(page(chosen_rules(ruleset, options, rules_file)))


def page(rules: Rules) -> str:
    """The page of a ruleset in Markdown; options show the ruleset's defaults, boards and sizes are those of `rules`."""
    found = find(rules.id)
    changed = [f"{name}={value}" for name, value in rules.options.items() if value != found.options[name].default]
    opening = rules.position()
    parts = [
        f"# {rules.title} (`{rules.id}`)",
        found.family.page.strip(),
        f"**This ruleset.** {found.about}" if found.about else "",
        "## Options",
        "\n".join(
            (
                "| option | default | accepted | what it decides |",
                "|---|---|---|---|",
                *(
                    f"| `{name}` | `{option.default!r}` | {option.accepted()} | {_cell(option.about)} |"
                    for name, option in found.options.items()
                ),
            )
        ),
        f"What follows is that of {', '.join(changed)}." if changed else "",
        "## Opening",
        f"{board_size(rules.board)}. South{', below,' if rules.board.seeds else ''} moves first.",
        f"```\n{opening.text()}\n```",
        f"In one line, which `rules.parse` reads back: `{opening!s}`",
        "## Typical games",
        typical_games(rules),
        "## Actions",
        f"There are {rules.num_actions}.",
        found.family.actions.strip(),
        "## Observation",
        f"float32 of shape {rules.observation_shape}.",
        found.family.observation.strip(),
        "## State",
        f"int16[{rules.state_size}]; the first {BOARD} numbers are the header that all games share.",
        "\n".join(_state_table(rules)),
    ]
    return "\n\n".join(part for part in parts if part)


def typical_games(rules: Rules) -> str:
    """How long random games are, how many moves they give to choose from, how they end and who wins, in two sentences."""
    played = playouts(rules, RANDOM_GAMES)
    plies, codes, status = (played.states[:, index] for index in (PLY, REASON, STATUS))
    shortest, low, median, high, longest = np.percentile(plies, (0, 5, 50, 95, 100)).astype(int)
    reasons = Counter(REASONS[code] for code in codes.tolist())
    endings = ", ".join(f"{name} {_share(count)}" for name, count in reasons.most_common())
    south, north = (_share(int((status == won).sum())) for won in (SOUTH_WON, NORTH_WON))
    return (
        f"{RANDOM_GAMES:,} games at random (seed 0) take {plies.mean():.1f} plies on average: half of them at most {median}, nine "
        f"in ten from {low} to {high}, the shortest {shortest}, the longest {longest}. A position has "
        f"{played.choices / played.plies:.1f} legal actions on average. Endings: {endings}. South wins {south}, North {north}."
    )


def _share(count: int) -> str:
    return f"{100 * count / RANDOM_GAMES:.3g} %"


def _state_table(rules: Rules) -> list[str]:
    fields = sorted(rules.fields.items(), key=lambda field: field[1].start)
    rows = [f"| {_range(part)} | {name} |" for name, part in fields]
    derived = slice(fields[-1][1].stop, rules.state_size)
    if derived.start < derived.stop:
        rows.append(f"| {_range(derived)} | what follows from the above, kept so that it need not be counted anew |")
    header = "| 0 .. 6 | to move, ply, status, end reason, quiet plies, South's store, North's store |"
    return ["| index | what |", "|---|---|", header, *rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _range(part: slice) -> str:
    return str(part.start) if part.stop == part.start + 1 else f"{part.start} .. {part.stop - 1}"
