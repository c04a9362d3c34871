"""The pages of searching and following."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from arena.accounts.requests import AuthorRequest
from arena.bots.models import Bot
from arena.discovery import services
from arena.discovery.searching import LONGEST, search
from arena.tournaments.models import Tournament
from arena.tournaments.visibility import find_tournament


@require_GET
def search_page(request: HttpRequest) -> HttpResponse:
    """Everything by one text. The id of a match leads straight to it."""
    text = request.GET.get("q", "")[:LONGEST].strip()
    found = search(text, request.user)
    return render(request, "discovery/search.html", {"text": text, "found": found, "longest": LONGEST})


@login_required
@require_GET
def following(request: AuthorRequest) -> HttpResponse:
    """What somebody follows, newest first."""
    rows = request.user.follows.select_related("bot", "tournament")
    return render(request, "discovery/following.html", {"follows": rows})


@require_POST
@login_required
def follow_bot(request: AuthorRequest, slug: str) -> HttpResponse:
    return _change(request, get_object_or_404(Bot, slug=slug))


@require_POST
@login_required
def follow_event(request: AuthorRequest, slug: str) -> HttpResponse:
    return _change(request, find_tournament(slug, request.user))


def _change(request: AuthorRequest, thing: Bot | Tournament) -> HttpResponse:
    """Follow it, or with `stop` no longer; then back to its page, or to the list that it was stopped in."""
    if "stop" in request.POST:
        services.unfollow(request.user, thing)
        messages.info(request, _("You no longer follow %(name)s.") % {"name": thing.name})
    else:
        try:
            services.follow(request.user, thing)
        except services.FollowError as error:
            messages.error(request, str(error))
        else:
            messages.info(
                request, _("You now follow %(name)s. News will appear under Notices.") % {"name": thing.name}
            )
    return redirect("following" if "list" in request.POST else thing)
