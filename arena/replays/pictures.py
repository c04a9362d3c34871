"""Pictures made on the server: the board, a step to share, and the page that explains the game."""

import json
from functools import cache
from typing import Any, Final
from xml.sax.saxutils import escape

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from arena.computing import computes, spend, tells_limits
from arena.offload import offload
from arena.packed import pack, send_packed
from arena.replays import explained, selectors
from arena.replays.drawing import track
from arena.replays.drawing.empty_board import VIEW_BOX, board_svg, shapes
from arena.replays.drawing.geometry import short
from arena.replays.drawing.scene import draw, scene_of, tribe
from arena.replays.drawing.symbols import symbol
from arena.replays.stored_frames import position_at
from arena.replays.words import phase_names, type_names
from engine.board import Board
from engine.boardfile import load_board
from engine.errors import BoardError
from engine.replay.frames import Frame, TableData

SVG: Final = "image/svg+xml"
FOOT: Final = 92
# The drawing's own version is part of the address, so browsers may cache a picture forever.
DRAWING: Final = 3


def find_board(board_id: str) -> Board:
    try:
        return load_board(board_id)
    except BoardError:
        raise Http404(_("This board does not exist.")) from None


def board_address(name: str, board_id: str) -> str:
    return f"{reverse(name, args=[board_id])}?v={DRAWING}-{load_board(board_id).hash[:12]}"


def boards_page(most: int, renew: str | None) -> dict[str, Any]:
    """Return what the script of the boards page is told: how many fit, and where to ask what runs now."""
    return {
        "events": reverse("live-events"),
        "board": board_address("board-data", "aztlan"),
        "frames": reverse("match-frames", args=["0", "public"]).replace("/0/", "/MATCH/"),
        "most": most,
        "renew": renew,
    }


@cache
def _packed(kind: str, board_id: str) -> bytes:
    board = find_board(board_id)
    text = board_svg(board_id) if kind == "svg" else json.dumps(viewer_board(board), separators=(",", ":"))
    return pack(text)


def viewer_board(board: Board) -> dict[str, Any]:
    """Return the board in the form the viewer needs: outlines, and where things go."""
    territories = [
        {
            "name": one["name"],
            "type": board.type_of[t],
            "d": outline,
            **{key: one[key] for key in ("pawns", "icon", "label")},
        }
        for t, (one, outline) in enumerate(zip(board.raw["territories"], shapes(board.raw), strict=True))
    ]
    return {
        "id": board.id,
        "viewBox": VIEW_BOX,
        "picture": board_address("board-picture", board.id),
        "types": board.types,
        "cards": [
            {"type": kind, "points": points}
            for kind, points in zip(board.card_types, board.card_values, strict=True)
        ],
        "territories": territories,
        "lakes": [
            {"at": lake["label"], "shores": shores}
            for lake, shores in zip(board.raw["lakes"], board.lakes, strict=True)
        ],
        "track": [[round(part, 1) for part in track.place(score)] for score in range(track.SPACES)],
    }


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def board_picture(request: HttpRequest, board_id: str) -> HttpResponse:
    return send_packed(request, _packed("svg", board_id), SVG)


@require_safe
@cache_control(public=True, max_age=31_536_000, immutable=True)
def board_data(request: HttpRequest, board_id: str) -> HttpResponse:
    return send_packed(request, _packed("json", board_id), "application/json")


@require_safe
@computes
@tells_limits
@cache_control(public=True, max_age=86_400)
def share_picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """A step of a match that is over, as a picture: ?step=123&view=public. Without a step, the end."""
    match = selectors.find_match(AnonymousUser(), public_id)  # anybody may be shown a cached picture
    report, record = selectors.report_of(match), selectors.record_to_replay(match)
    view = request.GET.get("view", "public")
    if report is None or record is None or view not in selectors.views_now(match):
        raise Http404(_("This match has no such view, or the view is only available once the match is over."))
    wanted = request.GET.get("step", "").partition(".")[0]
    last = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 6 else None
    spend("compute", request)
    position, frame = offload(position_at, bytes(report.record), view, last)
    names = [seat["name"] for seat in selectors.header_of(match)["seats"]]
    return send_packed(request, pack(step_picture(load_board(match.board_id), names, position, frame)), SVG)


def step_picture(board: Board, names: list[str], position: TableData, frame: Frame) -> str:
    """A position with names and scores below it."""
    x, y, width, height = VIEW_BOX
    when = _("Age {age} · {phase} · step {step}").format(
        age=position["age"], phase=phase_names()[position["phase"]], step=frame["step"]
    )
    title = escape(
        ", ".join(f"{name} {score}" for name, score in zip(names, position["scores"], strict=True))
    )
    foot = _foot(names, position, escape(when))
    return draw(
        scene_of(board, position, frame["events"]),
        (x, y, width, height + FOOT),
        f"{escape(when)}: {title}",
        foot,
    )


def _foot(names: list[str], position: TableData, when: str) -> str:
    x, y, width, height = VIEW_BOX
    top, column = y + height, width / len(names)
    head = (
        f'<rect x="{x}" y="{top}" width="{width}" height="{FOOT}" fill="#1c120a"/>'
        f'<g font-family="Georgia,\'DejaVu Serif\',serif" fill="#f6ead2"><text x="{x + 20}" y="{top + 80}" '
        f'font-size="16" opacity=".85">{when}</text><text x="{x + width - 20}" y="{top + 80}" font-size="16" '
        f'text-anchor="end" opacity=".85">{escape(_("Aztlán Arena"))}</text>'
    )
    parts = [head]
    for seat, name in enumerate(names):
        left = x + 20 + seat * column
        shown = name if len(name) <= 16 else f"{name[:15]}…"
        parts.append(
            symbol(f"pawn-{tribe(len(names), position['side_of'][seat])}", left + 16, top + 32, 32)
            + f'<text x="{short(left + 40)}" y="{short(top + 38)}" font-size="20">{escape(shown)} '
            f'<tspan font-weight="bold" fill="#ffd98a">{position["scores"][seat]}</tspan></text>'
        )
    return "".join(parts) + "</g>"


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    size, matches, points = explained.domain_sum()
    powers = [
        {"power": 4 + i, "type": board_type(kind), "points": points_}
        for i, (kind, points_) in enumerate(
            zip(load_board().card_types, load_board().card_values, strict=True)
        )
    ]
    context = {
        "pictures": explained.pictures(),
        "cards": explained.cards(),
        "powers": powers,
        "domain": {"size": size, "matches": matches, "points": points},
    }
    return render(request, "replays/how_to_play.html", context)


def board_type(kind: int) -> dict[str, str]:
    """A territory type for a template: its sign and its name."""
    if kind < 0:
        return {"sign": "wild", "name": _("any one type")}
    name = load_board().types[kind]
    return {"sign": name, "name": type_names()[name]}


@require_safe
@cache_control(public=True, max_age=86_400)
def explaining_picture(request: HttpRequest, name: str) -> HttpResponse:
    if name not in explained.NAMES:
        raise Http404(_("This picture does not exist."))
    return send_packed(request, _packed_explanation(name), SVG)


@cache
def _packed_explanation(name: str) -> bytes:
    return pack(explained.drawn(name))
