"""Every ruleset by name in the registries of gymnasium and PettingZoo.

gymnasium.make("mancala_envs/OwareAbapa-v0", opponent="random")       MancalaEnv, the opponent inside
gymnasium.make_vec("mancala_envs/OwareAbapa-v0", num_envs=4096)       MancalaVectorEnv, both sides played through it
pettingzoo.make("aec", "mancala_envs/oware_abapa-v0")                 MancalaAEC; PettingZoo has a registry from 1.27 on
"""

import gymnasium
import pettingzoo

from .. import rules
from ..rules import Family
from ..rules.contract import OptionValue

VERSION = 0  # rises whenever rules, encoding or observation change
_ids: dict[str, str] = {}  # by gymnasium's name


def gymnasium_id(id: str) -> str:
    """The name of a ruleset's environments in gymnasium: `oware_abapa` is `mancala_envs/OwareAbapa-v0`."""
    name = "".join(word[:1].upper() + word[1:] for word in id.split("_"))
    return f"mancala_envs/{name}-v{VERSION}"


def pettingzoo_id(id: str) -> str:
    """The name of a ruleset's environment in PettingZoo: `oware_abapa` is `mancala_envs/oware_abapa-v0`."""
    return f"mancala_envs/{id}-v{VERSION}"


def register(id: str, family: Family, title: str = "", about: str = "", **defaults: OptionValue) -> None:
    """Register a ruleset and its environments; arguments and errors as in `rules.register`."""
    _check_name(id)
    rules.register(id, family, title, about, **defaults)
    register_environments(id)


def register_environments(id: str) -> None:
    """Register the environments of a ruleset; nothing happens where they are registered already.

    Raises:
        ValueError: another ruleset has the same name in gymnasium.
    """
    _check_name(id)
    name = gymnasium_id(id)
    _ids[name] = id
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="mancala_envs.envs.single:MancalaEnv",
            vector_entry_point="mancala_envs.envs.vector:make_vec",
            kwargs={"rules": id},
        )
    if hasattr(pettingzoo, "register") and pettingzoo_id(id) not in pettingzoo.aec_registry:
        pettingzoo.register("aec", pettingzoo_id(id), "mancala_envs.envs.aec:make", kwargs={"rules": id})


def _check_name(id: str) -> None:
    other = _ids.get(gymnasium_id(id), id)
    if other != id:
        raise ValueError(f"ruleset {id!r} and ruleset {other!r} both would be {gymnasium_id(id)!r}: choose another id")


for _id in rules.rulesets():
    register_environments(_id)
