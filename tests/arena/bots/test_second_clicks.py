"""Buttons pressed twice, and two requests at the same moment: one is done, the other is told so."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client

from arena.accounts import services as accounts
from arena.accounts.models import User
from arena.bots import services
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Version
from tests.arena.people import PASSWORD, browser_of, make_person, pass_validation, submit

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """Do all of it at once; return what each returned or raised."""
    done: list[Any] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            done[place] = acts[place]()
        except RefusedError as error:
            done[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def meet_before(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
    """Have both wait for each other just before this function, after all that was looked at earlier."""
    original, meeting = getattr(module, name), threading.Barrier(2, timeout=300)

    def late(*args: Any, **options: Any) -> Any:
        meeting.wait()
        return original(*args, **options)

    monkeypatch.setattr(module, name, late)


def test_the_same_file_sent_twice_at_once_makes_one_version(monkeypatch: pytest.MonkeyPatch) -> None:
    jaguar = services.create_bot(make_person("itzel"), "jaguar", "Jaguar")
    meet_before(monkeypatch, services, "keep")
    done = at_once([lambda: submit(jaguar)] * 2)
    assert sorted(type(one).__name__ for one in done) == ["RefusedError", "Version"]
    assert Version.objects.count() == 1


def test_a_bot_created_twice_at_once_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    itzel = make_person("itzel")
    meet_before(monkeypatch, services, "check_may_take_part")
    form = {"name": "Jaguar", "slug": "jaguar"}
    done = at_once([lambda: browser_of(itzel).post("/bots/new", form)] * 2)
    assert sorted(one.status_code for one in done) == [200, 302]
    [refused] = [one for one in done if one.status_code == 200]
    assert "This name or address has just been taken." in refused.content.decode()
    assert Bot.objects.count() == 1


@pytest.mark.parametrize("by", ["page", "api"])
def test_two_bots_that_are_given_one_name_at_once(monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    itzel = make_person("itzel")
    jaguar = services.create_bot(itzel, "jaguar", "Jaguar")
    services.create_bot(itzel, "quetzal", "Quetzal")

    def taken(self: Bot, *args: Any, **options: Any) -> None:
        Bot.objects.filter(slug="quetzal").update(name="Ocelot")  # just before this one is saved
        original(self, *args, **options)

    original = Bot.save
    monkeypatch.setattr(Bot, "save", taken)
    if by == "page":
        answer = browser_of(itzel).post("/bots/jaguar/edit", {"name": "Ocelot"})
        assert answer.status_code == 200
    else:
        browser = browser_of(itzel)
        answer = browser.patch("/api/v1/bots/jaguar", {"name": "Ocelot"}, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "taken")
    assert "This name or address has just been taken." in answer.content.decode()
    jaguar.refresh_from_db()
    assert jaguar.name == "Jaguar"


def test_an_account_made_twice_at_once_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.accounts import limits

    meet_before(monkeypatch, limits, "spend")
    form = {"username": "ana", "email": "ana@example.org", "password1": PASSWORD, "password2": PASSWORD}
    monkeypatch.setattr(accounts, "ask_to_confirm", lambda user: None)  # it spends, too, and would wait
    done = at_once([lambda: Client().post("/accounts/sign-up", form)] * 2)
    assert sorted(one.status_code for one in done) == [200, 302]
    [refused] = [one for one in done if one.status_code == 200]
    assert "has just been taken" in refused.content.decode()
    assert User.objects.count() == 1


def test_a_version_is_activated_and_retired_once(monkeypatch: pytest.MonkeyPatch) -> None:
    itzel = make_person("itzel")
    jaguar = services.create_bot(itzel, "jaguar", "Jaguar", activates_itself=False)
    pass_validation(submit(jaguar))
    second = pass_validation(submit(jaguar, "print(2)"))
    browser = browser_of(itzel)
    for _ in range(2):
        page = browser.post("/bots/jaguar/versions/2/activate", follow=True).content.decode()
        assert "Version 2 is now active." in page
    assert [event.status for event in second.events.all()].count("active") == 1
    assert (
        "Version 2 retired." in browser.post("/bots/jaguar/versions/2/retire", follow=True).content.decode()
    )
    page = browser.post("/bots/jaguar/versions/2/retire", follow=True).content.decode()
    assert "Only a validated or active version can be retired." in page
    with pytest.raises(RefusedError, match="Only a validated version"):
        services.activate(second.pk)
    jaguar.refresh_from_db()
    assert jaguar.active_version is None


def test_an_upload_sent_twice_leads_to_the_version_that_it_made() -> None:
    services.create_bot(make_person("itzel"), "jaguar", "Jaguar")
    browser = browser_of(User.objects.get())
    for _ in range(2):
        upload = {"archive": ContentFile(b"print(1)", name="bot.py")}
        answer = browser.post("/bots/jaguar/upload", upload)
    assert "Version 1 is exactly the same file." in answer.content.decode()
    assert Version.objects.count() == 1
