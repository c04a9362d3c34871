"""The pages on which an organiser makes an event and changes its rules."""

import hashlib
import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts import audit
from arena.accounts.permissions import may_create_tournaments
from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.tournaments import services
from arena.tournaments.forms import TournamentForm
from arena.tournaments.models import Tournament
from arena.tournaments.presets import PRESETS, invite_again, preset_values, rules_of
from arena.tournaments.visibility import find_tournament, organised


@login_required
def create(request: AuthorRequest) -> HttpResponse:
    """Show the form of a new event, filled in from ?preset= or from an earlier event, ?from=; and save it."""
    if not may_create_tournaments(request.user):
        raise PermissionDenied(_("Only organisers can create tournaments. Ask the staff to make you one."))
    former = find_tournament(request.GET["from"], request.user) if request.GET.get("from") else None
    initial = rules_of(former) if former else preset_values(request.GET.get("preset", ""))
    form = TournamentForm(request.POST or None, instance=Tournament(organiser=request.user), initial=initial)
    if "move" in request.POST:
        form = form.sorted_by(request.POST["move"])
    elif request.method == "POST" and form.is_valid():
        with transaction.atomic():
            tournament = form.save()
            audit.record(request.user, "create tournament", tournament)
            invited = invite_again(tournament, former) if former and "invite_again" in request.POST else 0
        if invited:
            messages.success(request, ngettext("%d bot invited.", "%d bots invited.", invited) % invited)
        return redirect("tournament-desk", tournament.slug)
    own = Tournament.objects.filter(organiser=request.user).order_by("-id")[:20]
    context = {
        "form": form,
        "presets": PRESETS,
        "preset": request.GET.get("preset", ""),
        "former": former,
        "own": own,
        "entrants": former.entries.exclude(state="disqualified").count() if former else 0,
    }
    return render(request, "tournaments/edit.html", context)


@login_required
def edit(request: AuthorRequest, slug: str) -> HttpResponse:
    """Change the rules. Whoever saves over what another organiser saved meanwhile is told first."""
    tournament = organised(slug, request.user)
    try:
        with transaction.atomic():
            # Read again once it is locked: saving must not undo what another organiser did meanwhile.
            tournament = services.to_edit(tournament.pk, request.user)
            basis = digest(tournament)
            form = TournamentForm(request.POST or None, instance=tournament)
            if "move" in request.POST:
                basis = request.POST.get("basis", basis)
                form = form.sorted_by(request.POST["move"])
            elif request.method == "POST" and form.is_valid():
                if request.POST.get("basis", basis) == basis:
                    form.save()
                    audit.record(request.user, "change tournament", tournament)
                    return redirect("tournament-desk", tournament.slug)
                form.add_error(None, _changed_meanwhile(form))
    except RefusedError as error:
        raise PermissionDenied(error.sentence) from None
    return render(request, "tournaments/edit.html", {"form": form, "tournament": tournament, "basis": basis})


def digest(tournament: Tournament) -> str:
    """Return what identifies the rules as they are saved now."""
    form = TournamentForm(instance=tournament)
    values = {name: form[name].value() for name in form.fields}
    return hashlib.sha256(json.dumps(values, cls=DjangoJSONEncoder, default=str).encode()).hexdigest()[:16]


def _changed_meanwhile(form: TournamentForm) -> str:
    labels = ", ".join(str(form[name].label) for name in form.changed_data if name != "time_zone")
    return _(
        "Another organiser changed the rules while you were editing them. Saving again replaces their "
        "changes with yours. Yours differ in: %s"
    ) % (labels or "–")
