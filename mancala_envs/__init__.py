"""Mancala games for reinforcement learning: exact rules, fast environments, strong opponents."""

from . import agents, envs, kernels, rules
from .agents import Agent, make_agent
from .envs import make
from .position import IllegalMoveError, Position
from .rules import Board, Family, Option, Rules, TwoRow, compiled, helper, make_rules, register, rulesets

__all__ = [
    "Agent",
    "Board",
    "Family",
    "IllegalMoveError",
    "Option",
    "Position",
    "Rules",
    "TwoRow",
    "agents",
    "compiled",
    "envs",
    "helper",
    "kernels",
    "make",
    "make_agent",
    "make_rules",
    "register",
    "rules",
    "rulesets",
]
