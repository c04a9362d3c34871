"""Four languages, each of them whole: half a translation is worse than none."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from arena.accounts.models import User
from arena.notices.models import Notice
from arena.notices.services import notify
from arena.replays.words import card_names
from arena.stored_sentences import REPLACED, TEMPLATES, retold, stored
from arena.teams import inviting
from engine import cards
from tests.arena import events
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.doors import Visitor
from tests.arena.pages.reading import foreign, read
from tests.arena.people import PASSWORD, browser_of, make_team

OTHERS = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
# English words that none of the other languages has: where one of them is read, a sentence was left in English.
ENGLISH = {
    "the", "of", "and", "with", "your", "this", "that", "are", "is", "has", "have", "were", "from", "they",
    "you", "which", "when", "what", "who", "its", "be", "been", "by", "for", "yet", "there", "to",
}  # fmt: skip
# English: the documentation, the API's own pages, the package index of pip, and notices that were sent in it.
IN_ENGLISH = ("/docs/", "/api/", "/simple/", "/admin/", "/accounts/notices")


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_of_the_code_is_translated_and_none_only_guessed(code: str, tmp_path: Path) -> None:
    if not shutil.which("xgettext"):
        pytest.skip("gettext is not installed")
    shutil.copytree(settings.LOCALE_PATHS[0], tmp_path / "locale")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LOCALE_PATHS", [tmp_path / "locale"])
        patch.chdir(settings.PROJECT)
        call_command(
            "makemessages", locale=[code], no_obsolete=True, no_wrap=True, verbosity=0,
            ignore_patterns=[".venv", "build", "tests", "site", "bench"],
        )  # fmt: skip
    catalogue = tmp_path / "locale" / code / "LC_MESSAGES" / "django.po"
    for kind in ("--untranslated", "--only-fuzzy"):
        found = subprocess.run(
            ["msgattrib", kind, "--no-wrap", catalogue], capture_output=True, text=True, check=True
        )
        missing = [line for line in found.stdout.splitlines() if line.startswith("msgid ")][1:]
        assert missing == [], kind


def test_cards_are_named_in_the_order_of_the_engine() -> None:
    with override("en"):
        assert card_names() == list(cards.NAMES)


@pytest.mark.django_db
@pytest.mark.usefixtures("redis")
def test_no_page_mixes_languages(itzel: User, olin: User, citlali: User) -> None:
    season = make_season(2)
    versions = [make_bot("bot-0", "itzel"), make_bot("bot-1", "mateo")]
    match = ask_for(versions, season)
    finish(match)
    events.new_event(olin, 4, format="single_elimination")
    inviting.invite(itzel, make_team("knights", itzel).pk, "olin")
    mixed = []
    for person in (None, itzel, olin, citlali):
        visitor = Visitor(person)
        for code in OTHERS:
            visitor.browser.cookies[settings.LANGUAGE_COOKIE_NAME] = code
            for path, (status, _tag, body) in visitor.walk([match]).items():
                if status != 200 or "<html" not in body[:300] or path.startswith(IN_ENGLISH):
                    continue
                page = read(body)
                assert page.language == code, path
                shown = [text.replace("Best of", "") for text in page.texts]  # which is German, too
                mixed += [f"{code} {path}: {text}" for text in foreign(shown, ENGLISH)]
    assert "\n".join(sorted(set(mixed))) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "language"), [("de", "de"), ("fr-CA,fr;q=0.9", "fr"), ("it", "it"), ("es", "en"), ("xx", "en")]
)
def test_a_browser_gets_the_first_language_it_asks_for_that_is_offered(
    client: Client, asked: str, language: str
) -> None:
    for path in ("/", "/accounts/sign-up", "/admin/login/", "/no-such-page"):
        page = client.get(path, headers={"Accept-Language": asked}).content.decode()
        assert f'<html lang="{language}' in page


@pytest.mark.django_db
def test_a_language_is_chosen_once_for_the_browser_and_for_the_account(itzel: User) -> None:
    browser = browser_of(itzel)
    answer = browser.post("/accounts/language", {"language": "de", "next": "/bots/?q=x"})
    assert answer.headers["Location"] == "/bots/?q=x"
    assert '<html lang="de"' in browser.get("/").content.decode()
    elsewhere = Client()
    elsewhere.post("/accounts/sign-in", {"username": "itzel", "password": PASSWORD})
    assert '<html lang="de"' in elsewhere.get("/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["xx", "es", "", "../../etc", "de\0"])
def test_a_language_that_is_not_offered_changes_nothing(itzel: User, language: str) -> None:
    browser = browser_of(itzel)
    answer = browser.post("/accounts/language", {"language": language, "next": "https://example.org/"})
    assert answer.headers["Location"] == "/"
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies
    itzel.refresh_from_db()
    assert itzel.language == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_notice_and_its_mail_speak_the_language_of_whoever_reads_them(itzel: User) -> None:
    User.objects.filter(pk=itzel.pk).update(language="de")
    with override("fr"):
        notify(itzel.pk, lambda: retold(stored(REPLACED, 7)))
    told = Notice.objects.get().text
    with override("de"):
        assert told == retold("Replaced by version 7.") != "Replaced by version 7."
    assert mail.outbox == [] or told in mail.outbox[0].body


@pytest.mark.parametrize("code", OTHERS)
@given(number=st.integers(0, 10**6), words=st.text(st.characters(categories=["L", "N"]), min_size=1))
def test_a_stored_sentence_is_retold_with_all_that_it_says(code: str, number: int, words: str) -> None:
    said = f"«{words}»"
    for template in TEMPLATES:
        named = dict.fromkeys(("number", "count", "seats", "minutes", "old", "elo", "sets"), number)
        plain = number if "%d" in template else said
        values = {**named, "fault": said, "reason": said} if "%(" in template else plain
        sentence = stored(template, values)
        with override("en"):
            assert retold(sentence) == sentence
        with override(code):
            told = retold(sentence)
        assert told != sentence
        assert told.count(said) == sentence.count(said)
        assert (str(number) in told) == (str(number) in sentence)


def test_what_somebody_typed_is_left_as_it_is() -> None:
    with override("de"):
        assert (
            retold("It cheats, and 100 % of it is on purpose.") == "It cheats, and 100 % of it is on purpose."
        )
        assert retold("") == ""
