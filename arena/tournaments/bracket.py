"""Draws a knockout as SVG: one column per round, one box per pod, and lines that follow the entrants.

Colours come from the style sheet by class, so they follow the light and dark themes.
"""

from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from arena.tournaments.selectors import Picture, results_of
from contests.formats.entities import Pod, Round
from contests.formats.points import as_it_counts, series_order

WIDTH, LINE, GAP, COLUMN, TOP = 190, 22, 16, 230, 30
MOST_PODS = 32
"""Larger rounds are shown in the schedule only: a longer column cannot be read."""


@dataclass(frozen=True)
class _Box:
    pod: Pod
    x: int
    y: int
    height: int


def draw(seen: Picture) -> str:
    """Return the bracket as SVG; an empty text where the format has none."""
    if seen.tournament.format not in {"single_elimination", "double_elimination", "groups"}:
        return ""
    knockout = [one for one in seen.rounds if not one.name.startswith("Groups") and one.pods]
    shown = [one for one in knockout if len(one.pods) <= MOST_PODS]
    columns: list[list[_Box]] = []
    for one in shown:
        columns.append(_column(one, columns[-1] if columns else []))
    if not columns:
        return ""
    height = max(box.y + box.height for column in columns for box in column) + GAP
    width = COLUMN * len(columns)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    label = quoteattr(seen.tournament.name)
    parts = [f'<svg class="bracket" {size} role="group" aria-label={label}>']
    for number, one in enumerate(shown):
        parts.append(f'<text class="round" x="{number * COLUMN + 4}" y="16">{escape(one.name)}</text>')
    parts += [_lines(before, after) for before, after in pairwise(columns)]
    parts += [_box(seen, box) for column in columns for box in column]
    return "".join([*parts, "</svg>"])


def _column(one: Round, before: list[_Box]) -> list[_Box]:
    """Return the boxes of a round, each centred on those its entrants came from, if there is room."""
    x = before[0].x + COLUMN if before else 0
    boxes: list[_Box] = []
    top = TOP
    for pod in one.pods:
        height = LINE * len(pod.entrants) + 6
        sources = [box for box in before if set(box.pod.entrants) & set(pod.entrants)]
        middle = sum(box.y + box.height // 2 for box in sources) // len(sources) if sources else 0
        y = max(top, middle - height // 2)
        boxes.append(_Box(pod, x, y, height))
        top = y + height + GAP
    return boxes


def _lines(before: list[_Box], after: list[_Box]) -> str:
    found = []
    for box in after:
        for source in before:
            if set(box.pod.entrants) & set(source.pod.entrants):
                x1, y1 = source.x + WIDTH, source.y + source.height // 2
                x2, y2 = box.x, box.y + box.height // 2
                middle = (x1 + x2) // 2
                found.append(f'<path class="link" d="M{x1} {y1}H{middle}V{y2}H{x2}"/>')
    return "".join(found)


def _box(seen: Picture, box: _Box) -> str:
    """Return a pod: its entrants, best first once it is played, with a link to its latest game."""
    games = [game for game in seen.games if game.pod == box.pod.key and game.voided_at is None]
    order, played = list(box.pod.entrants), results_of(games).get(box.pod.key)
    if played and seen.event is not None:
        counted = [as_it_counts(box.pod, game, seen.event.by_id) for game in played]
        order = series_order(box.pod, counted, seen.event.by_id.__getitem__)
    goes_on = 1 if box.pod.name == "Final" else seen.tournament.advance
    names = " · ".join(seen.entries[one].bot.name for one in order)
    kind = "pod lower" if box.pod.name == "Lower bracket" else "pod"
    parts = [
        f'<g class="{kind}"><title>{escape(box.pod.name or names)}</title>',
        f'<rect x="{box.x}" y="{box.y}" width="{WIDTH}" height="{box.height}" rx="6"/>',
    ]
    for place, entry_id in enumerate(order):
        entry = seen.entries[entry_id]
        name = entry.bot.name if len(entry.bot.name) <= 20 else entry.bot.name[:19] + "…"
        y = box.y + LINE * place + 19
        first = ' class="won"' if played and place < goes_on else ""
        seed = f'<tspan class="seed">{entry.seed or ""}</tspan>'
        parts.append(f'<text x="{box.x + 8}" y="{y}"{first}>{seed} {escape(name)}</text>')
    drawn = "".join([*parts, "</g>"])
    matches = [game.match for game in games if game.match]
    if not matches:
        return drawn
    return f'<a href="{matches[-1].get_absolute_url()}" aria-label={quoteattr(names)}>{drawn}</a>'
