"""Players: the `Agent` protocol, and those that can be made from a spec string such as `alphabeta:depth=4`."""

from .agent import Agent, choose_all
from .alphabeta import AlphaBeta, Greedy
from .mcts import MCTS
from .random import Random
from .spec import make_agent

__all__ = ["MCTS", "Agent", "AlphaBeta", "Greedy", "Random", "choose_all", "make_agent"]
