"""`Position`: a game in progress as an immutable value, with its history."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .rules.contract import (
    DRAW,
    GOES_ON,
    LIVE,
    NORTH_WON,
    PLY,
    QUIET,
    REASON,
    REASONS,
    SOUTH_WON,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    TRUNCATED,
    Rules,
)

PLAYERS = ("S", "N")
RETURNS = {LIVE: (0, 0), SOUTH_WON: (1, -1), NORTH_WON: (-1, 1), DRAW: (0, 0), TRUNCATED: (0, 0)}


class IllegalMoveError(ValueError):
    """An action that the rules do not allow in a position."""


class Position:
    """A position and how it came about; playing returns a new value.

    Two positions are equal if the same rules will go on from them in the same way: holes, stores, the player to move and all that
    the game needs besides. How many plies were played, and the history, do not count.

    Make one with `rules.position()`.
    """

    __slots__ = ("__dict__", "_history", "_state", "rules")
    rules: Rules
    _state: np.ndarray
    _history: tuple[bytes, ...]

    def __init__(self, rules: Rules, state: np.ndarray, history: tuple[bytes, ...] = ()) -> None:
        """Wrap a state, int16[S], that keeps the rules' contract; `history` holds the keys of the positions that can come back."""
        state.flags.writeable = False
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "_state", state)
        object.__setattr__(self, "_history", history or (self._key,))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name}={value!r}: a position cannot be changed; play() and rules.position() make new ones")

    @property
    def state(self) -> np.ndarray:
        """The state as the rules see it, int16[S], read-only."""
        return self._state

    @property
    def holes(self) -> tuple[int, ...]:
        """Seeds in each hole, or the cells where a game has cells, by index."""
        return tuple(self._state[next(iter(self.rules.fields.values()))].tolist())

    @property
    def stores(self) -> tuple[int, int]:
        """Seeds in South's and North's store; (0, 0) where a game has none."""
        return int(self._state[STORE_SOUTH]), int(self._state[STORE_NORTH])

    @property
    def to_move(self) -> int:
        """The player to move: 0 is South, 1 is North."""
        return int(self._state[TO_MOVE])

    @property
    def ply(self) -> int:
        """How many plies were played since the opening or the position set up."""
        return int(self._state[PLY])

    def __getattr__(self, name: str) -> Any:
        fields = object.__getattribute__(self, "rules").fields
        if name not in fields:
            raise AttributeError(f"{type(self).__name__} of {self.rules.id} has no attribute {name!r}")
        values = self._state[fields[name]].tolist()
        return values[0] if len(values) == 1 else tuple(values)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or was truncated."""
        return bool(self._state[STATUS] != LIVE)

    @property
    def returns(self) -> tuple[int, int]:
        """What South and North get: +1 and -1, or 0 and 0."""
        return RETURNS[int(self._state[STATUS])]

    @property
    def margin(self) -> int:
        """South's store less North's; 0 where no seeds are counted."""
        return self.stores[0] - self.stores[1]

    @property
    def end_reason(self) -> str | None:
        """Why the game ended, one of `contract.REASONS`; None while it goes on."""
        return REASONS[self._state[REASON]] or None

    @cached_property
    def _mask(self) -> np.ndarray:
        mask = np.zeros(self.rules.num_actions, np.bool_)
        if not self.is_over:
            self.rules.legal(self._state.copy(), mask)
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; none when the game is over."""
        return np.flatnonzero(self._mask).tolist()

    def play(self, action: int) -> "Position":
        """The position after a legal action; raises IllegalMoveError, naming the legal ones, for any other."""
        legal = self.legal_actions()
        if action not in legal:
            if self.is_over:
                raise IllegalMoveError(f"action {action!r}: the game is over ({self.end_reason})")
            hint = f"; parse({action!r}) reads notation" if isinstance(action, str) else ""
            raise IllegalMoveError(f"action {action!r} is not legal here; legal are {', '.join(map(str, legal))}{hint}")
        state = self._state.copy()
        self.rules.apply(state, int(action))
        if not self.rules.cycle_count or state[STATUS] not in (LIVE, TRUNCATED):
            return Position(self.rules, state)
        earlier = self._history if state[QUIET] else ()
        key = position_key(state)
        if earlier.count(key) + 1 < self.rules.cycle_count:
            return Position(self.rules, state, (*earlier, key))
        state[STATUS], state[REASON] = LIVE, GOES_ON  # an ending by the rules goes before one by the ply limit
        self.rules.adjudicate(state)
        if state[STATUS] == LIVE:  # the game goes on from a fresh position
            state[QUIET] = 0
            self.rules.settle(state)
        return Position(self.rules, state)

    def observe(self, player: int) -> np.ndarray:
        """What `player` sees, float32[*observation_shape], his own side first."""
        if player not in (0, 1):
            raise ValueError(f"player={player!r} is not accepted: 0 (South) or 1 (North)")
        out = np.zeros(self.rules.observation_shape, np.float32)
        self.rules.observe(self._state.copy(), player, out)
        return out

    @property
    def _action_names(self) -> tuple[str, ...]:
        return self.rules.action_names[self.rules.naming(self._state)]

    def notation(self, action: int) -> str:
        """How the player to move writes an action."""
        names = self._action_names
        if not 0 <= action < len(names):
            raise ValueError(f"action {action!r} is not accepted: 0 to {len(names) - 1}")
        return names[action]

    def parse(self, text: str) -> int:
        """The action that the player to move writes as `text`; raises ValueError, naming those that exist, if there is none."""
        names = self._action_names
        if text not in names:
            raise ValueError(f"no move {text!r}; legal are {', '.join(names[action] for action in self.legal_actions())}")
        return names.index(text)

    def text(self) -> str:
        """The drawn board as lines of text, North on top."""
        from .render.text import board_text

        return board_text(self)

    def _repr_svg_(self) -> str:
        from .render.drawing import svg

        return svg(self, legal=True)

    def __str__(self) -> str:
        parts = [",".join(map(str, self._state[part].tolist())) for part in self.rules.fields.values()]
        return " ".join((*parts, f"{self.stores[0]}:{self.stores[1]}", PLAYERS[self.to_move]))

    def __repr__(self) -> str:
        return f"<Position of {self.rules.id}: {self}>"

    @property
    def line(self) -> np.ndarray:
        """The positions that can come back, this one last, as states int16[P, S] with PLY left at 0."""
        states = np.zeros((len(self._history), self.rules.state_size), np.int16)
        for quiet, key in enumerate(self._history):
            numbers = np.frombuffer(key, np.int16)
            states[quiet, TO_MOVE], states[quiet, STORE_SOUTH:], states[quiet, QUIET] = numbers[0], numbers[1:], quiet
        return states

    @property
    def _key(self) -> bytes:
        return position_key(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules, self._key))

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.rules, self._state.copy(), self._history)


