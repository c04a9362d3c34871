"""What the cards of matches, events, bots and ladders say: no more than everybody may see."""

import hashlib
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from arena.bots.models import Bot
from arena.computing import computes, spend, tells_limits
from arena.discovery.card_drawing import CardContent, CardRow, draw_card
from arena.ladders.models import Ladder, Standing
from arena.ladders.selectors import shown_season, standings
from arena.matches.editions import edition_name
from arena.matches.models import Match
from arena.offload import offload
from arena.replays import selectors
from arena.replays.drawing.scene import tribe
from arena.replays.stored_frames import position_at
from arena.shared_cache import get_or_build
from arena.tournaments.models import State, Tournament, TournamentEntry
from arena.tournaments.selectors import COUNTED
from arena.tournaments.visibility import find_tournament, visible_rounds

NOBODY = AnonymousUser()
KEPT_SECONDS = 3600
BEST = 5
PODIUM = 3


def send_card(request: HttpRequest, content: CardContent) -> HttpResponse:
    """Draw a card, or send what was drawn: one drawing for as long as it says the same."""
    tag = hashlib.sha256(repr(content).encode()).hexdigest()[:24]
    headers = {"ETag": f'"{tag}"', "Cache-Control": "public, max-age=300"}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return HttpResponseNotModified(headers=headers)

    def build() -> bytes:
        spend("compute", request)
        return offload(draw_card, content)

    return HttpResponse(
        get_or_build(f"card:{tag}", build, KEPT_SECONDS), content_type="image/png", headers=headers
    )


@require_safe
@computes
@tells_limits
def match_card(request: HttpRequest, public_id: str) -> HttpResponse:
    return send_card(request, about_match(selectors.find_match(NOBODY, public_id)))


@require_safe
@computes
@tells_limits
def bot_card(request: HttpRequest, slug: str) -> HttpResponse:
    return send_card(request, about_bot(get_object_or_404(Bot.objects.select_related("owner"), slug=slug)))


@require_safe
@computes
@tells_limits
def event_card(request: HttpRequest, slug: str) -> HttpResponse:
    return send_card(request, about_event(slug))


@require_safe
@computes
@tells_limits
def ladder_card(request: HttpRequest, slug: str) -> HttpResponse:
    return send_card(request, about_ladder(get_object_or_404(Ladder, slug=slug)))


def about_match(match: Match) -> CardContent:
    seats = selectors.named_seats(match)
    position = _end_of(match)
    sides = position["side_of"] if position else range(match.seats)
    rows = [
        (
            taken.placement or 9,
            CardRow(
                taken.player,
                str(taken.score) if position and taken.score is not None else "",
                tribe(match.seats, sides[taken.seat]),
                bool(position) and taken.placement == 1,
            ),
        )
        for taken in seats
    ]
    rows.sort(key=lambda one: one[0])
    pawns = [divmod(int(at), position["size"]) for at in sorted(position["pawns"])] if position else []
    return CardContent(
        str(match.get_purpose_display()).capitalize(),
        _title(match, rows[0][1] if rows else None),
        edition_name(match.ruleset.get("name", "")),
        tuple(row for _place, row in rows),
        match.board_id,
        tuple((tribe(match.seats, side), territory) for side, territory in pawns),
    )


def _title(match: Match, first: CardRow | None) -> str:
    """Who won, or else who plays."""
    if first and first.is_first:
        return _("%(bot)s wins") % {"bot": first.text}
    return selectors.players(match)


def _end_of(match: Match) -> dict[str, Any]:
    """The position at the end of a match that can be shown; empty otherwise."""
    report, record = selectors.report_of(match), selectors.record_of(match)
    if report is None or record is None or selectors.why_not_replayable(record):
        return {}
    return offload(position_at, bytes(report.record), "public", None)[0]


def about_bot(bot: Bot) -> CardContent:
    latest = Standing.objects.filter(bot=bot, season__ladder__is_open=True).select_related("season__ladder")
    best = latest.order_by("season__ladder_id", "-season__number").distinct("season__ladder_id")
    rows = [CardRow(one.season.ladder.name, f"{one.rating:.0f}") for one in best[:BEST]]
    return CardContent(_("Bot"), bot.name, _("by %(author)s") % {"author": bot.owner.username}, tuple(rows))


def about_event(slug: str) -> CardContent:
    event = find_tournament(slug, NOBODY)
    entrants = event.entries.filter(state__in=COUNTED).count()
    facts = [
        event.get_format_display(),
        ngettext("%(count)d entrant", "%(count)d entrants", entrants) % {"count": entrants},
        event.get_state_display(),
    ]
    rows = [
        CardRow(f"{place}. {entry.bot.name}", is_first=place == 1)
        for place, entry in enumerate(_podium(event), 1)
    ]
    return CardContent(_("Tournament"), event.name, " · ".join(map(str, facts)), tuple(rows))


def _podium(event: Tournament) -> list[TournamentEntry]:
    """The first three of an event that is over, once everybody may see all its results."""
    if event.state != State.FINISHED or visible_rounds(event, NOBODY) < event.opened_rounds:
        return []
    ranked = event.entries.filter(state__in=COUNTED, place__isnull=False).select_related("bot")
    return list(ranked.order_by("place")[:PODIUM])


def about_ladder(ladder: Ladder) -> CardContent:
    season = shown_season(ladder)
    best = standings(season)[:BEST] if season else []
    rows = [
        CardRow(f"{place}. {one.bot.name}", f"{one.rating:.0f}", is_first=place == 1)
        for place, one in enumerate(best, 1)
    ]
    subtitle = edition_name(ladder.ruleset.get("name", ""))
    return CardContent(_("Ladder"), ladder.name, subtitle, tuple(rows))
