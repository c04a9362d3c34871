"""The administration as staff uses it: find a bot, bench it, disqualify it, change a role; all on record."""

from collections.abc import Callable

import pytest
from django.contrib import admin

from arena.accounts.models import AuditEntry, User
from arena.bots.models import Bot, Status, Version
from arena.hosts.models import Attempt
from arena.ladders.models import Ladder
from arena.matches.models import Match, SeatLog
from arena.notices.models import Notice, Webhook
from tests.arena.cast import ask_for, finish, make_season
from tests.arena.people import PASSWORD, browser_of, make_active, playing, program_of, submit

pytestmark = pytest.mark.django_db


def choose(bot: Bot, act: str, **more: str) -> dict[str, object]:
    return {"action": act, "_selected_action": [bot.pk], **more}


def test_the_administration_has_an_icon_too(citlali: User) -> None:
    assert browser_of(citlali).get("/favicon.ico").headers["Location"].endswith(".svg")


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


def choose_match(match: Match, act: str, **more: str) -> dict[str, object]:
    return {"action": act, "_selected_action": [match.pk], **more}


@pytest.fixture
def rivals(active: Version, mateo: User) -> list[Version]:
    return [active, playing(make_active(mateo, "quetzal"))]


def test_a_match_is_voided_with_a_reason_that_its_authors_read(
    rivals: list[Version], citlali: User, itzel: User, mateo: User
) -> None:
    match = ask_for(rivals)
    browser_of(citlali).post("/admin/matches/match/", choose_match(match, "void", reason="A broken board."))
    assert Match.objects.get().state == Match.State.VOIDED
    assert AuditEntry.objects.get().act == "void"
    for author in (itzel, mateo):
        notice = author.notices.get()
        assert match.public_id in notice.text
        assert "A broken board." in notice.text
        assert notice.link == match.get_absolute_url()


def test_a_match_that_was_set_aside_is_rerun_as_it_is(rivals: list[Version], citlali: User) -> None:
    match = ask_for(rivals)
    Match.objects.update(state=Match.State.SET_ASIDE)
    Attempt.objects.update(state=Attempt.State.LOST)
    browser_of(citlali).post(
        "/admin/matches/match/", choose_match(match, "rerun", reason="The host is back.")
    )
    assert Match.objects.get().state == Match.State.QUEUED
    assert (AuditEntry.objects.get().act, AuditEntry.objects.get().reason) == ("rerun", "The host is back.")
    assert not Notice.objects.exists()


@pytest.mark.parametrize("rated", [False, True])
def test_a_match_that_was_played_is_void_and_played_anew(
    rivals: list[Version], citlali: User, itzel: User, rated: bool
) -> None:
    match = ask_for(rivals, make_season(seats=2) if rated else None)
    finish(match)
    browser = browser_of(citlali)
    for _ in range(2):  # a second click does nothing more
        browser.post("/admin/matches/match/", choose_match(match, "rerun", reason="A broken board."))
    again, old = Match.objects.all()
    assert (old.pk, old.state) == (match.pk, Match.State.VOIDED)
    assert again.state == Match.State.QUEUED
    assert [seat.version for seat in again.seats_taken.order_by("seat")] == rivals
    for field in ("purpose", "purpose_id", "rated", "ruleset", "clocks", "seats"):
        assert getattr(again, field) == getattr(match, field)
    assert again.seed != old.seed
    assert again.public_id in itzel.notices.get().text
    assert [entry.act for entry in AuditEntry.objects.all()] == ["rerun", "void"]


def test_a_duplicate_set_is_played_anew_as_a_whole(rivals: list[Version], citlali: User) -> None:
    from arena.challenges.services import Challenge, challenge

    first, second = challenge(rivals[0].bot.owner, Challenge(rivals[0].bot, [rivals[1].bot], duplicate=True))
    finish(first)
    finish(second)
    browser_of(citlali).post("/admin/matches/match/", choose_match(second, "rerun", reason="A broken board."))
    assert [match.state for match in Match.objects.all()] == ["queued", "queued", "voided", "voided"]
    new = Match.objects.filter(state="queued")
    assert len({match.seed for match in new}) == len({match.duplicate_set_id for match in new}) == 1


