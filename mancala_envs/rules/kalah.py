"""Kalah is played on two rows of houses; each player's store lies at his right and is sown.

**Sowing.** A player lifts all seeds of a house of his own row and sows them counter-clockwise, one a house, into his own store
when he passes it, not into his opponent's [D]. The house they came from is sown like any other on a full circuit [C].

**Another turn.** Where the last seed falls into his own store, the player moves again, as often as this happens [D].

**Capture.** Where the last seed falls into an empty house of his own row and there are seeds in the house opposite, both go to his
store [D]. A lap of a full circuit ends in the emptied origin, so it captures.

**End.** When a row is empty, the other player takes the seeds in his own row [D: "one of the players" has none; tested after every
sowing, also when another turn is due]. More seeds win; equal totals are a draw.

Sources: [D] dshu.net, Mancala games (Kalah); [C] the rules of the solved game: Irving, Donkers and Uiterwijk, Solving Kalah, 2000.
"""

from collections.abc import Mapping

from . import two_row
from .contract import (
    BOARD,
    LIVE,
    MAJORITY,
    NO_MOVES,
    PLY,
    STATUS,
    STORE_SOUTH,
    YES_NO,
    Family,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    finish,
    player_to_move,
    truncate,
)
from .jit import compiled, helper
from .sowing import make_sow_past_stores
from .two_row import TwoRow

OPTIONS = {
    "houses": Option(6, range(1, 13), "houses a row"),
    "seeds": Option(4, range(1, 13), "seeds in each house at the start; [D] allows 4, 5 or 6"),
    "skip_origin": Option(False, YES_NO, "whether a full circuit leaves out the house that the seeds came from"),
    "empty_capture": Option(
        False, YES_NO, "whether the last seed in an empty own house is banked when the house opposite is empty [C]"
    ),
    "end_test": Option(
        "either",
        ("either", "mover_only"),
        "whose empty row ends the game: either player's, tested after every sowing [D]; only that of the player to move",
    ),
    "stop_at_majority": Option(False, YES_NO, "end as soon as a player has more than half of all seeds, or both have half"),
}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Kalah with the given options; see `OPTIONS`."""
    houses, seeds, max_plies = int(options["houses"]), int(options["seeds"]), int(options["max_plies"])
    skip_origin, empty_capture = bool(options["skip_origin"]), bool(options["empty_capture"])
    either_row_ends = options["end_test"] == "either"
    stop_at_majority = bool(options["stop_at_majority"])

    holes = 2 * houses
    board = TwoRow(houses, seeds, observes_quiet=False)
    row_is_empty, bank_own_sides, majority_reached = board.row_is_empty(), board.bank_own_sides(), board.majority_reached()

    legal, captures = board.occupied_houses(), board.captures_opposite(also_nothing=empty_capture)
    lift_and_sow = make_sow_past_stores(houses, skip_origin)

    @helper
    def settle_live(state: State) -> None:
        mover = player_to_move(state)
        if stop_at_majority and majority_reached(state):
            finish(state, MAJORITY)
        elif row_is_empty(state, mover) or (either_row_ends and row_is_empty(state, 1 - mover)):
            bank_own_sides(state)
            finish(state, NO_MOVES)
        elif state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] == LIVE:
            settle_live(state)

    @helper
    def apply(state: State, action: int) -> None:
        mover = player_to_move(state)
        last, banked, _, moves_again = lift_and_sow(state, mover * houses + action, mover)
        opposite = holes - 1 - last
        captured = captures(state, last, mover) & (not moves_again)
        banked += captured * (1 + state[BOARD + opposite])
        state[BOARD + last] *= 1 - captured
        state[BOARD + opposite] *= 1 - captured
        state[STORE_SOUTH + mover] += banked
        end_ply(state, banked > 0, mover if moves_again else 1 - mover)
        settle_live(state)

    return board.rules(id, title, options, legal, apply, settle, two_row.numbered(houses))


KALAH = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=two_row.NUMBERED_ACTIONS,
    observation=two_row.OBSERVATION,
)
