"""Omweso, the game of Uganda, is played on four rows of eight holes; each player has the two rows nearer to him, a ring of sixteen.

**Opening.** Each player has 32 seeds, four in every hole of his outer row, and South begins [W]; `setup="all2"` puts two in every
hole instead. [W] lets the players arrange their seeds freely first, the second one after he has seen what the first one did; other
sources let both do it unseen. Such an opening is a position set up by hand.

**Turn.** A player lifts all seeds of one of his holes that holds two or more and sows them one by one round his own ring,
counter-clockwise: outer row to the right, inner row to the left. The hole they came from is not left out of a lap of sixteen or
more [inferred: no source speaks of it]. If the last seed falls into an empty hole the turn is over. If it falls into an occupied
one, he captures, or else lifts that hole with the last seed in it and sows on [W, B, P].

**Capture.** If that occupied hole lies in his inner row and both holes of the opponent in the same file are occupied, he takes the
seeds of both. His own stay. The captured seeds are sown as a new lap from where the lap that captured began, the first of them
into the hole after that start: [W] names the hole where the lap began, [L] the hole that received its first seed, and the example
of [B] shows that both mean this. No move need be one that captures, but a lap that ends so does capture [W].

**Reverse.** A lap from one of the four left-most holes, two outer and two inner, may go clockwise if it captures at its own end. So
may the first lap of a turn, a later one that starts there, and captured seeds that are sown from there again [W, P; [L] has only
turns that are clockwise as a whole, an approximation]. The player chooses where both directions are possible; all other laps are
counter-clockwise.

**End.** A player who has no hole with two or more seeds on his turn has lost [W]. *Emitwe-ebiri*, both ends: who captures in the
first and in the last file of the opponent in one turn has won, at the second of these captures [W, P]; its seeds are then not sown.
There is no draw but by an endless turn and, with `cycle_rule="draw"`, by repetition; a choice of direction in mid-turn is then a
position of its own [inferred: no source speaks of repetition].

**Endless turn.** A turn that is not over after 1,000 laps, whatever was chosen in its course, is endless. [W] gives it three
minutes and then annuls the game, so it is drawn, in the position before the endless move. With `infinite_turn="illegal"` a move is
illegal if its laps would run on to the thousandth of the turn with no choice of direction before; so is one of the two directions
of a choice. A player who has no other move has lost (`no_moves`).

**Left out.** [C] forbids captures in each player's first turn; the other sources do not, and here they are allowed. [P] has a
second capturing turn before the opponent's first capture win, which [B], as far as it could be read, does not confirm. *Akawumbi*
is named but explained by no source found.

Sources: [W] Wikipedia, Omweso, and texts that quote its rules; [B] Brian Wernham, Omweso: the Royal Mancala Game of Uganda, an
excerpt and an example; [P] navpil.github.io, 4x8 mancala games; [L] Ludii, Mweso (after Shackell, 1934); [C] the course engine
of McGill University, omweso_AI_engine. dshu.net, Mancala games, names the game without its rules.
"""

from collections.abc import Mapping

import numpy as np

from . import four_row
from .contract import (
    BOARD,
    BOTH_ENDS,
    DRAW,
    ENDLESS_TURN,
    LIVE,
    NO_MOVES,
    PLY,
    QUIET,
    STATUS,
    TO_MOVE,
    Family,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    player_to_move,
    truncate,
    win,
)
from .four_row import FIELD, FILES, HOLES, RING, SEEDS, holding, ring
from .jit import compiled, helper, make_scratch
from .sowing import MOST_LAPS
from .two_row import CYCLE_COUNT, QUIET_SCALE

OPTIONS = {
    "setup": Option(
        "outer4", ("outer4", "all2"), "the opening: four seeds in each hole of the outer rows [W]; two in every hole [W, older]"
    ),
    "infinite_turn": Option(
        "draw",
        ("draw", "illegal", "loss"),
        "what becomes of a turn of 1,000 laps: the game is drawn [W annuls it]; the move that would run on to the last of them is "
        "illegal, and who has no other has lost; the player whose turn it is has lost",
    ),
    "cycle_rule": Option(
        "off", ("off", "draw"), "how a game ends whose position has come back: not at all [no source speaks of it]; it is drawn"
    ),
    "cycle_count": CYCLE_COUNT,
}

