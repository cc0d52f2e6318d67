"""Matches: many games between two players, every opening from both seats."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..agents import Agent, make_agent
from ..kernels.batch import END_REASONS, Batch
from ..rules import Rules, make_rules
from ..rules.contract import PLY, TO_MOVE
from .game import seated

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


@dataclass(frozen=True)
class Match:
    """What came of a match; scores count a win as 1, a draw (or a game that met its ply limit) as 1/2, a loss as 0.

    Args:
        agents: the names of the two players.
        games: how many games they played.
        wins, draws, losses: of the first player.
        score: the first player's mean score.
        low, high: its 95 % interval, see `score_interval`.
        first_player_score: the mean score of South, who begins, whichever player it was.
        mean_plies: the mean length of a game, the random opening included.
        end_reasons: how many games ended for which reason, the most frequent first.
    """

    agents: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    first_player_score: float
    mean_plies: float
    end_reasons: dict[str, int]


def play_match(agents: Sequence[str | Agent], rules: str | Rules, games: int = 400, seed: int = 0, random_plies: int = 2) -> Match:
    """Play many games between two players side by side, in pairs with the same opening and seats swapped.

    The position after the opening is the first that counts for repetition. A player who answers with an illegal action loses that
    game.

    Args:
        agents: the two players, as specs or made already.
        rules: the game, or its id.
        games: how many, an even number.
        seed: the openings and both players' random numbers follow from it.
        random_plies: how many random plies make an opening, fewer where they would end the game. Without them, two players
            without chance repeat a single pair of games.

    Raises:
        ValueError: a number of games or plies that is not accepted, not two agents, one agent twice, a spec that names no player,
            or an agent of another game.
    """
    rules = make_rules(rules)
    if games < 2 or games % 2:
        raise ValueError(f"games={games} is not accepted: an even number from 2, since every opening is played from both seats")
    if random_plies < 0:
        raise ValueError(f"random_plies={random_plies} is not accepted: 0 or more")
    seeds = np.random.SeedSequence(seed)
    players = seated(agents, rules, seeds)
    if players[0] is players[1]:
        raise ValueError(f"{players[0].name!r} cannot play against itself: make a second agent")

    batch = Batch(rules, games, restart="next")
    for pair, opening in enumerate(openings(rules, games // 2, random_plies, seeds.spawn(1)[0])):
        batch.set_state(2 * pair, opening)
        batch.set_state(2 * pair + 1, opening)
    returns = np.zeros((games, 2))
    end_codes = np.zeros(games, np.uint8)
    live = np.arange(games)
    while len(live):
        turns = batch.states[live, TO_MOVE] ^ (live & 1)  # the first player is South in even games, North in odd ones
        actions = np.zeros(len(live), np.int64)
        for turn, player in enumerate(players):
            his = turns == turn
            if his.any():
                actions[his] = player.act_batch(batch.states[live[his]])
        step = batch.step(actions, live)
        returns[live], end_codes[live] = step.returns, step.end_codes
        live = live[step.end_codes == 0]

    south = (1 + returns[:, 0]) / 2
    scores = np.where(np.arange(games) % 2 == 0, south, 1 - south)
    low, high = score_interval(scores.reshape(-1, 2).mean(axis=1))
    return Match(
        agents=(players[0].name, players[1].name),
        games=games,
        wins=int((scores == 1).sum()),
        draws=int((scores == 0.5).sum()),
        losses=int((scores == 0).sum()),
        score=float(scores.mean()),
        low=low,
        high=high,
        first_player_score=float(south.mean()),
        mean_plies=float(batch.final_states[:, PLY].mean()),
        end_reasons=dict(Counter(END_REASONS[code] for code in end_codes.tolist()).most_common()),
    )


def round_robin(
    agents: Sequence[str | Agent], rules: str | Rules, games: int = 400, seed: int = 0, random_plies: int = 2
) -> list[Match]:
    """A match for every pair of players, all from the same openings; arguments and errors as in `play_match`."""
    rules = make_rules(rules)
    players = [make_agent(agent, rules) for agent in agents]
    names = [player.name for player in players]
    if len(players) < 2:
        raise ValueError(f"agents={names} is not accepted: two or more agents")
    if len(set(names)) < len(names):
        raise ValueError(f"agents={names} is not accepted: each agent once")
    return [play_match(pair, rules, games, seed, random_plies) for pair in itertools.combinations(players, 2)]


def openings(rules: Rules, count: int, random_plies: int, seed: np.random.SeedSequence) -> np.ndarray:
    """Live states after so many random plies, int16[count, S]; one that would be over is cut, ply by ply, until it is not."""
    batch = Batch(rules, count, random_plies=random_plies)
    batch.reset(seed)
    return batch.states


def score_interval(pair_scores: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of a mean score, from the mean scores of pairs of games, float[n], each within [0, 1].

    Games of a pair share an opening, so their scores hang together: the pairs are the sample. The interval is that of Agresti and
    Coull (Approximate is better than "exact" for interval estimation of binomial proportions, 1998), for scores instead of
    proportions: to the n pairs are added z**2 / 2 that score 0 and as many that score 1, z = 1.96, and then

        mean +- z * sqrt(variance / (n + z**2))        clipped to [0, 1]

    It always contains the mean score. Where all pairs score alike it narrows as 1 / n, but never to nothing.
    """
    added = Z**2 / 2
    size = len(pair_scores) + 2 * added
    mean = (float(pair_scores.sum()) + added) / size
    variance = (float((pair_scores**2).sum()) + added) / size - mean**2
    reach = Z * math.sqrt(variance / size)
    return max(0.0, mean - reach), min(1.0, mean + reach)
