"""The pages of tournaments: the list, an event, and its organiser's desk."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_POST

from arena.accounts.permissions import may_create_tournaments, may_organise
from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.bots.selectors import bots_for
from arena.computing import computes, spend, tells_limits
from arena.tournaments import entering, export, sections
from arena.tournaments.conditions import Verdict, verdicts
from arena.tournaments.models import OPEN_STATES, EntryState, State, Tournament
from arena.tournaments.selectors import Picture, picture
from arena.tournaments.tie_breaks import cells, columns, explained
from arena.tournaments.visibility import find_tournament, listed, seed_is_told, visible_rounds
from contests.formats.entities import FormatError
from contests.formats.fairness import commitment
from contests.formats.ranking import BY_DISTANCE


def _seen(request: HttpRequest, tournament: Tournament) -> Picture:
    return picture(tournament, visible_rounds(tournament, request.user))


@require_GET
def tournament_list(request: HttpRequest) -> HttpResponse:
    shown = listed(request.user)
    over = {State.FINISHED, State.CANCELLED}
    context = {
        "current": [one for one in shown if one.state not in over],
        "past": [one for one in shown if one.state in over],
        "may_create": may_create_tournaments(request.user),
    }
    return render(request, "tournaments/list.html", context)


@require_GET
def event(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find_tournament(slug, request.user)
    return render(request, "tournaments/event.html", event_context(request, tournament))


def event_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    visible = visible_rounds(tournament, request.user)
    ranked = sections.standings(tournament, visible)
    lines = Paginator(ranked, sections.LINES)
    sees_all = visible >= tournament.opened_rounds
    drawn = sections.drawings(tournament, visible, lines.count)
    rounds = sections.round_names(tournament, visible)
    page = lines.get_page(request.GET.get("page"))
    shown_breaks = columns(tournament.tie_breaks) if rounds else []
    own: list[tuple[Bot, list[Verdict]]] = []
    entered: set[int] = set()
    if request.user.is_authenticated and tournament.state == State.REGISTRATION:
        bots = list(bots_for(request.user).order_by("name")[:20])
        own = [(bot, verdicts(tournament, bot)) for bot in bots]
        entries = tournament.entries.filter(bot__in=bots, state=EntryState.ENTERED)
        entered = set(entries.values_list("bot_id", flat=True))
    return {
        "tournament": tournament,
        "standings": page,
        "lines": [(entry, cells(shown_breaks, entry.breaks, tournament.seats)) for entry in page],
        "columns": shown_breaks,
        "tie_breaks": explained(tournament.tie_breaks),
        "by_distance": tournament.format in BY_DISTANCE,
        "podium": ranked[:3] if tournament.state == State.FINISHED and sees_all else [],
        "rounds": rounds,
        "shown": sections.chosen_round(tournament, visible, rounds, request.GET),
        "brackets": [(one.title, mark_safe(one.svg)) for one in drawn.brackets],  # noqa: S308  names are escaped
        "groups": drawn.groups,
        "crosstable": drawn.crosstable,
        "commitment": None if tournament.state in OPEN_STATES else commitment(bytes(tournament.master_seed)),
        "master_seed": bytes(tournament.master_seed).hex() if seed_is_told(tournament, visible) else None,
        "may_organise": may_organise(request.user, tournament),
        "own": own,
        "entered": entered,
        "held_back": not sees_all,
        "may_create": may_create_tournaments(request.user),
        "is_live": tournament.state in {State.RUNNING, State.PAUSED},
    }


@login_required
@require_POST
def take_part(request: AuthorRequest, slug: str) -> HttpResponse:
    tournament = find_tournament(slug, request.user)
    bot = get_object_or_404(bots_for(request.user), slug=request.POST.get("bot", ""))
    try:
        if "withdraw" in request.POST:
            entering.withdraw(tournament.pk, bot, request.user, gettext_noop("Withdrawn by its author."))
            messages.success(request, _("%s withdrawn.") % bot.name)
        else:
            entering.enter(tournament.pk, bot, request.user)
            messages.success(request, _("%s entered.") % bot.name)
    except RefusedError as error:
        messages.error(request, error.sentence)
    return redirect("tournament", tournament.slug)


@require_GET
@computes
@tells_limits
def download(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    tournament = find_tournament(slug, request.user)
    spend("compute", request)
    seen = _seen(request, tournament)
    if kind == "json":
        response: HttpResponse = JsonResponse(export.to_data(seen), json_dumps_params={"indent": 1})
    elif kind == "csv":
        response = HttpResponse(export.to_csv(seen), content_type="text/csv; charset=utf-8")
    else:
        try:
            response = HttpResponse(export.to_trf(seen), content_type="text/plain; charset=utf-8")
        except FormatError as error:
            raise Http404(str(error)) from None
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}.{kind}"'
    return response
