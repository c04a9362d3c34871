"""*Play offline*: a game against house bots, all of it in the person's own browser."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.browser.browser_words import engine_words
from arena.browser.selectors import engine_page
from arena.play.forms import OfflineForm
from arena.play.table_words import phrases
from arena.replays.pictures import board_address

SERVICE_WORKER = Path(__file__).parent / "worker" / "service_worker.js"


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """The page; without Pyodide it says that this arena cannot do it."""
    engine = engine_page()
    page = {
        "engine": engine,
        "board": board_address("board-data", "aztlan"),
        "service_worker": reverse("play-offline-worker"),
    }
    context = {
        "page": page,
        "engine": engine,
        "megabytes": engine["sent"] / 1e6 if engine else 0,
        "form": OfflineForm(),
        "words": phrases() | offline_words(),
        "engine_words": engine_words(),
        "board_picture": board_address("board-picture", "aztlan"),
    }
    return render(request, "play/offline.html", context)


def offline_words() -> dict[str, str]:
    return {
        "guest": _("Guest"),
        "house": _("House {name}"),
        "undo": _("Take back my last decision"),
        "undone": _("Your last decision is taken back. The bots will decide anew."),
        "new_game": _("New game"),
        "not_recorded": _(
            "This game was played in your browser only: it is not recorded, and it counts nowhere."
        ),
    }


@require_safe
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Answers for this page, and no other, when there is no network."""
    return HttpResponse(
        SERVICE_WORKER.read_bytes(),
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": "no-cache"},
    )
