"""What the games on two rows share: where the holes lie, the opening, what a player sees, captures of what lies on a side.

The holes of a board of n houses a row, counter-clockwise sowing is +1:

    North's left  <-  2n-1 ... n+1  n  <-  North's right           opposite(hole) = 2n - 1 - hole
    South's left  ->   0    1  ...  n-1 -> South's right
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from .contract import (
    BOARD,
    CYCLE,
    DRAW,
    LIVE,
    QUIET,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    Board,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    finish,
    player_to_move,
)
from .jit import compiled, helper

QUIET_SCALE = 100  # quiet plies are observed as a share of this many

CYCLE_COUNT = Option(3, range(2, 101), "which occurrence of a position ends the game")


def cycle_rule(default: str) -> Option:
    """The option that says how a game ends whose position has come back."""
    about = (
        "who takes the seeds on the board when a position comes back: each player those of his own row; nobody, the game is drawn "
        "whatever the stores hold; half each, which leaves the margin of the stores (they stay on the board); off: nothing ends"
    )
    return Option(default, ("own_side", "draw", "split_even", "off"), about)


@dataclass(frozen=True)
class TwoRow:
    """The shared functions of a game with `houses` holes a row and `seeds` in each at the start.

    Args:
        houses: holes of one player, n.
        seeds: seeds in each hole at the start.
        observes_quiet: whether an observation ends with the plies since the last capture.
    """

    houses: int
    seeds: int
    observes_quiet: bool

    @property
    def all_seeds(self) -> int:
        """All seeds of the game."""
        return 2 * self.houses * self.seeds

    def row_seeds(self) -> Any:
        """row_seeds(state, player): the seeds in a player's row."""
        houses = self.houses

        @helper
        def row_seeds(state: State, player: int) -> int:
            seeds = 0
            for hole in range(player * houses, player * houses + houses):
                seeds += state[BOARD + hole]
            return seeds

        return row_seeds

    def row_is_empty(self) -> Any:
        """row_is_empty(state, player): a player's row holds no seeds."""
        houses = self.houses

        @helper
        def row_is_empty(state: State, player: int) -> bool:
            bits = 0  # or'ed rather than added: 3 ns a ply faster
            for house in range(houses):
                bits |= state[BOARD + player * houses + house]
            return bits == 0

        return row_is_empty

    def occupied_houses(self) -> Any:
        """legal(state, mask) -> count of a game in which every house of the own row that holds seeds may be sown."""
        houses = self.houses

        @helper
        def legal(state: State, mask: Mask) -> int:
            own = BOARD + player_to_move(state) * houses
            count = 0
            for house in range(houses):
                mask[house] = state[own + house] > 0
                count += mask[house]
            return count

        return legal

    def captures_opposite(self, also_nothing: bool = False) -> Any:
        """captures(state, last, mover): the last seed fell into an empty house of the mover's, with seeds in the house opposite.

        Args:
            also_nothing: whether there need be seeds in the house opposite.
        """
        houses = self.houses

        @helper
        def captures(state: State, last: int, mover: int) -> bool:
            in_own_row = (last >= mover * houses) & (last < (mover + 1) * houses)
            return in_own_row & (state[BOARD + last] == 1) & (also_nothing | (state[BOARD + 2 * houses - 1 - last] > 0))

        return captures

    def bank_own_sides(self) -> Any:
        """bank_own_sides(state): each player takes the seeds of his own row."""
        houses = self.houses
        row_seeds = self.row_seeds()

        @compiled
        def bank_own_sides(state: State) -> None:
            state[STORE_SOUTH] += row_seeds(state, 0)
            state[STORE_NORTH] += row_seeds(state, 1)
            for hole in range(2 * houses):
                state[BOARD + hole] = 0

        return bank_own_sides

    def majority_reached(self) -> Any:
        """majority_reached(state): somebody holds more than half of all seeds, or both hold half."""
        all_seeds = self.all_seeds

        @helper
        def majority_reached(state: State) -> bool:
            south, north = state[STORE_SOUTH], state[STORE_NORTH]
            return (2 * south > all_seeds) | (2 * north > all_seeds) | (south + north == all_seeds)

        return majority_reached

    def rules(
        self,
        id: str,
        title: str,
        options: Mapping[str, OptionValue],
        legal: Any,
        apply: Any,
        settle: Any,
        names: tuple[str, ...],
        stores_at_left: bool = False,
    ) -> Rules:
        """The `Rules` of a game on this board.

        Args:
            id, title, options: as in `Rules`; `options` may hold "cycle_rule" and "cycle_count".
            legal, apply, settle: the game's own compiled functions; an action is a house counted from the mover's left.
            names: the name of each hole, by index.
            stores_at_left: as in `Board`.
        """
        houses = self.houses
        return Rules(
            id=id,
            title=title,
            options=options,
            num_actions=houses,
            state_size=BOARD + 2 * houses,
            observation_shape=(2 * houses + 2 + self.observes_quiet,),
            board=Board(
                rows=(tuple(range(2 * houses - 1, houses - 1, -1)), tuple(range(houses))),
                names=names,
                seeds=self.all_seeds,
                stores_at_left=stores_at_left,
            ),
            fields={"holes": slice(BOARD, BOARD + 2 * houses)},
            action_names=(names[:houses], names[houses:]),
            init=self._init(),
            legal=legal,
            apply=apply,
            settle=settle,
            observe=self._observe(),
            adjudicate=self._adjudicate(options.get("cycle_rule", "off")),
            check=self._check,
            stores_only_count=not options.get("stop_at_majority", False) and options.get("infinite_turn", "illegal") == "illegal",
            max_plies=int(options["max_plies"]),
            cycle_count=0 if options.get("cycle_rule", "off") == "off" else int(options["cycle_count"]),
        )

    def _init(self) -> Any:
        houses, seeds = self.houses, self.seeds

        @compiled
        def init(state: State) -> None:
            state[:] = 0
            for hole in range(2 * houses):
                state[BOARD + hole] = seeds

        return init

    def _observe(self) -> Any:
        houses, observes_quiet = self.houses, self.observes_quiet
        scale = np.float32(1 / self.all_seeds)
        quiet_scale = np.float32(1 / QUIET_SCALE)

        @compiled
        def observe(state: State, player: int, out: np.ndarray) -> None:
            own = BOARD + player * houses
            other = BOARD + (1 - player) * houses
            for house in range(houses):
                out[house] = state[own + house] * scale
                out[houses + house] = state[other + house] * scale
            out[2 * houses] = state[STORE_SOUTH + player] * scale
            out[2 * houses + 1] = state[STORE_NORTH - player] * scale
            if observes_quiet:
                out[2 * houses + 2] = min(state[QUIET], QUIET_SCALE) * quiet_scale

        return observe

    def _adjudicate(self, rule: OptionValue) -> Any:
        own_side, draw = rule == "own_side", rule == "draw"
        bank_own_sides = self.bank_own_sides()

        @compiled
        def adjudicate(state: State) -> None:
            if state[STATUS] != LIVE:
                return
            if own_side:
                bank_own_sides(state)
            finish(state, CYCLE)
            if draw:
                state[STATUS] = DRAW

        return adjudicate

    def _check(self, state: State) -> None:
        seeds = state[BOARD : BOARD + 2 * self.houses].tolist() + state[[STORE_SOUTH, STORE_NORTH]].tolist()
        if min(seeds) < 0:
            raise ValueError(f"{min(seeds)} seeds in a hole or store: the least is 0")
        if sum(seeds) > self.all_seeds:
            raise ValueError(f"{sum(seeds)} seeds in the holes and stores: the game has {self.all_seeds}")


OBSERVATION = """\
| index (n houses a row) | value |
|---|---|
| 0 .. n-1 | the observing player's houses, from his left, seeds / all seeds |
| n .. 2n-1 | the other player's houses, from that player's left, seeds / all seeds |
| 2n | the observing player's store, seeds / all seeds |
| 2n+1 | the other player's store, seeds / all seeds |"""

OBSERVATION_QUIET = f"| 2n+2 | plies since the last capture / {QUIET_SCALE}, at most 1 |"

ACTIONS = "Action a, from 0 to n-1, sows the mover's house a, counted from his own left.\n"
LETTERED_ACTIONS = ACTIONS + "Notation: A, B, ... for South's houses from his left, a, b, ... for North's from his."
NUMBERED_ACTIONS = ACTIONS + "Notation: 1, 2, ... for the mover's houses from his own left."


def lettered(houses: int) -> tuple[str, ...]:
    """The names A, B, ... of South's houses and a, b, ... of North's."""
    return tuple(ascii_uppercase[:houses] + ascii_lowercase[:houses])


def numbered(houses: int) -> tuple[str, ...]:
    """The names 1, 2, ... of either player's houses."""
    return tuple(str(house + 1) for house in range(houses)) * 2
