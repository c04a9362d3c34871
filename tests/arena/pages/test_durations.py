"""How long something lasted is said as people say it."""

from datetime import timedelta

import pytest
from django.utils.translation import override

from arena.pages.templatetags.times import lasting


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [
        (0, "0 s", "0 s"),
        (45.4, "45 s", "45 s"),
        (1085, "18 minutes", "18 Minuten"),
        (7300, "2 hours", "2 Stunden"),
    ],
)
def test_a_duration_has_one_unit(seconds: float, english: str, german: str) -> None:
    for language, text in (("en", english), ("de", german)):
        with override(language):
            assert lasting(timedelta(seconds=seconds)).replace("\xa0", " ") == text
