"""A session is told by the name of its browser."""

import pytest
from django.utils.translation import override

from arena.accounts.templatetags.browsers import browser_name

SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Safari/604.1"
)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/146.0 Safari/537.36", "Chrome on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/146.0 Safari/537.36 Edg/146.0",
            "Edge on Windows",
        ),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
        (SAFARI, "Safari on iOS"),
        ("curl/8.5", "curl/8.5"),
        ("", "unknown browser"),
        ("x" * 500, "x" * 90),
    ],
)
def test_a_browser_is_named_as_people_do(agent: str, name: str) -> None:
    with override("en"):
        assert browser_name(agent) == name
