"""Fixed sets of positions of which the value of every action is known, so that two papers can compare how well their agents play.

A packaged set has 2,000 different positions from games of players of mixed strength (`arena.sampling` tells how they are drawn),
each with two legal actions or more that are not all worth the same. They lie late enough in the game for perfect play to be known
for certain. Values are those of `oracle`: the final margin for the player to move, by play to the last seed; or +1, 0, -1 for a
game won, drawn, lost. A set never changes: other positions make another version.

All rulesets but two have a set: in Oware Nam Nam, a position that comes back is worth what its history says. That of Oust is of a
board of side 3, as late positions of larger ones are not solved either. Sets of the Oware family leave out positions in which the
cycle rule decides.

The file of a set is a compressed .npz:

    states   int16[N, S]   at ply 0, nothing having happened before
    values   int16[N, A]   ILLEGAL for actions that are not legal
    about    JSON          version, ruleset, options, and a digest of what the rules do in these positions

Rules that play otherwise in any of the positions are refused.
"""

import functools
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..files import write_file
from ..position import Position
from ..rules import make_rules
from ..rules.contract import PLY, QUIET, STATUS, STORE_SOUTH, TO_MOVE, Rules
from ..rules.registry import ruleset
from .oracles import Oracle, oracle

VERSION = 1
PACKAGED = Path(__file__).parent / "position_sets"
ILLEGAL = np.iinfo(np.int16).min


@dataclass(frozen=True, eq=False)
class PositionSet:
    """Positions with the value of every action.

    Args:
        name: ruleset, options that are not its defaults, and version.
        rules: the game.
        states: int16[N, S], read-only.
        values: int16[N, A], the values for the players to move, ILLEGAL where an action is not legal; read-only.
    """

    name: str
    rules: Rules
    states: np.ndarray
    values: np.ndarray

    def __post_init__(self) -> None:
        self.states.flags.writeable = self.values.flags.writeable = False

    def __len__(self) -> int:
        return len(self.states)

    @property
    def positions(self) -> list[Position]:
        """The positions, each the first of its history."""
        return [Position(self.rules, state.copy()) for state in self.states]

    @property
    def legal(self) -> np.ndarray:
        """The legal actions, bool[N, A]."""
        return self.values != ILLEGAL

    def regrets(self, actions: np.ndarray) -> np.ndarray:
        """By how much each action played falls short of the best one, int64[N], 0 or more.

        Args:
            actions: int64[N], one a position.

        Raises:
            ValueError: not one action a position, or one that is not legal; names the position.
        """
        actions = np.asarray(actions)
        if actions.shape != (len(self),) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions {actions.dtype}{actions.shape} are not accepted: int64[{len(self)}], one a position")
        rows = np.arange(len(self))
        in_range = (actions >= 0) & (actions < self.rules.num_actions)
        is_legal = in_range & self.legal[rows, np.where(in_range, actions, 0)]
        if not is_legal.all():
            row = int(np.argmin(is_legal))
            raise ValueError(
                f"action {actions[row]} is not legal in position {row}, {self.positions[row]}; "
                f"legal are {', '.join(map(str, np.flatnonzero(self.legal[row])))}"
            )
        values = self.values.astype(np.int64)
        return values.max(axis=1) - values[rows, actions]


def position_set(rules: str | Rules) -> PositionSet:
    """The packaged set of a ruleset.

    Args:
        rules: the game, or its id.

    Raises:
        ValueError: there is none of these rules (names those that there are), or the rules now play otherwise.
    """
    rules = make_rules(rules)
    if set_name(rules) not in position_sets():
        raise ValueError(f"no packaged positions of {set_name(rules)!r}; there are {', '.join(position_sets())}")
    return _packaged(rules)


def position_sets() -> list[str]:
    """The names of the packaged sets, sorted."""
    return sorted(path.stem for path in PACKAGED.glob("*.npz"))


def set_name(rules: Rules) -> str:
    """What the set of these rules is called: "oware-v1", "oust-side3-v1"."""
    defaults = ruleset(rules.id).options
    others = [f"{name}{value}" for name, value in rules.options.items() if value != defaults[name].default]
    return "-".join((rules.id, *others, f"v{VERSION}"))


def valued(positions: Iterable[Position], by: Oracle | None = None) -> PositionSet:
    """A set of your own: positions of one game, each taken for the first of its history, with what the oracle says.

    Args:
        positions: live ones.
        by: the oracle; by default that of the positions' rules.

    Raises:
        ValueError: there are none, they are of several games, one is over, or an action's value cannot be told (`Unsolved`).
    """
    given = list(positions)
    if not given:
        raise ValueError("positions=[] is not accepted: one or more")
    by = oracle(given[0].rules) if by is None else by
    states = np.array([position.state for position in given])
    states[:, [PLY, QUIET]] = 0
    values = np.full((len(given), by.rules.num_actions), ILLEGAL, np.int16)
    for row, (position, state) in enumerate(zip(given, states, strict=True)):
        found = by.values(Position(position.rules, state.copy()))
        values[row, list(found)] = list(found.values())
    return PositionSet("own positions", by.rules, states, values)


def save_set(path: Path, positions: PositionSet) -> None:
    """Write a set, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    about = {
        "version": VERSION,
        "ruleset": positions.rules.id,
        "options": dict(positions.rules.options),
        "digest": behaviour(positions.rules, positions.states),
    }
    contents = io.BytesIO()
    np.savez_compressed(contents, states=positions.states, values=positions.values, about=json.dumps(about))
    write_file(path, contents.getvalue())


def load_set(path: Path, rules: str | Rules | None = None) -> PositionSet:
    """Read a set.

    Args:
        path: its file.
        rules: the game, or its id; by default the one that the file names.

    Raises:
        ValueError: it is no such file, damaged, or of other rules; says which.
        OSError: it cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            states, values, about = file["states"], file["values"], json.loads(str(file["about"]))
        version, id, options, digest = (about[name] for name in ("version", "ruleset", "options", "digest"))
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no set of positions, or damaged: {error}") from None
    if version != VERSION:
        raise ValueError(f"{path} is of version {version!r}; this is version {VERSION}")
    made = make_rules(id, **options) if rules is None else make_rules(rules)
    if (made.id, dict(made.options)) != (id, options):
        raise ValueError(f"{path} is of {id} with {options}, not of {made!r}")
    if states.shape[1:] != (made.state_size,) or values.shape != (len(states), made.num_actions):
        raise ValueError(f"{path} is damaged: states {states.shape}, values {values.shape}")
    if behaviour(made, states) != digest:
        raise ValueError(f"{path} was made with other rules of {id}: what they do in some of its positions has changed since")
    return PositionSet(set_name(made), made, states, values)


def behaviour(rules: Rules, states: np.ndarray) -> str:
    """SHA-256 (hex) over what the rules do in live positions, int16[N, S]: the legal actions and what each of them leads to."""
    digest = hashlib.sha256()
    mask = np.zeros(rules.num_actions, np.bool_)
    told = [TO_MOVE, STATUS, *range(STORE_SOUTH, rules.state_size)]
    for state in states:
        rules.legal(state.copy(), mask)
        digest.update(mask.tobytes())
        for action in np.flatnonzero(mask).tolist():
            after = state.copy()
            rules.apply(after, action)
            digest.update(after[told].astype("<i2").tobytes())
    return digest.hexdigest()


@functools.cache
def _packaged(rules: Rules) -> PositionSet:
    return load_set(PACKAGED / f"{set_name(rules)}.npz", rules)
