"""Nam Nam, a Ghanaian children's game, is played on an Oware board with laps, captures of four and holes that change hands.

**Turn.** A player owns some of the twelve holes, at first the six before him. He lifts all seeds of a hole of his and sows them
counter-clockwise, one a hole; the hole they came from is sown like any other [M]. A seed that makes four in a hole captures them at
once: for the owner of the hole, whoever sows, while there are seeds in hand; for the player who sows, whoever owns the hole,
with the last seed, which ends the turn [M, O, S]. A last seed in an empty hole ends it, too; any other hole where a lap ends
is lifted and sown on [M]. Fours that no sown seed made, as at the start, lie untouched. (Who neglects a four until a fifth seed
comes to it has lost his right, says [M]; here nobody neglects any.)

**Eight left.** Who captures the next four of the last eight seeds takes the other four as well, and the round stops at once [M]. He
may be the player who does not sow, and the seeds in hand are among the eight [inferred; in S the last four go to who sows].

**No seeds.** A player without seeds in his holes misses his turn [M]. With `no_seeds="must_feed"` the other player, who has the
turn then, may only sow so that there are seeds in those holes when his turn is over; if he cannot, the round ends and each player
takes the seeds in his holes [O, S]. Only who has no seeds must be fed: a turn that takes his last ones is allowed [S].

**A round without end.** Eight or twelve seeds can circulate for ever; no source says what then. When a position comes back for the
third time each player takes the seeds in the holes he owns, and likewise, as the holes were before it, where a turn has not ended
after 1,000 laps [inferred].

**One round** (`oware_nam_nam_round`) is won by who captured more; equal totals are a draw.

**The match** (`oware_nam_nam`) is won by who owns all twelve holes [M, O]. All captures are of four, so a round's totals are
fours [inferred]; after a round without end the odd seeds of both make one hole, which goes to who has more of its four [S], at
two each to who has fewer seeds in all [inferred]. After 24:24 each player owns the six holes before him [A: a draw]. Else the
player with more seeds fills these and, with what he has left, holes of his choice on the other side, four in each [M]: he names
them one by one, an action each; with `ownership_choice="nearest"` they are the next ones counter-clockwise after his own [S].
The other player owns the rest. Four seeds lie in every hole again and captures are counted anew. The players begin the rounds
by turns [O]; with `round_starter="loser"` the loser of the last round does, after an equal one he who would have been to move
[S]. After `max_rounds` rounds who owns more holes wins, six each are a draw [open; S ends at ten holes].

Sources: [M] Masters Traditional Games, rules of Oware Nam Nam; [O] Oware Society, Nam-Nam rules; [A] E. Okyere's anware; [S]
StoneShark's MancalaGames, NamNam and NumNum.
"""

from collections.abc import Mapping

import numpy as np

from .contract import (
    BOARD,
    CAPTURED_ALL,
    CYCLE,
    DRAW,
    ENDLESS_TURN,
    LIVE,
    MAX_ROUNDS,
    NO_MOVES,
    PLY,
    QUIET,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    Board,
    Family,
    Mask,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    finish,
    margin,
    player_to_move,
    truncate,
    win,
)
from .jit import compiled, helper, make_scratch
from .sowing import MOST_LAPS
from .two_row import CYCLE_COUNT, QUIET_SCALE

ROW, HOLES = 6, 12
FOUR, ALL_SEEDS = 4, 48
OWNERS = BOARD + HOLES
ROUND, STARTER, TO_PLACE = range(OWNERS + HOLES, OWNERS + HOLES + 3)  # in a match
MATCH_FIELDS = {"round": slice(ROUND, STARTER), "starter": slice(STARTER, TO_PLACE), "to_place": slice(TO_PLACE, TO_PLACE + 1)}
NAMES = tuple("ABCDEFabcdef")

OPTIONS = {
    "no_seeds": Option(
        "pass",
        ("pass", "must_feed"),
        "a player without seeds in his holes: misses his turn [M]; must be given some, else the round ends and each takes the "
        "seeds in his holes [O, S]",
    ),
    "cycle_rule": Option(
        "own_side",
        ("own_side", "off"),
        "when a position comes back, the round ends and each player takes the seeds in the holes he owns; off: nothing ends",
    ),
    "cycle_count": CYCLE_COUNT,
}

