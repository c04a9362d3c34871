"""From a checked version to an active one, or back to its author."""

from base64 import b64encode
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.bots.models import Bot, Status, Version
from arena.hosts import attempts, host_api, operating, reports
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant
from arena.hosts.models import Attempt
from arena.hosts.queueing import request_build
from arena.hosts.reports import record_report
from arena.hosts.validation import settle as settle_validation
from arena.matches.models import Match
from arena.matches.services import void_match
from arena.outbox.models import Outbox
from arena.outbox.services import deliver
from tests.arena.cast import HOST_STATE, KEY, claim, finish, make_bot
from workers.archives import archive_limits
from workers.host import arena_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> Version:
    """A checked version, and two house bots to meet."""
    for name in ("greedy", "random"):
        make_bot(name, owner="house", is_house=True)
    version = make_bot("newcomer")
    Bot.objects.filter(pk=version.bot_id).update(active_version=None)
    Version.objects.filter(pk=version.pk).update(status=Status.CHECKED)
    version.refresh_from_db()
    request_build(version)
    return version


def build(version: Version, ok: bool = True, artifact: bytes = b"") -> None:
    hosts.beat("host", HOST_STATE)
    claimant = Claimant(Attempt.objects.get(build=version).pk, KEY)
    attempts.claim(claimant, "host")
    log = "compiling\n" if ok else "main.py: invalid syntax\n"
    report = {"ok": ok, "reason": "it exited", "log": log, "artifact": b64encode(artifact).decode()}
    record_report(claimant, report)


def settle_all() -> None:
    """Settle what is owed, and what becomes owed by that."""
    for _ in range(3):
        for pk, tries in Outbox.objects.filter(kind="settle").values_list("pk", "tries"):
            deliver(pk, tries)
    assert not Outbox.objects.filter(kind="settle").exists()


def test_a_version_that_builds_and_plays_in_every_seat_count_is_activated(version: Version) -> None:
    build(version, artifact=b"\x7fELF")
    version.refresh_from_db()
    assert version.status == Status.BUILT
    assert version.built_archive.read() == b"\x7fELF"
    matches = list(Match.objects.order_by("seats"))
    assert [match.seats for match in matches] == [2, 3, 4]
    assert [match.seats_taken.get(version=version).seat for match in matches] == [0, 1, 2]
    for match in matches:
        assert Version.objects.get(pk=version.pk).status == Status.BUILT
        finish(match)
        settle_all()
    version.refresh_from_db()
    assert version.status == Status.ACTIVE
    assert version.bot.owner.notices.count() == 0


def test_a_version_that_does_not_build_is_rejected_with_the_log_and_its_author_told(version: Version) -> None:
    build(version, ok=False)
    version.refresh_from_db()
    assert (version.status, version.code) == (Status.REJECTED, "build-failed")
    assert "invalid syntax" in version.events.latest("id").log
    assert "build failed" in version.bot.owner.notices.get().text
    assert not Match.objects.exists()


def test_a_version_that_fails_in_a_match_is_rejected_and_why_is_said(version: Version) -> None:
    build(version)
    match = Match.objects.get(seats=3)
    finish(match, faulty=[match.seats_taken.get(version=version).seat])
    settle_all()
    version.refresh_from_db()
    assert (version.status, version.code) == (Status.REJECTED, "validation-crash")
    assert "with 3 seats, it crashed" in version.reason
    for other in Match.objects.exclude(pk=match.pk):
        finish(other)
    settle_all()
    version.refresh_from_db()
    assert version.status == Status.REJECTED


def overrun(claimant: Claimant) -> None:
    """Let an attempt's time pass while its host beats."""
    Attempt.objects.filter(pk=claimant.attempt_id).update(started_at=timezone.now() - timedelta(hours=1))
    assert not attempts.beat(claimant)


def test_a_version_that_hangs_validation_is_rejected_with_the_reason_and_holds_no_host_again(
    version: Version,
) -> None:
    build(version)
    match = Match.objects.get(seats=3)
    overrun(claim(match))
    settle_all()
    assert Version.objects.get(pk=version.pk).status == Status.BUILT  # once may be the host's fault
    overrun(claim(match))
    settle_all()
    version.refresh_from_db()
    assert (version.status, version.code) == (Status.REJECTED, "validation-hangs")
    assert "with 3 seats took longer than 15 minutes" in version.reason
    assert version.reason in version.bot.owner.notices.get().text
    assert not Attempt.objects.filter(state__in=["queued", "running"]).exists()


