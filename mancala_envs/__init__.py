"""Mancala games for reinforcement learning: exact rules, fast environments, strong opponents."""

from . import agents, arena, envs, kernels, rules
from .agents import Agent, make_agent
from .arena import GameRecord, play_game, play_match
from .envs import make, make_vec, register
from .position import IllegalMoveError, Position
from .rules import Board, Family, Option, Rules, TwoRow, compiled, helper, make_lift_and_sow, make_rules, make_sow, rulesets

__all__ = [
    "Agent",
    "Board",
    "Family",
    "GameRecord",
    "IllegalMoveError",
    "Option",
    "Position",
    "Rules",
    "TwoRow",
    "agents",
    "arena",
    "compiled",
    "envs",
    "helper",
    "kernels",
    "make",
    "make_agent",
    "make_lift_and_sow",
    "make_rules",
    "make_sow",
    "make_vec",
    "play_game",
    "play_match",
    "register",
    "rules",
    "rulesets",
]
