"""The contract between a ruleset and everything that plays it.

A state is one row of small integers, int16[S], C-contiguous. Its header is the same for all games:

    index   0        1    2       3       4      5            6            7 ...
            TO_MOVE  PLY  STATUS  REASON  QUIET  STORE_SOUTH  STORE_NORTH  BOARD ...

TO_MOVE is 0 (South) or 1 (North). PLY counts the plies played, QUIET those since the last one that cannot be undone (a capture, a
seed sown into a store). From BOARD on stand the holes or cells, then what a game needs besides. Only rules write STATUS and
REASON. Two rows are the same position when they agree in all but PLY, STATUS, REASON and QUIET.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .jit import helper, key_on_sources, sources_digest

if TYPE_CHECKING:
    from ..position import Position

TO_MOVE, PLY, STATUS, REASON, QUIET, STORE_SOUTH, STORE_NORTH, BOARD = range(8)

LIVE, SOUTH_WON, NORTH_WON, DRAW, TRUNCATED = range(5)  # STATUS

REASONS = (  # REASON, by index; "" while the game goes on
    "",
    "no_moves",
    "majority",
    "cycle",
    "endless_turn",
    "front_row",
    "both_ends",
    "captured_all",
    "last_piece",
    "max_rounds",
    "max_plies",
)
(
    GOES_ON,
    NO_MOVES,
    MAJORITY,
    CYCLE,
    ENDLESS_TURN,
    FRONT_ROW,
    BOTH_ENDS,
    CAPTURED_ALL,
    LAST_PIECE,
    MAX_ROUNDS,
    MAX_PLIES,
) = range(len(REASONS))

State = np.ndarray  # int16[S]
Mask = np.ndarray  # bool[A]
OptionValue = int | bool | str


@dataclass(frozen=True)
class Option:
    """One point on which sources differ, or a size of the board.

    Args:
        default: the value where none is given.
        accepts: the values there are: a range of integers, or a tuple of strings or booleans.
        about: what it decides, with its source, in a sentence.
    """

    default: OptionValue
    accepts: range | tuple[OptionValue, ...]
    about: str

    def check(self, name: str, value: Any) -> OptionValue:
        """Return `value` as a plain int, bool or str; raises ValueError if it is not one of those accepted."""
        if isinstance(value, np.generic):
            value = value.item()
        kind_fits = type(value) is type(self.default)
        if not kind_fits or value not in self.accepts:
            raise ValueError(f"{name}={value!r} is not accepted: {name} is {self.accepted()}")
        return value

    def accepted(self) -> str:
        """The accepted values in words."""
        if isinstance(self.accepts, range):
            return f"an integer from {self.accepts[0]} to {self.accepts[-1]}"
        return " or ".join(repr(value) for value in self.accepts)


YES_NO = (True, False)


@dataclass(frozen=True)
class Board:
    """How the holes or cells of a state lie on the table: board geometry as data.

    Args:
        rows: the indices of the holes as South sees them, from the top row to the bottom row.
        names: the name of each hole, by index.
        has_stores: whether seeds are counted in stores.
        seeds: all seeds in the game, 0 where there are none to count.
        stores_at_left: whether a player's store is at his left, not at his right.
        owned_pieces: whether a piece in a cell is South's (1) or North's (2); else every piece is a 1.
    """

    rows: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    has_stores: bool = True
    seeds: int = 0
    stores_at_left: bool = False
    owned_pieces: bool = False

    @property
    def banked_seeds(self) -> int:
        """All seeds of a game in which stores decide; 0 in others."""
        return self.seeds if self.has_stores else 0


@helper
def margin(state: State) -> int:
    """South's store less North's."""
    return np.int64(state[STORE_SOUTH]) - state[STORE_NORTH]


@helper
def south_result(status: int) -> int:
    """What a STATUS is worth to South: 1 if he won, -1 if North did, else 0."""
    return int(status == SOUTH_WON) - int(status == NORTH_WON)


def by_player(state: State) -> int:
    """The player to move, a plain integer."""
    return int(state[TO_MOVE])


@dataclass(frozen=True, eq=False, repr=False)
class Rules:
    """A game with its options settled: pure compiled functions over a state, and what describes them.

    The functions take states int16[S] and change them in place; players and actions are int64.

        init(state)                   write the opening position
        legal(state, mask) -> count   fill mask, bool[A], for the player to move; a live state has at least one legal action
        apply(state, action)          play one legal ply, then settle
        settle(state)                 what a turn's start decides (no moves, a sweep, a majority, the ply limit); idempotent
        observe(state, player, out)   write the position as `player` sees it, own side first, to out, float32[*observation_shape]
        adjudicate(state)             the position has come back for the `cycle_count`-th time: apply `cycle_rule`; where the game
                                      goes on all the same, its history begins anew and QUIET is set to 0

    Args:
        id: the registered name.
        title: the game's name.
        options: every option with its value.
        num_actions: A, the size of an action mask.
        state_size: S, the length of a state.
        observation_shape: shape of an observation.
        board: how the holes lie.
        fields: what stands where in a state from BOARD on: name -> slice; "holes" or "cells", and extras of a position.
        action_names: how South and how North write each action, a tuple of A strings each; further ones where `naming` tells more
            cases apart.
        naming: which of the action_names the player to move writes with; by default those of his number.
        check: raises ValueError for a state that cannot be (called on positions that are set up).
        evaluate: evaluate(state) -> int, compiled: how far South is ahead, as search and shaped rewards reckon it, in seeds or
            pieces; by default the margin of the stores.
        stores_only_count: whether what the stores hold decides nothing but the result, so that the holes and the player to move
            alone tell what can still be played and gained.
        max_plies: the ply at which a game is truncated.
        cycle_count: which occurrence of a position is adjudicated, 0 for none.
    """

    id: str
    title: str
    options: Mapping[str, OptionValue]
    num_actions: int
    state_size: int
    observation_shape: tuple[int, ...]
    board: Board
    fields: Mapping[str, slice]
    action_names: tuple[tuple[str, ...], ...]
    init: Callable[..., None]
    legal: Callable[..., int]
    apply: Callable[..., None]
    settle: Callable[..., None]
    observe: Callable[..., None]
    adjudicate: Callable[..., None]
    naming: Callable[[np.ndarray], int] = field(default=by_player)
    check: Callable[[np.ndarray], None] = field(default=lambda _: None)
    evaluate: Callable[..., int] = field(default=margin)
    stores_only_count: bool = False
    max_plies: int = 1000
    cycle_count: int = 0

    def __post_init__(self) -> None:
        for function in (self.init, self.legal, self.apply, self.settle, self.observe, self.adjudicate, self.evaluate):
            key_on_sources(function)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the code of the rules and their options: equal digests, equal games."""
        functions = (self.init, self.legal, self.apply, self.settle, self.observe, self.adjudicate)
        text = f"{self.id}{self.options}" + "".join(sources_digest(function) for function in functions)
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Rules) and (self.id, self.options) == (other.id, other.options) and self.digest == other.digest
        )

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.options.items())))

    def __repr__(self) -> str:
        return f"<Rules of {self.id}: {', '.join(f'{name}={value!r}' for name, value in self.options.items())}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from .registry import make_rules

        return _remake, (make_rules, self.id, dict(self.options))

    def __copy__(self) -> "Rules":
        return self

    def __deepcopy__(self, _: Any) -> "Rules":
        return self

    def position(self, holes: Any = None, stores: Any = None, to_move: int = 0, **extras: Any) -> "Position":
        """The opening, or a position set up by hand: see `mancala_envs.position.set_up`."""
        from ..position import set_up

        return set_up(self, holes, stores, to_move, extras)

    def parse(self, text: str) -> "Position":
        """The position that `str(position)` wrote as `text`: see `mancala_envs.position.parse`."""
        from ..position import parse

        return parse(self, text)


