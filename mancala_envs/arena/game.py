"""One game between two players, move by move."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..agents import Agent, make_agent
from ..kernels.batch import END_REASONS, ILLEGAL_ACTION
from ..position import IllegalMoveError
from ..rules import Rules, make_rules


@dataclass(frozen=True)
class GameRecord:
    """A game that was played to its end.

    Args:
        rules: the game.
        agents: the names of South and North.
        moves: the actions played from the opening on; an illegal one that ended the game is not among them.
        returns: what South and North get: +1 and -1, or 0 and 0.
        end_reason: why the game ended, one of `contract.REASONS` or "illegal_action".
    """

    rules: Rules
    agents: tuple[str, str]
    moves: tuple[int, ...]
    returns: tuple[int, int]
    end_reason: str


def play_game(agents: Sequence[str | Agent], rules: str | Rules, seed: int = 0) -> GameRecord:
    """Play one game from the opening; a player who answers with an illegal action loses it.

    Args:
        agents: South and North, as specs or made already; the same agent may play both.
        rules: the game, or its id.
        seed: both players' random numbers follow from it.

    Raises:
        ValueError: not two agents, a spec that names no player, or an agent of another game.
    """
    rules = make_rules(rules)
    players = seated(agents, rules, np.random.SeedSequence(seed))
    names = players[0].name, players[1].name
    position = rules.position()
    moves: list[int] = []
    while not position.is_over:
        action = players[position.to_move].act(position)
        try:
            following = position.play(action)
        except IllegalMoveError:
            returns = (-1, 1) if position.to_move == 0 else (1, -1)
            return GameRecord(rules, names, tuple(moves), returns, END_REASONS[ILLEGAL_ACTION])
        moves.append(int(action))
        position = following
    return GameRecord(rules, names, tuple(moves), position.returns, str(position.end_reason))


def seated(agents: Sequence[str | Agent], rules: Rules, seeds: np.random.SeedSequence) -> tuple[Agent, Agent]:
    """Two players of these rules, each with random numbers of its own; raises ValueError if there are not two."""
    if isinstance(agents, str) or len(agents) != 2:
        raise ValueError(f"agents={agents!r} is not accepted: two agents")
    one, other = (make_agent(agent, rules) for agent in agents)
    for agent, sequence in zip((one, other), seeds.spawn(2), strict=True):
        agent.reset(int(sequence.generate_state(1)[0]))
    return one, other
