"""The one drawing of a position, as SVG: what notebooks, pages, windows, pictures and videos show.

Shapes and text only, without scripts, style sheets and references, so that every viewer draws the same.
"""

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from .scene import RADIUS, Scene, Spot, Target, scene, targets
from .steps import STORES, Step

if TYPE_CHECKING:
    from ..position import Position

FONT = "'DejaVu Sans', Verdana, Arial, sans-serif"
STATUS_HEIGHT = 34  # of the line below the board
MOST_DOTS = 60  # of a heap; its number says the rest
SIDE_BY_SIDE = 12  # seeds that are drawn so that they can be counted
BOLD = ' font-weight="bold"'


@dataclass(frozen=True)
class Theme:
    """Colours. South's and North's differ in lightness as well as in hue, as Okabe and Ito advise for the colour-blind."""

    page: str
    board: str
    edge: str
    hole: str
    seed: str
    seed_edge: str
    text: str
    faint: str
    status: str
    south: str
    north: str
    legal: str
    last: str
    capture: str

    def owner(self, player: int) -> str:
        """The colour of a player."""
        return self.north if player else self.south


THEMES = {
    "light": Theme(
        page="",
        board="#e3c08f",
        edge="#8a5a2b",
        hole="#8f5f37",
        seed="#fbf1dc",
        seed_edge="#3d2611",
        text="#2b1a0b",
        faint="#6b4a2a",
        status="#6b6b6b",
        south="#0b5fa5",
        north="#e08a00",
        legal="#00795c",
        last="#1c1c1c",
        capture="#b3003c",
    ),
    "dark": Theme(
        page="",
        board="#4a3524",
        edge="#a97c50",
        hole="#24170d",
        seed="#f3dcae",
        seed_edge="#1a0f06",
        text="#f7ead6",
        faint="#cdb08c",
        status="#a0a0a0",
        south="#5cb3f2",
        north="#f5b041",
        legal="#4fd6ae",
        last="#ffffff",
        capture="#ff7a9c",
    ),
    "print": Theme(
        page="#ffffff",
        board="#ffffff",
        edge="#000000",
        hole="#ffffff",
        seed="#000000",
        seed_edge="#000000",
        text="#000000",
        faint="#444444",
        status="#000000",
        south="#000000",
        north="#9a9a9a",
        legal="#000000",
        last="#000000",
        capture="#000000",
    ),
}


def svg(
    position: "Position",
    *,
    theme: str = "light",
    legal: bool = False,
    last: Iterable[Step] = (),
    policy: Mapping[int, float] | None = None,
    values: Mapping[int, float] | None = None,
    width: int | None = None,
) -> str:
    """A position as SVG.

    Args:
        position: of any ruleset.
        theme: "light", "dark" or "print" (black on white).
        legal: whether what can be played is marked.
        last: the steps of the ply that led here, from `trace`: its laps are drawn as paths, its captures marked.
        policy: probabilities of legal actions, written at their holes in per cent, the likelier the stronger.
        values: values of legal actions, written at their holes.
        width: of the picture, in pixels; without, it fits the place where it is shown.

    Raises:
        ValueError: there is no such theme.
    """
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not accepted: {', '.join(THEMES)}")
    drawn, colours = scene(position), THEMES[theme]
    height = drawn.height + STATUS_HEIGHT
    size = f' width="{width}" height="{round(width * height / drawn.width)}"' if width else ""
    has_seeds = bool(position.rules.board.seeds)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawn.width:g} {height:g}"{size} role="img" ',
        f'font-family="{FONT}" text-anchor="middle">',
        f"<title>{escape(position.rules.title)}: {escape(drawn.status)}</title><desc>{escape(drawn.text)}</desc>",
        _board(drawn, colours),
        *(_hole(spot, colours) if has_seeds else _cell(spot, colours) for spot in drawn.spots.values()),
        *(_laps(list(last), drawn, colours) if has_seeds else _pieces_moved(last, drawn, colours)),
        *_actions(position, drawn, legal, policy or {}, values or {}, colours),
        _text(drawn.width / 2, drawn.height + STATUS_HEIGHT / 2, 19, drawn.status, colours.status),
        "</svg>",
    ]
    return "".join(parts)


def _board(drawn: Scene, colours: Theme) -> str:
    page = f'<rect width="100%" height="100%" fill="{colours.page}"/>' if colours.page else ""
    wood = _rectangle(drawn.width / 2, drawn.height / 2, drawn.width - 4, drawn.height - 4, 22, colours.board, colours.edge, 3)
    notes = "".join(_text(x, y, 14, text, colours.faint) for x, y, text in drawn.notes)
    if drawn.divide is None:
        return page + wood + notes
    line = f"M20 {drawn.divide:g}H{drawn.width - 20:g}"
    return page + wood + notes + _stroke(line, colours.edge, 2, ' stroke-dasharray="7 6"')