def position_key(state: np.ndarray) -> bytes:
    """What makes two states the same position: the row without PLY, STATUS, REASON and QUIET."""
    return state[TO_MOVE : TO_MOVE + 1].tobytes() + state[STORE_SOUTH:].tobytes()


def set_up(rules: Rules, holes: Any, stores: Any, to_move: int, extras: Mapping[str, Any]) -> Position:
    """The opening of `rules`, or a position set up by hand; it is its own first occurrence, at ply 0.

    Args:
        rules: the game.
        holes: seeds in each hole by index; the opening's if None. A game on cells takes `cells` instead.
        stores: seeds in South's and North's store; empty if None. Seeds that are nowhere are out of play.
        to_move: 0 for South, 1 for North.
        extras: further parts of the state by name, as in `rules.fields`; those left out are as in the opening.

    Raises:
        ValueError: no such part, a wrong number of values, or seeds that cannot be; names what is accepted.
    """
    state = np.zeros(rules.state_size, np.int16)
    rules.init(state)
    given = dict(extras) if holes is None else {"holes": holes, **extras}
    for name, values in given.items():
        if name not in rules.fields:
            raise ValueError(f"a position of {rules.id} has no {name!r}; it has {', '.join(rules.fields)}")
        part = rules.fields[name]
        state[part] = _numbers(name, values, part.stop - part.start)
    if stores is not None:
        if not rules.board.has_stores:
            raise ValueError(f"stores={stores!r}: {rules.id} has no stores")
        state[[STORE_SOUTH, STORE_NORTH]] = _numbers("stores", stores, 2)
    if to_move not in (0, 1):
        raise ValueError(f"to_move={to_move!r} is not accepted: 0 (South) or 1 (North)")
    state[TO_MOVE] = to_move
    try:
        rules.check(state)
    except ValueError as error:
        left_out = [f"{name}={state[part].tolist()}" for name, part in rules.fields.items() if name not in given]
        raise ValueError(f"{error}{'; as in the opening, since not given: ' if left_out else ''}{', '.join(left_out)}") from None
    rules.settle(state)
    return Position(rules, state)


def parse(rules: Rules, text: str) -> Position:
    """The position that `str(position)` wrote as `text`; raises ValueError if it is not such a line."""
    words = text.split()
    names = list(rules.fields)
    if len(words) != len(names) + 2 or words[-1] not in PLAYERS:
        raise ValueError(
            f"{text!r} is no position of {rules.id}: write {' '.join(names)} stores player, as in {rules.position()!s}"
        )
    parts = {name: word.split(",") for name, word in zip(names, words, strict=False)}
    stores = _numbers("stores", words[-2].split(":"), 2) if rules.board.has_stores else None
    return set_up(rules, None, stores, PLAYERS.index(words[-1]), parts)


def _numbers(name: str, values: Any, count: int) -> list[int]:
    """`values` as `count` integers that fit a state."""
    if isinstance(values, int | np.integer):
        values = [values]
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray) or len(values) != count:
        raise ValueError(f"{name}={values!r} is not accepted: {count} numbers")
    try:
        numbers = [int(value) for value in values]
        if any(number != float(value) for number, value in zip(numbers, values, strict=True)):
            raise ValueError("a fraction")
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}={values!r} is not accepted: {count} whole numbers") from None
    if any(not 0 <= number < 2**15 for number in numbers):
        raise ValueError(f"{name}={numbers} is not accepted: numbers from 0 to {2**15 - 1}")
    return numbers
