"""`mancala-envs rules`: everything there is to know about a ruleset, on a page."""

from pathlib import Path

from tyro.conf import Positional

from ..rules import Rules
from ..rules.contract import BOARD
from ..rules.registry import ruleset as find
from .common import chosen_rules
from .rulesets import board_size


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
        found.about,
        found.family.page.strip(),
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
        f"{board_size(rules.board)}. South, below, moves first.",
        f"```\n{opening.text()}\n```",
        f"In one line: `{opening!s}`",
        "## Actions",
        f"There are {rules.num_actions}.",
        found.family.actions.strip(),
        "## Observation",
        f"float32 of shape {rules.observation_shape}.",
        found.family.observation.strip(),
        "## State",
        f"int16[{rules.state_size}]; the first {BOARD} numbers are the header that all games share.",
        "\n".join(
            (
                "| index | what |",
                "|---|---|",
                "| 0 .. 6 | to move, ply, status, end reason, quiet plies, South's store, North's store |",
                *(f"| {_range(part)} | {name} |" for name, part in rules.fields.items()),
            )
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _range(part: slice) -> str:
    return str(part.start) if part.stop == part.start + 1 else f"{part.start} .. {part.stop - 1}"