LEFT_MOST = (0, 1, 14, 15)  # the holes from which a lap may go clockwise
FIRST_FILE, LAST_FILE, BOTH_FILES = 1, 2, 3  # files_taken

# Behind the holes stands a turn in mid-course, all 0 between turns. The next lap is due from hole LAP_START - 1: of the PENDING
# seeds, captured by the lap before, or of the seeds that lie in that hole where none are pending.
LAP_START, PENDING, FILES_TAKEN, LAPS = range(BOARD + HOLES, BOARD + HOLES + 4)
TURN = ("lap_start", "pending", "files_taken", "laps")
STATE_SIZE = LAPS + 1

# An observation: the holes, whose turn is in mid-course and from which of the left-most holes, what else is known of that turn.
OWN_CHOICE, OTHER_CHOICE = HOLES, HOLES + len(LEFT_MOST)
SEEN_PENDING, SEEN_FIRST, SEEN_LAST, SEEN_LAPS, SEEN_QUIET = range(OTHER_CHOICE + len(LEFT_MOST), OTHER_CHOICE + len(LEFT_MOST) + 5)


@helper
def is_left_most(hole: int) -> bool:
    """Whether this is one of the two outer and two inner holes at the owner's left."""
    return (hole + 2) & (RING - 1) < len(LEFT_MOST)


@helper
def captures(state: State, mover: int, last: int, seeds_before: int) -> bool:
    """Whether a last seed in the mover's hole `last` captures, given what lay there before."""
    if last >= FILES or seeds_before == 0:
        return False
    other = ring(1 - mover)
    return (state[other + FILES - 1 - last] > 0) & (state[other + FILES + last] > 0)


