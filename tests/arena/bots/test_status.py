"""A version's status changes only along its way, once, and never leaves two versions active."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from arena.accounts.models import AuditEntry, User
from arena.bots import services
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from arena.bots.selectors import playable_bots
from arena.notices.models import Notice
from tests.arena.people import browser_of, pass_validation, submit

pytestmark = pytest.mark.django_db


def test_the_first_good_version_becomes_active(active: Version, jaguar: Bot) -> None:
    assert active.status == Status.ACTIVE
    assert jaguar.active_version == active
    passed = [event.status for event in active.events.all()]
    assert passed == ["received", "checked", "built", "validated", "active"]


def test_a_later_one_takes_its_place_where_the_author_wants_that(active: Version, jaguar: Bot) -> None:
    second = pass_validation(submit(jaguar, "print(2)"))
    active.refresh_from_db()
    assert (active.status, second.status) == (Status.VALIDATED, Status.ACTIVE)
    Bot.objects.update(activates_itself=False)
    third = pass_validation(submit(jaguar, "print(3)"))
    assert third.status == Status.VALIDATED


def test_the_author_chooses_which_version_plays(active: Version, jaguar: Bot) -> None:
    pass_validation(submit(jaguar, "print(2)"))
    services.activate(active.pk)
    jaguar.refresh_from_db()
    assert jaguar.active_version == active


@pytest.mark.parametrize("status", [Status.CHECKED, Status.BUILT, Status.REJECTED, Status.RETIRED])
def test_only_a_validated_version_can_be_activated(jaguar: Bot, status: str) -> None:
    version = submit(jaguar)
    Version.objects.update(status=status)
    with pytest.raises(RefusedError, match="Only a validated version"):
        services.activate(version.pk)
    jaguar.refresh_from_db()
    assert jaguar.active_version is None


def test_a_status_is_set_once(jaguar: Bot) -> None:
    version = submit(jaguar)
    assert services.set_status(version.pk, Status.BUILT, log="nul \0 byte")
    assert not services.set_status(version.pk, Status.BUILT)
    assert version.events.filter(status=Status.BUILT).count() == 1


def test_a_retired_version_stays_retired(active: Version, jaguar: Bot) -> None:
    services.retire(active.pk)
    jaguar.refresh_from_db()
    assert jaguar.active_version is None
    with pytest.raises(RefusedError):
        services.activate(active.pk)
    with pytest.raises(RefusedError):
        services.retire(active.pk)


def test_a_benched_bot_does_not_play_until_its_author_activates_a_version(
    active: Version, jaguar: Bot
) -> None:
    assert services.bench(jaguar.pk, "It crashed five times.")
    assert not services.bench(jaguar.pk, "Again.")
    assert not playable_bots().exists()
    assert Notice.objects.get().text.startswith("Jaguar is benched: It crashed five times.")
    services.activate(active.pk)
    assert playable_bots().get() == jaguar


def test_the_author_has_a_benched_version_play_again_by_a_button(
    active: Version, jaguar: Bot, itzel: User
) -> None:
    browser, page = browser_of(itzel), "/bots/jaguar/versions/1/"
    button = "/bots/jaguar/versions/1/activate"
    assert button not in browser.get(page).content.decode()
    services.bench(jaguar.pk, "It crashed five times.")
    assert button in browser.get(page).content.decode()
    assert page in browser.get("/bots/jaguar/").content.decode()
    assert "Version 1 is now active." in browser.post(button, follow=True).content.decode()
    assert playable_bots().get() == jaguar


def test_a_page_that_waits_shows_the_buttons_once_a_version_is_through(jaguar: Bot, itzel: User) -> None:
    version = submit(jaguar)
    part = {"HX-Request": "true"}
    answer = browser_of(itzel).get(version.get_absolute_url(), headers=part)
    assert "HX-Refresh" not in answer.headers
    pass_validation(version)
    assert browser_of(itzel).get(version.get_absolute_url(), headers=part).headers["HX-Refresh"] == "true"


def test_logs_that_staff_reads_do_not_vanish_while_the_version_moves_on(jaguar: Bot, citlali: User) -> None:
    version = submit(jaguar)
    browser = browser_of(citlali)
    assert "hx-get" in browser.get(version.get_absolute_url()).content.decode()
    page = browser.get(f"{version.get_absolute_url()}?logs").content.decode()
    assert "bytes unpacked" in page
    assert "hx-get" not in page


def test_a_disqualified_bot_does_nothing_until_staff_reinstates_it(
    active: Version, jaguar: Bot, citlali: User
) -> None:
    services.disqualify(jaguar.pk, "It talks to its twin.", citlali)
    jaguar.refresh_from_db()
    assert not jaguar.can_play
    for act in (lambda: submit(jaguar, "x"), lambda: services.activate(active.pk)):
        with pytest.raises(RefusedError, match="It talks to its twin"):
            act()
    services.reinstate(jaguar.pk, "A mistake.", citlali)
    assert playable_bots().get() == jaguar
    assert [entry.act for entry in AuditEntry.objects.order_by("id")] == ["disqualify", "reinstate"]


def test_staff_has_a_rejected_version_validated_again(jaguar: Bot, citlali: User) -> None:
    version = submit(jaguar)
    services.set_status(version.pk, Status.REJECTED, "A host failed.")
    assert services.validate_again(version.pk, citlali)
    version.refresh_from_db()
    assert version.status == Status.CHECKED
    assert AuditEntry.objects.get().act == "validate again"


def test_an_archive_that_was_refused_cannot_be_validated_again(jaguar: Bot, citlali: User) -> None:
    version = submit(jaguar)
    Version.objects.update(status=Status.REJECTED, archive="")
    assert not services.validate_again(version.pk, citlali)


class Life(RuleBasedStateMachine):
    """Whatever is done to the versions of a bot in whatever order, the pointer and the statuses agree."""

    bot: Bot
    staff: User

    def versions(self) -> list[int]:
        return list(self.bot.versions.values_list("pk", flat=True))

    @rule()
    def submit(self) -> None:
        if len(self.versions()) < 4:
            submit(self.bot, f"print({len(self.versions())}, {id(self)})")

    @rule(which=st.integers(0, 3), status=st.sampled_from([Status.BUILT, Status.REJECTED, Status.VALIDATED]))
    def move(self, which: int, status: str) -> None:
        if which < len(self.versions()):
            services.set_status(self.versions()[which], status)

    @rule(which=st.integers(0, 3), act=st.sampled_from(["activate", "retire", "finish_validation"]))
    def act(self, which: int, act: str) -> None:
        if which < len(self.versions()):
            with suppress(RefusedError):
                getattr(services, act)(self.versions()[which])

    @rule()
    def bench(self) -> None:
        services.bench(self.bot.pk, "why")

    @invariant()
    def pointer_and_status_agree(self) -> None:
        bot = Bot.objects.get(pk=self.bot.pk)
        active = list(Version.objects.filter(bot=bot, status=Status.ACTIVE).values_list("pk", flat=True))
        assert active == ([bot.active_version_id] if bot.active_version_id else [])

    @invariant()
    def the_last_event_is_the_status(self) -> None:
        for version in Version.objects.filter(bot=self.bot):
            assert version.events.latest("id").status == version.status


def test_the_active_version_is_always_the_one_that_is_active(jaguar: Bot, citlali: User) -> None:
    from django.db import transaction

    class Undone(Life):
        """Each run is rolled back, so that the next one begins with an empty bot."""

        def __init__(self) -> None:
            super().__init__()
            self.bot, self.staff = jaguar, citlali
            self.block = transaction.atomic()
            self.block.__enter__()

        def teardown(self) -> None:
            transaction.set_rollback(True)
            self.block.__exit__(None, None, None)

    few = settings(
        max_examples=15, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Undone, settings=few)


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(search=st.text(max_size=40))
def test_any_search_is_answered(db: None, search: str) -> None:
    from arena.bots.selectors import list_bots

    assert list(list_bots(search.replace("\0", ""))) == []
