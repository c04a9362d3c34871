"""Dates and durations as people write and say them."""

from datetime import date, timedelta

import pytest
from django.utils.translation import override

from arena.pages.templatetags.times import dated, lasting


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


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "3 March 2026"), ("de", "3. März 2026"), ("fr", "3 mars 2026"), ("it", "3 marzo 2026")],
)
def test_a_date_is_written_as_its_language_does(language: str, text: str) -> None:
    with override(language):
        assert dated(date(2026, 3, 3), "j F Y") == text
