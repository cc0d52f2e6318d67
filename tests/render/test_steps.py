"""What a ply does, seed by seed."""

import numpy as np
import pytest

from mancala_envs import IllegalMoveError, make_rules, rulesets
from mancala_envs.render.steps import HANDS, STORES, Step, trace

OUT = ("lift", "capture", "sweep", "remove")  # kinds that take seeds or a piece from a place


def told(rules, text, move):
    position = rules.parse(text)
    return [(step.kind, step.place, step.seeds) for step in trace(position, position.parse(move))]


def test_sowing_and_captures_of_oware():
    steps = told(make_rules("oware"), "0,0,0,0,0,3,1,1,4,0,0,4 18:17 S", "F")
    assert steps == [
        ("lift", 5, 3),
        *[("sow", hole, 1) for hole in (6, 7, 8)],
    ]
    steps = told(make_rules("oware"), "0,0,0,0,0,2,1,1,4,0,0,4 18:18 S", "F")
    assert steps[-3:] == [("capture", 6, 2), ("capture", 7, 2), ("bank", STORES[0], 4)]


def test_the_store_of_kalah_is_sown_when_it_is_passed():
    steps = told(make_rules("kalah"), "1,0,0,0,0,3,4,4,4,4,4,4 10:10 S", "6")
    assert steps == [("lift", 5, 3), ("sow", STORES[0], 1), ("sow", 6, 1), ("sow", 7, 1)]


def test_a_capture_of_kalah():
    steps = told(make_rules("kalah"), "1,0,0,0,0,3,4,4,4,4,5,4 10:9 S", "1")
    assert steps == [("lift", 0, 1), ("sow", 1, 1), ("capture", 1, 1), ("capture", 10, 5), ("bank", STORES[0], 6)]


def test_what_is_left_is_swept_at_the_end():
    steps = told(make_rules("kalah"), "0,0,0,0,0,1,4,0,0,0,0,0 20:23 S", "6")
    assert steps == [("lift", 5, 1), ("sow", STORES[0], 1), ("sweep", 6, 4), ("bank", STORES[1], 4)]


def test_fours_of_nam_nam_are_captured_in_passing():
    steps = told(make_rules("oware_nam_nam_round"), "4,4,4,4,4,4,4,3,4,4,4,5 0,0,0,0,0,0,1,1,1,1,1,1 0:0 S", "F")
    assert steps[:5] == [("lift", 5, 4), ("sow", 6, 1), ("sow", 7, 1), ("capture", 7, 4), ("bank", STORES[1], 4)]


def test_captured_seeds_of_bao_are_sown_from_a_kichwa():
    """A seed in hand goes to A5 and takes the one in a4, which goes to A8 and is sown on with the one there."""
    position = "0,0,0,0,6,0,3,1,1,0,0,0,0,0,0,0,0,0,1,1,7,0,2,0,0,0,0,0,0,0,0,0 21,21 1,1 0 0 0:0 S"
    assert told(make_rules("bao_kiswahili"), position, "A5R") == [
        ("lift", HANDS[0], 1),
        ("sow", 4, 1),
        ("capture", 19, 1),
        ("sow", 7, 1),
        ("lift", 7, 2),
        ("sow", 6, 1),
        ("sow", 5, 1),
    ]


def test_the_pieces_of_taktix_and_oust():
    assert told(make_rules("taktix"), "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 0:0 S", "a1b1") == [("remove", 0, 1), ("remove", 1, 1)]
    rules = make_rules("oust", side=2)
    assert [step.kind for step in trace(rules.position(), 3)] == ["place"]


def test_an_illegal_action_is_refused():
    with pytest.raises(IllegalMoveError, match="action 9 is not legal here"):
        trace(make_rules("oware").position(), 9)


def replayed(position, steps: list[Step]):
    """Holes and stores after the steps; the hand is never empty when something is put down."""
    holes, stores, hands, in_hand = list(position.holes), list(position.stores), [0, 0], getattr(position, "pending", 0)
    if "hands" in position.rules.fields:
        hands = list(position.hands)
    for kind, place, seeds in steps:
        assert kind in ("lift", "capture", "sow", "bank", "sweep", "deal", "place", "remove")
        assert kind != "sow" or seeds == 1
        change = -seeds if kind in OUT else seeds
        if position.rules.board.seeds:
            in_hand -= change
            assert in_hand >= 0
        if place in STORES:
            stores[STORES.index(place)] += change
        elif place in HANDS:
            hands[HANDS.index(place)] += change
        else:
            holes[place] += change
    return tuple(holes), tuple(stores)


@pytest.mark.parametrize("id", [id for id in rulesets() if not id.startswith("test_")])
def test_steps_lead_to_the_next_position(id):
    """In random games: every seed is lifted before it is sown, and sown alone."""
    rules, generator = make_rules(id), np.random.default_rng(5)
    for _ in range(3):
        position = rules.position()
        while not position.is_over and position.ply < 120:
            action = int(generator.choice(position.legal_actions()))
            after = position.play(action)
            if after.end_reason != "endless_turn":
                assert replayed(position, trace(position, action)) == (after.holes, after.stores), f"{position}, action {action}"
            position = after


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("bao_kenya", {"sow_stores": "both"}),
        ("kalah", {"houses": 3, "seeds": 9}),
        ("kalah", {"skip_origin": True, "houses": 2, "seeds": 8}),
        ("congkak", {"direction": "ccw", "no_move": "pass", "empty_opposite": "leave"}),
    ],
    ids=str,
)
def test_steps_lead_to_the_next_position_under_options(id, options):
    rules, generator = make_rules(id, **options), np.random.default_rng(6)
    for _ in range(5):
        position = rules.position()
        while not position.is_over and position.ply < 120:
            action = int(generator.choice(position.legal_actions()))
            assert replayed(position, trace(position, action)) == (position.play(action).holes, position.play(action).stores)
            position = position.play(action)