def _hole(spot: Spot, colours: Theme) -> str:
    """A hole or a tray with its seeds, its number and its name."""
    edge, line = (colours.edge, 2) if spot.owner is None else (colours.owner(spot.owner), 4)
    corner = {"round": RADIUS, "square": 7, "tray": 26}[spot.shape]
    parts = [_rectangle(spot.x, spot.y, spot.width, spot.height, corner, colours.hole, edge, line)]
    if spot.mark == "burnt":
        return parts[0] + _circle(spot.x, spot.y, RADIUS - 4, colours.board, colours.edge) + _cross(spot, 12, colours.faint)
    heap = _heap(min(spot.holds, MOST_DOTS), spot.shape == "tray", colours.seed, colours.seed_edge)
    parts.append(f'<g transform="translate({spot.x:g} {spot.y:g})">{heap}</g>')
    if spot.shape == "tray":
        parts.append(_text(spot.x, spot.caption_y, 14, spot.name, colours.text))
        parts.append(_badge(spot.x, spot.y + spot.height / 2 - 24, str(spot.holds), colours))
        return "".join(parts)
    if spot.mark == "blocked":
        parts.append(_cross(spot, RADIUS - 4, colours.capture))
    parts.append(_text(spot.x, spot.caption_y, 22, str(spot.holds), colours.text, BOLD if spot.holds else ' opacity="0.55"'))
    if spot.name:
        parts.append(_text(spot.x - 24, spot.caption_y, 13, spot.name, colours.faint))
    return "".join(parts)


def _badge(x: float, y: float, text: str, colours: Theme) -> str:
    box = _rectangle(x, y, 18 + 14 * len(text), 30, 9, colours.board, colours.edge, 1)
    return box + _text(x, y, 22, text, colours.text, BOLD)


@functools.cache
def _heap(count: int, is_tall: bool, fill: str, edge: str) -> str:
    """Seeds round the origin: a dozen lie side by side, more lie on one another."""
    places = _side_by_side(count) if count <= SIDE_BY_SIDE else _sunflower(count)
    radius, stretch = 6 if count <= SIDE_BY_SIDE else 5.2, 1.9 if is_tall else 1
    dots = "".join(f'<circle cx="{x:.1f}" cy="{stretch * y:.1f}" r="{radius}"/>' for x, y in places)
    return f'<g fill="{fill}" stroke="{edge}" stroke-width="1">{dots}</g>'


def _side_by_side(count: int) -> list[tuple[float, float]]:
    """Up to twelve seeds that do not touch: one alone, five or fewer in a ring, more in a ring round others."""
    inner = {0: 0, 1: 1}.get(count, 0 if count <= 5 else 1 if count <= 8 else count - 8)
    rings = ((inner, 0 if inner == 1 else 8.5), (count - inner, 9 + 1.6 * count if count <= 5 else 22))
    places = []
    for seeds, radius in rings:
        for number in range(seeds):
            angle = 2 * math.pi * number / seeds
            places.append((radius * math.sin(angle), -radius * math.cos(angle)))
    return places


def _sunflower(count: int) -> list[tuple[float, float]]:
    """Seeds as they lie in a sunflower, evenly over a disc; the inmost last, on top."""
    golden = math.pi * (3 - math.sqrt(5))
    reach = [24 * math.sqrt((number + 0.5) / count) for number in range(count)]
    return [
        (reach[number] * math.cos(number * golden), reach[number] * math.sin(number * golden)) for number in reversed(range(count))
    ]


def _cell(spot: Spot, colours: Theme) -> str:
    """A cell with its piece, if there is one."""
    x, y, half = spot.x, spot.y, spot.width / 2
    outline = _hexagon(half) if spot.shape == "hexagon" else f"m{-half:g} {-half:g}h{2 * half:g}v{2 * half:g}h{-2 * half:g}z"
    ground = f'<path d="M{x:g} {y:.1f}{outline}" fill="{colours.board}" stroke="{colours.edge}" stroke-width="1.5"/>'
    if not spot.holds:
        return ground
    piece = _circle(x, y, 0.74 * half, colours.seed if spot.owner is None else colours.owner(spot.owner), colours.text, 2)
    if spot.owner == 1:  # told apart without colour, too
        piece += _circle(x, y, 0.32 * half, colours.board, colours.text)
    return ground + piece


@functools.cache
def _hexagon(half: float) -> str:
    """The outline of a hexagon that stands on a corner, from its middle."""
    side = half / math.cos(math.pi / 6)
    return f"m0 {-side:.1f}l{half:g} {side / 2:.1f}v{side:.1f}l{-half:g} {side / 2:.1f}l{-half:g} {-side / 2:.1f}v{-side:.1f}z"