def test_a_validation_match_is_asked_for_again_by_the_validation_itself(
    rivals: list[Version], citlali: User
) -> None:
    match = ask_for(rivals)
    finish(match)
    Match.objects.update(purpose=Match.Purpose.VALIDATION, purpose_id=rivals[0].pk)
    browser_of(citlali).post("/admin/matches/match/", choose_match(match, "rerun", reason="A broken board."))
    assert Match.objects.get().state == Match.State.VOIDED


@pytest.mark.parametrize(
    ("path", "acts"),
    [
        ("bots/bot", ["bench", "disqualify", "reinstate"]),
        ("bots/version", ["validate_again"]),
        ("matches/match", ["void", "rerun"]),
    ],
)
def test_acts_are_offered_on_the_page_of_a_single_row_too(
    rivals: list[Version], citlali: User, path: str, acts: list[str]
) -> None:
    rows = {"bots/bot": rivals[0].bot, "bots/version": rivals[0], "matches/match": ask_for(rivals)}
    page = browser_of(citlali).get(f"/admin/{path}/{rows[path].pk}/change/").content.decode()
    for act in acts:
        assert f'name="action" value="{act}"' in page
    assert f'name="_selected_action" value="{rows[path].pk}"' in page
    assert f'action="/admin/{path}/"' in page


def test_what_a_bot_wrote_in_a_match_is_read_on_request_and_that_is_on_record(
    rivals: list[Version], citlali: User
) -> None:
    match = ask_for(rivals)
    finish(match)
    SeatLog.objects.filter(seat__seat=0).update(output="<b>jaguar's secret", notes={"3": "a plan"})
    browser, path = browser_of(citlali), f"/admin/matches/match/{match.pk}/change/"
    assert "secret" not in browser.get(path).content.decode()
    assert not AuditEntry.objects.exists()
    page = browser.get(f"{path}?logs").content.decode()
    assert "&lt;b&gt;jaguar&#x27;s secret" in page
    assert "a plan" in page
    assert [entry.act for entry in AuditEntry.objects.all()] == [f"read logs of match {match.public_id}"] * 2


def test_staff_needs_no_further_rights(rivals: list[Version], make_person: Callable[..., User]) -> None:
    """Staff is a role: who has it finds every page of the administration open, and can act."""
    ayotl = make_person("ayotl", is_staff=True)
    browser = browser_of(ayotl)
    for model in admin.site._registry:
        path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert browser.get(path).status_code == 200, path
    browser.post("/admin/bots/bot/", choose(rivals[0].bot, "bench", reason="It cheats."))
    assert AuditEntry.objects.get().actor == ayotl


def test_only_a_superuser_appoints_staff_or_changes_the_account_of_one(
    itzel: User, citlali: User, make_person: Callable[..., User]
) -> None:
    ayotl = make_person("ayotl", is_staff=True)
    browser = browser_of(ayotl)
    form = {
        "username": "itzel",
        "email": itzel.email,
        "is_active": "on",
        "is_staff": "on",
        "is_superuser": "on",
    }
    assert browser.post(f"/admin/accounts/user/{itzel.pk}/change/", form).status_code == 302
    itzel.refresh_from_db()
    assert itzel.role == "author"
    for path in ("change/", "password/"):
        answer = browser.post(f"/admin/accounts/user/{citlali.pk}/{path}", {**form, "username": "citlali"})
        assert answer.status_code == 403
    citlali.refresh_from_db()
    assert citlali.check_password(PASSWORD)


def test_a_password_that_staff_sets_is_on_record(itzel: User, citlali: User) -> None:
    new = {"password1": "quetzalcoatl-1519", "password2": "quetzalcoatl-1519", "usable_password": "true"}
    browser_of(citlali).post(f"/admin/accounts/user/{itzel.pk}/password/", new)
    itzel.refresh_from_db()
    assert itzel.check_password("quetzalcoatl-1519")
    assert (AuditEntry.objects.get().act, AuditEntry.objects.get().reason) == (
        "change an account",
        "password",
    )


