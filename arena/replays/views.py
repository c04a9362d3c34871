"""The page of a match, what its viewer asks for, and live matches."""

import re
from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena import csp
from arena.computing import computes, spend, tells_limits
from arena.matches.models import Match
from arena.matches.visibility import seed_is_secret
from arena.offload import offload
from arena.packed import send_packed
from arena.replays import live, selectors, services
from arena.replays.match_luck import luck_of_match
from arena.replays.models import WinChances
from arena.replays.own_machine import verify_context
from arena.replays.pictures import board_address, boards_page
from arena.replays.stored_frames import etag, packed_frames
from arena.replays.stored_frames import views as views_of
from arena.replays.words import phrases
from arena.shared_cache import get_or_build
from engine.record import Record

FRAMES_TYPE = "application/x-ndjson"
MOST_BOARDS = 12
LIVE_BOARDS = 6
BUSY_SECONDS = 10
# How long frames stay in the cache, which shares its memory with the queues.
KEPT_SECONDS = 3600
# Named in the page, so that the browser fetches them all at once: what the first picture needs, starting
# with the modules that fetch more.
MODULES = [
    "start.js", "dom.js", "game.js", "source.js",
    "viewer.js", "board.js", "words.js", "seats.js", "timeline.js", "controls.js",
]  # fmt: skip
MATCH_ID = "[a-z0-9]{1,16}"