def _laps(steps: list[Step], drawn: Scene, colours: Theme) -> list[str]:
    """The last ply of a game with seeds: each lap a path through the holes sown, the later the stronger; captures marked."""
    laps = list[list[Spot]]()
    for step in steps:
        if step.kind in ("lift", "capture"):
            laps.append([drawn.spots[step.place]])
        elif step.kind == "sow" and laps:
            laps[-1].append(drawn.spots[step.place])
    laps = [lap for lap in laps if len(lap) > 1]
    parts = []
    for number, lap in enumerate(laps, 1):
        strength = f' opacity="{0.2 + 0.6 * number / len(laps):.2f}"'
        parts.append(_arrow_through(lap, colours.last, strength))
        if lap[0].place not in STORES:
            parts.append(_circle(lap[0].x, lap[0].y, RADIUS, "none", colours.last, 4, ' stroke-dasharray="4 4"' + strength))
    for place in dict.fromkeys(step.place for step in steps if step.kind == "capture"):
        spot = drawn.spots[place]
        parts.append(_circle(spot.x, spot.y, RADIUS, "none", colours.capture, 4))
        parts.append(_circle(spot.x + 23, spot.y - 23, 9, colours.capture, colours.board))
        parts.append(_stroke(f"M{spot.x + 18:g} {spot.y - 23:g}h10", colours.board, 3))
    return parts


def _arrow_through(spots: list[Spot], colour: str, extra: str) -> str:
    """An arrow through the middles of spots."""
    points = " ".join(f"{spot.x:g},{spot.y:g}" for spot in spots)
    before, tip = spots[-2:]
    angle = math.atan2(tip.y - before.y, tip.x - before.x)
    barbs = [(tip.x + 15 * math.cos(angle + turn), tip.y + 15 * math.sin(angle + turn)) for turn in (2.65, -2.65)]
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(tip.x, tip.y), *barbs])
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3" stroke-linejoin="round"/>'
    return f'<g{extra}>{line}<polygon points="{head}" fill="{colour}"/></g>'


def _pieces_moved(steps: Iterable[Step], drawn: Scene, colours: Theme) -> list[str]:
    """The last ply of a game with pieces: rings round what was placed and what was removed."""
    rings = []
    for step in steps:
        spot, colour = drawn.spots[step.place], colours.last if step.kind == "place" else colours.capture
        rings.append(_circle(spot.x, spot.y, 0.42 * spot.width, "none", colour, 4))
    return rings


def _actions(
    position: "Position",
    drawn: Scene,
    legal: bool,
    policy: Mapping[int, float],
    values: Mapping[int, float],
    colours: Theme,
) -> list[str]:
    """Marks of what can be played, with probabilities and values."""
    rules, parts = position.rules, list[str]()
    all_targets = targets(rules, rules.naming(position.state), position.to_move)
    for action in position.legal_actions() if legal or policy or values else ():
        target = all_targets[action]
        if not target.places:
            continue
        spot = drawn.spots[target.places[0]]
        if legal:
            parts.append(_legal_mark(spot, target, colours))
        words = [f"{100 * policy[action]:.0f}%"] if action in policy else []
        words += [f"{values[action]:+.3g}"] if action in values else []
        x, y = spot.x + 18 * target.direction, spot.y + (12 if target.extra else 0) - 10 * (len(words) - 1)
        for line, text in enumerate(words):
            parts.append(_label(x, y + 20 * line, text, policy.get(action, 0.0), colours))
    return parts


def _legal_mark(spot: Spot, target: Target, colours: Theme) -> str:
    """An arrow at the side where seeds go; else a ring round a hole, a dot in a cell."""
    if target.direction:
        x, y, side = spot.x + target.direction * (RADIUS - 5), spot.y + (11 if target.extra else -3), 9 * target.direction
        return f'<path d="M{x:g} {y - 9:g}l{side:g} 9l{-side:g} 9z" fill="{colours.legal}" stroke="{colours.board}"/>'
    if spot.shape == "round":
        return _circle(spot.x, spot.y, RADIUS + 3, "none", colours.legal, 4)
    return _circle(spot.x, spot.y, 0.16 * spot.width, colours.legal, colours.board)


def _label(x: float, y: float, text: str, strength: float, colours: Theme) -> str:
    """A text on a slip with an edge that is the thicker the likelier an action is."""
    slip = _rectangle(x, y, 8 + 8.6 * len(text), 18, 5, colours.board, colours.legal, 1 + 3 * strength)
    return slip + _text(x, y, 13, text, colours.text, BOLD)


def _rectangle(
    x: float, y: float, width: float, height: float, corner: float, fill: str, edge: str, line: float, extra: str = ""
) -> str:
    """A rectangle whose middle is at (x, y)."""
    place = f'x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'
    return f'<rect {place} fill="{fill}" stroke="{edge}" stroke-width="{line:g}"{extra}/>'


def _circle(x: float, y: float, radius: float, fill: str, edge: str, line: float = 1, extra: str = "") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="{line:g}"{extra}/>'


def _cross(spot: Spot, reach: float, colour: str) -> str:
    left, right, top, bottom = spot.x - reach, spot.x + reach, spot.y - reach, spot.y + reach
    return _stroke(f"M{left:g} {top:g}L{right:g} {bottom:g}M{left:g} {bottom:g}L{right:g} {top:g}", colour, 4)


def _stroke(path: str, colour: str, line: float, extra: str = "") -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{line:g}"{extra}/>'


def _text(x: float, y: float, size: float, text: str, colour: str, extra: str = "") -> str:
    """A text whose middle is at (x, y)."""
    return f'<text x="{x:g}" y="{y + 0.36 * size:.4g}" font-size="{size:g}" fill="{colour}"{extra}>{escape(text)}</text>'
