"""What the games on four rows share: where the holes lie, their names, sowing round a player's own ring, what a player sees.

Each player has a ring of sixteen holes of his own; hole h of player p stands at 16 * p + h. As each player sees his own side, +1 is
clockwise:

    front row   0   1   2   3   4   5   6   7        front hole h faces the other player's front hole 7 - h
    back row   15  14  13  12  11  10   9   8        file f, 1 to 8 from the left, is front hole f - 1
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .contract import BOARD, CYCLE, LIVE, STATUS, Board, OptionValue, Rules, State, by_player, finish
from .jit import compiled, helper

FILES = 8
RING = 16
HOLES = 2 * RING
SEEDS = 64
FIELD = slice(BOARD, BOARD + HOLES)  # where the holes stand in a state

_BACK, _FRONT = tuple(range(RING - 1, FILES - 1, -1)), tuple(range(FILES))  # from the owner's left
_NAMES = tuple(f"A{file + 1}" for file in _FRONT) + tuple(f"B{RING - hole}" for hole in range(FILES, RING))


def board() -> Board:
    """The board: A is a player's front row, B his back row, 1 to 8 from his left; North small."""
    north = [tuple(RING + hole for hole in reversed(row)) for row in (_BACK, _FRONT)]
    return Board(rows=(*north, _FRONT, _BACK), names=_NAMES + tuple(name.lower() for name in _NAMES), has_stores=False, seeds=SEEDS)


def action_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How South and North write action hole * 2 + direction: A5R sows the fifth front hole to its owner's right."""
    south = tuple(
        name + ("R" if clockwise == (hole < FILES) else "L") for hole, name in enumerate(_NAMES) for clockwise in (False, True)
    )
    return south, tuple(name[:-1].lower() + name[-1] for name in south)


@helper
def sow(holes: State, own: int, hole: int, step: int, seeds: int) -> int:
    """Sow `seeds` one by one into the holes after `hole` of the ring that begins at index `own`; returns the last hole.

    Args:
        holes: a state, or a copy of its holes.
        own: index of the ring's hole 0.
        hole: 0 to 15.
        step: +1 clockwise, -1 counter-clockwise.
        seeds: how many.
    """
    for _ in range(seeds):
        hole = (hole + step) & (RING - 1)
        holes[own + hole] += 1
    return hole


@helper
def ring(player: int) -> int:
    """Where a player's ring begins in a state."""
    return BOARD + player * RING


@helper
def holding(state: State, player: int, seeds: int) -> int:
    """The player's holes with at least so many seeds, as bits."""
    bits = 0
    for hole in range(RING):
        bits |= int(state[ring(player) + hole] >= seeds) << hole
    return bits


@helper
def facing(state: State, player: int) -> int:
    """The player's occupied front holes that face an occupied one, as bits."""
    own, other = ring(player), ring(1 - player)
    bits = 0
    for hole in range(FILES):
        bits |= int((state[own + hole] > 0) & (state[other + FILES - 1 - hole] > 0)) << hole
    return bits


@helper
def both_ways(holes: int) -> int:
    """The actions that sow these holes, given as bits, in either direction, as bits."""
    actions = 0
    for hole in range(RING):
        actions |= (holes >> hole & 1) * 0b11 << 2 * hole
    return actions


@helper
def front_row_is_empty(state: State, player: int) -> bool:
    """Whether a player's front row holds no seeds."""
    bits = 0
    for hole in range(FILES):
        bits |= state[ring(player) + hole]
    return bits == 0


def observe_holes(scale: float) -> Any:
    """observe_holes(state, player, out): the player's own ring and then the other's, each from its hole 0, times `scale`."""
    factor = np.float32(scale)

    @helper
    def observe_holes(state: State, player: int, out: np.ndarray) -> None:
        own, other = BOARD + player * RING, BOARD + (1 - player) * RING
        for hole in range(RING):
            out[hole] = state[own + hole] * factor
            out[RING + hole] = state[other + hole] * factor

    return observe_holes


def rules(
    id: str,
    title: str,
    options: Mapping[str, OptionValue],
    fields: Mapping[str, slice],
    action_names: tuple[tuple[str, ...], ...],
    observation_size: int,
    init: Any,
    legal: Any,
    apply: Any,
    settle: Any,
    observe: Any,
    check: Callable[[State], None],
    naming: Callable[[State], int] = by_player,
) -> Rules:
    """The `Rules` of a game on this board in which a position that comes back is a draw, unless `cycle_rule` is "off".

    Args:
        id, title, options, fields, action_names: as in `Rules`; a state ends with its last field.
        observation_size: the length of an observation.
        init, legal, apply, settle, observe: the game's own compiled functions.
        check: raises ValueError for a state that cannot be; that there are no more than `SEEDS` is checked here.
        naming: as in `Rules`.
    """
    hands = fields["hands"].start if "hands" in fields else 0

    @helper
    def evaluate(state: State) -> int:
        """South's seeds on his side and in his hand less North's."""
        ahead = 0
        for hole in range(RING):
            ahead += state[ring(0) + hole] - state[ring(1) + hole]
        if hands:
            ahead += state[hands] - state[hands + 1]
        return ahead

    @compiled
    def adjudicate(state: State) -> None:
        if state[STATUS] == LIVE:
            finish(state, CYCLE)  # nobody has more in a store

    def check_all(state: State) -> None:
        parts = [state[part] for name, part in fields.items() if name in ("holes", "hands", "pending")]
        seeds = np.concatenate(parts).tolist()
        if min(seeds) < 0:
            raise ValueError(f"{min(seeds)} seeds in one place: the least is 0")
        if sum(seeds) > SEEDS:
            raise ValueError(f"{sum(seeds)} seeds: the game has {SEEDS}")
        check(state)

    return Rules(
        id=id,
        title=title,
        options=options,
        num_actions=len(action_names[0]),
        state_size=max(part.stop for part in fields.values()),
        observation_shape=(observation_size,),
        board=board(),
        fields=fields,
        action_names=action_names,
        naming=naming,
        init=init,
        legal=legal,
        apply=apply,
        settle=settle,
        observe=observe,
        adjudicate=adjudicate,
        check=check_all,
        evaluate=evaluate,
        max_plies=int(options["max_plies"]),
        cycle_count=0 if options["cycle_rule"] == "off" else int(options["cycle_count"]),
    )
