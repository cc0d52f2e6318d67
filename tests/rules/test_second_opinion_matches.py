"""The matches of Nam Nam and Congkak beside slow ones written from the rules' wording alone: every ply must agree."""

import random
from collections import Counter

import pytest
from naive import congkak, oware_nam_nam

import mancala_envs

GAMES = {  # the slow game, what it is told besides the options, the extras of a position
    "oware_nam_nam": (oware_nam_nam.Match, {}, ("owners", "round", "starter", "to_place")),
    "oware_nam_nam_round": (oware_nam_nam.Match, {"one_round": True, "max_plies": 1000}, ("owners",)),
    "congkak_match": (congkak.Match, {}, ("burnt", "round", "starter")),
    "congkak": (congkak.Match, {"one_round": True, "max_plies": 1000}, ()),
}
RETURNS = {None: (0, 0), 0: (1, -1), 1: (-1, 1)}


class SideBySide:
    """Games of one ruleset, played by the fast rules and the slow ones; counts the plies and the rare things met."""

    def __init__(self, id, **options):
        self.rules = mancala_envs.make_rules(id, **options)
        self.slow_game, told, self.extras = GAMES[id]
        self.told = {**told, **options}
        self.plies = 0
        self.met = Counter()

    def play_openings(self, plies, seed):
        generator = random.Random(seed)
        until = self.plies + plies
        while self.plies < until:
            self.play(generator)
        return self

    def play_starts(self, make_start, games, seed):
        generator = random.Random(seed)
        for _ in range(games):
            self.play(generator, at_most=120, **make_start(generator, self.rules.options))
        return self

    def play(self, generator, at_most=10_000, **start):
        position = self.rules.position(**start)
        slow = self.slow_game(**self.told, **start)
        actions = []
        self.compare(position, slow, start, actions)
        while not slow.over and len(actions) < at_most:
            action = generator.choice(slow.legal())
            actions.append(action)
            position = position.play(action)
            slow.play(action)
            self.compare(position, slow, start, actions)
        self.plies += len(actions)
        self.met.update(slow.met | {slow.reason})

    def compare(self, position, slow, start, actions):
        fast = {
            "legal": position.legal_actions(),
            "holes": list(position.holes),
            "stores": list(position.stores),
            "over": position.is_over,
            "reason": position.end_reason,
            "returns": position.returns,
        }
        expected = {
            "legal": slow.legal(),
            "holes": slow.holes,
            "stores": slow.stores,
            "over": slow.over,
            "reason": slow.reason,
            "returns": RETURNS[slow.winner],
        }
        if not slow.over:
            for name in ("to_move", *self.extras):
                value = getattr(position, name)
                fast[name] = list(value) if isinstance(value, tuple) else value
                expected[name] = getattr(slow, name)
            if "starter" in expected and slow.round + 1 == slow.max_rounds:
                expected["starter"] = fast["starter"]  # nobody needs it any more
        assert fast == expected, f"{self.rules.id} {dict(self.rules.options)} from {start} after {actions}"


