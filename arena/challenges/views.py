"""The page on which authors request matches."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.bots.selectors import playable_bots
from arena.challenges.forms import ChallengeForm
from arena.challenges.services import Challenge, challenge, quota_of
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.models import Match

SUGGESTED = 6


@login_required
def challenge_page(request: AuthorRequest) -> HttpResponse:
    asked = {"opponents": request.GET.get("against", "")[:200], "bot": request.GET.get("bot", "")[:40]}
    form = ChallengeForm(request.user, request.POST or None, initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            matches = challenge(request.user, Challenge(**form.cleaned_data))
        except RefusedError as error:
            form.add_error(None, error.sentence)
        else:
            count = len(matches)
            said = ngettext("%d match requested.", "%d matches requested.", count) % count
            messages.success(request, said)
            return redirect("challenge")
    challenges = list_matches(MatchFilter(purpose=Match.Purpose.CHALLENGE), request.user)
    own = challenges.filter(purpose_id=request.user.pk)
    context = {
        "form": form,
        "has_bots": form.fields["bot"].queryset.exists(),  # type: ignore[attr-defined]  # a choice of rows
        "quota": quota_of(request.user),
        "matches": own[:20],
        "suggested": playable_bots().filter(is_house=True)[:SUGGESTED],
    }
    return render(request, "challenges/challenge.html", context)
