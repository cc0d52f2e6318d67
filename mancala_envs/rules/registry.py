"""All rulesets by id: one line each, a family of games and the options that make the ruleset."""

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from .bao import BAO_KISWAHILI, BAO_KUJIFUNZA
from .bao_kenya import BAO_KENYA
from .bao_kenya_laps import BAO_KENYA_LAPS
from .congkak import CONGKAK, CONGKAK_MATCH
from .contract import Family, Option, OptionValue, Rules
from .kalah import KALAH
from .omweso import OMWESO
from .oust import OUST
from .oware import OWARE
from .oware_nam_nam import OWARE_NAM_NAM, OWARE_NAM_NAM_ROUND
from .taktix import TAKTIX

MAX_PLIES = Option(1000, range(1, 32767), "the ply at which a game that still goes on is truncated: nobody wins")


@dataclass(frozen=True)
class Ruleset:
    """A registered ruleset: a family with its own defaults.

    Args:
        id: the name it is made by.
        family: the game.
        title: the name of the ruleset.
        about: what makes this ruleset, with its source.
        options: every option, with the defaults of this ruleset.
    """

    id: str
    family: Family
    title: str
    about: str
    options: dict[str, Option]


_rulesets: dict[str, Ruleset] = {}
_made: dict[tuple[str, tuple[tuple[str, OptionValue], ...]], Rules] = {}


def register(id: str, family: Family, title: str = "", about: str = "", **defaults: OptionValue) -> None:
    """Register a ruleset, so that everything that takes an id can play it.

    A notebook cell or a module that is run again replaces what it registered before.

    Args:
        id: the new id: letters, digits and underscores.
        family: how it is built.
        title: the name of the ruleset; by default its id.
        about: what makes it, with its source.
        defaults: options of the family that this ruleset sets otherwise.

    Raises:
        ValueError: the id is taken or no identifier, or the family has no such option or value.
    """
    if id in _rulesets and not _same_place(_rulesets[id].family.build, family.build):
        raise ValueError(f"ruleset {id!r} is already registered, by {_rulesets[id].family.build.__module__}")
    if not id.isidentifier():
        raise ValueError(f"{id!r} is no ruleset id: use letters, digits and underscores")
    options = {**family.options, "max_plies": family.options.get("max_plies", MAX_PLIES)}
    for name, value in defaults.items():
        option = _option(id, options, name)
        options[name] = replace(option, default=option.check(name, value))
    _rulesets[id] = Ruleset(id, family, title or id, about, options)
    for key in [key for key in _made if key[0] == id]:
        del _made[key]


def rulesets() -> list[str]:
    """The ids of all registered rulesets, sorted."""
    return sorted(_rulesets)


def ruleset(id: str) -> Ruleset:
    """The registered ruleset of that id; raises ValueError, naming those that exist, if there is none."""
    if not isinstance(id, str):
        raise ValueError(f"ruleset {id!r} is not accepted: an id such as 'oware', or rules made already")
    if id not in _rulesets:
        raise ValueError(f"no ruleset {id!r}{_did_you_mean(id, _rulesets)}; there are {', '.join(rulesets())}")
    return _rulesets[id]


def make_rules(rules: str | Rules, **options: Any) -> Rules:
    """The rules of a ruleset.

    Args:
        rules: an id, or rules already made.
        options: the options that differ from the ruleset's defaults.

    Raises:
        ValueError: there is no such ruleset, option or value; names what is accepted.
    """
    if isinstance(rules, Rules):
        if not options:
            return rules
        return make_rules(rules.id, **{**rules.options, **options})
    found = ruleset(rules)
    values = {name: option.default for name, option in found.options.items()}
    for name, value in options.items():
        values[name] = _option(rules, found.options, name).check(name, value)
    key = found.id, tuple(values.items())
    if key not in _made:
        _made[key] = found.family.build(found.id, found.title, values)
    return _made[key]


