"""The four-row games against naive implementations of the same rules (`naive/`), ply by ply, from openings and rare positions.

Each case plays its number of plies, half of them from the opening, and names what must have been met on the way.
"""

import itertools
import random
from collections import Counter

import pytest
from naive.bao import Kiswahili, Kujifunza
from naive.omweso import Omweso

import mancala_envs

NAIVE = {"omweso": Omweso, "bao_kujifunza": Kujifunza, "bao_kiswahili": Kiswahili}
RETURNS = {0: (1, -1), 1: (-1, 1), None: (0, 0)}

# ---- positions and their naive twins


def common(over, reason, returns, holes, legal, to_move, extras):
    """What is compared; who would be to move and what a turn still needs do not matter when the game is over."""
    live = {} if over else {"to_move": to_move, **extras}
    return {"over": over, "reason": reason, "returns": returns, "holes": tuple(holes), "legal": legal, **live}


def of_naive(naive):
    if isinstance(naive, Omweso):
        extras = {
            "lap_start": 0 if naive.lap_start is None else 1 + naive.lap_start,
            "files_taken": (0 in naive.files_taken) + 2 * (7 in naive.files_taken),
            "laps": naive.laps,
        }
    else:
        extras = {"blocked": 0}
        if naive.blocked is not None:
            extras["blocked"] = 1 + naive.blocked
        elif naive.owed is not None:
            extras["blocked"] = 9 + naive.owed
    seen = common(naive.over, naive.reason, RETURNS[naive.winner], naive.holes, naive.legal(), naive.to_move, extras)
    seen["pending"] = naive.pending
    if isinstance(naive, Kiswahili):
        seen |= {"hands": tuple(naive.hands), "nyumba": tuple(naive.nyumba)}
    return seen


def of_position(position):
    names = ("lap_start", "files_taken", "laps") if position.rules.id == "omweso" else ("blocked",)
    extras = {name: getattr(position, name, 0) for name in names}
    legal, to_move = position.legal_actions(), position.to_move
    seen = common(position.is_over, position.end_reason, position.returns, position.holes, legal, to_move, extras)
    seen["pending"] = position.pending
    if position.rules.id == "bao_kiswahili":
        seen |= {"hands": position.hands, "nyumba": position.nyumba}
    return seen


def pair(rules, options, **start):
    return rules.position(**start), NAIVE[rules.id](**start, **options)


def play_out(position, naive, chance, met, plies=1000):
    """Play both to the end, or so many plies, and compare them all the way; the number of plies."""
    met.update(naive.met)
    last = None
    for ply in range(plies):
        assert of_position(position) == of_naive(naive), last
        if naive.over:
            met[naive.reason] += 1
            return ply
        action = chance.choice(naive.legal())
        last = f"after action {action} in {position}"
        position = position.play(action)
        naive.play(action)
        met.update(naive.met)
        if naive.__class__ is Omweso and naive.lap_start is not None and not naive.over and chance.random() < 0.1:
            play_out(*near_its_thousandth_lap(position, naive, chance.randint(960, 999)), chance, met, 4)
    assert of_position(position) == of_naive(naive), last
    met[naive.reason] += 1
    return plies


def near_its_thousandth_lap(position, naive, laps):
    extras = {name: getattr(position, name) for name in ("lap_start", "pending", "files_taken")}
    late = naive.copy()
    late.laps = laps
    late.begin_turn()
    return position.rules.position(holes=position.holes, to_move=position.to_move, laps=laps, **extras), late


# ---- where games begin


def scattered(chance, holes, seeds):
    board = [0] * 32
    for _ in range(seeds):
        board[chance.choice(holes)] += 1
    return board


