"""**Board.** Four rows of eight holes.

A player sows only round his own two, his front row and his back row. A file, 1 to 8, is a column counted from his left; his front
hole faces the opponent's in the same column. A start is a hole and the direction of its lap.

**Laps.** The seeds of a hole are lifted and sown one by one into the holes after it, clockwise or counter-clockwise as the player
chooses; a lap of sixteen or more sows the hole it came from, too [V, R]. A lap that ends in an empty hole ends the turn. One that
ends in an occupied hole goes on by a capture or else, in the same direction, with all the seeds of that hole, in the back row as
in the front row [R, D, W; M has only front holes that face an empty one].

**Mtaji turn.** A start with 2 to 15 seeds captures if its first lap ends in an occupied own front hole that faces an occupied
front hole of the opponent; while there is one, no other may be played [M]. The seeds faced are captured, here and at the end of
every later lap that ends so. They are sown as the next lap, the first *into* a kichwa, an end of the own front row, and on
towards the centre: the left kichwa for files 1 and 2, the right one for 7 and 8, else the one that keeps the direction [M].

**Takata turn.** Otherwise a hole with two seeds or more is sown, also sixteen and more [V, R], from the back row only if none in
the front row has two; nothing is captured in the whole turn [M]. A kichwa that is the only occupied front hole, whatever it holds
[inferred], is sown towards the centre [D, W].

**Takasia**, with `takasia=True`: if after a takata turn, in Bao la Kiswahili one of the mtaji stage, the opponent has no start
that captures, and the player, could he move again, had first laps that capture, all of them one and the same hole, that hole is
blocked in the opponent's next turn: he may not start from it, and a lap that ends in it ends the turn [K, D], also one from his
nyumba [V, D; not W]. A single seed [V], the only occupied front hole, the only one with two or more and an owned nyumba of six or
more are never blocked [D].

**End.** A player whose front row is empty has lost, as has one who cannot move [M]: at once when a capture empties the opponent's
row, and its seeds are not sown but kept as `pending`, or when a lap leaves the player's own row empty [D, G; W forbids to empty
it]. No source has a draw.

**Endless turns.** A turn that is not over after 1,000 laps is endless. Its start is illegal, and who has no other has lost [D,
for computers; in R twelve rounds lose, others annul the game or end the turn]; such starts in the front row do not open the back
row [open]. Only takata turns can be endless [D, V]: laps of an endless turn end in every hole again and again, or it would fill
up, so one that captures would go on until it has won. A capturing turn of more than 1,000 laps, of which none is known, would be
lost for its player. The board stays as it was before the turn.

**End of a lap**, in this order: own front row empty: lost; last hole was empty: the turn ends; capture in a mtaji turn; nyumba, if
there is one; takata ends in a blocked hole; the hole is lifted and sown on.

Sources: [M] Masters Traditional Games, rules of Bao la Kujifunza, in Polish; [R] A. Ruehl, Rules "Bao la Kiswahili", 2021; [D] H.
Donkers, Zanzibar Bao Rules for the Computer, 2001, and [V] A. de Voogt, Limits of the Mind, 1995, both as quoted by [G] the guide
bao-la-kiswahili-ja; [W] Mancala World, Bao la Kiswahili; [K] rules of the K.I.B.A. and N. Vessella's summary; [A] AbstractPlay.
"""

from collections.abc import Mapping

import numpy as np

