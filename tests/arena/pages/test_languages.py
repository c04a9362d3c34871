"""A language is offered once everything can be read in it: half a translation is worse than none."""

import gettext

import pytest
from django.conf import settings
from django.test import Client

from arena.replays.words import phrases


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["de", "fr", "it", "de-CH", "xx"])
def test_who_asks_for_a_language_that_is_not_offered_gets_whole_pages_in_english(
    client: Client, language: str
) -> None:
    headers = {"Accept-Language": language}
    for path in ("/", "/accounts/sign-up", "/admin/login/"):
        assert '<html lang="en' in client.get(path, headers=headers).content.decode()
    refused = client.post(
        "/api/v1/sign-in", {"username": "x"}, "application/json", headers=headers
    ).content.decode()
    assert "This field is required." in refused


def test_each_language_that_is_offered_has_all_the_words() -> None:
    words = [word for word in phrases().values() if isinstance(word, str)]
    for code, _name in settings.LANGUAGES:
        if code != settings.LANGUAGE_CODE:
            catalogue = gettext.translation("django", settings.LOCALE_PATHS[0], [code])
            assert [word for word in words if catalogue.gettext(word) == word] == []
