"""Whole games of both games of Bao that AbstractPlay's program played: legal moves, boards, hands, nyumba, blocked holes, results.

It looks at the front rows after the turn, lets a lone kichwa go anywhere and an endless turn be played and lost; there are options
for these. Its takasia differs: each difference has a name here, and how often it is met in a file is told. Other differences are
not met in these games: a turn of more than 192 seeds is lost, an owned nyumba below six is lifted last.
"""

from collections import Counter
from dataclasses import dataclass, field

import pytest
from recorded import games_of

from mancala_envs import Position, make_rules

TURN_END = {"front_check": "turn_end", "infinite_turn": "loss", "lone_kichwa": "any"}


@dataclass(frozen=True)
class Record:
    """A file of games, the rules it keeps, its plies, and how often each difference and the same blocked hole is met."""

    file: str
    ruleset: str
    plies: int
    options: dict[str, object] = field(default_factory=dict)
    met: dict[str, int] = field(default_factory=dict)


RECORDS = [
    Record("bao_kujifunza_noblock", "bao_kujifunza", 102),
    Record("bao_kujifunza", "bao_kujifunza", 101, {"takasia": True}, {"blocks_single_seeds": 1, "blocks_who_can_capture": 7}),
    Record("bao_kiswahili_longlimit", "bao_kiswahili", 256, {}, {"blocks_who_can_capture": 3, "must_clear_the_block": 1}),
    Record(
        "bao_kiswahili",
        "bao_kiswahili",
        286,
        {},
        {"blocks_as_ours": 2, "blocks_who_can_capture": 7, "cannot_clear_the_block": 1, "engine_error": 1},
    ),
]


def action_of(move: dict) -> int:
    return 2 * (move["pit"] % 16) + (move["dir"] > 0) + 32 * move["safari"]


def side(position: Position, player: int) -> tuple[int, ...]:
    return position.holes[16 * player : 16 * player + 16]


def can_capture(position: Position) -> bool:
    """Whether the player to move has a turn that takes seeds of the other."""
    other, action = 1 - position.to_move, position.legal_actions()[0]
    return sum(side(position.play(action), other)) < sum(side(position, other))


def first_captures(position: Position, player: int) -> set[int]:
    """The front holes of the other player that first laps of a player's holes of 2 to 15 seeds capture."""
    own, other = side(position, player), side(position, 1 - player)
    ends = [(hole + step * own[hole]) % 16 for hole in range(16) if 2 <= own[hole] <= 15 for step in (1, -1)]
    return {7 - end for end in ends if end < 8 and own[end] and other[7 - end]}


def why_not_blocked(position: Position, hole: int) -> str:
    """Why a hole is not blocked that AbstractPlay blocks: it looks only for one hole that the other player can capture."""
    mover = position.to_move
    assert first_captures(position, 1 - mover) == {hole}
    if can_capture(position):
        return "blocks_who_can_capture"
    assert side(position, mover)[hole] == 1
    return "blocks_single_seeds"


def blocked_hole(recorded: int | None, player: int) -> int | None:
    return None if recorded is None else recorded - 16 * player


def that_clear_the_block(position: Position, hole: int) -> list[int]:
    """AbstractPlay lets a player who can capture only play what captures the hole he has blocked, or else he has no move."""
    return [action for action in position.legal_actions() if side(position.play(action), 1 - position.to_move)[hole] == 0]


def replay(rules, game: dict, met: Counter) -> int:
    """Play a recorded game; returns its plies and counts what is met."""
    two_stages = "hands" in rules.fields
    takasia = rules.options["takasia"]
    position = rules.position(holes=game["setup"], **({"hands": game["hand"]} if two_stages else {}))
    for number, ply in enumerate(game["plies"], 1):
        mover, opponent = ply["mover"], 1 - ply["mover"]
        assert position.to_move == mover
        assert list(position.holes) == ply["board_before"]

        legal = position.legal_actions()
        blocked = blocked_hole(ply["blocked_before"][opponent], opponent)
        if blocked is not None and can_capture(position):
            legal = that_clear_the_block(position, blocked)
            met["must_clear_the_block"] += legal != position.legal_actions()
        assert legal == sorted(map(action_of, ply["legal"])), f"ply {number} of {position!r}"

        position = position.play(action_of(ply["move"]))
        assert list(position.holes) == ply["board_after"], f"ply {number}: {ply}, ours is {position!r}"
        if two_stages:
            assert list(position.hands) == ply["hand_after"]
            assert list(position.nyumba) == [house is not None for house in ply["houses_after"]]

        theirs = blocked_hole(ply["blocked_after"][opponent], opponent) if "block" in ply["events"] else None
        ours = position.blocked - 1 if takasia and position.blocked else None
        if theirs is not None:
            met["blocks_as_ours" if theirs == ours else why_not_blocked(position, theirs)] += 1
        else:
            assert ours is None
        if number < len(game["plies"]):
            assert not position.is_over

    winner, reason = game["result"]["winner"], game["result"]["reason"]
    if reason.startswith("engine_error"):  # it lost seeds in its own book-keeping
        met["engine_error"] += 1
    elif position.is_over:
        assert position.returns == {0: (1, -1), 1: (-1, 1)}[winner]
        assert position.end_reason == {"front_row_empty": "front_row", "no_move": "no_moves"}[reason]
    else:
        assert (winner, reason) == (1 - position.to_move, "no_move")
        blocked = blocked_hole(game["plies"][-1]["blocked_after"][1 - position.to_move], 1 - position.to_move)
        assert can_capture(position)
        assert that_clear_the_block(position, blocked) == []
        met["cannot_clear_the_block"] += 1
    return len(game["plies"])


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.file)
def test_recorded_games(record):
    rules = make_rules(record.ruleset, **TURN_END, **record.options)
    met: Counter[str] = Counter()
    plies = sum(replay(rules, game, met) for game in games_of(f"{record.file}__abstractplay"))
    assert plies == record.plies
    assert +met == record.met
