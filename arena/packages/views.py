"""The simple API of package indexes (PEP 503, 658, 691, 700), and the page *Enter a bot*."""

import re
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.packages.selectors import PROJECT, Wheel, find_wheel, usual_index, wheels

JSON = "application/vnd.pypi.simple.v1+json"
HTML = "application/vnd.pypi.simple.v1+html"
PLAIN_HTML = "text/html"
LATEST = {
    "application/vnd.pypi.simple.latest+json": JSON,
    "application/vnd.pypi.simple.latest+html": HTML,
}
META = {"api-version": "1.1"}
FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the projects: there is one."""
    data = {"meta": META, "projects": [{"name": PROJECT}]}
    return answer(request, "packages/index.html", data, {"project": PROJECT})


@require_safe
def project(request: HttpRequest, name: str) -> HttpResponse:
    """List the files of `aztlan`. For every other project pip is sent on to the usual index."""
    normal = re.sub(r"[-_.]+", "-", name).lower()
    if normal != PROJECT:
        if not (elsewhere := usual_index()):
            return HttpResponseNotFound(_("This index has only %(name)s.") % {"name": PROJECT})
        return redirect(f"{elsewhere}{normal}/")
    if name != normal:
        return redirect("package", name=normal)
    found = wheels()
    if not found:
        return HttpResponseNotFound(
            _("The package is not built on this arena yet: its operator runs `make sdk`.")
        )
    data = {
        "meta": META,
        "name": PROJECT,
        "versions": sorted({one.version for one in found}),
        "files": [describe(one) for one in found],
    }
    return answer(request, "packages/project.html", data, {"project": PROJECT, "rows": found})


def describe(wheel: Wheel) -> dict[str, Any]:
    return {
        "filename": wheel.name,
        "url": reverse("package-file", args=[wheel.sha256, wheel.name]),
        "hashes": {"sha256": wheel.sha256},
        "size": wheel.size,
        "requires-python": wheel.requires_python,
        "core-metadata": {"sha256": wheel.metadata_sha256},
    }


@require_safe
def file(request: HttpRequest, sha256: str, name: str) -> HttpResponse:
    """Send a wheel, or with `.metadata` after its name the metadata in it. The address holds the hash."""
    wheel = find_wheel(sha256, name.removesuffix(".metadata"))
    if wheel is None:
        return HttpResponseNotFound(_("This file is not here any more: ask the index again."))
    if name.endswith(".metadata"):
        return HttpResponse(
            wheel.metadata, content_type="text/plain; charset=utf-8", headers={"Cache-Control": FOR_EVER}
        )
    return HttpResponse(
        wheel.path.read_bytes(),
        content_type="application/octet-stream",
        headers={"Cache-Control": FOR_EVER},
    )


def answer(
    request: HttpRequest, template: str, data: dict[str, Any], context: dict[str, Any]
) -> HttpResponse:
    """Answer in the form that the client prefers."""
    wanted = request.get_preferred_type([PLAIN_HTML, HTML, JSON, *LATEST])
    if wanted is None:
        sentence = _("This index speaks %(forms)s.") % {"forms": ", ".join((JSON, HTML, PLAIN_HTML))}
        return HttpResponse(sentence, status=406, content_type="text/plain; charset=utf-8")
    form = LATEST.get(wanted, wanted)
    response: HttpResponse
    if form == JSON:
        response = JsonResponse(data, content_type=JSON)
    else:
        response = render(request, template, context, content_type=f"{form}; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept"])
    return response


@require_safe
def enter_a_bot(request: HttpRequest) -> HttpResponse:
    """From nothing to the ladder, in the commands of this arena."""
    return render(request, "packages/enter.html", {"arena": request.build_absolute_uri("/").rstrip("/")})