@helper
def captures_clockwise(state: State, mover: int, start: int, pending: int) -> bool:
    """Whether the lap due from `start`, of the pending seeds or else of its own, would capture at its end if it went clockwise."""
    own = ring(mover)
    seeds = pending if pending else int(state[own + start])
    last = (start + seeds) & (RING - 1)
    stays = 0 if last == start and not pending else int(state[own + last])
    return captures(state, mover, last, stays + (seeds - 1) // RING)


@helper
def capture(state: State, mover: int, last: int) -> int:
    """Take the opponent's seeds in the file of the mover's inner hole `last`; returns how many."""
    other = ring(1 - mover)
    front, back = other + FILES - 1 - last, other + FILES + last
    captured = int(state[front] + state[back])
    state[front] = state[back] = 0
    return captured


@helper
def stop(state: State, lap_start: int, pending: int, files_taken: int, laps: int) -> None:
    """Write down how the turn stands."""
    state[LAP_START], state[PENDING], state[FILES_TAKEN], state[LAPS] = lap_start, pending, files_taken, laps


@helper
def run(state: State, action: int) -> bool:
    """Sow lap after lap until the turn is over or won or a choice of direction is due; False if it is endless.

    A state whose turn is endless is left in disorder.
    """
    mover = player_to_move(state)
    own = ring(mover)
    start, step = action >> 1, 2 * (action & 1) - 1
    pending, files_taken, laps = int(state[PENDING]), int(state[FILES_TAKEN]), int(state[LAPS])
    while True:
        seeds = pending
        if not pending:
            seeds = int(state[own + start])
            state[own + start] = 0
        last = four_row.sow(state, own, start, step, seeds)
        laps += 1
        before = int(state[own + last]) - 1
        if before == 0:
            stop(state, 0, 0, 0, 0)
            return True
        if captures(state, mover, last, before):
            pending = capture(state, mover, last)
            files_taken |= FIRST_FILE * (last == 0) | LAST_FILE * (last == FILES - 1)
            if files_taken == BOTH_FILES:
                stop(state, 0, pending, files_taken, 0)
                return True
        else:
            start, pending = last, 0
        if laps >= MOST_LAPS:
            return False
        if is_left_most(start) and captures_clockwise(state, mover, start, pending):
            stop(state, start + 1, pending, files_taken, laps)
            return True
        step = -1


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Omweso with the given options; see `OPTIONS`."""
    two_everywhere = options["setup"] == "all2"
    endless_is_illegal, endless_loses = options["infinite_turn"] == "illegal", options["infinite_turn"] == "loss"
    comes_back, max_plies = options["cycle_rule"] == "draw", int(options["max_plies"])
    scratch, flags = make_scratch(STATE_SIZE), make_scratch(2 * RING)
    observe_holes = four_row.observe_holes(1 / SEEDS)

    @compiled
    def init(state: State) -> None:
        state[:] = 0
        for hole in range(HOLES):
            state[BOARD + hole] = 2 if two_everywhere else 4 * (hole & FILES != 0)

    @compiled
    def is_endless(state: State, action: int) -> bool:
        turn = scratch()
        for index in range(STATE_SIZE):
            turn[index] = state[index]
        return not run(turn, action)

    @helper
    def fill(state: State, mask: Mask) -> int:
        """Mark the starts of a turn or the two directions of a choice, endless or not."""
        mover, lap_start = player_to_move(state), int(state[LAP_START])
        count = 0
        for hole in range(RING):
            mask[2 * hole] = (state[ring(mover) + hole] >= 2) & (lap_start == 0)
            count += mask[2 * hole]
            mask[2 * hole + 1] = False
        if lap_start:
            mask[2 * lap_start - 2] = mask[2 * lap_start - 1] = True
            return 2
        for hole in LEFT_MOST:
            if mask[2 * hole] and captures_clockwise(state, mover, hole, 0):
                mask[2 * hole + 1] = True
                count += 1
        return count

    @compiled
    def legal(state: State, mask: Mask) -> int:
        count = fill(state, mask)
        if endless_is_illegal:
            for action in range(2 * RING):
                if mask[action] and is_endless(state, action):
                    mask[action] = False
                    count -= 1
        return count

    @helper
    def has_finite_move(state: State) -> bool:
        """Whether some move is not endless."""
        moves = flags()
        fill(state, moves)
        action = 0
        while action < 2 * RING and (not moves[action] or is_endless(state, action)):
            action += 1
        return action < 2 * RING

    @helper
    def settle_live(state: State) -> None:
        mover = player_to_move(state)
        if state[FILES_TAKEN] == BOTH_FILES:
            win(state, mover, BOTH_ENDS)
        elif (state[LAP_START] == 0 and holding(state, mover, 2) == 0) or (endless_is_illegal and not has_finite_move(state)):
            win(state, 1 - mover, NO_MOVES)
        elif state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] == LIVE:
            settle_live(state)

    @compiled
    def apply(state: State, action: int) -> None:
        mover = player_to_move(state)
        turn = scratch()
        for index in range(STATE_SIZE):
            turn[index] = state[index]
        is_finite = run(turn, action)
        if is_finite:
            for index in range(BOARD, STATE_SIZE):
                state[index] = turn[index]
        breaks_off = (state[LAP_START] > 0) | (state[FILES_TAKEN] == BOTH_FILES)
        end_ply(state, False, mover if breaks_off else 1 - mover)
        if is_finite:
            settle_live(state)
        else:
            win(state, 1 - mover, ENDLESS_TURN)
            if not endless_loses:
                state[STATUS] = DRAW

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:
        observe_holes(state, player, out)
        for index in range(OWN_CHOICE, SEEN_PENDING):
            out[index] = 0
        if state[LAP_START]:
            choice = OWN_CHOICE if state[TO_MOVE] == player else OTHER_CHOICE
            out[choice + (state[LAP_START] + 1) % RING] = 1  # in the order of sowing clockwise
        out[SEEN_PENDING] = state[PENDING] * np.float32(1 / SEEDS)
        out[SEEN_FIRST] = state[FILES_TAKEN] & FIRST_FILE
        out[SEEN_LAST] = state[FILES_TAKEN] >> 1
        out[SEEN_LAPS] = state[LAPS] * np.float32(1 / MOST_LAPS)
        if comes_back:
            out[SEEN_QUIET] = min(state[QUIET], QUIET_SCALE) * np.float32(1 / QUIET_SCALE)

    fields = {"holes": FIELD} | {name: slice(LAP_START + at, LAP_START + at + 1) for at, name in enumerate(TURN)}
    names, width = four_row.action_names(), SEEN_QUIET + comes_back
    return four_row.rules(id, title, options, fields, names, width, init, legal, apply, settle, observe, check)


def check(state: State) -> None:
    """Raise ValueError, saying what is accepted, for a state that cannot be."""
    holes, (lap_start, pending, files_taken, laps) = state[FIELD].tolist(), state[LAP_START:STATE_SIZE].tolist()
    if not 0 <= files_taken <= BOTH_FILES:
        raise ValueError(f"files_taken={files_taken} is not accepted: 0, or {FIRST_FILE} and {LAST_FILE} for first and last file")
    if files_taken == BOTH_FILES:  # the game is won
        if lap_start or laps or pending < 2:
            raise ValueError(
                f"lap_start={lap_start}, laps={laps}, pending={pending} with files_taken={files_taken}: the game is over then, "
                "with lap_start=0, laps=0 and the seeds of the last capture in pending"
            )
    elif not lap_start:
        if pending or files_taken or laps:
            raise ValueError(
                f"pending {pending}, files_taken {files_taken} and laps {laps} are 0 between turns, when lap_start is 0"
            )
    elif lap_start - 1 not in LEFT_MOST:
        raise ValueError(f"lap_start={lap_start} is not accepted: 0 for none, or 1 + one of the holes {LEFT_MOST}")
    elif laps >= MOST_LAPS:
        raise ValueError(f"laps={laps} is not accepted: 1 to {MOST_LAPS - 1} in mid-turn")
    elif pending == 1 or (not pending and holes[int(state[TO_MOVE]) * RING + lap_start - 1] < 2):
        raise ValueError(f"lap_start={lap_start}, pending={pending}: two seeds at least wait to be sown")
    elif not captures_clockwise(state, int(state[TO_MOVE]), lap_start - 1, pending):
        raise ValueError(f"lap_start={lap_start}: there is no choice, as the lap would not capture clockwise")
    else:
        state[LAPS] = max(laps, 1)  # where it is left out


OMWESO = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions="""\
Action 2 * h + d sows hole h clockwise (d = 1) or counter-clockwise (d = 0). Seen from the mover, holes 0 to 7 are his inner row
from his left, 8 to 15 his outer row from his right, so that clockwise is the way of the numbers. Where a later lap of a turn may
go either way, the same player has a ply with the two actions of that lap's hole. `lap_start` is then 1 + the hole, `pending` the
captured seeds that wait to be sown (0: those of the hole itself), `files_taken` 1 or 2 if the turn has captured in the first or
last file from the mover's left, `laps` how many it has had; all are 0 between turns. The last capture of both ends stays `pending`.
Notation: row A is the inner, B the outer one, with the file from the owner's left (small letters for North), and R or L for the
way along that row, as in B1R.""",
    observation="""\
| index | value |
|---|---|
| 0 .. 15 | the observing player's holes from his hole 0, seeds / 64 |
| 16 .. 31 | the other player's holes from that player's hole 0, seeds / 64 |
| 32 .. 35 | 1 where the observing player has to choose a direction from his hole 14, 15, 0, 1, else 0 |
| 36 .. 39 | the same for the other player |
| 40 | captured seeds that wait to be sown / 64 |
| 41, 42 | 1 if this turn has captured in the first, the last file from the left of the player whose turn it is, else 0 |
| 43 | laps of this turn / 1000 if it is in mid-course, else 0 |
| 44 | only with `cycle_rule="draw"`: plies since the opening or the position set up / 100, at most 1 |""",
)
