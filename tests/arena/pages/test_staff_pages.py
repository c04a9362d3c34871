"""The administration as staff uses it: find a bot, bench it, disqualify it, change a role; all on record."""

import pytest

from arena.accounts.models import AuditEntry, Notice, User
from arena.bots.models import Bot, Status, Version
from arena.matches.models import Attempt, Match
from tests.arena.cast import ask_for
from tests.arena.people import browser_of, submit

pytestmark = pytest.mark.django_db


def choose(bot: Bot, act: str, **more: str) -> dict[str, object]:
    return {"action": act, "_selected_action": [bot.pk], **more}


def test_a_bot_is_found_by_its_address_name_or_owner(active: Version, citlali: User) -> None:
    browser = browser_of(citlali)
    for words in ("jaguar", "Jag", "itzel"):
        assert "Jaguar" in browser.get("/admin/bots/bot/", {"q": words}).content.decode()
    assert "Jaguar" not in browser.get("/admin/bots/bot/", {"q": "quetzal"}).content.decode()


@pytest.mark.parametrize("act", ["bench", "disqualify"])
def test_an_act_asks_for_a_reason_first(active: Version, jaguar: Bot, citlali: User, act: str) -> None:
    browser = browser_of(citlali)
    page = browser.post("/admin/bots/bot/", choose(jaguar, act)).content.decode()
    assert "Reason, as the author will read it" in page
    assert "required" in browser.post("/admin/bots/bot/", choose(jaguar, act, reason=" ")).content.decode()
    jaguar.refresh_from_db()
    assert jaguar.can_play
    browser.post("/admin/bots/bot/", choose(jaguar, act, reason="It cheats."))
    jaguar.refresh_from_db()
    assert not jaguar.can_play
    assert "It cheats." in Notice.objects.get().text
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act, entry.reason) == (citlali, act, "It cheats.")


def test_a_bot_is_reinstated(active: Version, jaguar: Bot, citlali: User) -> None:
    browser = browser_of(citlali)
    browser.post("/admin/bots/bot/", choose(jaguar, "disqualify", reason="It cheats."))
    browser.post("/admin/bots/bot/", choose(jaguar, "reinstate", reason="It does not."))
    jaguar.refresh_from_db()
    assert jaguar.can_play
    assert [entry.act for entry in AuditEntry.objects.all()] == ["reinstate", "disqualify"]


def test_a_rejected_version_is_validated_again(jaguar: Bot, citlali: User) -> None:
    version = submit(jaguar)
    Version.objects.update(status=Status.REJECTED)
    browser_of(citlali).post(
        "/admin/bots/version/", {"action": "validate_again", "_selected_action": [version.pk]}
    )
    version.refresh_from_db()
    assert version.status == Status.CHECKED


def test_a_match_is_voided_with_a_reason_and_one_set_aside_is_rerun(active: Version, citlali: User) -> None:
    browser = browser_of(citlali)
    first, second = ask_for([active, active]), ask_for([active, active])
    Match.objects.filter(pk=second.pk).update(state=Match.State.SET_ASIDE)
    Attempt.objects.filter(match=second).update(state=Attempt.State.LOST)
    void = {"action": "void", "_selected_action": [first.pk], "reason": "A broken board."}
    browser.post("/admin/matches/match/", void)
    browser.post("/admin/matches/match/", {"action": "rerun", "_selected_action": [first.pk, second.pk]})
    states = dict(Match.objects.values_list("pk", "state"))
    assert states == {first.pk: Match.State.VOIDED, second.pk: Match.State.QUEUED}
    assert [entry.act for entry in AuditEntry.objects.order_by("id")] == ["void", "rerun"]


def test_a_change_of_role_is_on_record(itzel: User, citlali: User) -> None:
    form = {
        "username": "itzel", "email": itzel.email, "about": "", "is_active": "on", "is_organiser": "on",
        "email_confirmed_at_0": "2026-01-01", "email_confirmed_at_1": "00:00",
    }  # fmt: skip
    answer = browser_of(citlali).post(f"/admin/accounts/user/{itzel.pk}/change/", form)
    assert answer.status_code == 302
    itzel.refresh_from_db()
    assert itzel.role == "organiser"
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.reason) == ("change an account", "is_organiser=True")


@pytest.mark.parametrize("path", ["bots/bot", "bots/version", "accounts/auditentry", "accounts/apitoken"])
def test_nothing_is_written_by_hand(active: Version, citlali: User, path: str) -> None:
    assert browser_of(citlali).get(f"/admin/{path}/add/").status_code == 403


def test_nobody_is_deleted(itzel: User, citlali: User) -> None:
    assert browser_of(citlali).post(f"/admin/accounts/user/{itzel.pk}/delete/").status_code == 403


def test_no_page_shows_the_digest_of_a_token(itzel: User, citlali: User) -> None:
    from arena.accounts import tokens

    token, secret = tokens.make_token(itzel, "laptop", [])
    page = browser_of(citlali).get(f"/admin/accounts/apitoken/{token.pk}/change/").content.decode()
    assert "laptop" in page
    assert "digest" not in page.lower()
    assert secret not in page
