"""Pages of the standings: each goes on from a bot, so that a page costs the same wherever it is."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from arena.ladders import reading_queries, selectors
from arena.ladders.models import Season
from arena.ladders.selectors import StandingsRow

PAGE = 50


@dataclass(frozen=True)
class StandingsPage:
    rows: list[StandingsRow]
    previous: str = ""
    """The address of the page above, where there is one."""
    next: str = ""
    note: str = ""
    """What to tell about a page that could not be found."""


def read_number(text: str) -> int | None:
    """Return a whole number that the database can hold, or None."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def standings_page(season: Season, request: HttpRequest) -> StandingsPage:
    """Return the page after or before a bot, or the one with a number; without either, the first."""
    for name in ("after", "before"):
        if slug := request.GET.get(name, ""):
            standing = selectors.standing_of(season, slug[:100].replace("\0", ""))
            if standing is None:
                note = (
                    _("No bot called %s is in these standings any more. Here they are from the top.")
                    % slug[:40]
                )
                return page_of(selectors.standings_from(season, 0, PAGE + 1), note)
            if name == "after":
                return page_of(selectors.standings_after(season, standing, PAGE + 1))
            return page_of(selectors.standings_before(season, standing, PAGE), has_next=True)
    if not (number := request.GET.get("page", "")):
        return page_of(selectors.standings_from(season, 0, PAGE + 1))
    return numbered_page(season, read_number(number))


def numbered_page(season: Season, number: int | None) -> StandingsPage:
    """Return a page by its number; beyond the end, the last one."""
    if not number:
        note = _("There is no such page. Here are the standings from the top.")
        return page_of(selectors.standings_from(season, 0, PAGE + 1), note)
    rows = selectors.standings_from(season, (number - 1) * PAGE, PAGE + 1)
    if rows:
        return page_of(rows)
    last = max(reading_queries.count_standings(season.pk) - 1, 0) // PAGE
    note = _("There is no page %(number)d. This is the last one, page %(last)d.") % {
        "number": number,
        "last": last + 1,
    }
    return page_of(selectors.standings_from(season, last * PAGE, PAGE + 1), note)


def page_of(rows: list[StandingsRow], note: str = "", has_next: bool = False) -> StandingsPage:
    """Make a page of up to one row more than it shows, which tells that there is another page."""
    shown = rows[:PAGE]
    has_next = has_next or len(rows) > PAGE
    return StandingsPage(
        shown,
        address("before", shown[0]) if shown and shown[0].rank > 1 else "",
        address("after", shown[-1]) if shown and has_next else "",
        note,
    )


def address(name: str, row: StandingsRow) -> str:
    return "?" + urlencode({name: row.bot.slug})
