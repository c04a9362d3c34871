"""Pages around tables: the first game, the challenge of the day, and people's results."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.accounts.client_address import client_network
from arena.accounts.limits import LimitError, spend
from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.play import daily_challenge, selectors, services
from arena.play.models import DailyChallenge, OnLeaving, Pace
from arena.play.people_results import people_page
from arena.play.views import seated
from engine.rulesets import EDITIONS

PAGE = 50
WINNERS_SHOWN = 100


@never_cache
def first_game(request: HttpRequest) -> HttpResponse:
    """A guided game for people who do not know the rules: what it is, and the button that begins it."""
    error = ""
    if request.method == "POST":
        network = client_network(request)
        try:
            spend("table", network)
            wanted = services.NewTable(
                [selectors.house_version(selectors.FIRST_OPPONENTS)],
                EDITIONS[0],
                Pace.RELAXED,
                OnLeaving.BOT,
                services.opener(request.user, network),
                has_hints=True,
                is_guided=True,
            )
            return seated(request, *services.open_table(request.user, wanted))
        except RefusedError as refused:
            error = refused.sentence
        except LimitError as limit:
            error = str(limit)
    return render(request, "play/first_game.html", {"error": error}, status=409 if error else 200)


@never_cache
def challenge(request: HttpRequest, day: str = "") -> HttpResponse:
    """Today's challenge, or what came of the one of another day."""
    error = ""
    if request.method == "POST" and not day and isinstance(request.user, User):
        network = client_network(request)
        try:
            spend("table", network)
            opened_from = services.opener(request.user, network)
            return seated(request, *daily_challenge.take_challenge(request.user, opened_from))
        except RefusedError as refused:
            error = refused.sentence
        except LimitError as limit:
            error = str(limit)
    found = past_challenge(day) if day else current_challenge()
    winners = list(daily_challenge.who_beat(found)[:WINNERS_SHOWN]) if found else []
    context = {
        "challenge": found,
        "is_today": not day,
        "winners": winners,
        "own": daily_challenge.own_seat(found, request.user) if found else None,
        "before": earlier(found),
        "error": error,
    }
    return render(request, "play/challenge.html", context, status=409 if error else 200)


def current_challenge() -> DailyChallenge | None:
    """Return today's challenge; None while no house bot can play."""
    try:
        return daily_challenge.challenge_of(daily_challenge.today())
    except RefusedError:
        return None


def past_challenge(text: str) -> DailyChallenge:
    """Return the challenge of a day before today, by its address."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    stored = DailyChallenge.objects.select_related("version__bot").filter(day=day).first() if day else None
    if stored is None or stored.day >= daily_challenge.today():
        raise Http404(_("There was no challenge on that day."))
    return stored


def earlier(challenge: DailyChallenge | None) -> DailyChallenge | None:
    """Return the challenge before this one."""
    day = challenge.day if challenge else daily_challenge.today()
    return DailyChallenge.objects.filter(day__lt=day).order_by("-day").first()


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """What people have played and won at tables."""
    return render(request, "play/people.html", {"page": people_page(request, PAGE)})
