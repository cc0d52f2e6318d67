"""The drawing: what it shows is what the position holds."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from mancala_envs import compiled, make_rules, rulesets
from mancala_envs.render.drawing import MOST_DOTS, THEMES, svg
from mancala_envs.render.scene import Target, scene, targets
from mancala_envs.render.steps import HANDS, STORES, trace
from mancala_envs.rules import Board, Rules
from mancala_envs.rules.contract import BOARD, LIVE, NO_MOVES, STATUS, TO_MOVE, end_ply, finish

NAMESPACE = "{http://www.w3.org/2000/svg}"
IDS = [id for id in rulesets() if not id.startswith("test_")]  # without those that other tests register


def texts(drawing):
    return [element.text for element in ET.fromstring(drawing).iter(f"{NAMESPACE}text")]


def dots(drawing):
    """The seeds drawn; they alone have a group of their own for their colour."""
    groups = [group for group in ET.fromstring(drawing).iter(f"{NAMESPACE}g") if group.get("fill")]
    return sum(len(group) for group in groups)


def random_positions(rules, count):
    generator, position, found = np.random.default_rng(7), rules.position(), []
    while len(found) < count:
        found.append(position)
        position = rules.position() if position.is_over else position.play(int(generator.choice(position.legal_actions())))
    return found


@pytest.mark.parametrize("id", IDS)
def test_a_scene_holds_the_position(id):
    rules = make_rules(id)
    for position in random_positions(rules, 60):
        drawn = scene(position)
        holds = {place: spot.holds for place, spot in drawn.spots.items()}
        assert tuple(holds[hole] for hole in range(len(position.holes))) == position.holes
        if rules.board.has_stores:
            assert tuple(holds[place] for place in STORES) == position.stores
        if "hands" in rules.fields:
            assert tuple(holds[place] for place in HANDS) == position.hands
        for spot in drawn.spots.values():
            assert spot.width / 2 <= spot.x <= drawn.width - spot.width / 2
            assert spot.height / 2 <= spot.y <= drawn.height - spot.height / 2


@pytest.mark.parametrize("id", IDS)
def test_no_two_spots_of_a_scene_overlap(id):
    spots = [spot for spot in scene(make_rules(id).position()).spots.values() if spot.shape != "hexagon"]
    for number, one in enumerate(spots):
        for other in spots[:number]:
            apart_x = abs(one.x - other.x) >= (one.width + other.width) / 2
            assert apart_x or abs(one.y - other.y) >= (one.height + other.height) / 2


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("id", IDS)
def test_every_ruleset_is_drawn_with_its_last_ply_and_its_actions(id, theme):
    rules = make_rules(id)
    for before in random_positions(rules, 25):
        if before.is_over:
            continue
        action = before.legal_actions()[-1]
        position = before.play(action)
        share = {action: 1 / len(position.legal_actions()) for action in position.legal_actions()}
        drawing = svg(position, theme=theme, legal=True, last=trace(before, action), policy=share, values=share, width=320)
        assert ET.fromstring(drawing).get("width") == "320"


def test_seeds_are_dots_and_numbers():
    position = make_rules("kalah").position(holes=[0, 1, 2, 3, 4, 12, 13, 0, 0, 0, 0, 5], stores=(8, 0))
    drawing = svg(position)
    assert dots(drawing) == 48
    assert [text for text in texts(drawing) if text in ("12", "13", "8")] == ["13", "12", "8"]
    assert dots(svg(make_rules("kalah", seeds=12).position(holes=[100, *[0] * 10, 1], stores=(43, 0)))) == MOST_DOTS + 1 + 43


def test_the_drawing_says_in_words_what_it_shows():
    position = make_rules("oware").position()
    root = ET.fromstring(svg(position))
    assert root.get("role") == "img"
    assert root.find(f"{NAMESPACE}title").text == "Oware: South to move"
    assert root.find(f"{NAMESPACE}desc").text == position.text()


def test_probabilities_and_values_are_written_at_the_holes():
    position = make_rules("oware").position()
    assert {"75%", "+2", "25%", "-1.5"} <= set(texts(svg(position, policy={0: 0.75, 5: 0.25}, values={0: 2, 5: -1.5})))


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="theme='neon' is not accepted: light, dark, print"):
        svg(make_rules("oware").position(), theme="neon")


def targets_of(rules, player):
    position = rules.position(to_move=player)
    return targets(rules, rules.naming(position.state), player)


@pytest.mark.parametrize(
    ("id", "player", "action", "target"),
    [
        ("oware", 0, 0, Target((0,))),
        ("oware", 1, 0, Target((6,))),
        ("kalah", 1, 5, Target((11,))),
        ("oware_nam_nam", 1, 6, Target((0,))),
        ("taktix", 0, 2, Target((0, 1))),
        ("oust", 1, 126, Target((126,))),
        ("omweso", 0, 0, Target((0,), -1)),
        ("omweso", 1, 0, Target((16,), 1)),
    ],
)
def test_an_action_is_drawn_on_its_holes(id, player, action, target):
    """Left and right are the mover's; North's left is at the right of the drawing."""
    assert targets_of(make_rules(id), player)[action] == target


@pytest.mark.parametrize("id", IDS)
def test_every_action_has_its_place(id):
    rules = make_rules(id)
    for player in (0, 1):
        places = [target.places for target in targets_of(rules, player)]
        assert all(places)
        assert max(max(holes) for holes in places) < len(rules.board.names)


def lone_row(id, title, options):
    """A player moves the seed of a row of three, or passes; its actions are not named after holes."""

    @compiled
    def init(state):
        state[:] = 0
        state[BOARD + 1] = 1

    @compiled
    def legal(state, mask):
        mask[:] = True
        return 2

    @compiled
    def apply(state, action):
        state[BOARD + 1] -= action
        end_ply(state, False, 1 - state[TO_MOVE])
        settle(state)

    @compiled
    def settle(state):
        if state[STATUS] == LIVE and state[BOARD + 1] == 0:
            finish(state, NO_MOVES)

    @compiled
    def observe(state, player, out):
        out[0] = state[BOARD + 1]

    @compiled
    def nothing(state):
        """Positions do not come back."""

    board = Board(rows=((0, 1, 2),), names=("x1", "x2", "x3"), seeds=1)
    fields = {"holes": slice(BOARD, BOARD + 3)}
    names = (("stay", "go"),) * 2
    return Rules(id, title, options, 2, BOARD + 3, (1,), board, fields, names, init, legal, apply, settle, observe, nothing)


def test_a_game_of_ones_own_is_drawn_whatever_its_board_and_its_names():
    position = lone_row("lone_row", "Lone row", {}).position()
    assert targets(position.rules, 0, 0) == (Target((), extra="stay"), Target((), extra="go"))
    drawing = svg(position, legal=True, policy={0: 0.5, 1: 0.5}, last=trace(position, 1))
    assert dots(drawing) == 1
    assert set(scene(position).spots) == {0, 1, 2, *STORES}
    assert position.text().splitlines() == ["    1  2  3", "x   0  1  0", "    1  2  3", "stores 0:0", "South to move: stay go"]


def test_a_notebook_shows_the_board():
    position = make_rules("omweso").position()
    assert position._repr_svg_() == svg(position, legal=True)
