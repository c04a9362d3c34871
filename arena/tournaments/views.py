"""The pages of tournaments: the list, an event, and its organiser's desk."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from arena.accounts import audit
from arena.accounts.permissions import may_create_tournaments, may_organise
from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.computing import computes, spend, tells_limits
from arena.tournaments import acts, entering, export, sections, services
from arena.tournaments.conditions import Verdict, verdicts
from arena.tournaments.forecasts import forecast_of
from arena.tournaments.forms import TournamentForm
from arena.tournaments.models import OPEN_STATES, EntryState, State, Tournament
from arena.tournaments.selectors import EVERY_ROUND, Picture, picture
from arena.tournaments.visibility import find_tournament, listed, seed_is_told, visible_rounds
from contests.formats.entities import FormatError, Pod
from contests.formats.fairness import commitment

MOST_NAMED = 20


def _organised(request: HttpRequest, slug: str) -> Tournament:
    tournament = find_tournament(slug, request.user)
    if not may_organise(request.user, tournament):
        raise PermissionDenied(_("Only its organiser and staff may do this."))
    return tournament


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
    lines = Paginator(sections.standings(tournament, visible), sections.LINES)
    sees_all = visible >= tournament.opened_rounds
    drawn, matrix = sections.drawings(tournament, visible, lines.count)
    rounds = sections.round_names(tournament, visible)
    own: list[tuple[Bot, list[Verdict]]] = []
    entered: set[int] = set()
    if request.user.is_authenticated and tournament.state == State.REGISTRATION:
        bots = list(request.user.bots.order_by("name")[:20])
        own = [(bot, verdicts(tournament, bot)) for bot in bots]
        entries = tournament.entries.filter(bot__in=bots, state=EntryState.ENTERED)
        entered = set(entries.values_list("bot_id", flat=True))
    return {
        "tournament": tournament,
        "standings": lines.get_page(request.GET.get("page")),
        "podium": lines.page(1)[:3] if tournament.state == State.FINISHED and sees_all else [],
        "rounds": rounds,
        "shown": _shown_round(request, tournament, visible, [number for number, _name in rounds]),
        "bracket": mark_safe(drawn),  # noqa: S308  bracket.draw escapes every name
        "crosstable": matrix,
        "commitment": None if tournament.state in OPEN_STATES else commitment(bytes(tournament.master_seed)),
        "master_seed": bytes(tournament.master_seed).hex() if seed_is_told(tournament, visible) else None,
        "may_organise": may_organise(request.user, tournament),
        "own": own,
        "entered": entered,
        "held_back": not sees_all,
        "is_live": tournament.state in {State.RUNNING, State.PAUSED},
    }


def _shown_round(
    request: HttpRequest, tournament: Tournament, visible: int, numbers: list[int]
) -> sections.ShownRound | None:
    """Return the round that the address names, or the latest."""
    by_text = {str(number): number for number in numbers}
    number = by_text.get(request.GET.get("round", ""), max(numbers, default=0))
    return sections.shown_round(tournament, number, visible, request.GET.get("pods"))


@login_required
def create(request: AuthorRequest) -> HttpResponse:
    if not may_create_tournaments(request.user):
        raise PermissionDenied(_("Only organisers can create tournaments. Ask the staff to make you one."))
    form = TournamentForm(request.POST or None, instance=Tournament(organiser=request.user))
    if request.method == "POST" and form.is_valid():
        tournament = form.save()
        audit.record(request.user, "create tournament", tournament)
        return redirect("tournament-desk", tournament.slug)
    return render(request, "tournaments/edit.html", {"form": form, "tournament": None})


@login_required
def edit(request: AuthorRequest, slug: str) -> HttpResponse:
    tournament = _organised(request, slug)
    try:
        with transaction.atomic():
            # Read again once it is locked: saving must not undo what another organiser did meanwhile.
            tournament = services.to_edit(tournament.pk, request.user)
            form = TournamentForm(request.POST or None, instance=tournament)
            if request.method == "POST" and form.is_valid():
                form.save()
                audit.record(request.user, "change tournament", tournament)
                return redirect("tournament-desk", tournament.slug)
    except RefusedError as error:
        raise PermissionDenied(error.sentence) from None
    return render(request, "tournaments/edit.html", {"form": form, "tournament": tournament})


@login_required
@computes
def desk(request: AuthorRequest, slug: str) -> HttpResponse:
    """Show the organiser's desk. An act that may change pairings is previewed, and done once confirmed."""
    tournament = _organised(request, slug)
    act = change = None
    if request.method == "POST":
        try:
            act = acts.read(tournament, request.POST)
            if not act.needs_preview or "confirmed" in request.POST:
                act.run(request.user)
                messages.success(request, act.done)
                return redirect("tournament-desk", tournament.slug)
            change = services.preview(partial(act.run, request.user), tournament.pk)
        except RefusedError as error:
            messages.error(request, error.sentence)
            return redirect("tournament-desk", tournament.slug)
    seen = picture(tournament)
    rounds = sections.round_names(tournament, EVERY_ROUND)
    context = {
        "tournament": tournament,
        "entries": list(seen.entries.values()),
        "rounds": rounds,
        "shown": _shown_round(request, tournament, EVERY_ROUND, [number for number, _name in rounds]),
        "openings": list(tournament.openings.all()),
        "available": acts.available(tournament),
        "act": act,
        "change": change,
        "dropped": _in_words(seen, change.dropped if change else ()),
        "added": _in_words(seen, change.added if change else ()),
        "changed": _in_words(seen, change.results if change else ()),
        "next_round": tournament.opened_rounds + 1,
        "is_open": tournament.state in OPEN_STATES,
        "may_seed": tournament.state in {*OPEN_STATES, State.LOCKED},
        "is_over": tournament.state in {State.FINISHED, State.CANCELLED},
        "forecast": forecast_of(seen) if tournament.state in {*OPEN_STATES, State.LOCKED} else None,
    }
    return render(request, "tournaments/desk.html", context)


def _in_words(seen: Picture, pods: Sequence[str]) -> list[str]:
    """Return the first of these pods by the names of their bots."""
    found = []
    for pod in map(Pod.from_key, pods[:MOST_NAMED]):
        names = " · ".join(seen.entries[one].bot.name for one in pod.entrants)
        found.append(_("Round %(number)d: %(names)s") % {"number": pod.round, "names": names})
    if len(pods) > MOST_NAMED:
        found.append(_("and %d more") % (len(pods) - MOST_NAMED))
    return found


@login_required
@require_POST
def take_part(request: AuthorRequest, slug: str) -> HttpResponse:
    tournament = find_tournament(slug, request.user)
    bot = get_object_or_404(Bot, slug=request.POST.get("bot", ""), owner=request.user)
    try:
        if "withdraw" in request.POST:
            entering.withdraw(tournament.pk, bot, request.user, _("Withdrawn by its author."))
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
