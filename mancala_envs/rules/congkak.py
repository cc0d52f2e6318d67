"""Congkak is played on two rows of houses, with laps; each player's store lies at his left and is sown, clockwise [W].

**Sowing.** A player lifts all seeds of a house of his own row and sows them one by one into the houses after it, into his own store
when he passes it, not into his opponent's [W]. The house they came from is sown like any other: a lap of a whole circuit ends in
it, empty as it is [inferred]. Where the last seed falls decides [W]:

- into his own store: he moves again, from any of his houses;
- into a house with seeds, of either player: he lifts them all and sows on;
- into an empty house of the opponent: his turn is over, the seed stays;
- into an empty house of his own: the seed and those in the house opposite go to his store, his turn is over. Most sources bank
  the capturing seed [W, S]; [H] names the opposite seeds alone. With nothing opposite the seed is banked all the same [W], or stays
  with `empty_opposite="leave"` [S]. No circuit is needed first.

Every circuit of a turn drops a seed into the store, so no turn is endless and no position comes back [inferred].

**Opening.** Several sources let both players open at once, from any house [W], from that nearest the store [E] or from the
right-most one, whose seventh seed reaches the store [H]; who ends first moves next. That hides a choice from the other player,
so it is not built: South opens and turns alternate, as in most programs. The first player is very strong; for Dakon a winning
opening of 25 repeated turns is published [P].

**End of a round.** The round is over when the player to move has no seeds, also when he would move again; the rest goes to the
opponent [W, L]. With `no_move="pass"` he is passed over until both rows are empty, as in Sungka and Dakon. More seeds win the
round; equal totals are a draw. `congkak` is one round.

**The match** (`congkak_match`) goes on with what the stores hold. Each player fills his houses from his own store, each with as
many seeds as at the start, from the store outwards [O; W says from the left, which is the same; L the other way round]. Houses that
he cannot fill are burnt: not sown and not played in this round; they may be filled again in a later one [W]. A burnt house opposite
counts as empty [inferred]. What is left stays in his store [W]. The loser of the round, who has fewer seeds, opens the next [W];
after an equal one the same player opens again [open]. (Elsewhere: the player without burnt houses [E, H], who moved last [O, K].)

A player who cannot fill `min_holes` houses loses [W: one; K: four]. After `max_rounds` rounds the larger total wins [open; B plays
3, 5 or 7]. Where both happen at once the winner is the same, and the first is the reason given.

Sources: [W] Wikipedia, Southeast Asian mancala; [E] its older text, Congkak; [H] M. Hellier, Note on the Malay game "Jongkak",
1907; [O] H. Overbeck, New notes on the game of "Chongkak", 1915; [L] Ludii, evidence 676, Main Chongkak; [S] salvi, Congklak rules;
[B] congkak-bga, Board Game Arena; [K] MancalaGames, Dakon; [P] Donkers, de Voogt and Uiterwijk on Dakon. The list of games at
dshu.net names Congkak and gives no rules.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from . import two_row
from .contract import (
    BOARD,
    LIVE,
    MAX_ROUNDS,
    NO_MOVES,
    PLY,
    QUIET,
    STATUS,
    STORE_NORTH,
    STORE_SOUTH,
    TO_MOVE,
    Family,
    Option,
    OptionValue,
    Rules,
    State,
    end_ply,
    finish,
    margin,
    player_to_move,
    truncate,
)
from .jit import compiled, helper
from .two_row import TwoRow

OPTIONS = {
    "houses": Option(7, range(5, 10), "houses a row"),
    "seeds": Option(7, range(3, 10), "seeds in each house at the start"),
    "direction": Option(
        "cw", ("cw", "ccw"), "clockwise, the store at its owner's left [W]; counter-clockwise, at his right (Sungka, Dakon) [K]"
    ),
    "no_move": Option(
        "end_round",
        ("end_round", "pass"),
        "what happens to a player to move who has no seeds: the round ends [W, L]; he is passed over until both rows are empty [K]",
    ),
    "empty_opposite": Option(
        "bank",
        ("bank", "leave"),
        "a last seed in an empty own house with nothing opposite: goes to the store [W]; stays there [S, K]",
    ),
}

MATCH_OPTIONS = {
    **OPTIONS,
    "min_holes": Option(1, range(1, 10), "a player who cannot fill so many houses after a round loses [W: one; K: four]"),
    "max_rounds": Option(20, range(1, 101), "after so many rounds the larger total wins"),
    "max_plies": Option(5000, range(1, 32767), "the ply at which a match that still goes on is truncated: nobody wins"),
}


def build(id: str, title: str, options: Mapping[str, OptionValue]) -> Rules:
    """Congkak with the given options, see `OPTIONS`; with those of `MATCH_OPTIONS` a match."""
    houses, seeds, max_plies = int(options["houses"]), int(options["seeds"]), int(options["max_plies"])
    clockwise = options["direction"] == "cw"
    passes = options["no_move"] == "pass"
    banks_lone_seed = options["empty_opposite"] == "bank"
    is_match = "max_rounds" in options
    min_holes, max_rounds = int(options.get("min_holes", 0)), int(options.get("max_rounds", 1))
    if min_holes > houses:
        raise ValueError(f"min_holes={min_holes} is not accepted with houses={houses}: a player has no more to fill")

    holes = 2 * houses
    board = TwoRow(houses, seeds, observes_quiet=False)
    legal = board.occupied_houses()
    row_seeds, row_is_empty, bank_own_sides = board.row_seeds(), board.row_is_empty(), board.bank_own_sides()

    # A place is the index of a hole or a store in a state; in a match a hole's flag "burnt" stands `holes` behind it.
    round_at, starter_at = BOARD + 2 * holes, BOARD + 2 * holes + 1
    outwards = np.array([range(BOARD + player * houses, BOARD + player * houses + houses) for player in (0, 1)])  # [2, houses]
    if not clockwise:
        outwards = np.ascontiguousarray(outwards[:, ::-1])

    # The circuit of a player:   his houses towards his store | his store | the opponent's houses
    following = np.zeros((2, BOARD + holes), np.uint8)  # unsigned, so that no negative index need be looked for
    for player in (0, 1):
        circuit = [*outwards[player, ::-1], STORE_SOUTH + player, *outwards[1 - player, ::-1]]
        following[player, circuit] = circuit[1:] + circuit[:1]
    longest_turn = (board.all_seeds + 1) * (holes + 1)  # laps; it would have sown more seeds into the store than there are

    @helper
    def sow(state: State, mover: int, place: int, in_hand: int) -> int:
        """Sow `in_hand` seeds into the places after `place`; returns the last one."""
        for _ in range(in_hand):
            place = int(following[mover, place])
            if is_match:
                while place >= BOARD and state[place + holes] > 0:  # burnt
                    place = int(following[mover, place])
            state[place] += 1
        return place

    @helper
    def play_turn(state: State, mover: int, place: int) -> bool:
        """Sow lap after lap from `place`, and capture; returns whether the mover moves again."""
        own, store = BOARD + mover * houses, STORE_SOUTH + mover
        for _ in range(longest_turn):
            in_hand = int(state[place])
            state[place] = 0
            place = sow(state, mover, place, in_hand)
            if place == store:
                return True
            if state[place] == 1:  # it was empty
                break
        opposite = 2 * BOARD + holes - 1 - place
        if own <= place < own + houses and (banks_lone_seed or state[opposite] > 0):
            state[store] += state[place] + state[opposite]
            state[place] = 0
            state[opposite] = 0
        return False

    @helper
    def begin_round(state: State) -> None:
        """Each player fills his houses from his store; those he cannot fill are burnt."""
        south, north = state[STORE_SOUTH], state[STORE_NORTH]
        if south != north:
            state[starter_at] = south > north  # the loser
        state[TO_MOVE] = state[starter_at]
        state[QUIET] = 0
        state[round_at] += 1
        for player in range(2):
            for house in range(houses):
                place = outwards[player, house]
                fills = state[STORE_SOUTH + player] >= seeds
                state[place] = seeds * fills
                state[place + holes] = not fills
                state[STORE_SOUTH + player] -= seeds * fills

    @helper
    def end_round(state: State) -> None:
        """All seeds are in the stores."""
        if not is_match or min(state[STORE_SOUTH], state[STORE_NORTH]) < min_holes * seeds:
            finish(state, NO_MOVES)
        elif state[round_at] + 1 >= max_rounds:
            finish(state, MAX_ROUNDS)
        else:
            begin_round(state)

    @helper
    def settle_live(state: State) -> None:
        mover = player_to_move(state)
        if row_is_empty(state, mover):
            if passes and not row_is_empty(state, 1 - mover):
                state[TO_MOVE] = 1 - mover
            else:
                bank_own_sides(state)
                end_round(state)
        if is_match and state[round_at] + 1 == max_rounds:
            state[starter_at] = 0  # no round follows: it matters no more who began this one
        if state[STATUS] == LIVE and state[PLY] >= max_plies:
            truncate(state)

    @compiled
    def settle(state: State) -> None:
        if state[STATUS] == LIVE:
            settle_live(state)

    @helper
    def apply(state: State, action: int) -> None:
        mover = player_to_move(state)
        banked = state[STORE_SOUTH + mover]
        moves_again = play_turn(state, mover, BOARD + mover * houses + action)
        end_ply(state, state[STORE_SOUTH + mover] > banked, mover if moves_again else 1 - mover)
        settle_live(state)

    one_round = board.rules(id, title, options, legal, apply, settle, two_row.numbered(houses), stores_at_left=clockwise)
    if not is_match:
        return one_round

    observe_board = one_round.observe
    share_of_rounds = np.float32(1 / max_rounds)

    @compiled
    def observe(state: State, player: int, out: np.ndarray) -> None:
        observe_board(state, player, out)
        own, other = BOARD + holes + player * houses, BOARD + holes + (1 - player) * houses
        for house in range(houses):
            out[holes + 2 + house] = state[own + house]
            out[holes + 2 + houses + house] = state[other + house]
        out[2 * holes + 2] = state[round_at] * share_of_rounds
        out[2 * holes + 3] = (state[starter_at] == player) & (state[round_at] + 1 < max_rounds)

    @helper
    def evaluate(state: State) -> int:
        """The seeds that the next round gives South, in his store and row, less North's."""
        return margin(state) + row_seeds(state, 0) - row_seeds(state, 1)

    def check(state: State) -> None:
        one_round.check(state)
        burnt = state[BOARD + holes : round_at]
        if not np.isin(burnt, (0, 1)).all():
            raise ValueError(f"burnt={burnt.tolist()}: each is 0 or 1 (burnt)")
        for hole in range(holes):
            if burnt[hole] and state[BOARD + hole]:
                raise ValueError(f"hole {hole} is burnt and holds {state[BOARD + hole]} seeds: a burnt hole holds none")
        for player in (0, 1):
            unburnt = houses - int(burnt[player * houses :][:houses].sum())
            if unburnt < max(1, min_holes):
                name = ("South", "North")[player]
                raise ValueError(f"{name} has {unburnt} unburnt houses: with fewer than {max(1, min_holes)} the match is lost")
        if not 0 <= state[round_at] < max_rounds:
            raise ValueError(f"round={state[round_at]} is not accepted: 0 to {max_rounds - 1}, with max_rounds={max_rounds}")
        if state[starter_at] not in (0, 1):
            raise ValueError(f"starter={state[starter_at]} is not accepted: 0 (South) or 1 (North)")

    return replace(
        one_round,
        state_size=starter_at + 1,
        observation_shape=(2 * holes + 4,),
        fields={
            **one_round.fields,
            "burnt": slice(BOARD + holes, round_at),
            "round": slice(round_at, round_at + 1),
            "starter": slice(starter_at, starter_at + 1),
        },
        observe=observe,
        check=check,
        evaluate=evaluate,
        stores_only_count=False,
    )


CONGKAK = Family(
    build,
    OPTIONS,
    page=__doc__,
    actions=two_row.NUMBERED_ACTIONS,
    observation=two_row.OBSERVATION,
)

CONGKAK_MATCH = Family(
    build,
    MATCH_OPTIONS,
    page=__doc__,
    actions=CONGKAK.actions,
    observation=two_row.OBSERVATION
    + """
| 2n+2 .. 3n+1 | 1 where the observing player's house is burnt, else 0 |
| 3n+2 .. 4n+1 | 1 where the other player's house is burnt, else 0 |
| 4n+2 | rounds played before this one / max_rounds |
| 4n+3 | 1 where the observing player opened this round and another round may follow, else 0 |""",
)
