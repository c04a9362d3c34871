"""The stage of an event, for a beamer: live boards, standings and the next matches, which renew themselves.

It shows what everybody may see, whoever is signed in on the machine that shows it.
"""

import time
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.matches.models import Match
from arena.replays.pictures import boards_page
from arena.replays.selectors import boards_of, find_event
from arena.replays.words import phrases
from arena.tournaments import sections
from arena.tournaments.models import Game, State, Tournament, TournamentEntry
from arena.tournaments.round_titles import round_title
from arena.tournaments.visibility import visible_rounds
from contests.formats.entities import Pod

BOARDS: Final = 4
LINES: Final = 10
MATCHES: Final = 6
TURN_SECONDS: Final = 10
"""How long a page of the standings is shown, where one does not hold them all."""


@require_safe
def stage(request: HttpRequest, slug: str) -> HttpResponse:
    event = find_event(slug)
    if event is None:
        raise Http404(_("This tournament does not exist, or is not open yet."))
    return render(request, "replays/stage.html", stage_context(request, event))


def stage_context(request: HttpRequest, event: Tournament) -> dict[str, Any]:
    visible = visible_rounds(event, AnonymousUser())
    lines = Paginator(sections.standings(event, visible), LINES)
    known = sections.known_openings(event, visible).last()
    games = event.games.filter(round__lte=visible, voided_at=None).select_related("match")
    now = games.filter(round=known.number) if known else games.none()
    return {
        "tournament": event,
        "matches": boards_of(event, BOARDS),
        "page": boards_page(BOARDS, request.get_full_path()),
        "words": phrases(),
        "standings": lines.get_page(int(time.time()) // TURN_SECONDS % lines.num_pages + 1),
        "has_begun": event.opened_rounds > 0,
        "is_over": event.state == State.FINISHED and visible >= event.opened_rounds,
        "round": round_title(known.pairing["name"]) if known else "",
        "games": now.count(),
        "over": now.filter(placements__isnull=False).count(),
        "coming": named(event, now.filter(match__state=Match.State.QUEUED).order_by("match")[:MATCHES]),
    }


def named(event: Tournament, games: Any) -> list[list[TournamentEntry]]:
    """Return the entrants of each of these games."""
    pods = [Pod.from_key(game.pod) for game in list[Game](games)]
    wanted = {one for pod in pods for one in pod.entrants}
    entries = event.entries.filter(pk__in=wanted).select_related("bot").in_bulk()
    return [[entries[one] for one in pod.entrants] for pod in pods]
