"""Kenyan Bao with laps: two rows of eight holes, two seeds in each; the stores, at the players' left, are not sown.

**Sowing.** A player lifts all seeds of a hole of his own row and sows them counter-clockwise, one a hole, into both rows. Where the
last seed falls into a hole with seeds, of either row, he lifts them all and sows on; the turn ends when it falls into an empty hole
[M]. A lap of a full circuit sows the hole that it began from, too, as is usual in games with laps [M is silent; S likewise].

**Capture.** Where the turn ends in the player's own row, the seeds of the hole opposite go to his store; the last seed stays [M].
With nothing opposite, nothing happens. Nobody has to give the opponent seeds [M asks it nowhere].

**Singles.** A hole with one seed may be sown only when no hole of the player's own row holds more [S]. [M] says so of "the other
side", which most likely is the side that a player sits at [inferred]: read as the opponent's, it left a player without a move, for
which [M] has no rule, in 95.7 % of 20,000 random games.

**Endless turns.** Some turns never end: in 1.3 % of 20,000 random games in which they may be begun, one was. A turn that has not
ended after 1000 laps counts as endless (the longest in random games that ended had 275). No source decides what becomes of it; here
it may not be begun [open].

**End.** A player who has no seeds when he is to move ends the game: the other player takes the seeds in his own row [M]. Where he
has seeds but may sow none of them, because of the rules on singles and endless turns, each player takes the seeds in his own row
[open]. With `stop_at_majority` more than half of all seeds wins at once and half each is a draw; the seeds left then stay on the
board and count for nobody. [M] gives no number that wins, and its draw at 24 each is copied from the game of 48 seeds; here it is
at 16 each. When seeds are only moved around, the game is a draw [M]: at the third occurrence of a position, whatever the stores
hold.

Sources: [M] Masters Traditional Games, rules of Bao (Kenyan, with laps), in Polish; [S] StoneShark's MancalaGames, Bao (Kenyan).
"""

from collections.abc import Mapping

from . import two_row
from .contract import (
    BOARD,
    DRAW,
    ENDLESS_TURN,
    LIVE,
    MAJORITY,
    NO_MOVES,
    PLY,
    STATUS,
    STORE_SOUTH,
    YES_NO,
    Family,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    finish,
    player_to_move,
    truncate,
    win,
)
from .jit import compiled, helper, make_scratch
from .sowing import MOST_LAPS, make_lift_and_sow
from .two_row import TwoRow

OPTIONS = {
    "houses": Option(8, range(2, 13), "holes a row"),
    "seeds": Option(2, range(1, 13), "seeds in each hole at the start"),
    "single_rule": Option(
        "own_side",
        ("own_side", "own_side_to_empty", "opponent_side", "any"),
        "when a hole with one seed may be sown: when no hole of the own row holds more [M as understood here]; then, and only into "
        "an empty hole [S]; when no hole of the opponent's row holds more [M to the letter]; always",
    ),
    "skip_origin": Option(False, YES_NO, "whether a lap of a full circuit leaves out the hole that its seeds came from"),
    "capture_own_seed": Option(False, YES_NO, "whether the capturing seed goes to the store with those it captures"),
    "infinite_turn": Option(
        "illegal",
        ("illegal", "draw", "loss"),
        "a turn that never ends: may not be played; ends the game, the board as it was before: drawn, or lost by who played it",
    ),
    "stop_at_majority": Option(True, YES_NO, "end as soon as a player has more than half of all seeds, or both have half"),
    "cycle_rule": two_row.cycle_rule("draw"),
    "cycle_count": two_row.CYCLE_COUNT,
}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Kenyan Bao with laps, with the given options; see `OPTIONS`."""
    houses, seeds, max_plies = int(options["houses"]), int(options["seeds"]), int(options["max_plies"])
    singles_are_free = options["single_rule"] == "any"
    opponents_row_decides = options["single_rule"] == "opponent_side"
    single_needs_empty = options["single_rule"] == "own_side_to_empty"
    endless_is_illegal, endless_is_draw = options["infinite_turn"] == "illegal", options["infinite_turn"] == "draw"
    capture_own_seed, stop_at_majority = bool(options["capture_own_seed"]), bool(options["stop_at_majority"])
    if single_needs_empty and seeds == 1:
        raise ValueError("single_rule='own_side_to_empty' is not accepted with seeds=1: the opening would have no move")

    holes = 2 * houses
    board = TwoRow(houses, seeds, observes_quiet=True)
    bank_own_sides, majority_reached = board.bank_own_sides(), board.majority_reached()
    lift_and_sow = make_lift_and_sow(holes, skip_origin=bool(options["skip_origin"]))
    scratch = make_scratch(BOARD + holes)

    @helper
    def fewest_to_sow(state: State) -> int:
        """How many seeds a hole must hold to be sown, as far as the rule on singles goes: 1 or 2."""
        row = (player_to_move(state) ^ opponents_row_decides) * houses
        bits = 0
        for hole in range(row, row + houses):
            bits |= state[BOARD + hole]
        return 1 if singles_are_free or bits <= 1 else 2

    @helper
    def ends_in_one_lap(state: State, origin: int) -> bool:
        in_hand = state[BOARD + origin]
        return (in_hand < holes) & (state[BOARD + (origin + in_hand) % holes] == 0)

    @helper
    def is_as_before(line: State, state: State) -> bool:
        bits = 0
        for index in range(BOARD, BOARD + holes):
            bits |= line[index] ^ state[index]
        return bits == 0

    @compiled
    def turn_ends(state: State, origin: int) -> bool:
        """Whether a turn from `origin` comes to an end; one that is back where it began does not."""
        line = scratch()
        for index in range(BOARD, BOARD + holes):
            line[index] = state[index]
        hole = origin
        for _ in range(MOST_LAPS):
            hole = lift_and_sow(line, hole)
            if line[BOARD + hole] == 1:
                return True
            if hole == origin and is_as_before(line, state):
                return False
        return False

    @compiled
    def starts(state: State, all_of_them: bool) -> int:
        """The actions that may be played, a bit each; where not `all_of_them` are asked for, the first that are found."""
        own, fewest = player_to_move(state) * houses, fewest_to_sow(state)
        allowed, finite = 0, 0
        for action in range(houses):  # without branches, which takes 70 ns off a random ply
            in_hand, ends = state[BOARD + own + action], ends_in_one_lap(state, own + action)
            may_start = (in_hand >= fewest) & ((in_hand > 1) | ends | (not single_needs_empty))
            allowed |= may_start << action
            finite |= (may_start & ends) << action
        if not endless_is_illegal:
            return allowed
        for action in range(houses):
            if (allowed & ~finite) >> action & 1 and (all_of_them or finite == 0):
                finite |= turn_ends(state, own + action) << action
        return finite

    @helper
    def legal(state: State, mask: Mask) -> int:
        bits = starts(state, True)
        count = 0
        for action in range(houses):
            mask[action] = bits >> action & 1
            count += bits >> action & 1
        return count

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] != LIVE:
            return
        if stop_at_majority and majority_reached(state):
            finish(state, MAJORITY)
        elif starts(state, False) == 0:
            bank_own_sides(state)
            finish(state, NO_MOVES)
        elif state[PLY] >= max_plies:
            truncate(state)

    @helper
    def play_turn(state: State, hole: int) -> int:
        """Sow lap after lap from `hole`; returns the hole that the turn ends in."""
        for _ in range(MOST_LAPS):
            hole = lift_and_sow(state, hole)
            if state[BOARD + hole] == 1:
                break
        return hole

    @helper
    def capture(state: State, last: int, mover: int) -> bool:
        """If the turn ended in an own hole, take the seeds opposite; returns whether there were any."""
        opposite = holes - 1 - last
        captured = (last >= mover * houses) & (last < (mover + 1) * houses) & (state[BOARD + opposite] > 0)
        if captured:
            state[STORE_SOUTH + mover] += state[BOARD + opposite] + capture_own_seed
            state[BOARD + opposite] = 0
            state[BOARD + last] -= capture_own_seed
        return captured

    @helper
    def apply(state: State, action: int) -> None:
        mover = player_to_move(state)
        origin = mover * houses + action
        if endless_is_illegal or turn_ends(state, origin):
            captured = capture(state, play_turn(state, origin), mover)
            end_ply(state, captured, 1 - mover)
            settle(state)
        else:
            end_ply(state, False, 1 - mover)
            win(state, 1 - mover, ENDLESS_TURN)
            if endless_is_draw:
                state[STATUS] = DRAW

    return board.rules(id, title, options, legal, apply, settle, two_row.lettered(houses))


BAO_KENYA_LAPS = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=two_row.LETTERED_ACTIONS,
    observation=two_row.OBSERVATION + "\n" + two_row.OBSERVATION_QUIET,
)