from . import four_row
from .contract import (
    BOARD,
    ENDLESS_TURN,
    FRONT_ROW,
    LIVE,
    NO_MOVES,
    PLY,
    QUIET,
    STATUS,
    TO_MOVE,
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
from .four_row import FIELD, FILES, HOLES, RING, SEEDS, both_ways, facing, front_row_is_empty, holding, ring, sow
from .jit import compiled, helper, make_scratch
from .sowing import MOST_LAPS
from .two_row import CYCLE_COUNT, QUIET_SCALE

TURNS, SOURCES = __doc__.split("Sources: ")
KUJIFUNZA = f"""\
Bao la Kujifunza is the beginners' Bao: two seeds in every hole, no hand, no nyumba, no takasia [M, R]. [M] counts 48 holes and six
in a front row, slips from its other boards: 32 and eight are played [R].

{TURNS}Sources: {SOURCES}"""
KISWAHILI = f"""\
Bao la Kiswahili is the full game. The fifth front hole from the owner's left, his nyumba, begins with six seeds, the two to its
right with two each, and each player holds 22 in his hand [V, D]. First comes the namua stage, in which seeds are brought in from
the hand, then the mtaji stage; a player's own hand says which he is in. The turns of the mtaji stage are told first.

{TURNS}**Namua stage.** With seeds in his hand a player puts one of them into an occupied own front hole. If any of these faces an
occupied one, he chooses such a hole and captures, as above, but from files 3 to 6 into the kichwa that he likes; his own hole is
not lifted. If none does, he plays takata: he lifts the hole with that seed and sows it [D, V].

**Nyumba.** It is owned until it is lifted or captured, and functional if it is owned and holds six or more. In the namua stage a
takata lap ends the turn in a functional nyumba; where a capturing lap ends in it and captures nothing, the player stops or plays
*safari*: he lifts it and goes on [D, V]. That is no second choice in a turn: the house is lost by it [inferred]. Takata starts
from any occupied front hole but a functional nyumba; if there is no other, two seeds of it are sown, the *tax* [D, V]. Without a
functional nyumba it starts from a hole with two, from a single seed only if all are [W, R]. The seed from the hand is not counted
in this [A]. In the mtaji stage no lap stops in the nyumba any more [D, W, A]; it only cannot be blocked, until its owner first
captures in this stage [D].

Sources: {SOURCES}"""

NYUMBA_HOLE, FUNCTIONAL = 4, 6  # where the nyumba lies, and how many seeds make it functional
STARTS = 2 * RING  # actions without the bit for safari
FRONT, LEFT_END, RIGHT_END = (1 << FILES) - 1, 0b11, 0b11 << FILES - 2  # as bits: front row, files 1 and 2, files 7 and 8
LEFTWARD, RIGHTWARD = 0x5555, 0xAAAA  # actions of the front row as bits, by direction
OVER, AT_NYUMBA, ENDLESS = range(3)  # how a turn ends: for good, in the nyumba where safari would go on, not at all

# Behind the holes. PENDING: seeds captured at the end of the game and not sown. BLOCKED: 1 to 8 for a front hole of the player to
# move that takasia has blocked; 9 to 16 for one of the other player's that he has blocked and must now capture.
BLOCKED, PENDING, HANDS, NYUMBA = (BOARD + HOLES + index for index in (0, 1, 2, 4))

ACTIONS = """\
Action 2 * hole sows a hole counter-clockwise, 2 * hole + 1 clockwise. Holes 0 to 7 are the mover's front row from his left, 8 to 15
his back row from his right. Notation: A for the front and B for the back row (a, b for North), the file from the mover's left, and
L or R for the way along that row, as in A5R."""
SAFARI = """ In a capture of the namua stage 2 * hole + 1 lets the captured seeds
in at the left kichwa and 2 * hole at the right one, and L and R are the side of that kichwa [V]. Action 32 + a is action a with
safari, legal where the turn comes to that choice; its notation ends with + [K]."""
OBSERVATION = """\
| index | value |
|---|---|
| 0 .. 15, 16 .. 31 | the observing player's holes by number, the other player's; seeds / 64 |
| next 4, in Bao la Kiswahili | his hand, the other's, seeds / 64; 1 where he, where the other player owns a nyumba |
| next 16, with `takasia` | 1 for his, for the other's front hole that the player to move may not start from or must capture |
| last, with `cycle_rule="draw"` | plies since the last one of a namua stage / 100, at most 1 |"""

KUJIFUNZA_OPTIONS = {
    "capture_direction": Option(
        "current",
        ("current", "first_lap"),
        "the direction that captures in files 3 to 6 keep: that of the lap [R, D, W]; of the turn's first lap. [M] may mean either",
    ),
    "skip_origin": Option(False, YES_NO, "whether a lap of sixteen or more leaves out its origin (one unsourced account)"),
    "lone_kichwa": Option(
        "center", ("center", "any"), "where takata may sow a kichwa alone in the front row: to the centre [D, W]; anywhere [A]"
    ),
    "front_check": Option(
        "immediate",
        ("immediate", "turn_end"),
        "when an empty front row loses: at once [D, G]; after the turn [A], and one that would never end is won if it has emptied "
        "the opponent's",
    ),
    "takasia": Option(False, YES_NO, "whether takasia is played: in Bao la Kiswahili [D, K], in both games [A]"),
    "infinite_turn": Option(
        "illegal",
        ("illegal", "draw", "loss"),
        "what becomes of an endless turn: its start is illegal, no other start loses [D]; the game is drawn; its player loses [R]",
    ),
    "cycle_rule": Option("off", ("off", "draw"), "what a position that comes back does: nothing; it is a draw (no source)"),
    "cycle_count": CYCLE_COUNT,
}
KISWAHILI_OPTIONS = {
    "setup": Option("zanzibar", ("zanzibar", "malawi"), "six seeds in a nyumba, 22 in a hand [V, D]; eight and 20 [A, for Malawi]"),
    "singles_rule": Option(
        "functional",
        ("functional", "owned"),
        "with what nyumba namua takata may start from any single seed: functional [W, R]; owned [D], then also from it below six",
    ),
    "mtaji_house": Option(
        "forced",
        ("forced", "choice"),
        "whether a capturing lap of the mtaji stage that ends in an owned nyumba of six or more goes on [D, W, A]; or as its owner "
        "likes (some summaries), who then does not lose it by capturing [R, W]",
    ),
    "takasia_obligation": Option(
        False, YES_NO, "whether who blocked a hole must capture it in his next turn, not necessarily first, if he can [R, K]"
    ),
    **{name: option for name, option in KUJIFUNZA_OPTIONS.items() if name != "capture_direction"},
    "takasia": Option(True, YES_NO, KUJIFUNZA_OPTIONS["takasia"].about),
}


@helper
def mtaji(state: State, player: int) -> tuple[int, int]:
    """As bits: the starts whose first lap captures, and the holes where these laps end."""
    targets = facing(state, player)
    starts, ends = 0, 0
    if targets != 0:
        for hole in range(RING):
            seeds = int(state[ring(player) + hole])
            if 2 <= seeds < RING:
                left, right = (hole - seeds) & (RING - 1), (hole + seeds) & (RING - 1)
                starts |= (targets >> left & 1 | (targets >> right & 1) << 1) << 2 * hole
                ends |= targets & (1 << left | 1 << right)
    return starts, ends


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Bao with the given options, see `KUJIFUNZA_OPTIONS` and `KISWAHILI_OPTIONS`; the game is told by which there are."""
    kiswahili = "setup" in options
    max_plies, keeps_first = int(options["max_plies"]), options.get("capture_direction") == "first_lap"
    takasia, obligation = bool(options["takasia"]), bool(options.get("takasia_obligation"))
    skip_origin, to_center = bool(options["skip_origin"]), options["lone_kichwa"] == "center"
    at_once, comes_back = options["front_check"] == "immediate", options["cycle_rule"] == "draw"
    endless_is_illegal, endless_is_draw = options["infinite_turn"] == "illegal", options["infinite_turn"] == "draw"
    singles_while_owned, house_in_mtaji = options.get("singles_rule") == "owned", options.get("mtaji_house") == "choice"
    in_nyumba = 8 if options.get("setup") == "malawi" else 6
    num_actions, state_size = (2 * STARTS, NYUMBA + 2) if kiswahili else (STARTS, HANDS)
    if obligation and not takasia:
        raise ValueError("takasia_obligation=True is not accepted with takasia=False: no hole is ever blocked")
    scratch = make_scratch(state_size)

    @helper
    def in_namua(state: State, player: int) -> bool:
        return kiswahili and state[HANDS + player] > 0

    @helper
    def is_functional(state: State, player: int) -> bool:
        return kiswahili and state[NYUMBA + player] == 1 and state[ring(player) + NYUMBA_HOLE] >= FUNCTIONAL

    @helper
    def lift(state: State, player: int, hole: int) -> int:
        seeds = int(state[ring(player) + hole])
        state[ring(player) + hole] = 0
        if kiswahili and hole == NYUMBA_HOLE:
            state[NYUMBA + player] = 0
        return seeds

    @compiled
    def play_turn(state: State, action: int) -> tuple[int, bool]:
        """Play the laps of a turn; returns OVER, AT_NYUMBA, or ENDLESS in their midst, and whether it is a turn that captures."""
        mover = player_to_move(state)
        opponent, own, namua = 1 - mover, ring(mover), in_namua(state, mover)
        hole, step, safari = action % STARTS // 2, action % 2 * 2 - 1, action >= STARTS
        first_step, first = step, 0 if namua else 1  # the lap that says what kind of turn it is
        captures = namua or state[own + hole] < RING
        taxed = namua and hole == NYUMBA_HOLE and is_functional(state, mover)
        if namua:
            state[HANDS + mover] -= 1
            state[own + hole] += 1
        for lap in range(MOST_LAPS + 1):  # so many laps were sown, the last of them into `hole`
            faced = FILES - 1 - hole
            captured = lap >= first and captures and faced >= 0 and state[own + hole] > 1 and state[ring(opponent) + faced] > 0
            if lap == first:
                captures = captured
            if captured:
                seeds = lift(state, opponent, faced)
                if kiswahili and not namua and not house_in_mtaji:
                    state[NYUMBA + mover] = 0
                if at_once and front_row_is_empty(state, opponent):
                    state[PENDING] = seeds
                    return OVER, captures
                if LEFT_END >> hole & 1:
                    step = 1
                elif RIGHT_END >> hole & 1:
                    step = -1
                elif keeps_first:
                    step = first_step
            # Where a lap captures, its last hole was not empty, and the own front row is not.
            elif state[own + hole] == 1 or (at_once and hole >= FILES and front_row_is_empty(state, mover)):
                return OVER, captures
            elif lap == 0:
                seeds = 2 if taxed else lift(state, mover, hole)
                state[own + hole] -= 2 * taxed
            elif hole == NYUMBA_HOLE and not safari and (namua or (house_in_mtaji and captures)) and is_functional(state, mover):
                return AT_NYUMBA, captures
            elif takasia and state[BLOCKED] == hole + 1 and not captures and not namua:
                return OVER, captures
            else:
                seeds = lift(state, mover, hole)
            if lap == MOST_LAPS:
                break
            while skip_origin and not captured and seeds >= RING:  # a circuit without the origin
                for other in range(RING):
                    state[own + other] += other != hole
                seeds -= RING - 1
            before_kichwa = RING - 1 if step > 0 else FILES
            hole = sow(state, own, before_kichwa if captured else hole, step, seeds)
        return ENDLESS, captures

    @compiled
    def play_out(state: State, action: int, after: State) -> tuple[int, bool]:
        """How a turn ends, and whether it captures; `after` is the state in which it does."""
        for index in range(state_size):
            after[index] = state[index]
        return play_turn(after, action)

    @helper
    def is_endless(state: State, action: int, after: State) -> bool:
        """Whether a takata turn is endless; most that are not end with their first lap."""
        mover, hole = player_to_move(state), action // 2
        seeds = int(state[ring(mover) + hole]) + in_namua(state, mover)
        last = (hole + (action % 2 * 2 - 1) * seeds) & (RING - 1)
        ends_at_once = seeds < RING and state[ring(mover) + last] == 0
        return not ends_at_once and play_out(state, action, after)[0] == ENDLESS

    @compiled
    def starts(state: State) -> tuple[int, bool]:
        """The starts of the player to move, as bits, endless takata turns among them; and whether they capture."""
        mover = player_to_move(state)
        namua = in_namua(state, mover)
        if namua:
            holes = facing(state, mover)
            capturing = both_ways(holes & ~RIGHT_END) & RIGHTWARD | both_ways(holes & ~LEFT_END) & LEFTWARD
        else:
            capturing, _ = mtaji(state, mover)
        if capturing:
            return capturing, True
        occupied, pairs = holding(state, mover, 1) & FRONT, holding(state, mover, 2)
        if takasia and 0 < state[BLOCKED] <= FILES:
            pairs &= ~(1 << int(state[BLOCKED] - 1))
        if not namua:
            holes = pairs & FRONT or pairs
        elif is_functional(state, mover):
            holes = occupied & ~(1 << NYUMBA_HOLE) or occupied
        elif singles_while_owned and state[NYUMBA + mover] == 1:
            holes = occupied
        else:
            holes = pairs & FRONT or occupied
        takata = both_ways(holes)
        if to_center and occupied == 1:
            takata &= ~1
        if to_center and occupied == 1 << FILES - 1:
            takata &= ~(1 << 2 * FILES - 1)
        return takata, False

    @compiled
    def choices(state: State, obliged: bool) -> int:
        """The legal actions as bits; with those that an obligation forbids unless `obliged`."""
        mover, after = player_to_move(state), scratch()
        actions, captures = starts(state)
        may_stop = kiswahili and state[NYUMBA + mover] == 1 and (house_in_mtaji or in_namua(state, mover))
        for action in range(STARTS):
            if actions >> action & 1:
                if captures and may_stop and play_out(state, action, after)[0] == AT_NYUMBA:
                    actions |= 1 << action + STARTS
                if endless_is_illegal and not captures and is_endless(state, action, after):
                    actions ^= 1 << action
        if obliged and captures and state[BLOCKED] > FILES:
            for action in range(num_actions):
                if actions >> action & 1:
                    play_out(state, action, after)
                    actions ^= int(after[ring(1 - mover) + state[BLOCKED] - FILES - 1] > 0) << action
        return actions

    @compiled
    def legal(state: State, mask: Mask) -> int:
        actions = choices(state, obligation)
        count = 0
        for action in range(num_actions):
            mask[action] = actions >> action & 1
            count += mask[action]
        return count

    @compiled
    def can_move(state: State) -> bool:
        actions, captures = starts(state)
        after = scratch()
        for action in range(STARTS):
            if actions >> action & 1 and not (endless_is_illegal and not captures and is_endless(state, action, after)):
                return True
        return False

    @compiled
    def takasia_hole(state: State) -> int:
        """BLOCKED for the player to move, if the last turn was a takata turn of the mtaji stage."""
        player = player_to_move(state)
        (_, ends), pairs = mtaji(state, 1 - player), holding(state, player, 2) & FRONT
        if ends == 0 or in_namua(state, 0) or in_namua(state, 1) or mtaji(state, player)[0]:
            return 0
        for hole in range(FILES):
            is_exempt = hole == NYUMBA_HOLE and is_functional(state, player)
            if ends == 1 << FILES - 1 - hole and pairs >> hole & 1 and pairs != 1 << hole and not is_exempt:
                return hole + 1
        return 0

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] != LIVE:
            return
        player = player_to_move(state)
        if front_row_is_empty(state, 1 - player):
            win(state, player, FRONT_ROW)
        elif front_row_is_empty(state, player):
            win(state, 1 - player, FRONT_ROW)
        elif not can_move(state):
            win(state, 1 - player, NO_MOVES)
        elif state[PLY] >= max_plies:
            truncate(state)
        if obligation and state[BLOCKED] > FILES:  # kept only where it forbids something
            actions = choices(state, True)
            if state[STATUS] != LIVE or actions == 0 or actions == choices(state, False):
                state[BLOCKED] = 0

    @compiled
    def apply(state: State, action: int) -> None:
        mover, after = player_to_move(state), scratch()
        namua, (outcome, captures) = in_namua(state, mover), play_out(state, action, after)
        endless = outcome == ENDLESS
        for index in range(BOARD, BOARD if endless else state_size):
            state[index] = after[index]
        duty = int(state[BLOCKED]) + FILES if obligation and 0 < state[BLOCKED] <= FILES else 0
        state[BLOCKED] = 0
        end_ply(state, namua, 1 - mover)
        if endless and front_row_is_empty(after, 1 - mover):
            win(state, mover, FRONT_ROW)
        elif endless and endless_is_draw:
            finish(state, ENDLESS_TURN)
        elif endless:
            win(state, 1 - mover, ENDLESS_TURN)
        else:
            blocked = takasia_hole(state) if takasia and not (namua or captures) else 0
            state[BLOCKED] = blocked or duty
            settle(state)

    @compiled
    def init(state: State) -> None:
        state[:] = 0
        for hole in range(0 if kiswahili else HOLES):
            state[BOARD + hole] = 2
        for player in range(2 if kiswahili else 0):
            nyumba = ring(player) + NYUMBA_HOLE
            state[nyumba], state[nyumba + 1], state[nyumba + 2] = in_nyumba, 2, 2
            state[HANDS + player], state[NYUMBA + player] = SEEDS // 2 - in_nyumba - 4, 1

    observe_holes, scale = four_row.observe_holes(1 / SEEDS), np.float32(1 / SEEDS)
    seen_blocked = HOLES + 4 * kiswahili
    seen_quiet = seen_blocked + 2 * FILES * takasia

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:
        observe_holes(state, player, out)
        for index in range(2 if kiswahili else 0):
            out[HOLES + index] = state[HANDS + (player ^ index)] * scale
            out[HOLES + 2 + index] = state[NYUMBA + (player ^ index)]
        other_moves = int(player != player_to_move(state))
        for hole in range(2 * FILES * takasia):
            out[seen_blocked + hole] = state[BLOCKED] == (hole ^ other_moves * FILES) + 1
        if comes_back:
            out[seen_quiet] = min(state[QUIET], QUIET_SCALE) * np.float32(1 / QUIET_SCALE)

    def check(state: State) -> None:
        for player in range(2 if kiswahili else 0):
            if state[NYUMBA + player] not in (0, 1) or state[NYUMBA + player] > state[ring(player) + NYUMBA_HOLE]:
                raise ValueError(
                    f"nyumba={state[NYUMBA : NYUMBA + 2].tolist()}: 1 for a player who owns his, with seeds in it, else 0"
                )
        if state[PENDING] and not (at_once and (front_row_is_empty(state, 0) or front_row_is_empty(state, 1))):
            raise ValueError(f"pending={state[PENDING]}: captured seeds wait only where a front row is empty and the game is over")
        blocked, accepted = int(state[BLOCKED]), int(takasia_hole(state)) if takasia else 0
        if obligation and FILES < blocked <= 2 * FILES and not state[HANDS:NYUMBA].any():
            accepted = blocked if state[ring(1 - state[TO_MOVE]) + blocked - FILES - 1] >= 2 else 0
        if blocked not in (0, accepted):
            raise ValueError(f"blocked={blocked} is not accepted here: 0" + f" or {accepted}" * (accepted > 0))

    def naming(state: State) -> int:
        """A capture of the namua stage is written with the kichwa, another move with its direction."""
        mover = int(state[TO_MOVE])
        return mover + 2 * bool(in_namua(state, mover) and facing(state, mover))

    names: tuple[tuple[str, ...], ...] = four_row.action_names()
    fields = {"holes": FIELD}
    if kiswahili:
        names += tuple(tuple(one[action ^ 1] for action in range(STARTS)) for one in names)
        names = tuple((*one, *(name + "+" for name in one)) for one in names)
        fields |= {"hands": slice(HANDS, HANDS + 2), "nyumba": slice(NYUMBA, NYUMBA + 2)}
    if kiswahili or takasia:
        fields["blocked"] = slice(BLOCKED, BLOCKED + 1)
    fields["pending"] = slice(PENDING, PENDING + 1)
    return four_row.rules(
        id, title, options, fields, names, seen_quiet + comes_back, init, legal, apply, settle, observe, check, naming
    )


BAO_KUJIFUNZA = Family(build, KUJIFUNZA_OPTIONS, KUJIFUNZA, ACTIONS, OBSERVATION)
BAO_KISWAHILI = Family(build, KISWAHILI_OPTIONS, KISWAHILI, ACTIONS + SAFARI, OBSERVATION)
