"""Finds the positions of tests/data/mates.json: forced wins in 1 to 5 plies that most actions miss, by plain search.

python tests/agents/find_mates.py
"""

import json
from pathlib import Path

import numpy as np

from mancala_envs import make_agent, make_rules

MATES = Path(__file__).parents[1] / "data" / "mates.json"
GAMES = (  # ruleset, options, whether it is small enough to be solved from any position
    ("oware", {}, False),
    ("awari", {"houses": 4}, False),
    ("kalah", {}, False),
    ("congkak", {}, False),
    ("bao_kujifunza", {}, False),
    ("omweso", {}, False),
    ("taktix", {"size": 3}, True),
    ("tactix_hein", {"size": 4}, True),
    ("oust", {"side": 2}, True),
    ("oust", {"side": 3}, True),
)
LONGEST = 5  # plies
OF_EACH = 4  # positions of a game and a length
MOST_NODES = 100_000


class TooLargeError(Exception):
    """A search that would take too long."""


class Search:
    """Whether a player can force a win within some plies: every line is tried."""

    def __init__(self):
        self.nodes = 0

    def wins(self, position, player, plies):
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLargeError
        if position.is_over or plies == 0:
            return position.returns[player] == 1
        outcomes = (self.wins(position.play(action), player, plies - 1) for action in position.legal_actions())
        return any(outcomes) if position.to_move == player else all(outcomes)


def winning_actions(position, plies):
    """The actions after which the player to move can force a win within so many plies, the first included."""
    search = Search()
    return [action for action in position.legal_actions() if search.wins(position.play(action), position.to_move, plies - 1)]


def is_won(position, known):
    """Whether South wins with best play of both, for games without draws and repetition; `known` keeps the answers."""
    if position.is_over:
        return position.returns[0] == 1
    if position not in known:
        outcomes = (is_won(position.play(action), known) for action in position.legal_actions())
        known[position] = any(outcomes) if position.to_move == 0 else all(outcomes)
    return known[position]


def mate(position, known):
    """The least number of plies in which a win can be forced, and the actions that win; None if these are more than a third.

    Those are all that win at all where the game is solved; else those that win in as few plies, and None where more do within two
    plies more.
    """
    for plies in range(1, LONGEST + 1):
        winning = winning_actions(position, plies)
        if winning:
            break
    else:
        return None
    if known is not None:
        south = position.to_move == 0
        winning = [action for action in position.legal_actions() if is_won(position.play(action), known) == south]
    elif winning_actions(position, plies + 2) != winning:
        return None
    return (plies, winning) if 3 * len(winning) <= len(position.legal_actions()) else None


def positions(rules, generator):
    """Positions near the end of games between a greedy player who errs and a random one."""
    greedy = make_agent("greedy", rules, seed=int(generator.integers(2**32)))
    while True:
        played = [rules.position()]
        while not played[-1].is_over:
            position = played[-1]
            errs = position.to_move == 1 or generator.random() < 0.3
            action = int(generator.choice(position.legal_actions())) if errs else greedy.act(position)
            played.append(position.play(action))
        for position in played[-10:-1]:
            yield rules.parse(str(position))


def mates(rules, solvable, seed, tries=1200):
    found, seen, known = [], set(), {} if solvable else None
    counts = [0] * (LONGEST + 1)
    for _, position in zip(range(tries), positions(rules, np.random.default_rng(seed)), strict=False):
        if position in seen or position.is_over:
            continue
        seen.add(position)
        try:
            plies, winning = mate(position, known) or (0, [])
        except TooLargeError:
            continue
        if winning and counts[plies] < OF_EACH:
            counts[plies] += 1
            found.append({"position": str(position), "plies": plies, "winning": winning})
    return sorted(found, key=lambda entry: entry["plies"])


def main():
    content = []
    for seed, (ruleset, options, solvable) in enumerate(GAMES):
        found = mates(make_rules(ruleset, **options), solvable, seed)
        content.append({"ruleset": ruleset, "options": options, "positions": found})
        print(ruleset, options, [entry["plies"] for entry in found], flush=True)
    MATES.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
