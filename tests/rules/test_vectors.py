"""Whole games that other programs played, ply by ply: legal moves, boards, stores, the next player and the result.

Where a program plays other rules than ours, an option of ours says so, or a difference has a name here: a function that must
explain exactly what was met, and how often it is met in the file.
"""

import collections
from dataclasses import dataclass, field

import pytest
from recorded import games_of

import mancala_envs
from mancala_envs import Position


@dataclass(frozen=True)
class Record:
    """A file of games, the rules it keeps, and how many plies show each difference that no option explains."""

    file: str
    ruleset: str
    options: dict[str, object] = field(default_factory=dict)
    differences: dict[str, int] = field(default_factory=dict)


NO_REPETITION = {"cycle_rule": "off"}  # MancalaGames and AbstractPlay have no repetition rule

RECORDS = [
    Record("oware_masters__mancalagames", "oware", NO_REPETITION),
    Record("oware_gs_illegal__mancalagames", "oware", {"grand_slam": "illegal", **NO_REPETITION}),
    Record("oware_abapa__mancalagames", "oware_abapa", NO_REPETITION),
    Record("oware_abapa__openspiel", "oware_abapa", {"cycle_count": 2}, {"sweeps_after_majority": 4}),
    Record(
        "oware_abapa__abstractplay",
        "oware_abapa",
        NO_REPETITION,
        {"never_sweeps": 1, "ends_forced_cycles": 1},
    ),
    Record("wari_pl_chainback__mancalagames", "wari_pl", {"capture_chain": "preceding", **NO_REPETITION}),
    Record("wari_pl_chainboth__mancalagames", "wari_pl", {"capture_chain": "both_sides", **NO_REPETITION}),
    Record("kalah_4__openspiel", "kalah", {}, {"never_sweeps": 6}),
    Record("kalah_4__mancalagames", "kalah", {"end_test": "mover_only"}),
    Record("kalah_5__mancalagames", "kalah", {"end_test": "mover_only", "seeds": 5}),
    Record("kalah_6__mancalagames", "kalah", {"end_test": "mover_only", "seeds": 6}),
]


def own_sides(holes: list[int], stores: list[int]) -> tuple[int, int]:
    """The stores after each player has taken his own row."""
    houses = len(holes) // 2
    return stores[0] + sum(holes[:houses]), stores[1] + sum(holes[houses:])


def never_sweeps(ours: Position, ply: dict, last: bool) -> bool:
    swept = own_sides(ply["board_after"], ply["stores_after"])
    return last and ours.end_reason == "no_moves" and set(ours.holes) == {0} and ours.stores == swept


def sweeps_after_majority(ours: Position, ply: dict, last: bool) -> bool:
    swept = own_sides(ours.holes, ours.stores)
    return last and ours.end_reason == "majority" and set(ply["board_after"]) == {0} and tuple(ply["stores_after"]) == swept


def ends_forced_cycles(ours: Position, ply: dict, last: bool) -> bool:
    """AbstractPlay ends a game that runs in a circle of forced moves; each player keeps his side."""
    return last and not ours.is_over and state_of(ours) == recorded(ply)


EXPLANATIONS = {check.__name__: check for check in (never_sweeps, sweeps_after_majority, ends_forced_cycles)}


def state_of(position: Position) -> tuple:
    return position.holes, position.stores


def recorded(ply: dict, when: str = "after") -> tuple:
    return tuple(ply[f"board_{when}"]), tuple(ply[f"stores_{when}"])


def replay(rules: mancala_envs.Rules, game: dict, known: dict[str, int]) -> list[str]:
    """Play a recorded game; returns the names of the differences met."""
    met = []
    position = rules.position(holes=game["setup"])
    plies = game["plies"]
    was_cut = "cut" in game["result"]["reason"]
    for number, ply in enumerate(plies):
        mover = ply["mover"]
        assert position.to_move == mover
        assert state_of(position) == recorded(ply, "before")
        first = mover * rules.num_actions
        assert [first + action for action in position.legal_actions()] == ply["legal"]
        position = position.play(ply["move"] - first)

        last = number == len(plies) - 1
        agrees = state_of(position) == recorded(ply) and position.is_over == (last and not was_cut)
        if not agrees:
            names = [name for name in known if EXPLANATIONS[name](position, ply, last)]
            assert names, f"ply {number} {ply}: ours is {position!r}, {position.end_reason}"
            met += names
    if not was_cut:
        south, north = own_sides(position.holes, position.stores) if met else position.stores
        assert [south, north] == game["result"]["final_stores"]
        south_wins = (south > north) - (south < north)
        assert south_wins == {None: 0, 0: 1, 1: -1}[game["result"]["winner"]]
        assert position.returns == ((south_wins, -south_wins) if position.is_over else (0, 0))
    return met


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.file)
def test_recorded_games(record):
    rules = mancala_envs.make_rules(record.ruleset, **record.options)
    met = [name for game in games_of(record.file) for name in replay(rules, game, record.differences)]
    assert {name: met.count(name) for name in set(met)} == record.differences


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if record.options.get("cycle_rule") == "off"], ids=lambda record: record.file
)
def test_games_without_a_repetition_rule_end_with_ours_at_the_third_occurrence(record):
    """Games that were cut after 400 plies: the recorded boards say when a position occurs for the third time."""
    rules = mancala_envs.make_rules(record.ruleset, **{**record.options, "cycle_rule": "own_side"})
    (game,) = [game for game in games_of(record.file) if "cut" in game["result"]["reason"]]
    occurrences = collections.Counter()
    position = rules.position(holes=game["setup"])
    for ply in game["plies"]:
        board = (*ply["board_before"], ply["mover"])
        occurrences[board] += 1
        if occurrences[board] == 3:
            break
        assert not position.is_over
        position = position.play(ply["move"] - ply["mover"] * rules.num_actions)
    assert position.end_reason == "cycle"
    assert position.stores == own_sides(*recorded(ply, "before"))


def test_abstractplay_games_meet_none_of_its_other_differences():
    """It miscounts a house of 23, 34 or 35 seeds and plays on at 24:24; neither happens in these games."""
    plies = [ply for game in games_of("oware_abapa__abstractplay") for ply in game["plies"]]
    assert not [ply for ply in plies if ply["board_before"][ply["move"]] in (23, 34, 35)]
    assert not [ply for ply in plies if ply["stores_before"] == [24, 24]]