MATCH_OPTIONS = {
    **OPTIONS,
    "ownership_choice": Option(
        "leader_chooses",
        ("leader_chooses", "nearest"),
        "which holes of the other side the leader of a round fills: those he names [M]; those next after his own six [S]",
    ),
    "round_starter": Option(
        "alternate",
        ("alternate", "loser"),
        "who begins the next round: the players by turns, South the first [O]; who had fewer seeds, after an equal round who would "
        "have been to move [S]",
    ),
    "max_rounds": Option(20, range(1, 101), "after so many rounds the owner of more holes wins"),
    "max_plies": Option(5000, range(1, 32767), "the ply at which a match that still goes on is truncated: nobody wins"),
}


@helper
def holes_of_leader(seeds: int) -> int:
    """The holes that the leader's seeds fill; the one that both fill together is his if three of its four are."""
    return (seeds + 1) // FOUR


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """One round with `OPTIONS`, a match with `MATCH_OPTIONS`."""
    is_match = "max_rounds" in options
    must_feed = options["no_seeds"] == "must_feed"
    leader_chooses = options.get("ownership_choice") == "leader_chooses"
    starts_by_turns = options.get("round_starter") == "alternate"
    max_plies, max_rounds = int(options["max_plies"]), int(options.get("max_rounds", 1))

    state_size = OWNERS + HOLES + len(MATCH_FIELDS) * is_match
    scratch = make_scratch(state_size)

    @helper
    def hole_of(player: int, place: int) -> int:
        """The hole that a player counts as `place`, from 0, counter-clockwise from his own first."""
        hole = player * ROW + place
        return hole - HOLES * (hole >= HOLES)

    @helper
    def has_seeds(state: State, player: int) -> bool:
        """Whether there are seeds in the holes that a player owns."""
        bits = 0
        for hole in range(HOLES):
            bits |= state[BOARD + hole] * (state[OWNERS + hole] == player)
        return bits != 0

    @helper
    def fill(state: State, seeds: int) -> None:
        """Put so many seeds into each hole."""
        for hole in range(HOLES):
            state[BOARD + hole] = seeds

    @helper
    def take_own_holes(state: State) -> None:
        """Each player takes the seeds in the holes he owns."""
        for hole in range(HOLES):
            state[STORE_SOUTH + state[OWNERS + hole]] += state[BOARD + hole]
            state[BOARD + hole] = 0

    @helper
    def play_turn(state: State, hole: int) -> bool:
        """Sow lap after lap from `hole`, and capture; returns whether the turn ends."""
        mover = player_to_move(state)
        left = 0  # on the board and in hand
        for index in range(HOLES):
            left += state[BOARD + index]
        for _ in range(MOST_LAPS):
            in_hand = int(state[BOARD + hole])
            state[BOARD + hole] = 0
            seeds = 0
            while in_hand > 0:
                in_hand -= 1
                hole = hole + 1 if hole + 1 < HOLES else 0
                seeds = state[BOARD + hole] + 1
                state[BOARD + hole] = seeds
                if seeds == FOUR:
                    taker = state[OWNERS + hole] if in_hand > 0 else mover
                    taken = FOUR if left > 2 * FOUR else left
                    state[STORE_SOUTH + taker] += taken
                    state[BOARD + hole] = 0
                    left -= taken
                    if left == 0:
                        fill(state, 0)
                        return True
            if (seeds == 1) | (seeds == FOUR):
                return True
        return False

    @helper
    def give_each_his_row(state: State) -> None:
        """Each player owns the six holes before him."""
        for hole in range(HOLES):
            state[OWNERS + hole] = hole >= ROW

    @helper
    def begin_round(state: State) -> None:
        """The next round, with owners settled; the stores still hold the totals of the last one."""
        south, north = state[STORE_SOUTH], state[STORE_NORTH]
        state[ROUND] += 1
        if starts_by_turns:
            state[TO_MOVE] = state[ROUND] & 1
        elif south != north:  # an equal round has no loser: the turn goes on
            state[TO_MOVE] = south > north
        state[STARTER] = state[TO_MOVE]
        state[STORE_SOUTH] = 0
        state[STORE_NORTH] = 0
        state[QUIET] = 0
        fill(state, FOUR)

    @helper
    def settle_ownership(state: State) -> None:
        """After a round of the match: its end, or the leader's holes on the other side."""
        leader = int(state[STORE_NORTH] > state[STORE_SOUTH])
        owned = holes_of_leader(state[STORE_SOUTH + leader])
        if owned == HOLES:
            win(state, leader, CAPTURED_ALL)
        elif state[ROUND] + 1 >= max_rounds:
            win(state, leader, MAX_ROUNDS)
            if owned == ROW:
                state[STATUS] = DRAW
        else:
            give_each_his_row(state)
            if leader_chooses and owned > ROW:
                state[TO_PLACE] = owned - ROW
                state[TO_MOVE] = leader
            else:
                for place in range(ROW, owned):
                    state[OWNERS + hole_of(leader, place)] = leader
                begin_round(state)

    @helper
    def end_round(state: State, reason: int) -> None:
        """All seeds are in the stores."""
        if is_match:
            settle_ownership(state)
        else:
            finish(state, reason)

    @compiled
    def feeds(state: State, hole: int) -> bool:
        """Whether the opponent has seeds after a turn from `hole`."""
        played = scratch()
        for index in range(state_size):
            played[index] = state[index]
        return play_turn(played, hole) and has_seeds(played, 1 - player_to_move(state))

    @helper
    def may_sow(state: State, hole: int, opponent_is_hungry: bool) -> bool:
        allowed = (state[BOARD + hole] > 0) & (state[OWNERS + hole] == player_to_move(state))
        if must_feed and allowed and opponent_is_hungry:
            allowed = feeds(state, hole)
        return allowed

    @helper
    def is_unfed(state: State) -> bool:
        """Whether the opponent has no seeds and the player to move cannot give him any."""
        ways = int(has_seeds(state, 1 - player_to_move(state)))
        if ways == 0:
            for hole in range(HOLES):
                ways += may_sow(state, hole, True)
        return ways == 0

    @helper
    def legal(state: State, mask: Mask) -> int:
        mover = player_to_move(state)
        is_placing = is_match and state[TO_PLACE] > 0
        opponent_is_hungry = must_feed and not has_seeds(state, 1 - mover)
        count = 0
        for action in range(HOLES):
            hole = hole_of(mover, action)
            if is_placing:
                mask[action] = state[OWNERS + hole] != mover
            else:
                mask[action] = may_sow(state, hole, opponent_is_hungry)
            count += mask[action]
        return count

    @helper
    def settle_turn(state: State) -> None:
        """The start of a turn in a round: a forced pass, or the end of the round."""
        mover = player_to_move(state)
        if not has_seeds(state, mover):
            if not has_seeds(state, 1 - mover):
                end_round(state, CAPTURED_ALL)
                return
            state[TO_MOVE] = 1 - mover
        if must_feed and is_unfed(state):
            take_own_holes(state)
            end_round(state, NO_MOVES)

    @helper
    def settle_live(state: State) -> None:
        if not is_match or state[TO_PLACE] == 0:
            settle_turn(state)
        if state[STATUS] == LIVE and state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] == LIVE:
            settle_live(state)

    @helper
    def sow(state: State, hole: int) -> None:
        before = scratch()
        for index in range(STORE_SOUTH, OWNERS):
            before[index] = state[index]
        mover = player_to_move(state)
        if play_turn(state, hole):
            captured = state[STORE_SOUTH] + state[STORE_NORTH] > before[STORE_SOUTH] + before[STORE_NORTH]
            end_ply(state, captured, 1 - mover)
        else:
            for index in range(STORE_SOUTH, OWNERS):
                state[index] = before[index]
            end_ply(state, True, 1 - mover)
            take_own_holes(state)
            end_round(state, ENDLESS_TURN)

    @helper
    def name_hole(state: State, hole: int) -> None:
        leader = player_to_move(state)
        state[OWNERS + hole] = leader
        state[TO_PLACE] -= 1
        end_ply(state, True, leader)
        if state[TO_PLACE] == 0:
            begin_round(state)

    @helper
    def apply(state: State, action: int) -> None:
        hole = hole_of(player_to_move(state), action)
        if is_match and state[TO_PLACE] > 0:
            name_hole(state, hole)
        else:
            sow(state, hole)
        if state[STATUS] == LIVE:
            settle_live(state)

    @compiled
    def adjudicate(state: State) -> None:
        if state[STATUS] == LIVE:
            take_own_holes(state)
            end_round(state, CYCLE)

    @compiled
    def init(state: State) -> None:
        state[:] = 0
        fill(state, FOUR)
        give_each_his_row(state)

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:
        for place in range(HOLES):
            hole = hole_of(player, place)
            out[place] = state[BOARD + hole] / ALL_SEEDS
            out[HOLES + place] = state[OWNERS + hole] == player
        out[2 * HOLES] = state[STORE_SOUTH + player] / ALL_SEEDS
        out[2 * HOLES + 1] = state[STORE_NORTH - player] / ALL_SEEDS
        if is_match:
            out[2 * HOLES + 2] = state[ROUND] / max_rounds
            out[2 * HOLES + 3] = state[STARTER] == player
            out[2 * HOLES + 4] = state[TO_PLACE] / ROW
        out[len(out) - 1] = min(state[QUIET], QUIET_SCALE) / QUIET_SCALE

    @helper
    def evaluate(state: State) -> int:
        """The margin of the stores; in a match the holes that South owns beyond North's count as far as the round is not played."""
        ahead = margin(state)
        if is_match:
            left = ALL_SEEDS - state[STORE_SOUTH] - state[STORE_NORTH]
            owned = 0
            for hole in range(HOLES):
                owned += 1 - 2 * state[OWNERS + hole]
            ahead += owned * FOUR * left // ALL_SEEDS
        return ahead

    def check(state: State) -> None:
        holes, owners = state[BOARD:OWNERS].tolist(), state[OWNERS : OWNERS + HOLES].tolist()
        total = sum(holes) + int(state[STORE_SOUTH]) + int(state[STORE_NORTH])
        if total > ALL_SEEDS or (is_match and total < ALL_SEEDS):
            raise ValueError(f"{total} seeds in the holes and stores: the game has {ALL_SEEDS}")
        if not set(owners) <= {0, 1}:
            raise ValueError(f"owners {owners}: each is 0 (South) or 1 (North)")
        if is_match:
            check_match(state, sum(holes), owners)

    def check_match(state: State, on_board: int, owners: list[int]) -> None:
        if len(set(owners)) == 1:
            raise ValueError(f"owners {owners}: who owns all twelve holes has won; each player owns at least one")
        round, starter, to_place = state[ROUND : ROUND + len(MATCH_FIELDS)].tolist()
        if round >= max_rounds:
            raise ValueError(f"round {round}: the first is 0, the last {max_rounds - 1}")
        if starter > 1:
            raise ValueError(f"starter {starter}: 0 (South) or 1 (North)")
        if to_place == 0:
            return
        leader = int(state[TO_MOVE])
        owned = holes_of_leader(int(state[STORE_SOUTH + leader]))
        names_holes = leader_chooses and round + 1 < max_rounds and on_board == 0 and owned < HOLES
        if not names_holes or owners.count(leader) + to_place != owned or owners[leader * ROW :][:ROW] != [leader] * ROW:
            raise ValueError(
                f"to_place {to_place}, owners {owners}: with {on_board} seeds in the holes, {state[STORE_SOUTH + leader]} of the "
                f"player to move and {max_rounds - round - 1} rounds to come, he has no such holes to name"
            )

    return Rules(
        id=id,
        title=title,
        options=options,
        num_actions=HOLES,
        state_size=state_size,
        observation_shape=(2 * HOLES + 3 + 3 * is_match,),
        board=Board(rows=(tuple(range(HOLES - 1, ROW - 1, -1)), tuple(range(ROW))), names=NAMES, seeds=ALL_SEEDS),
        fields={"holes": slice(BOARD, OWNERS), "owners": slice(OWNERS, OWNERS + HOLES), **(MATCH_FIELDS if is_match else {})},
        action_names=(NAMES, NAMES[ROW:] + NAMES[:ROW]),
        init=init,
        legal=legal,
        apply=apply,
        settle=settle,
        observe=observe,
        adjudicate=adjudicate,
        check=check,
        evaluate=evaluate,
        max_plies=max_plies,
        cycle_count=0 if options["cycle_rule"] == "off" else int(options["cycle_count"]),
    )


