"""What other pages show of matches: signs and pictures, the best live match, the latest ones."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from arena.matches.models import Match
from arena.replays import selectors
from arena.replays.drawing.symbols import definitions, symbol
from arena.replays.explained import Illustration
from arena.replays.match_luck import MatchLuck
from arena.replays.pictures import boards_page
from arena.replays.words import phrases

register = template.Library()


def _svg(name: str, size: int) -> SafeString:
    # The drawing is one of ours, from a file of ours.
    drawing = mark_safe(symbol(name, 0, 0, 24))  # noqa: S308  drawn by us
    return format_html(
        '<svg class="sign" viewBox="-12 -12 24 24" width="{}" height="{}" aria-hidden="true">{}</svg>',
        size,
        size,
        drawing,
    )


@register.simple_tag
def signs() -> SafeString:
    """All signs, once in a page, for what its scripts draw."""
    drawings = definitions("symbols.svg")
    return mark_safe(f'<svg class="signs" aria-hidden="true"><defs>{drawings}</defs></svg>')  # noqa: S308  ours


@register.simple_tag
def sign(kind: str, size: int = 44) -> SafeString:
    """The sign of a territory type, or of the wild card."""
    return _svg(f"type-{kind}", size)


@register.simple_tag
def card_sign(kind: int, size: int = 44) -> SafeString:
    return _svg(f"card-{kind}", size)


@register.simple_tag
def picture(shown: Illustration) -> SafeString:
    """A picture of the page that explains the game; the words below it are for every reader."""
    return format_html(
        '<figure><img src="{}" alt="" width="{}" height="{}" loading="lazy">'
        "<figcaption>{}</figcaption></figure>",
        shown.address,
        shown.width,
        shown.height,
        shown.text,
    )


@register.filter
def players(match: Match) -> str:
    """The names of a match's players, as its own page has them."""
    return selectors.players(match)


@register.simple_tag
def with_contests(matches: Iterable[Match]) -> list[tuple[Match, selectors.Links]]:
    """Return matches with the links to their event and round, or to their ladder, in few queries."""
    listed = list(matches)
    links = selectors.contest_links(listed)
    return [(match, links.get(match.pk, [])) for match in listed]


@register.inclusion_tag("replays/_watch_now.html")
def watch_now() -> dict[str, Any]:
    """For a home page: the best match that runs and the others that run, or else a replay."""
    running = selectors.live_matches(5)
    best = running[0] if running else selectors.featured_match()
    script = {"page": boards_page(1, reverse("live")), "words": phrases()} if best else {}
    return {
        "best": best,
        "is_live": bool(running),
        "is_replay": not running,
        "others": running[1:],
        **script,
    }


@register.filter
def of_seat(luck: MatchLuck, seat: int) -> str:
    """The luck of one seat, in percent with its sign."""
    return f"{100 * luck.seats[seat]:+.0f}%".replace("-", "−")
