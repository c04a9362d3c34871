"""Times in pages: in UTC, and said so.

`pages/times.js` shows them in the reader's own zone, and past ones as people say them ("3 minutes ago").
"""

from datetime import UTC, date, datetime, timedelta

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language

register = template.Library()
SHAPES = {"day": "j M Y", "minute": "j M Y, H:i", "second": "j M Y, H:i:s", "deadline": "j M Y, H:i"}


@register.filter
def dated(value: date, shape: str) -> str:
    """Write a date as its language does: German days have a full stop, Italian months no capital."""
    language = get_language()
    words = formats.date_format(value, shape.replace("j ", "j. ") if language == "de" else shape)
    return words.lower() if language == "it" else words


@register.filter
def moment(value: datetime | None, shows: str = "minute") -> SafeString | str:
    """A time to the day, minute or second; a deadline stays a date even when it has passed.

    The same page serves readers in all zones, so it names one.
    """
    if value is None:
        return ""
    value = value.astimezone(UTC)
    words = dated(value, SHAPES[shows])
    words = words if shows == "day" else f"{words} UTC"
    return format_html(
        '<time datetime="{}" data-shows="{}" title="{}">{}</time>',
        value.isoformat(),
        shows,
        f"{dated(value, SHAPES['second'])} UTC",
        words,
    )


@register.filter
def lasting(value: timedelta) -> str:
    """Say a duration as people do: 45 s, 18 minutes, 3 hours."""
    if value < timedelta(minutes=1):
        return f"{value.total_seconds():.0f} s"
    now = timezone.now()
    return timesince(now - value, now, depth=1)
