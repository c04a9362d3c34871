"""How to install `aztlan` from this arena, for the pages that say so."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from arena.packages.selectors import PROJECT, usual_index, wheels

register = template.Library()


@register.inclusion_tag("packages/_install.html", takes_context=True)
def install_aztlan(context: RequestContext, forms: bool = False) -> dict[str, Any]:
    """Show the command for this arena's own address; with `forms`, also the one for an index of one's own."""
    url = context["request"].build_absolute_uri(reverse("package-index"))
    parts = urlsplit(url)
    host = parts.hostname or ""
    # pip takes packages over plain HTTP from this machine alone, unless it is told to trust another.
    trust = f"--trusted-host {host} " if parts.scheme == "http" and not is_local(host) else ""
    alone = f"pip install {trust}--index-url {url} {PROJECT}"
    beside = f"pip install {trust}--extra-index-url {url} {PROJECT}"
    first, second = (alone, beside) if usual_index() else (beside, "")
    return {"built": bool(wheels()), "command": first, "other": second if forms else ""}


def is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