OBSERVATION = """\
| index | value |
|---|---|
| 0 .. 11 | the holes, counter-clockwise from the observing player's own first, seeds / 48 |
| 12 .. 23 | 1 where the observing player owns the hole, in the same order |
| 24 | the observing player's store, seeds / 48 |
| 25 | the other player's store, seeds / 48 |
"""

MATCH_OBSERVATION = """\
| 26 | the round, from 0, / `max_rounds` |
| 27 | 1 where the observing player began the round |
| 28 | holes that the leader still has to name / 6 |
"""

QUIET_OBSERVATION = f"| last | plies since the last capture / {QUIET_SCALE}, at most 1 |"

ACTIONS = """\
Action a, from 0 to 11, sows a hole of the mover's: that numbered a counter-clockwise from the first in his own row,
(hole - 6 * mover) mod 12. Notation: A, B, ... F for the holes before South from his left, a, b, ... f for those before North."""

OWARE_NAM_NAM_ROUND = Family(build, OPTIONS, page=__doc__, actions=ACTIONS, observation=OBSERVATION + QUIET_OBSERVATION)

OWARE_NAM_NAM = Family(
    build,
    MATCH_OPTIONS,
    page=__doc__,
    actions=ACTIONS + "\nBetween two rounds an action names a hole that the leader will own, one of the other row.",
    observation=OBSERVATION + MATCH_OBSERVATION + QUIET_OBSERVATION,
)
