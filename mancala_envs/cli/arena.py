"""`mancala-envs arena`: agents against each other."""

import dataclasses
from collections import defaultdict
from pathlib import Path

from ..arena import Match, Truth, against_perfect_play, round_robin
from .common import check_out, chosen_rules, machine, table, versions, write_json


def arena(
    ruleset: str,
    agents: tuple[str, ...],
    games: int = 400,
    seed: int = 0,
    random_plies: int = 2,
    out: Path | None = None,
    options: tuple[str, ...] = (),
    rules_file: Path | None = None,
) -> None:
    """Play a match between every two agents, each opening from both seats, and print who scored what.

    Where positions of known value are packaged for the rules, it also tells how far each agent is from perfect play on them: what
    its moves give away on average ("regret": seeds of the final margin, or results, of which there are 2 between a loss and a win)
    and how many of them no other move beats.

    Args:
        ruleset: its id, see `mancala-envs rulesets`.
        agents: two or more, such as random, greedy, alphabeta:depth=4, policy:runs/NAME.
        games: games a match, an even number.
        seed: the openings and the agents' random numbers follow from it.
        random_plies: how many random plies open a game.
        out: a JSON file for the results.
        options: options of the rules, as name=value.
        rules_file: a Python file that registers rulesets of your own.
    """
    check_out(out)
    rules = chosen_rules(ruleset, options, rules_file)
    matches = round_robin(agents, rules, games, seed, random_plies)
    print(f"{rules.title} ({rules.id}), {games} games a match, {random_plies} random plies, seed {seed}\n")
    truths = against_perfect_play(agents, rules, seed)
    print(cross_table(matches, truths))
    if truths:
        print(f"\nregret and optimal moves: on {truths[0].positions}, see `mancala-envs positions info`")
    print(f"\n{details(matches)}")
    if out is not None:
        parameters = {
            "ruleset": ruleset,
            "agents": agents,
            "games": games,
            "seed": seed,
            "random_plies": random_plies,
            "options": options,
            "rules_file": str(rules_file) if rules_file else None,
        }
        content = {
            "command": "arena",
            "parameters": parameters,
            "ruleset": rules.id,
            "options": dict(rules.options),
            "rules_digest": rules.digest,
            "matches": [dataclasses.asdict(match) for match in matches],
            "total_scores": total_scores(matches),
            "perfect_play": [dataclasses.asdict(truth) for truth in truths],
            "versions": versions(),
            "machine": machine(),
        }
        write_json(out, content)
        print(f"\nwritten to {out}")


def total_scores(matches: list[Match]) -> dict[str, float]:
    """The mean score of each agent over its matches."""
    scores = defaultdict(list)
    for match in matches:
        scores[match.agents[0]].append(match.score)
        scores[match.agents[1]].append(1 - match.score)
    return {agent: sum(found) / len(found) for agent, found in scores.items()}


def cross_table(matches: list[Match], truths: list[Truth]) -> str:
    """The score of each agent (row) against each other one (column), with its 95 % interval, in total, and against perfect play."""
    totals = total_scores(matches)
    known = {truth.agent: (f"{truth.regret:.3f}", f"{truth.optimal_move_rate:.3f}") for truth in truths}
    cells = {}
    for match in matches:
        one, other = match.agents
        cells[one, other] = f"{match.score:.3f} [{match.low:.3f}, {match.high:.3f}]"
        cells[other, one] = f"{1 - match.score:.3f} [{1 - match.high:.3f}, {1 - match.low:.3f}]"
    header = ("", "score against (95 %)", *("" for _ in totals), *(("", "") if known else ()))
    numbers = ("", *(str(number) for number in range(1, len(totals) + 1)), "total", *(("regret", "optimal") if known else ()))
    rows = [
        (f"{number} {one}", *(cells.get((one, other), "-") for other in totals), f"{total:.3f}", *known.get(one, ()))
        for number, (one, total) in enumerate(totals.items(), 1)
    ]
    return table(header, [numbers, *rows])


def details(matches: list[Match]) -> str:
    """What else is known of each match, a line each."""
    header = ("match", "won", "drawn", "lost", "first player", "plies", "ended by")
    rows = [
        (
            " - ".join(match.agents),
            str(match.wins),
            str(match.draws),
            str(match.losses),
            f"{match.first_player_score:.3f}",
            f"{match.mean_plies:.1f}",
            ", ".join(f"{reason} {count}" for reason, count in match.end_reasons.items()),
        )
        for match in matches
    ]
    return table(header, rows, right=(1, 2, 3, 4, 5))
