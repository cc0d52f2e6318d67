"""The games: the contract they keep, one file a family, and the registry of rulesets."""

from .contract import Board, Family, Option, Rules
from .jit import compiled, helper
from .registry import make_rules, register, ruleset, rulesets
from .sowing import make_lift_and_sow, make_sow
from .two_row import TwoRow

__all__ = [
    "Board",
    "Family",
    "Option",
    "Rules",
    "TwoRow",
    "compiled",
    "helper",
    "make_lift_and_sow",
    "make_rules",
    "make_sow",
    "register",
    "ruleset",
    "rulesets",
]
