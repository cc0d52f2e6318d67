"""Perfect play: search, endgame tables, exact values, and how far from it agents are."""

from .exact import Exact, Solution, Unsolved, solve
from .metrics import optimal_move_rate, regret, regrets
from .oracles import Oracle, oracle
from .positions import PositionSet, position_set, position_sets, valued
from .tables import Tables

__all__ = [
    "Exact",
    "Oracle",
    "PositionSet",
    "Solution",
    "Tables",
    "Unsolved",
    "optimal_move_rate",
    "oracle",
    "position_set",
    "position_sets",
    "regret",
    "regrets",
    "solve",
    "valued",
]