def viewer_page(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return what the page tells the viewer: where everything is, and what may be seen."""
    watchable = selectors.report_of(match) is not None
    views = selectors.views_now(match) if watchable else views_of(match.seats)
    is_open = watchable and len(views) > 1
    running = match.state in (Match.State.QUEUED, Match.State.RUNNING)
    frames = reverse("match-frames", args=[match.public_id, "VIEW"])
    return {
        "match": match.public_id,
        "board": board_address("board-data", match.board_id),
        "frames": frames,
        "views": views,
        "live": f"{reverse('live-events')}?match={match.public_id}" if running else None,
        "chances": reverse("match-chances", args=[match.public_id]) if is_open else None,
        "explained": reverse("match-explained", args=[match.public_id]) if is_open else None,
        "picture": reverse("match-picture", args=[match.public_id]) if watchable else None,
        "styles": static("replays/panels.css"),
        "author": selectors.own_seats(request.user, match) if watchable else [],
        "address": request.build_absolute_uri(match.get_absolute_url()),
    }


def match_context(request: HttpRequest, match: Match) -> dict[str, Any]:
    seats = selectors.named_seats(match)
    record = selectors.record_of(match)
    luck = luck_of_match(match, selectors.report_of(match)) if record else None
    page = viewer_page(request, match)
    not_replayable = selectors.why_not_replayable(record) if record else ""
    has_frames = record is not None and not not_replayable
    can_verify = has_frames and page["chances"] is not None
    return {
        "match": match,
        "seats": sorted(seats, key=lambda one: (one.placement or 9, one.seat)),
        "contest": selectors.contest_links([match]).get(match.pk, []),
        "title": selectors.players(match),
        "page": page,
        "words": phrases(),
        "modules": [static(f"replays/{name}") for name in MODULES],
        # Asked for together with the page: most readers want the first view.
        "first_frames": page["frames"].replace("VIEW", page["views"][0]) if has_frames else "",
        "board_picture": board_address("board-picture", match.board_id),
        "has_notes": any(one.strikes for one in seats),
        "has_record": page["picture"] is not None,
        "luck": luck,
        "is_open": page["chances"] is not None,
        "not_replayable": not_replayable,
        "verify": verify_context(match, seats, page["frames"]) if can_verify else None,
        "embed": request.build_absolute_uri(reverse("match-embed", args=[match.public_id])),
    }


@require_safe
@gzip_page
def match_page(request: HttpRequest, public_id: str) -> HttpResponse:
    return render(
        request, "replays/match.html", match_context(request, selectors.find_match(request.user, public_id))
    )


@require_safe
@gzip_page
@xframe_options_exempt
def embedded(request: HttpRequest, public_id: str) -> HttpResponse:
    """The viewer alone, to be embedded in any site. It shows nothing of the reader's account."""
    match = selectors.find_match(request.user, public_id)
    context = match_context(request, match)
    context["page"] |= {"author": []}
    response = render(request, "replays/embed.html", context)
    response.headers[csp.HEADER] = csp.policy(frame_ancestors="*")  # any site may frame it
    return response


@require_safe
@computes
@tells_limits
def frames(request: HttpRequest, public_id: str, view: str) -> HttpResponse:
    """The frames of a view: made for the first reader, then cached for all others."""
    match = selectors.find_match(request.user, public_id)
    report, record = selectors.report_of(match), selectors.record_to_replay(match)
    if report is None or record is None or view not in selectors.views_now(match):
        raise Http404(_("This match has no such view, or the view is only available once the match is over."))
    header = selectors.header_of(match)
    tag = etag(bytes(report.record), view, header)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == tag:
        return HttpResponseNotModified(headers=headers)

    def build() -> bytes:
        spend("compute", request)
        return offload(packed_frames, bytes(report.record), view, header, selectors.times_of(report))

    return send_packed(request, get_or_build(f"frames:{tag}", build, KEPT_SECONDS), FRAMES_TYPE, headers)


@require_safe
@tells_limits
def chances(request: HttpRequest, public_id: str) -> HttpResponse:
    """Each seat's win chances; 202 while they are computed, which the first reader's request starts."""
    match = selectors.find_match(request.user, public_id)
    if match.is_over and seed_is_secret(match):
        raise Http404(_("Win chances are shown once all matches with the same seed are over."))
    found = WinChances.objects.filter(match=match).first()
    if found is None:
        selectors.record_to_replay(match)  # 404 where they can never be worked out
        wait = 1
        if services.lacks_chances(match):
            spend("chances", request)
            wait = 1 if services.owe_chances(match) else BUSY_SECONDS
        return JsonResponse({}, status=202, headers={"Retry-After": str(wait)})
    return JsonResponse({"playouts": found.playouts, "moments": found.moments})


@require_safe
@computes
def author(request: HttpRequest, public_id: str, seat: int) -> HttpResponse:
    """An author's own notes, times and output, by the steps of ?view=. For others the page does not exist."""
    match = selectors.find_match(request.user, public_id)
    found = selectors.author_view(request.user, match, seat, request.GET.get("view", ""))
    if found is None:
        raise Http404(_("Only the author of this bot can see this."))
    return JsonResponse(found, headers={"Cache-Control": "private, no-store"})


def _record(request: HttpRequest, public_id: str) -> Record:
    return selectors.open_record(selectors.find_match(request.user, public_id))


def _download(content: str | bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


@require_safe
def record_json(request: HttpRequest, public_id: str) -> HttpResponse:
    return _download(_record(request, public_id).to_json(), "application/json", f"aztlan-{public_id}.json")


@require_safe
def record_bytes(request: HttpRequest, public_id: str) -> HttpResponse:
    return _download(
        _record(request, public_id).to_bytes(), "application/octet-stream", f"aztlan-{public_id}.aztr"
    )


def requested_matches(request: HttpRequest) -> list[str]:
    """Return the matches named by ?match=..&match=.., each once; invalid names are ignored."""
    names = dict.fromkeys(request.GET.getlist("match"))
    return [name for name in names if re.fullmatch(MATCH_ID, name)][:MOST_BOARDS]


@require_safe
def live_page(request: HttpRequest) -> HttpResponse:
    """Several boards at once: those named by ?match=.., those of ?event=.., or what is running now."""
    wanted, most = requested_matches(request), MOST_BOARDS
    event = selectors.find_event(request.GET["event"]) if "event" in request.GET else None
    if wanted:
        matches = selectors.public_among(Match.objects.filter(public_id__in=wanted), MOST_BOARDS)
    elif event:
        matches = selectors.boards_of(event, MOST_BOARDS)
    else:
        most = LIVE_BOARDS
        matches = selectors.live_matches(most)
    page = boards_page(most, None if wanted else request.get_full_path())
    context = {"matches": matches, "page": page, "words": phrases(), "chosen": bool(wanted), "event": event}
    return render(request, "replays/live.html", context)


@require_safe
async def live_events(request: HttpRequest) -> HttpResponseBase:
    """Server-sent events of running matches, the public view alone: ?match=..&match=.., after ?had=.."""
    opened = [await live.hub().open(public_id) for public_id in requested_matches(request)]
    feeds = [feed for feed in opened if feed is not None]
    if not feeds:
        return JsonResponse(
            {"error": _("No such match is running. Name the matches to watch, for example ?match=abc.")},
            status=404,
        )
    had = live.read_places(request.headers.get("Last-Event-ID") or request.GET.get("had", ""))
    return StreamingHttpResponse(
        live.messages(feeds, had),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )
