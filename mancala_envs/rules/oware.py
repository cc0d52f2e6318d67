"""Oware is played on two rows of houses with a store for each player, in which seeds are only kept.

**Sowing.** A player lifts all seeds of a house of his own row and sows them counter-clockwise, one a house, into both rows. The
house they came from is left out, however many circuits are made, so it ends empty [M, T, W].

**Capture.** Where the last seed makes two or three in a house of the opponent, these are captured; so are the twos and threes in
the houses before it, without a gap and within the opponent's row [M, T], and with `capture_chain="both_sides"` those behind it
[W]. Houses need only hold two or three after the sowing: with a short lap the houses walked back were all sown, with a long one all
houses were. A grand slam, a capture of all the opponent's seeds, is judged by the option `grand_slam`.

**Feeding.** If the opponent has no seeds, a move must give him some; if none can, the game ends and the mover keeps his own
side [M, T]. With `feeding="none"` there is no such duty [W].

**End.** A player who cannot move ends the game: each player takes the seeds on his own side [M, T, W]. With `stop_at_majority` more
than half of all seeds wins at once, and half each is a draw [M, T]; the seeds left then stay on the board and count for nobody.
What a position does that occurs for the third time, `cycle_rule` says: a draw [M: only moving seeds around], each player takes the
seeds on his own side [W, A], or both take half [R].

Sources: [M] Masters Traditional Games, rules of Oware; [T] dshu.net, Mancala games (Oware); [W] the tournament rules of
"Mankala/Kalaha/Wari"; [A] the Abapa rules of the Oware Society and Mind Sports Olympiad; [R] Romein and Bal, Solving Awari with
parallel retrograde analysis, and the Awari Oracle. Where [M] names eight hollows for a board that it describes with six, six is
played.
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
    Mask,
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
from .sowing import make_lift_and_sow
from .two_row import TwoRow

OPTIONS = {
    "houses": Option(6, range(3, 11), "houses a row"),
    "seeds": Option(4, range(1, 13), "seeds in each house at the start; [T] allows 4, 5 or 6"),
    "grand_slam": Option(
        "legal",
        ("legal", "no_capture", "illegal", "illegal_unless_only"),
        "a move that would capture all seeds of the opponent: captures them ([M] says so; [T] and [W] do not forbid it); is legal "
        "but captures nothing [A]; may not be played, and if nothing else can, the game ends and each keeps his side; may not be "
        "played unless every move that feeding allows would do it [R]",
    ),
    "feeding": Option(
        "sown",
        ("sown", "after_capture", "none"),
        "what feeding asks of a move: a seed sown in the opponent's row [M, T]; a seed left there after the capture; nothing [W]",
    ),
    "capture_chain": Option(
        "preceding",
        ("preceding", "both_sides"),
        "which further twos and threes are captured: those before the last house [M, T, A]; those joined to it on either side [W, "
        "as its text speaks of neighbouring fields]",
    ),
    "stop_at_majority": Option(True, YES_NO, "end as soon as a player has more than half of all seeds, or both have half [M, T]"),
    "cycle_rule": two_row.cycle_rule("draw"),
    "cycle_count": two_row.CYCLE_COUNT,
}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Oware with the given options; see `OPTIONS`."""
    houses, seeds, max_plies = int(options["houses"]), int(options["seeds"]), int(options["max_plies"])
    slam_captures_nothing = options["grand_slam"] == "no_capture"
    slam_is_illegal = options["grand_slam"] == "illegal"
    slam_is_illegal_unless_only = options["grand_slam"] == "illegal_unless_only"
    must_feed = options["feeding"] != "none"
    must_leave_food = options["feeding"] == "after_capture" and not slam_captures_nothing
    both_sides = options["capture_chain"] == "both_sides"
    stop_at_majority = bool(options["stop_at_majority"])

    holes = 2 * houses
    board = TwoRow(houses, seeds, observes_quiet=True)
    row_is_empty, bank_own_sides, majority_reached = board.row_is_empty(), board.bank_own_sides(), board.majority_reached()

    sow = make_lift_and_sow(holes)

    @helper
    def take_back(state: State, origin: int, in_hand: int) -> None:
        """Undo the sowing of `in_hand` seeds from `origin`."""
        state[BOARD + origin] = in_hand
        hole = origin
        while in_hand > 0:
            hole += 1
            if hole == holes:
                hole = 0
            if hole != origin:
                state[BOARD + hole] -= 1
                in_hand -= 1

    @helper
    def is_two_or_three(state: State, hole: int) -> bool:
        """Whether this is a hole of the opponent's that holds two or three."""
        row = (1 - player_to_move(state)) * houses
        return (hole >= row) & (hole < row + houses) & (state[BOARD + hole] | 1 == 3)  # one branch, not four

    @helper
    def captured_holes(state: State, last: int) -> tuple[int, int]:
        """After a sowing that ended in `last`, the holes it captures: the first, and the one past the end."""
        first, end = last, last
        while is_two_or_three(state, first):
            first -= 1
        if first < last:
            end += 1
            while both_sides and end < holes and is_two_or_three(state, end):
                end += 1
        return first + 1, end

    @helper
    def is_grand_slam(state: State, first: int, end: int) -> bool:
        """After a sowing, whether capturing the holes from `first` to before `end` leaves the opponent without seeds."""
        row = (1 - player_to_move(state)) * houses
        left = 0
        for hole in range(row, row + houses):
            if hole < first or hole >= end:
                left += state[BOARD + hole]
        return end > first and left == 0

    @compiled
    def would_be_grand_slam(state: State, action: int) -> bool:
        """Whether sowing this house captures all seeds of the opponent; the state is the same afterwards."""
        origin = player_to_move(state) * houses + action
        in_hand = state[BOARD + origin]
        first, end = captured_holes(state, sow(state, origin))
        slam = is_grand_slam(state, first, end)
        take_back(state, origin, in_hand)
        return slam

    @helper
    def may_sow(state: State, action: int, opponent_is_hungry: bool) -> bool:
        """Whether the feeding duty allows the mover to sow this house."""
        in_hand = state[BOARD + player_to_move(state) * houses + action]
        allowed = (in_hand > 0) & ((not must_feed) | (not opponent_is_hungry) | (action + in_hand >= houses))
        if must_leave_food and allowed and opponent_is_hungry:
            allowed = not would_be_grand_slam(state, action)
        return allowed

    @helper
    def fill(state: State, mask: Mask, without_slams: bool) -> int:
        opponent_is_hungry = row_is_empty(state, 1 - player_to_move(state))
        count = 0
        for action in range(houses):
            allowed = may_sow(state, action, opponent_is_hungry)
            if without_slams and allowed:
                allowed = not would_be_grand_slam(state, action)
            mask[action] = allowed
            count += allowed
        return count

    @helper
    def legal(state: State, mask: Mask) -> int:
        count = fill(state, mask, slam_is_illegal or slam_is_illegal_unless_only)
        if slam_is_illegal_unless_only and count == 0:
            count = fill(state, mask, False)
        return count

    @helper
    def can_move(state: State) -> bool:
        opponent_is_hungry = row_is_empty(state, 1 - player_to_move(state))
        if not slam_is_illegal and not opponent_is_hungry:
            return not row_is_empty(state, player_to_move(state))
        for action in range(houses):
            if may_sow(state, action, opponent_is_hungry) and not (slam_is_illegal and would_be_grand_slam(state, action)):
                return True
        return False

    @helper
    def settle_live(state: State) -> None:
        if stop_at_majority and majority_reached(state):
            finish(state, MAJORITY)
        elif not can_move(state):
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
        first, end = captured_holes(state, sow(state, mover * houses + action))
        if slam_captures_nothing and end > first and is_grand_slam(state, first, end):
            end = first
        captured = 0
        for hole in range(first, end):
            captured += state[BOARD + hole]
            state[BOARD + hole] = 0
        state[STORE_SOUTH + mover] += captured
        end_ply(state, captured > 0, 1 - mover)
        settle_live(state)

    return board.rules(id, title, options, legal, apply, settle, two_row.lettered(houses))


OWARE = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=two_row.LETTERED_ACTIONS,
    observation=two_row.OBSERVATION + "\n" + two_row.OBSERVATION_QUIET,
)