def parse_options(id: str, texts: Iterable[str]) -> dict[str, OptionValue]:
    """Options as they are written on a command line, each read as a value of its own type.

    Args:
        id: the ruleset.
        texts: options as `name=value`; True and False in any case.

    Raises:
        ValueError: a text is not of that form or names an option twice, or there is no such ruleset, option or value.
    """
    declared = ruleset(id).options
    options: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option {text!r} is not accepted: write name=value")
        if name in options:
            raise ValueError(f"option {name} is given twice")
        option = _option(id, declared, name)
        options[name] = option.check(name, _read(value, type(option.default)))
    return options


def _read(text: str, kind: type[OptionValue]) -> OptionValue:
    """`text` as a value of that type; as it stands where it is none."""
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind is int and text.removeprefix("-").isdecimal():
        return int(text)
    return text


def _same_place(one: Callable[..., Rules], other: Callable[..., Rules]) -> bool:
    return (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)


def _option(id: str, options: dict[str, Option], name: str) -> Option:
    if name not in options:
        raise ValueError(f"{id} has no option {name!r}{_did_you_mean(name, options)}; it has {', '.join(options)}")
    return options[name]


def _did_you_mean(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


register("oware", OWARE, "Oware", "The rules of [M] to the letter: a grand slam captures, an endless shuffle is a draw.")
register("oware_tr", OWARE, "Oware (Turkish)", "The rules of [T], with 4, 5 or 6 seeds.", cycle_rule="own_side")
register(
    "oware_abapa",
    OWARE,
    "Oware (Abapa)",
    "The competition rules [A]: a grand slam captures nothing; when a position comes back, each keeps his side.",
    grand_slam="no_capture",
    cycle_rule="own_side",
)
register(
    "awari",
    OWARE,
    "Awari",
    "The rules of the solved game [R], for comparison with the literature.",
    grand_slam="illegal_unless_only",
    stop_at_majority=False,
    cycle_rule="split_even",
)
register(
    "wari_pl",
    OWARE,
    "Wari (tournament)",
    "The tournament rules [W]: no feeding, no stop at a majority, the third occurrence of a position ends the game.",
    feeding="none",
    capture_chain="both_sides",
    stop_at_majority=False,
    cycle_rule="own_side",
)
register(
    "oware_nam_nam_round",
    OWARE_NAM_NAM_ROUND,
    "Oware Nam Nam (one round)",
    "One round by the rules of [M]: who captures more seeds wins.",
)
register(
    "oware_nam_nam",
    OWARE_NAM_NAM,
    "Oware Nam Nam (match)",
    "The rules of [M] to the letter: rounds, with holes that change hands, until a player owns all twelve.",
)
register("kalah", KALAH, "Kalah", "The rules of [D], with 4, 5 or 6 seeds, on a board of any size.")
register("bao_kenya", BAO_KENYA, "Bao (Kenyan)", "The children's game of [M], read so that its figures agree.")
register("bao_kenya_laps", BAO_KENYA_LAPS, "Bao (Kenyan, with laps)", "The game with laps of [M], with the guards that it lacks.")
register("congkak", CONGKAK, "Congkak (one round)", "The rules of [W] with turns from the start: one round, more seeds win.")
register("congkak_match", CONGKAK_MATCH, "Congkak (match)", "The rules of [W] in rounds, with burnt houses.")
register("oust", OUST, "Oust", "The rules of [D], on a board with edges of seven cells.")
register("taktix", TAKTIX, "TakTix", "The rules of [N] to the letter.")
register("tactix_hein", TAKTIX, "TacTix (Piet Hein)", "The rules of [H].", contiguous=True, misere=True)
register("omweso", OMWESO, "Omweso", "The rules of [W], each player with four seeds in every hole of his outer row.")
register("bao_kujifunza", BAO_KUJIFUNZA, "Bao la Kujifunza", "The rules of [M], with two seeds in every hole.")
register(
    "bao_kiswahili", BAO_KISWAHILI, "Bao la Kiswahili", "The full game with namua stage, nyumba and takasia, as Zanzibar plays it."
)
