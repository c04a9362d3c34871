"""The page of a promotion test, for the owner of the bot."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from arena.accounts.requests import AuthorRequest
from arena.bots.errors import RefusedError
from arena.bots.models import Status
from arena.bots.views import find_version, own_bot
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.models import Match
from arena.promotions import selectors, services
from arena.promotions.evidence_chart import evidence_chart

MATCHES = 10


@login_required
@require_GET
def test_page(request: AuthorRequest, slug: str, number: int) -> HttpResponse:
    """Show the latest test of a version; without one, what a test is and how to start it."""
    bot = own_bot(request, slug)
    version = find_version(slug, number)
    test = selectors.latest_test(version)
    can_play = version.status == Status.VALIDATED and not bot.disqualified_at
    context: dict[str, Any] = {
        "bot": bot,
        "version": version,
        "test": test,
        "active": bot.active_version,
        "can_start": can_play and bot.active_version is not None and not (test and test.is_running),
        "can_activate": can_play,
    }
    if test:
        progress = selectors.progress_of(test)
        matches = list_matches(MatchFilter(purpose=Match.Purpose.PROMOTION), request.user)
        context |= {
            "progress": progress,
            "interval": progress.interval,
            "chart": evidence_chart(progress.course.steps, test.plan),
            "matches": matches.filter(purpose_id=test.pk)[:MATCHES],
            "alpha": percent(test.alpha),
            "beta": percent(test.beta),
        }
    if request.headers.get("HX-Request"):
        answer = render(request, "promotions/_progress.html", context)
        if test is None or not test.is_running:
            answer["HX-Refresh"] = "true"  # reload the whole page: other buttons apply now
        return answer
    return render(request, "promotions/test.html", context)


def percent(share: float) -> str:
    return f"{100 * share:.3g}%"


@login_required
@require_POST
def change_test(request: AuthorRequest, slug: str, number: int, act: str) -> HttpResponse:
    own_bot(request, slug)
    version = find_version(slug, number)
    try:
        if act == "start":
            services.start(version.pk)
            messages.success(request, _("The test is running."))
        else:
            services.stop(version.pk)
            messages.success(request, _("The test is stopped."))
    except RefusedError as error:
        messages.error(request, str(error))
    return redirect("version-test", slug, number)
