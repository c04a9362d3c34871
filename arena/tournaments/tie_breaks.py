"""Tie-breaks as people choose and read them: what each means, a list to sort, columns of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext_lazy as _

from arena.tournaments.models import TIE_BREAK_NAMES
from contests.formats.points import WIN
from contests.formats.standings import TIE_BREAKS

MEANINGS: Final = {
    "points": _("Points won: 1 for the first of a table, 0 for the last, the others evenly between."),
    "head_to_head": _("Points won minus points lost against those with whom a bot is tied."),
    "buchholz": _("The points of all opponents together: who met stronger bots is ahead."),
    "sonneborn_berger": _("The points of the opponents that a bot beat, and half of those it drew with."),
    "placements": _("More first places; if equal, more second places, and so on."),
    "rating": _("The rating when versions were locked."),
    "seed": _("The better seed."),
}
SHORT: Final = {
    "head_to_head": _("H2H"),
    "buchholz": _("Buchholz"),
    "sonneborn_berger": _("S-B"),
    "placements": _("Places"),
    "rating": _("Rating"),
}
"""Headings of the columns. Points and seeds have columns of their own."""


class TieBreakOrder(forms.Widget):
    """A list in the order of importance: tick what counts, move it up or down. Works without a script."""

    template_name = "tournaments/_tie_break_order.html"
    use_fieldset = True

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> str | None:
        """Return the names in order, separated by spaces, from ticked boxes or from one text."""
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]
        return " ".join(map(str, values)) if values and values[0] is not None else None

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        chosen = [one for one in dict.fromkeys(str(value or "").split()) if one in TIE_BREAKS]
        order = [*chosen, *(one for one in TIE_BREAKS if one not in chosen)]
        context["rows"] = [(one, TIE_BREAK_NAMES[one], MEANINGS[one], one in chosen) for one in order]
        return context


def moved(names: Sequence[str], move: str) -> list[str]:
    """Return the names after a move such as "buchholz up"; anything else changes nothing."""
    order = list(names)
    name, _space, way = move.partition(" ")
    if name in order and way in {"up", "down"}:
        at = order.index(name)
        to = min(max(at + (1 if way == "down" else -1), 0), len(order) - 1)
        order.insert(to, order.pop(at))
    return order


@dataclass(frozen=True)
class TieBreakColumn:
    """A column of the standings: its place among the tie-breaks, its heading, and what it means."""

    index: int
    name: str
    heading: str
    meaning: str


def columns(names: Sequence[str]) -> list[TieBreakColumn]:
    """Return the columns for the tie-breaks of an event, in their order."""
    return [
        TieBreakColumn(index, name, str(SHORT[name]), str(MEANINGS[name]))
        for index, name in enumerate(names)
        if name in SHORT
    ]


def explained(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names and meanings of the tie-breaks of an event, in their order."""
    return [(str(TIE_BREAK_NAMES[name]), str(MEANINGS[name])) for name in names]


def cells(shown: Sequence[TieBreakColumn], breaks: Sequence[float] | None, seats: int) -> list[str]:
    """Return the values of an entry's tie-breaks, as people read them."""
    if breaks is None:
        return ["–"] * len(shown)
    return [
        _cell(column.name, breaks[column.index], seats) if column.index < len(breaks) else "–"
        for column in shown
    ]


def _cell(name: str, value: float, seats: int) -> str:
    if name == "placements":
        counts = [int(value // 1000 ** (3 - place)) % 1000 for place in range(seats)]
        return "-".join(map(str, counts))
    if name == "rating":
        return str(floatformat(value, 0))
    return str(floatformat(value / WIN, -2))
