"""The organiser's desk: what happens next, every act with its preview, entrants, seeds, games."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.computing import computes
from arena.tournaments import acts, sections
from arena.tournaments.agenda import agenda
from arena.tournaments.forecasts import compare_formats, forecast_of
from arena.tournaments.models import OPEN_STATES, State, Tournament
from arena.tournaments.previews import Preview, look_ahead
from arena.tournaments.round_titles import round_title
from arena.tournaments.selectors import EVERY_ROUND, Picture, by_seed, picture
from arena.tournaments.visibility import organised
from contests.formats.entities import Pod

MOST_NAMED = 20
TYPED = ("bot", "reason", "slugs")
"""What people type at the desk, which a refusal must not lose."""


@login_required
@computes
def desk(request: AuthorRequest, slug: str) -> HttpResponse:
    """Show the desk. An act that may change pairings is previewed, and done once confirmed."""
    tournament = organised(slug, request.user)
    act = preview = None
    if request.method == "POST":
        try:
            act = acts.read(tournament, _posted(request))
            preview = _done_or_preview(request, tournament, act)
            if preview is None:
                messages.success(request, act.done)
                return redirect("tournament-desk", tournament.slug)
        except RefusedError as error:
            messages.error(request, error.sentence)
            if not any(request.POST.get(name) for name in TYPED):
                return redirect("tournament-desk", tournament.slug)
            act = None
    return render(request, "tournaments/desk.html", _context(request, tournament, act, preview))


def _posted(request: AuthorRequest) -> dict[str, str]:
    """Return what was posted. A button to preview names the act as one to do it does."""
    data: dict[str, str] = request.POST.dict()
    return data | {"act": data["preview"]} if "preview" in data else data


def _done_or_preview(request: AuthorRequest, tournament: Tournament, act: acts.Act) -> Preview | None:
    """Do the act and return None, or return its preview if one is wanted, needed, or no longer true."""
    run = partial(act.run, request.user)
    if "confirmed" not in request.POST and (act.needs_preview or "preview" in request.POST):
        return look_ahead(run, tournament.pk)
    with transaction.atomic():
        # Nobody else acts between the second look and the act.
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if request.POST.get("basis"):
            now = look_ahead(run, tournament.pk)
            if now.basis != request.POST["basis"]:
                messages.warning(
                    request, _("Something has changed since this preview. This is what would happen now.")
                )
                return now
        run()
    return None


def _context(
    request: AuthorRequest, tournament: Tournament, act: acts.Act | None, preview: Preview | None
) -> dict[str, Any]:
    tournament.refresh_from_db()
    seen = picture(tournament)
    rounds = sections.round_names(tournament, EVERY_ROUND)
    change = preview.change if preview else None
    before_start = tournament.state in {*OPEN_STATES, State.LOCKED}
    return {
        "tournament": tournament,
        "entries": sorted(seen.entries.values(), key=by_seed),
        "rounds": rounds,
        "shown": sections.chosen_round(tournament, EVERY_ROUND, rounds, request.GET),
        "openings": list(tournament.openings.all()),
        "available": acts.available(tournament),
        "agenda": agenda(seen),
        "act": act,
        "preview": preview,
        "dropped": _in_words(seen, change.dropped if change else ()),
        "added": _in_words(seen, change.added if change else ()),
        "changed": _in_words(seen, change.results if change else ()),
        "hidden_fields": [
            (name, value)
            for name, value in _posted(request).items()
            if name not in {"csrfmiddlewaretoken", "basis", "preview", "confirmed"}
        ],
        "typed": request.POST if preview is None else {},
        "next_round": tournament.opened_rounds + 1,
        "is_open": tournament.state in OPEN_STATES,
        "may_seed": before_start,
        "is_over": tournament.state in {State.FINISHED, State.CANCELLED},
        "alternatives": compare_formats(seen) if "formats" in request.GET and before_start else None,
        "forecast": forecast_of(seen) if before_start else None,
    }


def _in_words(seen: Picture, pods: Sequence[str]) -> list[str]:
    """Return the first of these pods by the names of their bots."""
    names = {one.number: round_title(one.pairing["name"]) for one in seen.openings}
    found = []
    for pod in map(Pod.from_key, pods[:MOST_NAMED]):
        bots = " · ".join(seen.entries[one].bot.name for one in pod.entrants)
        title = names.get(pod.round) or _("Round %s") % pod.round
        found.append(_("%(round)s: %(names)s") % {"round": title, "names": bots})
    if len(pods) > MOST_NAMED:
        more = len(pods) - MOST_NAMED
        found.append(ngettext("and %d more", "and %d more", more) % more)
    return found
