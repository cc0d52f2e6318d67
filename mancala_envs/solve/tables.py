"""Endgame tables: what is still to be gained from every position with few seeds on the board, by perfect play to the last seed.

A table has a value a position, or a lower and an upper bound where the cycle rule leaves no single value (`retrograde`), always for
the player to move: his seeds still to come less his opponent's. Its files are mapped into memory (`table_files`), so that opening a
table costs nothing and probing it reads what is probed. Search inside compiled code probes one array instead, see `make_probe`.

**How far it goes.** One core of a small machine took, in CPU time:

    table of             up to      positions   a position   memory   disk
    awari (values)       14 seeds   9.7 M       3.7 us       19 MB    10 MB
    oware (bounds)       13 seeds   5.2 M       6.7 us       13 MB    10 MB
    kalah (values)       15 seeds   17.4 M      0.4 us       33 MB    17 MB

A layer takes 100 to 160 sweeps (of Kalah 25), in which a position is looked at some 30 times; bounds take longer from layer to
layer, as fewer of them meet. Reckoned from there, Awari up to 18 seeds (86 M positions) is 6 minutes on a core, up to 24 (1.25 G)
1.5 hours with 2.1 GB of memory and 1.3 GB of disk, up to 36 (70 G) 4 days with 105 GB and 70 GB, and the whole game of 48 (1.4 T)
ten weeks. From some 30 seeds on a layer has to be shared out over workers, of Ray or others: each owns a range of ranks with its
bounds, goes through it and sends what it has to look up in other ranges to their owners, in batches; sweeps then need no common
memory, only a count of the changes at their end. Finished layers are files that are only read, so every machine can hold its own
copy or range.
"""

import functools
from pathlib import Path
from typing import Any

import numpy as np

from ..kernels.rows import own_rows
from ..position import Position
from ..rules import make_rules
from ..rules.contract import BOARD, LIVE, STATUS, TO_MOVE, Rules, State
from ..rules.jit import compiled, helper, key_on_sources
from .ranking import layer_offset, make_ranking
from .table_files import check_sum, layer_path, open_layer, read_header, stored_layers
from .table_games import margins, moves, table_game, table_rules

PACKAGED = Path(__file__).parent / "endgame_tables"  # a folder a ruleset, named by its id
CHECKED_AT_ONCE = 1 << 20  # bytes: layers up to this size are compared with their checksum when they are opened