def test_a_version_whose_build_hangs_is_rejected_with_the_reason(version: Version) -> None:
    hosts.beat("host", HOST_STATE)
    for number in (1, 2):
        claimant = Claimant(Attempt.objects.get(build=version, number=number).pk, KEY)
        attempts.claim(claimant, "host")
        overrun(claimant)
    version.refresh_from_db()
    assert (version.status, version.code) == (Status.REJECTED, "build-failed")
    assert "took longer than 900 seconds" in version.reason
    assert not Attempt.objects.filter(state__in=["queued", "running"]).exists()


def test_a_house_bots_failure_is_not_the_newcomers(version: Version) -> None:
    build(version)
    for match in Match.objects.all():
        house = match.seats_taken.exclude(version=version).earliest("seat")
        finish(match, faulty=[house.seat])
        settle_all()
    assert Version.objects.get(pk=version.pk).status == Status.ACTIVE


def test_a_voided_match_is_asked_for_again_and_the_version_goes_on(version: Version) -> None:
    build(version)
    voided = Match.objects.get(seats=3)
    finish(voided, faulty=[voided.seats_taken.get(version=version).seat])  # the board was broken, say
    void_match(voided.pk, "A broken board.")
    for match in Match.objects.exclude(pk=voided.pk):
        finish(match)
    settle_all()
    again = Match.objects.get(seats=3, state=Match.State.QUEUED)
    seats = [list(match.seats_taken.values_list("seat", "version")) for match in (voided, again)]
    assert seats[0] == seats[1]
    settle_validation([voided])
    assert Match.objects.filter(seats=3).count() == 2  # asked for once
    assert Version.objects.get(pk=version.pk).status == Status.BUILT
    finish(again)
    settle_all()
    assert Version.objects.get(pk=version.pk).status == Status.ACTIVE


def test_a_match_that_is_voided_after_the_verdict_changes_nothing(version: Version) -> None:
    build(version)
    for match in Match.objects.all():
        finish(match)
    settle_all()
    void_match(Match.objects.get(seats=2).pk, "Too late.")
    settle_all()
    assert Match.objects.count() == 3
    assert Version.objects.get(pk=version.pk).status == Status.ACTIVE


def test_a_version_of_a_bot_that_was_disqualified_meanwhile_is_validated_and_does_not_play(
    version: Version,
) -> None:
    build(version)
    Bot.objects.filter(pk=version.bot_id).update(disqualified_at=timezone.now())
    for match in Match.objects.all():
        finish(match)
    settle_all()
    assert Version.objects.get(pk=version.pk).status == Status.VALIDATED
    assert Bot.objects.get(pk=version.bot_id).active_version is None


def test_a_build_that_waits_is_no_match_that_waits(version: Version) -> None:
    assert Attempt.objects.filter(build=version, state="queued").exists()
    assert operating.oldest_wait() is None


def test_what_a_host_may_build_fits_through_every_door_to_another_host() -> None:
    encoded = len(b64encode(bytes(archive_limits.BUILT)))
    assert encoded == reports.LONGEST_ARTIFACT
    assert encoded + reports.LONGEST_BUILD_LOG + 10_000 < host_api.LONGEST_BODY
    assert archive_limits.BUILT < arena_client.LARGEST_ANSWER


def test_a_program_that_is_too_large_rejects_its_version_and_the_author_reads_why(version: Version) -> None:
    hosts.beat("host", HOST_STATE)
    claimant = Claimant(Attempt.objects.get(build=version).pk, KEY)
    attempts.claim(claimant, "host")
    reason = "the program that was built has 60 MiB, and 40 MiB are allowed"
    record_report(claimant, {"ok": False, "reason": reason, "log": "", "artifact": ""})
    version.refresh_from_db()
    assert (version.status, version.reason) == (Status.REJECTED, f"The build failed: {reason}")
