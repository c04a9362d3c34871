"""What people call a browser, from what it says of itself: {{ session.user_agent|browser_name }}."""

from django import template
from django.utils.translation import gettext as _

register = template.Library()
# Browsers name those whose pages they also show, so the more special name comes first.
BROWSERS = {
    "Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "FxiOS/": "Firefox", "CriOS/": "Chrome",
    "Chrome/": "Chrome", "Safari/": "Safari",
}  # fmt: skip
SYSTEMS = {
    "Android": "Android", "iPhone": "iOS", "iPad": "iPadOS", "Windows": "Windows",
    "Mac OS X": "macOS", "Linux": "Linux",
}  # fmt: skip


@register.filter
def browser_name(agent: str) -> str:
    """Return the browser and its system, or what it says of itself if that is nothing known."""
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or agent[:90] or _("unknown browser")
