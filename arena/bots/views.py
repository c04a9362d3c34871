"""The pages of bots and their versions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from rest_framework.request import Request

from arena.accounts import limits
from arena.accounts.permissions import is_owner
from arena.accounts.requests import AuthorRequest
from arena.bots import selectors, services
from arena.bots.errors import RefusedError
from arena.bots.forms import BotEditForm, BotForm, UploadForm
from arena.bots.models import Bot, Status, Version
from arena.bots.paging import page_of
from workers.runtimes.registry import RUNTIMES

PAGE = 30
MOVING = {Status.RECEIVED, Status.CHECKED, Status.BUILT}
"""Statuses that will change on their own."""
WAY = (Status.RECEIVED, Status.CHECKED, Status.BUILT, Status.VALIDATED, Status.ACTIVE)


@require_GET
def bot_list(request: HttpRequest) -> HttpResponse:
    search, runtime = request.GET.get("q", "")[:100], request.GET.get("runtime", "")
    page = page_of(request, selectors.list_bots(search, runtime), PAGE)
    context = {
        "page": page,
        "bots": page.rows,
        "search": search,
        "runtime": runtime,
        "runtimes": list(RUNTIMES),
    }
    return render(request, "bots/list.html", context)


@login_required
@require_GET
def my_bots(request: AuthorRequest) -> HttpResponse:
    bots = selectors.bots_for(request.user).select_related("owner", "active_version").order_by("name")
    return render(request, "bots/mine.html", {"bots": bots})


@login_required
def create(request: AuthorRequest) -> HttpResponse:
    asked = {"owner": request.GET.get("team", "")[:150]}
    form = BotForm(request.user, request.POST or None, initial=asked)
    if request.method == "POST" and form.is_valid():
        try:
            bot = services.create_bot(creator=request.user, **form.cleaned_data)
            return redirect("upload", bot.slug)
        except RefusedError as error:
            form.add_error(None, error.sentence)
    return render(request, "bots/create.html", {"form": form})


def own_bot(request: HttpRequest | Request, slug: str) -> Bot:
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), slug=slug)
    if not is_owner(request.user, bot):
        raise PermissionDenied(_("This bot belongs to somebody else."))
    return bot


@login_required
def edit(request: AuthorRequest, slug: str) -> HttpResponse:
    bot = own_bot(request, slug)
    form = BotEditForm(request.POST or None, instance=bot)
    if request.method == "POST" and form.is_valid():
        try:
            with services.name_once():
                form.save()
            messages.success(request, _("Saved."))
            return redirect(bot)
        except RefusedError as error:
            form.add_error("name", error.sentence)
    # The form has changed its bot in memory: read it again.
    return render(request, "bots/edit.html", {"form": form, "bot": own_bot(request, slug)})


@login_required
def upload(request: AuthorRequest, slug: str) -> HttpResponse:
    bot = own_bot(request, slug)
    form = UploadForm(
        request.POST or None, request.FILES or None, initial={"only_when_better": bot.only_when_better}
    )
    if request.method == "POST" and form.is_valid():
        try:
            limits.spend("upload", request.user.pk)
            version = services.submit_version(
                uploader=request.user,
                bot=bot,
                upload=form.cleaned_data["archive"],
                only_when_better=form.cleaned_data["only_when_better"],
            )
            return redirect(version)
        except (RefusedError, limits.LimitError) as error:
            form.add_error("archive", str(error))
    return render(request, "bots/upload.html", {"form": form, "bot": bot})


def find_version(slug: str, number: int) -> Version:
    if number > 2**31 - 1:  # beyond what the database can compare
        raise Http404
    versions = Version.objects.select_related("bot__owner", "bot__active_version")
    return get_object_or_404(versions, bot__slug=slug, number=number)


def steps_of(version: Version, passed: list[str]) -> list[dict[str, Any]]:
    """Return the steps of a version, each of them done, current, failed or still to come."""
    here = WAY.index(Status(version.status)) if version.status in WAY else None
    steps = []
    for place, status in enumerate(WAY):
        is_done = status in passed if here is None else place <= here
        state = "now" if place == here and status in MOVING else "done" if is_done else ""
        steps.append({"label": status.label, "state": state})
    if here is None:
        state = "failed" if version.status == Status.REJECTED else "now"
        steps.append({"label": Status(version.status).label, "state": state})
    return steps


@require_GET
def version_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a version; its logs only to its author, and to staff on request."""
    version = find_version(slug, number)
    is_own = is_owner(request.user, version.bot)
    sees_logs = is_own or (
        "logs" in request.GET and selectors.open_private(request.user, version, "read logs")
    )
    events = list(version.events.all() if sees_logs else version.events.defer("log"))
    # Each time staff read logs it is recorded, so their page does not refresh by itself.
    is_moving = version.status in MOVING and (is_own or not sees_logs)
    passed = version.status in {Status.VALIDATED, Status.ACTIVE}
    playing = version.status == Status.ACTIVE and not version.bot.benched_at
    context = {
        "version": version,
        "bot": version.bot,
        "events": events,
        "sees_logs": sees_logs,
        "is_owner": is_own,
        "is_moving": is_moving,
        "steps": steps_of(version, [event.status for event in events]),
        "can_activate": is_own and passed and not playing and not version.bot.disqualified_at,
        "can_retire": is_own and passed,
        "can_test": is_own
        and version.status == Status.VALIDATED
        and version.bot.active_version_id is not None,
        "can_build": is_own and bool(version.archive) and version.status in {Status.CHECKED, Status.REJECTED},
        "waiting": selectors.why_it_waits(version),
    }
    if not request.headers.get("HX-Request"):
        return render(request, "bots/version.html", context)
    answer = render(request, "bots/_status.html", context)
    if not is_moving:
        answer["HX-Refresh"] = "true"  # reload the whole page: other buttons apply now
    return answer


@login_required
@require_GET
def source(request: AuthorRequest, slug: str, number: int) -> FileResponse:
    """Send the archive as it was uploaded, as a download."""
    version = find_version(slug, number)
    if not selectors.open_private(request.user, version, "download the source"):
        raise PermissionDenied(_("Only its author may download the source."))
    if not version.archive:
        raise Http404  # refused uploads are not stored
    return source_response(version)


def source_response(version: Version) -> FileResponse:
    name = f"{version.bot.slug}-{version.number}.zip"
    response = FileResponse(
        version.archive.open(), as_attachment=True, filename=name, content_type="application/zip"
    )
    response["Cache-Control"] = "private, no-cache"
    return response


@login_required
@require_POST
def change_version(request: AuthorRequest, slug: str, number: int, act: str) -> HttpResponse:
    version = find_version(slug, number)
    own_bot(request, slug)
    try:
        if act == "build":
            limits.spend("upload", request.user.pk)
            services.build_again(version.pk)
            messages.success(request, _("Version %d will be built again.") % number)
        elif act == "activate":
            services.activate(version.pk)
            messages.success(request, _("Version %d is now active.") % number)
        else:
            services.retire(version.pk)
            messages.success(request, _("Version %d retired.") % number)
    except (RefusedError, limits.LimitError) as error:
        messages.error(request, str(error))
    return redirect(version)
