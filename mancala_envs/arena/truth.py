"""Agents against perfect play: on the packaged positions of a ruleset, where it has some."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..agents import Agent, make_agent
from ..rules import Rules, make_rules
from ..solve.metrics import regrets
from ..solve.positions import PositionSet, position_set, position_sets, set_name


@dataclass(frozen=True)
class Truth:
    """How an agent did on a set of positions.

    Args:
        agent: its name.
        positions: the name of the set.
        regret: the mean of what its moves give away, see `solve.regret`.
        optimal_move_rate: the share of moves that no other beats.
    """

    agent: str
    positions: str
    regret: float
    optimal_move_rate: float


def against_perfect_play(
    agents: Sequence[str | Agent], rules: str | Rules, seed: int = 0, positions: PositionSet | None = None
) -> list[Truth]:
    """Measure agents against perfect play.

    Args:
        agents: as specs or made already.
        rules: the game, or its id.
        seed: the agents' random numbers follow from it.
        positions: the set; by default the packaged one.

    Returns:
        One result an agent; none if no set is given and none is packaged.

    Raises:
        ValueError: a spec that names no player, an agent of another game, or one that answers with an illegal action.
    """
    rules = make_rules(rules)
    if positions is None:
        if set_name(rules) not in position_sets():
            return []
        positions = position_set(rules)
    found = []
    for spec in agents:
        agent = make_agent(spec, rules)
        given_away = regrets(agent, positions, seed)
        found.append(Truth(agent.name, positions.name, float(given_away.mean()), float((given_away == 0).mean())))
    return found
