"""Draws knockouts as SVG: one column per round, one box per table, and lines that follow the entrants.

Double elimination is two drawings. Byes and tables that are still to be filled have boxes too. Colours come
from the style sheet by class, so they follow the light and dark themes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from arena.tournaments.models import Game
from arena.tournaments.round_titles import round_title
from arena.tournaments.selectors import Picture, results_of
from contests.formats.double_elimination import lives_left
from contests.formats.entities import Pod, Round
from contests.formats.points import WIN, as_it_counts, series_order, series_score
from contests.formats.ranking import is_knockout

WIDTH, LINE, GAP, COLUMN, TOP = 172, 21, 14, 200, 28
MOST_PODS = 32
"""Larger rounds are shown in the schedule only: a longer column cannot be read."""
MOST_LETTERS = 17


@dataclass(frozen=True)
class BracketDrawing:
    title: str
    svg: str


@dataclass(frozen=True)
class _Slot:
    """A place of a round: a table, a bye, or (with neither) one that is still to be filled."""

    entrants: tuple[int, ...] = ()
    pod: Pod | None = None
    feeds: int = -1
    """Which place of the next round it leads to, where that is fixed."""


@dataclass(frozen=True)
class _Box:
    slot: _Slot
    x: int
    y: int
    height: int


_Column = tuple[str, list[_Slot]]


def draw(seen: Picture) -> list[BracketDrawing]:
    """Return the brackets of an event; none where the format has none."""
    if seen.event is None:
        return []
    if seen.tournament.format == "double_elimination":
        titles = {_("Upper bracket and final"): 2, _("Lower bracket"): 1}
        drawn = [(title, list(_with_lives(seen, lives))) for title, lives in titles.items()]
    elif seen.tournament.format in {"single_elimination", "groups"}:
        drawn = [("", list(_tree(seen)))]
    else:
        return []
    return [
        BracketDrawing(title, _svg(seen, title or seen.tournament.name, columns))
        for title, columns in drawn
        if columns
    ]


def _with_lives(seen: Picture, lives: int) -> Iterator[_Column]:
    """Yield the rounds of those who had this many lives left; the final is in the upper bracket."""
    names = {"Upper bracket", "Final"} if lives == 2 else {"Lower bracket"}
    for index, one in enumerate(seen.rounds):
        pods = [pod for pod in one.pods if pod.name in names]
        if not pods or len(pods) > MOST_PODS or seen.event is None:
            continue
        had = lives_left(replace(seen.event, played=seen.event.played[:index]))
        byes = [entrant for entrant in one.byes if had[entrant] == lives]
        slots = [_Slot((entrant,)) for entrant in byes] + [_Slot(pod.entrants, pod) for pod in pods]
        yield round_title(one.name), slots


def _tree(seen: Picture) -> Iterator[_Column]:
    """Yield the rounds of a fixed tree, and those that are still to come."""
    knockout = [one for one in seen.rounds if is_knockout(one)]
    merge = max(2, seen.tournament.seats // seen.tournament.advance)
    for one in knockout:
        if len(one.tables) <= MOST_PODS:
            yield round_title(one.name), list(_level(one, merge))
    if knockout:
        number, places = knockout[-1].number, len(knockout[-1].tables)
        while places > 1:
            number, places = number + 1, -(-places // merge)
            name = {1: "Final", merge: "Semi-finals"}.get(places, f"Round {number}")
            if places <= MOST_PODS:
                yield round_title(name), [_Slot(feeds=place // merge) for place in range(places)]


def _level(one: Round, merge: int) -> Iterator[_Slot]:
    by_entrant = {entrant: pod for pod in one.pods for entrant in pod.entrants}
    for place, table in enumerate(one.tables):
        pod = next((by_entrant[entrant] for entrant in table if entrant in by_entrant), None)
        entrants = pod.entrants if pod else tuple(entrant for entrant in table if entrant in one.byes)
        if entrants:
            yield _Slot(entrants, pod, place // merge)


def _svg(seen: Picture, label: str, columns: Sequence[_Column]) -> str:
    boxes: list[list[_Box]] = []
    for number, (_title, slots) in enumerate(columns):
        boxes.append(_placed(slots, number * COLUMN, boxes[-1] if boxes else [], seen.tournament.seats))
    height = max(box.y + box.height for column in boxes for box in column) + GAP
    width = COLUMN * (len(columns) - 1) + WIDTH + 2
    size = f'viewBox="-1 0 {width} {height}" width="{width}" height="{height}"'
    kind = "bracket" + (" broader" if len(columns) > 5 else " broad" if len(columns) > 3 else "")
    parts = [f'<svg class="{kind}" {size} role="group" aria-label={quoteattr(label)}>']
    for number, (title, _slots) in enumerate(columns):
        parts.append(f'<text class="round" x="{number * COLUMN + 4}" y="16">{escape(title)}</text>')
    parts += [_links(before, after) for before, after in pairwise(boxes)]
    games: dict[str, list[Game]] = {}
    for game in seen.games:
        if game.voided_at is None:
            games.setdefault(game.pod, []).append(game)
    parts += [_box(seen, box, games) for column in boxes for box in column]
    return "".join([*parts, "</svg>"])


def _placed(slots: Sequence[_Slot], x: int, before: Sequence[_Box], seats: int) -> list[_Box]:
    """Return the boxes of a round, each centred on those it follows from, if there is room."""
    boxes: list[_Box] = []
    top = TOP
    for place, slot in enumerate(slots):
        height = LINE * (len(slot.entrants) or seats) + 6
        sources = [box for box in before if _leads(box.slot, slot, place)]
        middle = sum(box.y + box.height // 2 for box in sources) // len(sources) if sources else 0
        y = max(top, middle - height // 2)
        boxes.append(_Box(slot, x, y, height))
        top = y + height + GAP
    return boxes


def _leads(source: _Slot, slot: _Slot, place: int) -> bool:
    """Return whether entrants of one place came to another, or will come."""
    if slot.entrants:
        return bool(set(source.entrants) & set(slot.entrants))
    return source.feeds == place


def _links(before: Sequence[_Box], after: Sequence[_Box]) -> str:
    found = []
    for place, box in enumerate(after):
        for source in before:
            if _leads(source.slot, box.slot, place):
                x1, y1 = source.x + WIDTH, source.y + source.height // 2
                x2, y2 = box.x, box.y + box.height // 2
                middle = (x1 + x2) // 2
                found.append(f'<path class="link" d="M{x1} {y1}H{middle}V{y2}H{x2}"/>')
    return "".join(found)


def _box(seen: Picture, box: _Box, games: dict[str, list[Game]]) -> str:
    """Return a place: its entrants, best first once it is played, their scores, a link to its latest game."""
    slot = box.slot
    rect = f'<rect x="{box.x}" y="{box.y}" width="{WIDTH}" height="{box.height}" rx="6"/>'
    if slot.pod is None:
        word = _("bye") if slot.entrants else ""
        lines = [_line(seen, box, at, one, word) for at, one in enumerate(slot.entrants)]
        title = f"<title>{escape(_('still to be decided'))}</title>" if not slot.entrants else ""
        return f'<g class="{"pod bye" if slot.entrants else "pod open"}">{title}{rect}{"".join(lines)}</g>'
    played = games.get(slot.pod.key, [])
    order, scores = _result(seen, slot.pod, played)
    goes_on = 1 if slot.pod.name == "Final" else seen.tournament.advance
    names = " · ".join(f"{seen.entries[one].bot.name} {scores.get(one, '')}".strip() for one in order)
    parts = [f'<g class="pod"><title>{escape(names)}</title>', rect]
    for at, one in enumerate(order):
        parts.append(_line(seen, box, at, one, scores.get(one, ""), bool(scores) and at < goes_on))
    drawn = "".join([*parts, "</g>"])
    matches = [game.match for game in played if game.match]
    if not matches:
        return drawn
    return f'<a href="{matches[-1].get_absolute_url()}" aria-label={quoteattr(names)}>{drawn}</a>'


def _line(seen: Picture, box: _Box, at: int, entry_id: int, score: str, won: bool = False) -> str:
    entry = seen.entries[entry_id]
    name = entry.bot.name if len(entry.bot.name) <= MOST_LETTERS else entry.bot.name[: MOST_LETTERS - 1] + "…"
    y = box.y + LINE * at + 18
    first = ' class="won"' if won else ""
    seed = f'<tspan class="seed">{entry.seed or ""}</tspan>'
    end = f'<text class="score" x="{box.x + WIDTH - 8}" y="{y}">{escape(score)}</text>' if score else ""
    return f'<text x="{box.x + 8}" y="{y}"{first}>{seed} {escape(name)}</text>{end}'


def _result(seen: Picture, pod: Pod, games: list[Game]) -> tuple[list[int], dict[int, str]]:
    """Return the entrants, best first, and their scores so far: games won or, with more seats, points."""
    played = results_of(games).get(pod.key)
    if not played or seen.event is None:
        return list(pod.entrants), {}
    counted = [as_it_counts(pod, game, seen.event.by_id) for game in played]
    order = series_order(pod, counted, seen.event.by_id.__getitem__)
    return order, {one: str(floatformat(points / WIN, -2)) for one, points in series_score(counted).items()}