class Tables:
    """The layers of a table, up to `seeds` seeds.

    Attributes:
        folder: where its files are.
        rules: the rules it was built with; those it was opened for, played to the last seed.
        game: what it is of.
        seeds: of the largest layer.
    """

    def __init__(self, folder: Path, rules: Rules) -> None:
        """Open all layers of a folder; see `open`."""
        self.folder = folder
        self.rules = table_rules(rules)
        self.game = table_game(rules)
        self.seeds = stored_layers(folder) - 1
        self._layers = [open_layer(folder, self.game, seeds) for seeds in range(self.seeds + 1)]
        self.check(CHECKED_AT_ONCE)

    @classmethod
    def open(cls, source: str | Path, rules: str | Rules | None = None) -> "Tables":
        """Open a table.

        Args:
            source: a folder, or the id of a ruleset whose table is packaged.
            rules: the game, or its id; by default the one that the table names.

        Raises:
            ValueError: there is no table, it is of another game or format, or a file is truncated or damaged; names what differs.
        """
        folder = find_folder(source)
        if not layer_path(folder, 0).exists():
            raise ValueError(
                f"no endgame table in {str(folder)!r}: a folder with layer_00.bin and so on, or one of {', '.join(packaged())}"
            )
        return cls(folder, _rules_of(folder) if rules is None else make_rules(rules))

    def check(self, up_to_bytes: int | None = None) -> None:
        """Raise ValueError if a layer differs from its checksum; looks only at those of at most so many bytes, if told."""
        for seeds, layer in enumerate(self._layers):
            if up_to_bytes is None or layer.size <= up_to_bytes:
                check_sum(self.folder, seeds, layer)

    def layer(self, seeds: int) -> np.ndarray:
        """A layer's values, int8[1, positions], or its bounds, int8[2, positions]; read-only."""
        return self._layers[seeds]

    def bounds(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is still to be gained by the players to move, at least and at most: (lower, upper), int64[N] each.

        Args:
            states: int16[N, S]; only the holes and the player to move are read, also where a game is over.

        Raises:
            ValueError: a position is outside the table.
        """
        seeds, ranks = self._ranks(states)
        found = np.zeros((2, len(states)), np.int64)
        for layer in np.unique(seeds):
            rows = seeds == layer
            found[:, rows] = self._layers[layer][:, ranks[rows]]
        return found[0], found[1]

    def action_bounds(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What each action gains in the end: (legal, lower, upper), bool[N, A] and int64[N, A] each; bounds are 0 where not legal.

        Args:
            states: int16[N, S]; whether a game is over is judged anew, by play to the last seed.

        Raises:
            ValueError: a position is outside the table.
        """
        self._ranks(states)
        found = moves(self.rules, states)
        sign = 1 - 2 * states[:, TO_MOVE, None].astype(np.int64)
        gains = sign * (margins(found.after) - margins(states)[:, None]) * found.legal
        lower, upper = gains.copy(), gains.copy()
        goes_on = found.legal & (found.after[..., STATUS] == LIVE)
        low, high = self.bounds(found.after[goes_on])
        same_player = (found.after[..., TO_MOVE] == states[:, TO_MOVE, None])[goes_on]
        lower[goes_on] += np.where(same_player, low, -high)
        upper[goes_on] += np.where(same_player, high, -low)
        return found.legal, lower, upper

    def values(self, position: Position) -> dict[int, tuple[int, int]]:
        """What each legal action gains in the end for the player to move, at least and at most: {action: (lower, upper)}.

        Raises:
            ValueError: the position is outside the table, its game is over, or it is of another game.
        """
        if table_game(position.rules) != self.game:
            raise ValueError(f"the table is of {self.rules!r}, the position of {position.rules!r}")
        if position.is_over:
            raise ValueError(f"the game is over ({position.end_reason}): there is nothing to be gained")
        _, lower, upper = self.action_bounds(position.state[None])
        return {action: (int(lower[0, action]), int(upper[0, action])) for action in position.legal_actions()}

    def data(self, seeds: int | None = None) -> np.ndarray:
        """All layers with up to `seeds` seeds (all there are, by default), copied into the one array that a probe reads.

        Returns:
            int8[P], the values by place, as `ranking` numbers positions; of a table of bounds int8[2 * P], the lower, then the
            upper ones.
        """
        layers = self._layers[: 1 + self._checked(seeds)]
        return np.concatenate([layer[bound] for bound in range(1 + self.game.bounds) for layer in layers])

    def _checked(self, seeds: int | None) -> int:
        if seeds is not None and not 0 <= seeds <= self.seeds:
            raise ValueError(f"seeds={seeds} is not accepted: this table has 0 to {self.seeds}")
        return self.seeds if seeds is None else seeds

    def _ranks(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The seeds of states and their ranks in their layers, int64[N] each; ValueError where a state is outside the table."""
        states = own_rows(states, self.rules)
        seeds = states[:, BOARD:].sum(axis=1, dtype=np.int64)
        if len(states) and (seeds.max() > self.seeds or states[:, BOARD:].min() < 0):
            holes = states[int(seeds.argmax()), BOARD:].tolist()
            raise ValueError(f"a position with {seeds.max()} seeds, {holes}, is outside the table: it has up to {self.seeds}")
        places = np.zeros(len(states), np.int64)
        _places_kernel(self.game.houses)(states, places)
        offsets = np.array([layer_offset(2 * self.game.houses, layer) for layer in range(self.seeds + 1)])
        return seeds, places - offsets[seeds]


def find_folder(source: str | Path) -> Path:
    """The folder of a table: that of a packaged one, where `source` is its id, else `source` itself."""
    return PACKAGED / source if str(source) in packaged() else Path(source)


def packaged() -> list[str]:
    """The ids of the rulesets whose tables are packaged, sorted."""
    return sorted(path.name for path in PACKAGED.iterdir() if path.is_dir()) if PACKAGED.is_dir() else []


def _rules_of(folder: Path) -> Rules:
    """The rules that a table names."""
    header = read_header(layer_path(folder, 0))
    try:
        return make_rules(header["ruleset"], **header["options"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"{layer_path(folder, 0)} is damaged: its header has no {error}") from None


def make_probe(rules: Rules) -> Any:
    """A compiled helper that reads a table of these rules inside other compiled functions.

        probe(state, data, seeds) -> (found, lower, upper)

    `found` is whether the state has at most `seeds` seeds in its holes; `lower` and `upper` are what its player to move gains from
    it to the end, at least and at most, equal in a table of values. `data` is `Tables.data(seeds)`. The state is live and settled,
    as `apply` leaves it; of a game that is over nothing is to be gained, whatever lies in the holes.
    """
    game = table_game(rules)
    return _make_probe(game.houses, game.bounds)


@functools.cache
def _make_probe(houses: int, bounds: bool) -> Any:
    holes = 2 * houses
    place = make_ranking(houses).place

    @helper
    def probe(state: State, data: np.ndarray, seeds: int) -> tuple[bool, int, int]:
        held = 0
        for hole in range(BOARD, BOARD + holes):
            held += state[hole]
        if held > seeds:
            return False, 0, 0
        at = place(state)
        to_upper = len(data) // 2 if bounds else 0
        return True, int(data[np.uint64(at)]), int(data[np.uint64(at + to_upper)])

    return probe


@functools.cache
def _places_kernel(houses: int) -> Any:
    place = make_ranking(houses).place

    @compiled
    def fill(states: np.ndarray, places: np.ndarray) -> None:
        for row in range(len(states)):
            places[row] = place(states[row])

    key_on_sources(fill)
    return fill
