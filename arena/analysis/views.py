"""Explanations, the analysis board, variations and continuations."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.accounts.limits import LimitError
from arena.accounts.models import User
from arena.analysis import branch_requests, host_continuations, selectors, services
from arena.analysis.advice import champions_choice
from arena.analysis.analysis_words import phrases
from arena.analysis.continuing import BOTS, MOST
from arena.analysis.explaining import unpack
from arena.analysis.models import LONGEST_NAME, Continuation, Explanation, Variation
from arena.analysis.positions import VariationError, number_at, tell_variation
from arena.analysis.services import BranchPoint, PlayOn
from arena.bots.errors import RefusedError
from arena.bots.views import own_bot
from arena.browser.browser_words import engine_words
from arena.browser.selectors import engine_page
from arena.computing import computes, spend, tells_limits
from arena.hosts.world_games import games_played
from arena.matches.models import Match
from arena.offload import offload
from arena.replays import explanation_words
from arena.replays.pictures import board_address
from arena.replays.selectors import header_of, named_seats, players
from arena.shared_cache import get_or_build

BUSY_SECONDS = 10
KEPT_SECONDS = 3600
LATEST = 20
LONGEST_SEED = 32


@require_safe
@tells_limits
def explained(request: HttpRequest, public_id: str) -> HttpResponse:
    """The explanation; 202 while it is computed, which the first reader's request starts.

    A reader gets the cheap one at once and has a better one computed for the next.
    """
    match, _report = selectors.open_match(request.user, public_id)
    found = Explanation.objects.filter(match=match).first()
    wait = 1
    if (found is None or found.worlds < services.THOROUGH) and not services.is_owed(match):
        spend("chances", request)
        worlds = services.THOROUGH if found else services.CHEAP
        wait = 1 if services.owe_explanation(match, worlds) else BUSY_SECONDS
    if found is None:
        return JsonResponse({}, status=202, headers={"Retry-After": str(wait)})
    return JsonResponse(
        {
            **unpack(bytes(found.packed)),
            "is_final": found.worlds >= services.THOROUGH,
            "words": explanation_words.phrases(),
        },
        headers={"Cache-Control": "no-cache"},
    )


@require_safe
@computes
@tells_limits
def champion(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """What `champion` would have done after so many actions of the match."""
    _match, report = selectors.open_match(request.user, public_id)
    stored = bytes(report.record)

    def build() -> bytes:
        spend("compute", request)
        told = offload(tell_variation, stored, number, [])
        if told["over"]:
            raise Http404(_("The match has no such decision."))
        return str(offload(champions_choice, stored, number)).encode()

    if number >= branch_requests.LARGEST_NUMBER:
        raise Http404(_("The match has no such decision."))
    action = int(get_or_build(f"champion:{public_id}:{number}", build, KEPT_SECONDS))
    return JsonResponse({"action": action})


def tells_refusals(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer refused and too frequent requests with a sentence, as JSON."""

    @wraps(view)
    def tell(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except RefusedError as error:
            return JsonResponse({"message": error.sentence}, status=400)
        except VariationError as error:
            return JsonResponse({"message": str(error)}, status=400)
        except LimitError as error:
            headers = {"Retry-After": str(error.seconds)}
            return JsonResponse({"message": str(error)}, status=429, headers=headers)

    return tell


def asked_branch(request: HttpRequest, public_id: str) -> tuple[BranchPoint, dict[str, Any]]:
    asked = branch_requests.read_branch(request)
    match, report = selectors.open_match(request.user, public_id)
    number = asked.number
    if number is None:
        number = offload(number_at, bytes(report.record), *asked.step)
    return BranchPoint(match, report, number, asked.actions), asked.rest


@require_POST
@computes
@tells_refusals
def try_actions(request: HttpRequest, public_id: str) -> HttpResponse:
    """Play actions from a step: {"step" or "number", "actions"}. Returns frames and the legal actions."""
    spend("try", request)
    branch, _rest = asked_branch(request, public_id)
    return JsonResponse(offload(tell_variation, branch.stored, branch.number, branch.actions))


@never_cache
@tells_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def variations(request: HttpRequest, public_id: str) -> HttpResponse:
    """The latest variations of a match; POST stores one: {"name", "number", "actions"}."""
    if request.method == "POST":
        spend("variation", request)
        branch, rest = asked_branch(request, public_id)
        name = branch_requests.short_text(rest, "name", LONGEST_NAME)
        found = services.save_variation(branch, name, request.user)
        return JsonResponse({"url": found.get_absolute_url()}, status=201)
    match, _report = selectors.open_match(request.user, public_id)
    latest = Variation.objects.filter(match=match).select_related("match").order_by("-id")[:LATEST]
    return JsonResponse({"variations": [{"name": one.name, "url": one.get_absolute_url()} for one in latest]})


@require_POST
@computes
@tells_refusals
def continuations(request: HttpRequest, public_id: str) -> HttpResponse:
    """Have bots play on: {"number", "actions", "seat", "bots", "games", "seed"}."""
    spend("continuation", request)
    branch, rest = asked_branch(request, public_id)
    wanted = PlayOn(
        branch_requests.whole(rest, "seat", 0),
        branch_requests.texts(rest, "bots"),
        branch_requests.whole(rest, "games", MOST),
        branch_requests.short_text(rest, "seed", LONGEST_SEED),
    )
    found = services.start_continuation(branch, wanted, request.user)
    return JsonResponse({"url": found.get_absolute_url(), **told_continuation(found)}, status=201)


def told_continuation(found: Continuation) -> dict[str, Any]:
    return {
        "key": found.key,
        "seat": found.seat,
        "bots": found.bots,
        "games": found.games,
        "seed": found.seed,
        "result": found.result,
        "ending": found.ending,
        "stop": reverse("match-continuation-stop", args=[found.match.public_id, found.key])
        if found.is_on_hosts and found.result is None
        else "",
        "url": found.get_absolute_url(),
    }


@never_cache
@require_safe
def continuation_result(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """A continuation's result; 202 while its bots play, with the number of games that are over."""
    found = find_continuation(request, public_id, key)
    if found.result is None:
        played = len(games_played(found.key)) if found.is_on_hosts else 0
        return JsonResponse({"played": played}, status=202, headers={"Retry-After": "2"})
    return JsonResponse(told_continuation(found))


@require_POST
@tells_refusals
def stop_continuation(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    """Stop a continuation of one's own that match hosts still play."""
    found = find_continuation(request, public_id, key)
    host_continuations.stop(found, request.user)
    found.refresh_from_db()
    return JsonResponse(told_continuation(found))


def find_continuation(request: HttpRequest, public_id: str, key: str) -> Continuation:
    match, _report = selectors.open_match(request.user, public_id)
    return get_object_or_404(Continuation.objects.select_related("match"), match=match, key=key)


def board_context(request: HttpRequest, match: Match, start: dict[str, Any], title: str) -> dict[str, Any]:
    address = [match.public_id]
    page = {
        "match": match.get_absolute_url(),
        "board": board_address("board-data", match.board_id),
        "try": reverse("match-try", args=address),
        "variations": reverse("match-variations", args=address),
        "continuations": reverse("match-continuations", args=address),
        "header": header_of(match),
        "bots": BOTS,
        "most": MOST,
        "most_on_hosts": host_continuations.MOST_ON_HOSTS,
        "few": host_continuations.FEW_GAMES,
        "engine": engine_page(),
        "engine_words": engine_words(),
        "record": reverse("match-record-json", args=address),
        "addresses": host_continuations.suggestions(match, request.user),
        "left": host_continuations.quota_of(request.user).left if isinstance(request.user, User) else None,
        "start": start,
    }
    return {
        "match": match,
        "title": players(match),
        "name": title,
        "seats": named_seats(match),
        "page": page,
        "words": phrases(),
        "board_picture": board_address("board-picture", match.board_id),
    }


@require_safe
def analysis_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """The analysis board, from ?step=12.1 of the replay."""
    match, _report = selectors.open_match(request.user, public_id)
    try:
        branch_requests.read_step(step := request.GET.get("step", "0"))
    except RefusedError as error:
        raise Http404(error.sentence) from None
    return render(request, "analysis/board.html", board_context(request, match, {"step": step}, ""))


@require_safe
def variation_page(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    match, _report = selectors.open_match(request.user, public_id)
    found = Variation.objects.select_related("author").filter(match=match, key=key).first()
    if found is None:
        raise Http404(_("There is no such variation of this match."))
    start = {"number": found.number, "actions": found.actions, "name": found.name}
    context = board_context(request, match, start, found.name)
    return render(request, "analysis/board.html", {**context, "author": found.author})


@require_safe
def continuation_page(request: HttpRequest, public_id: str, key: str) -> HttpResponse:
    match, _report = selectors.open_match(request.user, public_id)
    found = Continuation.objects.select_related("match").filter(match=match, key=key).first()
    if found is None:
        raise Http404(_("There is no such continuation of this match."))
    start = {"number": found.number, "actions": found.actions, "continuation": told_continuation(found)}
    return render(request, "analysis/board.html", board_context(request, match, start, ""))


@login_required
@require_safe
def decisions_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ten decisions that cost one's own bot most, over its latest losses."""
    bot = own_bot(request, slug)
    found, missing = selectors.costly_decisions(bot, request.user)
    return render(request, "analysis/decisions.html", {"bot": bot, "decisions": found, "missing": missing})
