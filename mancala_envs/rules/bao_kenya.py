"""Bao as Kenyan children play it: two rows of eight holes, three seeds in each; each player's store lies at his right and is sown.

**Sowing.** A player lifts all seeds of a hole of his own row and sows them counter-clockwise, one a hole, into his own store when
he passes it and on into the other row. The hole they came from is left out, however many circuits are made, so it ends empty [M].

**Another turn.** Where the last seed falls into his own store, the player moves again, as often as this happens [M].

**Capture.** Where the last seed falls into an empty hole of his own row, the seeds of the hole opposite go to his store; the
capturing seed stays [M: all seeds "in the opponent's hollow"]. With nothing opposite, nothing happens. Nobody sows on from where he
ended, and nobody has to give the opponent seeds [M asks neither].

**End.** A player who has no seeds when he is to move, also when another turn is due, ends the game: the other player takes the
seeds in his own row [M]. With `stop_at_majority` more than half of all seeds wins at once and half each is a draw [M]; the seeds
left then stay on the board and count for nobody.

**Where the text contradicts itself.** It lets a move begin in "one of six hollows" and names a board of eight hollows and 48
seeds, both copied from the text on Oware. Its own figures, sixteen hollows of three seeds, a win with 25 and a draw at 24 each, fit
two rows of eight. It makes 12 seeds a full circuit, but the 17th the one that skips the origin: the 17 is right, and settles whose
store is sown. Fifteen other holes and one store make sixteen; with both stores the 18th seed would be the first to meet the origin,
with none the 16th. So only the own store is sown [inferred]; `sow_stores="both"` reads "he sows the store" to the letter. Its draw
when seeds are only moved around cannot come about: seeds that go round the board pass a store and leave it [inferred].

Sources: [M] Masters Traditional Games, rules of Bao (Kenyan children's game), in Polish.
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
    STORE_NORTH,
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
    "houses": Option(8, range(2, 13), "holes a row"),
    "seeds": Option(3, range(1, 13), "seeds in each hole at the start"),
    "sow_stores": Option(
        "own",
        ("own", "both"),
        "which stores are sown: the mover's; the opponent's, too, and a last seed there ends the turn [M may be read so]",
    ),
    "capture_own_seed": Option(False, YES_NO, "whether the capturing seed goes to the store with those it captures, as in Kalah"),
    "stop_at_majority": Option(True, YES_NO, "end as soon as a player has more than half of all seeds, or both have half [M]"),
}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Kenyan Bao with the given options; see `OPTIONS`."""
    houses, seeds, max_plies = int(options["houses"]), int(options["seeds"]), int(options["max_plies"])
    capture_own_seed, stop_at_majority = bool(options["capture_own_seed"]), bool(options["stop_at_majority"])

    holes = 2 * houses
    board = TwoRow(houses, seeds, observes_quiet=False)
    row_is_empty, bank_own_sides, majority_reached = board.row_is_empty(), board.bank_own_sides(), board.majority_reached()
    legal, captures = board.occupied_houses(), board.captures_opposite()
    lift_and_sow = make_sow_past_stores(houses, skip_origin=True, both_stores=options["sow_stores"] == "both")

    @helper
    def settle_live(state: State) -> None:
        if stop_at_majority and majority_reached(state):
            finish(state, MAJORITY)
        elif row_is_empty(state, player_to_move(state)):
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
        # a last seed in the opponent's store leaves `last` in the opponent's row, where nothing is captured
        last, banked, given, moves_again = lift_and_sow(state, mover * houses + action, mover)
        opposite = holes - 1 - last
        captured = captures(state, last, mover) & (not moves_again)
        banked += captured * (capture_own_seed + state[BOARD + opposite])
        state[BOARD + last] -= captured & capture_own_seed
        state[BOARD + opposite] *= 1 - captured
        state[STORE_SOUTH + mover] += banked
        state[STORE_NORTH - mover] += given
        end_ply(state, banked + given > 0, mover if moves_again else 1 - mover)
        settle_live(state)

    return board.rules(id, title, options, legal, apply, settle, two_row.lettered(houses))


BAO_KENYA = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=two_row.LETTERED_ACTIONS,
    observation=two_row.OBSERVATION,
)