@dataclass(frozen=True)
class Family:
    """A game, for every value of its options.

    Args:
        build: makes the rules from an id, a title and a value for every option.
        options: the options by name; the ply limit `max_plies` is added to them.
        page: how the game is played, with sources; text in Markdown.
        actions: which action is which move, and the notation; text in Markdown.
        observation: what stands where in an observation; a table in Markdown.
    """

    build: Callable[[str, str, Mapping[str, OptionValue]], Rules]
    options: Mapping[str, Option] = field(default_factory=dict)
    page: str = ""
    actions: str = ""
    observation: str = ""


def _remake(make: Callable[..., Rules], id: str, options: dict[str, OptionValue]) -> Rules:
    return make(id, **options)


@helper
def player_to_move(state: State) -> int:
    """0 or 1; the compiler, told so by the bit, leaves out its tests for negative indices behind it (3 ns a ply of Oware)."""
    return state[TO_MOVE] & 1


@helper
def finish(state: State, reason: int) -> None:
    """End the game: the player with more in his store wins."""
    south, north = state[STORE_SOUTH], state[STORE_NORTH]
    state[REASON] = reason
    if south > north:
        state[STATUS] = SOUTH_WON
    elif north > south:
        state[STATUS] = NORTH_WON
    else:
        state[STATUS] = DRAW


@helper
def win(state: State, player: int, reason: int) -> None:
    """End the game: `player` wins, whatever the stores hold."""
    state[REASON] = reason
    state[STATUS] = SOUTH_WON + player


@helper
def end_ply(state: State, irreversible: bool, next_to_move: int) -> None:
    """Count the ply just played and hand the move to `next_to_move`."""
    state[PLY] += 1
    state[QUIET] = (state[QUIET] + 1) * (not irreversible)
    state[TO_MOVE] = next_to_move


@helper
def truncate(state: State) -> None:
    """End the game at its ply limit: nobody wins."""
    state[STATUS] = TRUNCATED
    state[REASON] = MAX_PLIES