def test_a_ladder_that_staff_changes_is_on_record(citlali: User) -> None:
    ladder = make_season(seats=2).ladder
    browser, path = browser_of(citlali), f"/admin/ladders/ladder/{ladder.pk}/change/"
    form = browser.get(path).context["adminform"].form
    shown = {name: form[name].value() for name in form.fields}
    values = {name: value for name, value in shown.items() if value is not None and value is not False}
    assert browser.post(path, {**values, "description": "New words."}).status_code == 302
    assert Ladder.objects.get().description == "New words."
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.reason) == ("change ladder", "Changed Description.")


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


@pytest.mark.parametrize(
    "path", ["bots/bot", "bots/version", "accounts/auditentry", "accounts/apitoken", "accounts/user"]
)
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


def test_a_script_of_staff_does_the_same(rivals: list[Version], citlali: User, itzel: User) -> None:
    program, match = program_of(citlali), ask_for(rivals)
    told = program.post("/api/v1/bots/jaguar/acts", {"act": "bench", "reason": "It cheats."}).json()
    assert (told["benched_reason"], itzel.notices.count()) == ("It cheats.", 1)
    told = program.post("/api/v1/bots/jaguar/acts", {"act": "reinstate", "reason": "It does not."}).json()
    assert told["benched_at"] is None
    path, why = f"/api/v1/matches/{match.public_id}/acts", {"reason": "A broken board."}
    waiting = program.post(path, {"act": "rerun", **why})
    assert (waiting.status_code, waiting.json()["code"]) == (400, "not-over")
    finish(match)
    assert program.post(path, {"act": "rerun", **why}).json()["state"] == "voided"
    assert program.post(path, {"act": "void", **why}).json()["code"] == "void"
    assert program.post(path, {"act": "void"}).json()["fields"]["reason"][0]["code"] == "required"
    acts = [entry.act for entry in AuditEntry.objects.order_by("id")]
    assert acts == ["bench", "reinstate", "void", "rerun"]


def test_no_field_is_read_letter_by_letter_through_lookups(
    rivals: list[Version], itzel: User, citlali: User
) -> None:
    webhook = Webhook.objects.create(owner=itzel, url="https://example.org/")
    ask_for(rivals)
    browser = browser_of(citlali)
    assert (
        browser.get("/admin/notices/webhook/", {"secret__startswith": webhook.secret[0]}).status_code == 400
    )
    for model, page in admin.site._registry.items():
        offered = {
            each[0] if isinstance(each, tuple) else getattr(each, "parameter_name", each)
            for each in page.list_filter
        }
        relations = {f"{field.name}__pk": field for field in model._meta.related_objects}
        names = {field.name for field in model._meta.fields} | set(relations)
        for name in names - offered:
            for lookup in ("", "__startswith", "__gt"):
                path = f"/admin/{model._meta.app_label}/{model._meta.model_name}/?{name}{lookup}=1"
                assert browser.get(path).status_code == 400, path
    for path in (
        "/admin/matches/match/?seed__gt=a",
        "/admin/bots/bot/?owner__password__startswith=pbkdf2",
        "/admin/bots/bot/?owner__webhooks__secret__startswith=a",
        "/admin/hosts/attempt/?match__seed__gt=a",
        "/admin/accounts/user/?tokens__digest__gt=a",
    ):
        assert browser.get(path).status_code == 400, path


def test_what_a_page_offers_to_filter_by_finds_rows(rivals: list[Version], citlali: User) -> None:
    ask_for(rivals)
    browser = browser_of(citlali)
    for path in (
        "/admin/matches/match/?state__exact=queued&purpose__exact=challenge&seats=2",
        "/admin/bots/bot/?benched_at__isempty=1&is_house__exact=0",
        "/admin/accounts/user/?is_staff__exact=1&email_confirmed_at__isempty=0",
        "/admin/hosts/attempt/?state__exact=queued",
    ):
        assert "0 results" not in browser.get(path).content.decode(), path
        assert browser.get(path).status_code == 200, path