def congkak_start(generator, options):
    """A late position with burnt holes, often with a round's end near."""
    houses, seeds = options["houses"], options["seeds"]
    burnt = [0] * (2 * houses)
    if "max_rounds" in options:
        for player in (0, 1):
            row = range(houses * player, houses * player + houses)
            for hole in generator.sample(row, generator.choice([0, 0, 1, 2, houses - options["min_holes"]])):
                burnt[hole] = 1
    holes = [0] * (2 * houses)
    for _ in range(generator.choice([1, 2, 3, 5, 8])):
        holes[generator.choice([hole for hole in range(2 * houses) if not burnt[hole]])] += generator.choice([1, 1, 2, 3])
    banked = max(2 * houses * seeds - sum(holes), 0)
    south = generator.choice(
        [banked // 2, banked // 2 - 1, generator.randint(0, banked), min(banked, generator.randint(0, 2 * seeds))]
    )
    start = {"holes": holes, "stores": (south, banked - south), "to_move": generator.randrange(2)}
    if "max_rounds" in options:
        round = generator.randrange(options["max_rounds"])
        starter = 0 if round + 1 == options["max_rounds"] else generator.randrange(2)
        start |= {"burnt": burnt, "round": round, "starter": starter}
    return start


CONGKAK = {  # options, and what their games must meet besides
    "default": ({}, {"regained", "equal round", "max_rounds", "no_moves"}),
    "pass": ({"no_move": "pass"}, {"pass", "equal round"}),
    "leave": ({"empty_opposite": "leave"}, {"opposite left"}),
    "ccw": ({"direction": "ccw"}, {"regained"}),
    "min_holes": ({"min_holes": 4}, {"no_moves", "max_rounds"}),
    "max_rounds": ({"max_rounds": 2}, {"max_rounds", "no_moves"}),
    "small": ({"houses": 5, "seeds": 3}, {"regained", "equal round"}),
    "large": ({"houses": 9, "seeds": 9, "max_plies": 300}, {"max_plies"}),
    "all": (
        {"direction": "ccw", "no_move": "pass", "empty_opposite": "leave", "min_holes": 2, "houses": 6, "seeds": 4},
        {"pass", "opposite left", "no_moves"},
    ),
}


@pytest.mark.parametrize("name", CONGKAK)
def test_congkak_match(name):
    options, must_meet = CONGKAK[name]
    games = SideBySide("congkak_match", **options)
    games.play_openings(20_000 if name == "default" else 4_000, seed=1)
    games.play_starts(congkak_start, 100, seed=2)
    assert games.met.keys() >= {"full circuit", "opposite burnt"} | must_meet


@pytest.mark.parametrize(
    "options",
    [{}, {"no_move": "pass"}, {"empty_opposite": "leave", "direction": "ccw"}, {"houses": 9, "seeds": 9, "max_plies": 20}],
)
def test_congkak_round(options):
    games = SideBySide("congkak", **options).play_openings(3_000, seed=3).play_starts(congkak_start, 300, seed=4)
    assert games.met["no_moves"] > 0


def nam_nam_start(generator, options):
    """A round near its end: few seeds, holes of the other side owned by either player, often a full or a draw in reach."""
    owners = [0] * 6 + [1] * 6
    for hole in generator.sample(range(12), generator.choice([0, 0, 1, 2, 5])):
        owners[hole] = 1 - owners[hole]
    seeds = generator.choice([4, 8, 8, 8, 12, 12, 16, generator.randint(1, 20)])
    holes = [0] * 12
    sown = generator.sample(range(12), generator.randint(1, 5))
    for _ in range(seeds):
        holes[generator.choice(sown)] += 1
    south = generator.choice([4 * generator.randint(0, (48 - seeds) // 4), generator.randint(0, 48 - seeds), 20, 0])
    start = {"holes": holes, "stores": (south, 48 - seeds - south), "owners": owners, "to_move": generator.randrange(2)}
    return start | round_and_starter(generator, options)


def round_and_starter(generator, options):
    if "max_rounds" not in options:
        return {}
    round = generator.randrange(options["max_rounds"])
    return {"round": round, "starter": round % 2 if options["round_starter"] == "alternate" else generator.randrange(2)}


def placing_start(generator, options):
    """The leader has some of his holes still to name."""
    leader = generator.randrange(2)
    seeds = generator.randint(27, 46)
    earned = seeds // 4 - 6 + (seeds % 4 == 3)
    to_place = generator.randint(1, earned)
    owners = [0] * 6 + [1] * 6
    for hole in generator.sample([hole for hole in range(12) if owners[hole] != leader], earned - to_place):
        owners[hole] = leader
    return {
        "holes": [0] * 12,
        "stores": (seeds, 48 - seeds) if leader == 0 else (48 - seeds, seeds),
        "owners": owners,
        "to_move": leader,
        "to_place": to_place,
    } | round_and_starter(generator, {**options, "max_rounds": options["max_rounds"] - 1})


ENDLESS = [  # holes, and one whose turn never ends, in some only after captures
    ([0, 2, 1, 0, 1, 0, 2, 1, 3, 1, 0, 1], 8),
    ([0, 2, 1, 0, 2, 1, 2, 0, 1, 0, 2, 1], 6),
    ([1, 0, 2, 1, 2, 0, 2, 1, 0, 2, 1, 0], 4),
    ([0, 2, 1, 0, 4, 1, 2, 2, 1, 0, 2, 1], 6),
    ([2, 0, 2, 1, 2, 0, 1, 0, 2, 4, 0, 2], 4),
    ([1, 1, 0, 4, 1, 0, 3, 0, 2, 4, 3, 1], 10),
    ([0, 1, 2, 2, 2, 0, 1, 3, 1, 0, 2, 6], 7),
]


class FirstThen:
    """Chooses one action first where that is legal, then at random."""

    def __init__(self, first, seed):
        self.first = first
        self.generator = random.Random(seed)

    def choice(self, actions):
        first, self.first = self.first, None
        return first if first in actions else self.generator.choice(actions)


def play_endless_turns(games):
    """Each endless turn with several stores, and with owners of two kinds: own rows; the mover owns all seeds."""
    own_rows = [0] * 6 + [1] * 6
    for number, (holes, hole) in enumerate(ENDLESS):
        mover = own_rows[hole]
        everything = [mover if seeds else 1 - mover for seeds in holes]
        left = 48 - sum(holes)
        row = [sum(holes[:6]), sum(holes[6:])]
        for owners in (own_rows, everything):
            for south in {0, left, left // 2, max(24 - row[0], 0)}:  # with the last the round is drawn
                start = {"holes": holes, "stores": (south, left - south), "owners": owners, "to_move": mover}
                games.play(FirstThen((hole - 6 * mover) % 12, seed=number), at_most=20, **start)


NAM_NAM = {  # options, and what their games must meet besides
    "default": ({}, {"repeated round"}),
    "must_feed": ({"no_seeds": "must_feed"}, {"hungry", "cannot feed", "hungry, round over", "hungry, endless"}),
    "nearest": ({"ownership_choice": "nearest"}, {"repeated round"}),
    "loser": ({"round_starter": "loser"}, {"repeated round"}),
    "max_rounds": ({"max_rounds": 2}, {"repeated round"}),
    "cycle_count": ({"cycle_count": 2}, {"repeated round"}),
    "cycle_off": ({"cycle_rule": "off", "max_plies": 300}, {"max_plies"}),
    "max_plies": ({"max_plies": 60}, {"max_plies"}),
    "all": (
        {"no_seeds": "must_feed", "ownership_choice": "nearest", "round_starter": "loser", "max_rounds": 5, "cycle_count": 4},
        {"hungry", "cannot feed", "hungry, round over", "hungry, endless"},
    ),
}


@pytest.mark.parametrize("name", NAM_NAM)
def test_nam_nam_match(name):
    options, must_meet = NAM_NAM[name]
    games = SideBySide("oware_nam_nam", **options)
    games.play_openings(20_000 if name == "default" else 3_000, seed=5)
    games.play_starts(nam_nam_start, 80, seed=6)
    if games.rules.options["ownership_choice"] == "leader_chooses":
        games.play_starts(placing_start, 20, seed=7)
    play_endless_turns(games)
    everywhere = {"pass", "24:24", "odd hole [1, 3]", "odd hole [2, 2]", "endless round", "max_rounds", "captured_all"}
    assert games.met.keys() >= everywhere | must_meet


@pytest.mark.parametrize("no_seeds", ["pass", "must_feed"])
def test_nam_nam_round(no_seeds):
    games = SideBySide("oware_nam_nam_round", no_seeds=no_seeds)
    games.play_openings(4_000, seed=8)
    games.play_starts(nam_nam_start, 300, seed=9)
    play_endless_turns(games)
    assert games.met.keys() >= {"pass", "captured_all", "cycle", "endless_turn"}
    assert ("no_moves" in games.met) == (no_seeds == "must_feed")


@pytest.mark.slow
@pytest.mark.parametrize("id", GAMES)
def test_many_games(id):
    rules = mancala_envs.make_rules(id)
    spread = [options for options, _ in {"oware_nam_nam": NAM_NAM, "congkak_match": CONGKAK}.get(id, {"": ({}, None)}).values()]
    for options in spread:
        games = SideBySide(id, **options)
        games.play_openings(200_000, seed=10)
        games.play_starts(nam_nam_start if "cycle_rule" in rules.options else congkak_start, 2_000, seed=11)
        print(id, options, games.plies, dict(games.met))
