"""The games: the contract they keep, one file a family, and the registry of rulesets."""

from .contract import Board, Family, Option, Rules
from .jit import compiled, helper
from .registry import make_rules, register, ruleset, rulesets
from .two_row import TwoRow

__all__ = [
    "Board",
    "Family",
    "Option",
    "Rules",
    "TwoRow",
    "compiled",
    "helper",
    "make_rules",
    "register",
    "ruleset",
    "rulesets",
]