def omweso_start(chance):
    kind = chance.choice(("spread", "sparse", "piles", "one side", "left"))
    everywhere = range(32)
    if kind == "spread":
        board = scattered(chance, everywhere, 64)
    elif kind == "sparse":
        board = scattered(chance, everywhere, chance.randint(6, 40))
    elif kind == "piles":
        board = scattered(chance, chance.sample(everywhere, chance.randint(3, 9)), 64)
    elif kind == "one side":
        few = scattered(chance, range(16, 32), chance.randint(1, 10))
        many = scattered(chance, range(16), chance.randint(10, 54))
        board = [here + there for here, there in zip(few, many, strict=True)]
        if chance.random() < 0.5:
            board = board[16:] + board[:16]
    else:
        board = scattered(chance, [0, 1, 14, 15, 16, 17, 30, 31, *chance.sample(everywhere, 8)], chance.randint(8, 50))
    return {"holes": board, "to_move": chance.randrange(2)}


# Rings of which the only front hole with two or more is endless in both directions.
ENDLESS = (
    [1, 9, 1, 0, 1, 0, 1, 0, 1, 4, 1, 4, 3, 2, 3, 0],
    [7, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 1, 0, 1, 2, 3],
    [1, 0, 1, 13, 1, 0, 1, 0, 3, 2, 3, 2, 1, 2, 1, 2],
    [1, 0, 1, 0, 1, 0, 1, 3, 1, 0, 1, 0, 1, 0, 1, 0],
    [0, 1, 7, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
)


def endless_start(chance, in_hand):
    """A player with nothing but endless starts, unless the other's single front hole can be captured."""
    own = list(chance.choice(ENDLESS))
    own[max(range(8), key=own.__getitem__)] -= in_hand  # added to the hole in the namua stage
    if chance.random() < 0.5:
        own = [own[(7 - hole) % 16] for hole in range(16)]
    front = chance.randrange(8)
    other = scattered(chance, [*range(8, 16), *[front] * 3], chance.randint(2, 24))[:16]
    other[front] += 1
    to_move = chance.randrange(2)
    return {"holes": other + own if to_move else own + other, "to_move": to_move}


def bao_holes(chance, seeds):
    """A board for Bao with so many seeds at most."""
    kind = chance.choice(("spread", "sparse", "piles", "bare fronts", "no contact", "few fronts"))
    everywhere = range(32)
    back = [*range(8, 16), *range(24, 32)]
    if kind == "spread":
        return scattered(chance, everywhere, seeds)
    if kind == "sparse":
        return scattered(chance, chance.sample(everywhere, chance.randint(4, 14)), min(seeds, chance.randint(4, 30)))
    if kind == "piles":
        return scattered(chance, chance.sample(everywhere, chance.randint(3, 9)), seeds)
    if kind == "bare fronts":
        kichwas = chance.choice(([0], [7], [0, 7])) + chance.choice(([16], [23], [16, 23]))
        return scattered(chance, back + kichwas * chance.randint(1, 4), min(seeds, chance.randint(8, 64)))
    if kind == "no contact":  # nobody's front hole faces an occupied one: takata, takasia
        return scattered(chance, back + [chance.choice((hole, 23 - hole)) for hole in range(8)], seeds)
    return scattered(chance, [*back, *chance.sample(range(8), 2), *chance.sample(range(16, 24), 2)], seeds)


def kujifunza_start(chance):
    if chance.random() < 0.05:
        return endless_start(chance, in_hand=0)
    return {"holes": bao_holes(chance, 64), "to_move": chance.randrange(2)}


def kiswahili_start(chance):
    if chance.random() < 0.3:
        start = kujifunza_start(chance)
        owned = [int(start["holes"][hole] > 0 and chance.random() < 0.5) for hole in (4, 20)]
        return {"hands": [0, 0], "nyumba": owned, **start}
    if chance.random() < 0.05:
        return {"hands": [1, 1], "nyumba": [0, 0], **endless_start(chance, in_hand=1)}
    hands = [chance.randint(0, chance.choice((2, 22)))] * 2
    if chance.random() < 0.3:
        hands[1] += chance.choice((-1, 1)) * (hands[1] > 0)
    seeds = 64 - sum(hands)
    nyumba = [0, 0]
    houses = [0, 0]
    for player in (0, 1):
        if chance.random() < 0.5:
            nyumba[player] = 1
            houses[player] = chance.randint(1, min(10, seeds))
            seeds -= houses[player]
    holes = bao_holes(chance, seeds)
    holes[4] += houses[0]
    holes[20] += houses[1]
    return {"holes": holes, "hands": hands, "nyumba": nyumba, "to_move": chance.randrange(2)}


START = {"omweso": omweso_start, "bao_kujifunza": kujifunza_start, "bao_kiswahili": kiswahili_start}


def compare(id, options, plies, seed):
    """Play so many plies in games half from the opening, half from rare positions; how often what was met."""
    rules = mancala_envs.make_rules(id, **options)
    chance = random.Random(seed)
    met = Counter()
    for start, share in ((None, plies // 2), (START[id], plies - plies // 2)):
        played = 0
        while played < share:
            played += play_out(*pair(rules, options, **(start(chance) if start else {})), chance, met) or 1
    return met


# ---- the cases: game, options, plies, what must be met

OMWESO = {"clockwise start", "choice", "clockwise relay", "clockwise re-sowing", "chosen relay", "chosen re-sowing", "lap of 16+"}
OMWESO |= {"both_ends", "no_moves"}
CAPTURES = {"mtaji capture", "mtaji takata", "reversed in mid-turn", "start of 16+", "relay of 16+", "lone kichwa"}
CAPTURES |= {"front_row", "no_moves"}
TAKASIA = {f"takasia: {what} spared" for what in ("single", "only occupied hole", "only hole with 2+")}
TAKASIA |= {"takasia", "stopped in the blocked hole"}
NAMUA = {"namua capture", "namua takata", "tax", "stop", "safari in mid-turn", "nyumba lifted", "nyumba captured"}
NAMUA |= {"single starts", "takata ends in the nyumba"}
LATE = {"front_check": "turn_end", "lone_kichwa": "any"}  # as AbstractPlay

CASES = [
    ("omweso", {}, 20_000, OMWESO | {"endless after a choice", "endless_turn"}),
    ("omweso", {"setup": "all2"}, 5_000, OMWESO),
    ("omweso", {"infinite_turn": "illegal"}, 5_000, OMWESO | {"no finite start"}),
    ("omweso", {"infinite_turn": "loss"}, 5_000, OMWESO | {"endless after a choice", "endless_turn"}),
    ("bao_kujifunza", {}, 6_000, CAPTURES | {"no finite start"}),
    ("bao_kujifunza", {"capture_direction": "first_lap"}, 2_000, {"back to the first lap's direction"}),
    ("bao_kujifunza", {"skip_origin": True}, 2_000, {"start of 16+", "relay of 16+"}),
    ("bao_kujifunza", {"lone_kichwa": "any"}, 2_000, {"lost in mid-turn"}),
    ("bao_kujifunza", {"front_check": "turn_end"}, 2_000, {"front_row"}),
    ("bao_kujifunza", {"takasia": True}, 4_000, TAKASIA),
    ("bao_kujifunza", {"infinite_turn": "draw"}, 2_000, {"endless"}),
    ("bao_kujifunza", {"infinite_turn": "loss", "takasia": True, **LATE}, 2_000, {"endless"}),
    ("bao_kiswahili", {}, 20_000, CAPTURES | NAMUA | TAKASIA | {"takasia: nyumba spared", "no finite start"}),
    ("bao_kiswahili", {"setup": "malawi"}, 2_000, NAMUA),
    ("bao_kiswahili", {"singles_rule": "owned"}, 3_000, {"single starts", "dormant nyumba starts"}),
    ("bao_kiswahili", {"mtaji_house": "choice"}, 3_000, {"mtaji stop", "mtaji safari in mid-turn"}),
    ("bao_kiswahili", {"takasia": False}, 2_000, CAPTURES),
    ("bao_kiswahili", {"takasia_obligation": True}, 6_000, {"takasia", "obligation kept"}),
    ("bao_kiswahili", {"infinite_turn": "draw"}, 2_000, {"endless"}),
    ("bao_kiswahili", {"infinite_turn": "loss", "setup": "malawi", "singles_rule": "owned"}, 2_000, {"endless"}),
    ("bao_kiswahili", {"lone_kichwa": "any", "takasia_obligation": True, "mtaji_house": "choice"}, 2_000, {"lost in mid-turn"}),
    ("bao_kiswahili", {"skip_origin": True, "max_plies": 40, **LATE}, 2_000, {"relay of 16+", "max_plies"}),
]


def name_of(case):
    return "-".join([case[0], *(f"{name}={value}" for name, value in case[1].items())])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_games_agree(case):
    id, options, plies, expected = case
    met = compare(id, options, plies, seed=1)
    assert expected - {what for what, times in met.items() if times} == set()


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_many_games_agree(case):
    id, options, _, _ = case
    compare(id, options, 100_000, seed=2)


# ---- turns of about a thousand laps

RELAY = [7, 2, 2, 3, 0, 1, 2, 1, 2, 1, 2, 4, 0, 1, 3, 2]  # hole 1, clockwise: ends after 1,706 laps


def ring_of(laps):
    """A ring whose hole 1, sown clockwise and relayed, comes to an end after so many laps."""
    ring, hole = list(RELAY), 1
    for _ in range(1706 - laps):
        seeds, ring[hole] = ring[hole], 0
        for _ in range(seeds):
            hole = (hole + 1) % 16
            ring[hole] += 1
    return ring[hole - 1 :] + ring[: hole - 1]


def test_ring_of():
    ring, hole, laps = ring_of(1000), 1, 0
    while True:
        seeds, ring[hole] = ring[hole], 0
        for _ in range(seeds):
            hole = (hole + 1) % 16
            ring[hole] += 1
        laps += 1
        if ring[hole] == 1:
            break
    assert laps == 1000


@pytest.mark.parametrize(("laps", "ends"), [(999, True), (1000, True), (1001, False), (1706, False)])
def test_a_turn_is_endless_after_1000_laps(laps, ends):
    """One front hole of the opponent is occupied, and all lie where nothing can be captured."""
    clockwise = ring_of(laps)
    counter = [clockwise[(2 - hole) % 16] for hole in range(16)]  # its mirror image: hole 1 counter-clockwise
    far = [0] * 16
    far[8] = 3
    position, naive = pair(mancala_envs.make_rules("omweso"), {}, holes=counter + far)
    assert of_position(position.play(2))["reason"] == (None if ends else "endless_turn")
    naive.play(2)
    assert of_position(position.play(2)) == of_naive(naive)

    agreed = 0
    for id, other in itertools.product(("bao_kujifunza", "bao_kiswahili"), range(8)):
        front = [0] * 16
        front[other] = 2
        start = {"hands": [0, 0], "nyumba": [0, 0]} if id == "bao_kiswahili" else {}
        for infinite_turn in ("illegal", "draw"):
            options = {"infinite_turn": infinite_turn}
            position, naive = pair(mancala_envs.make_rules(id, **options), options, holes=clockwise + front, **start)
            assert of_position(position) == of_naive(naive)
            if naive.capturing_starts(0):
                continue
            agreed += 1
            assert (3 in naive.legal()) == (ends or infinite_turn == "draw")
            if 3 in naive.legal():
                naive.play(3)
                position = position.play(3)
                assert of_position(position) == of_naive(naive)
                assert naive.reason == (None if ends else "endless_turn")
    assert agreed


def test_a_won_turn_that_would_go_on_for_ever_is_won():
    south = [1, 5, 4, 6, 1, 0, 0, 0, 3, 0, 0, 3, 0, 1, 1, 1]
    north = [1, 5, 2, 0, 2, 0, 3, 0, 3, 1, 8, 1, 4, 0, 8, 0]
    options = {"infinite_turn": "loss", "takasia": True, **LATE}
    position, naive = pair(mancala_envs.make_rules("bao_kujifunza", **options), options, holes=south + north, to_move=1)
    naive.play(3)
    assert "won for ever" in naive.met
    assert of_position(position.play(3)) == of_naive(naive)
