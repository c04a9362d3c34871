"""Scheduled care: backups are proved and old ones go, statistics are renewed, stuck work is found."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from arena.bots.models import Status, Version
from arena.celery import app
from arena.embedded.home import PROJECT
from arena.hosts.models import Attempt, HeldReport
from arena.matches.models import Match
from arena.operations import backups, tasks
from arena.operations.backups import BackupError
from arena.operations.diagnosis import DoctorVerdict
from arena.operations.doctor import examine
from arena.operations.figures import FIGURES
from arena.operations.models import CareRun
from arena.operations.stuck import STUCK, count_stuck
from arena.outbox.models import Outbox
from tests.arena.cast import ask_for, claim, finish, make_bot

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=1)


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.BACKUPS = str(tmp_path / "backups")
    settings.KEEP_BACKUPS = 2
    return tmp_path / "backups"


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_made_read_back_and_the_oldest_goes(folder: Path) -> None:
    make_bot("one").archive.save("x.zip", ContentFile(b"the source of a bot"))
    for name in ("2026-01-01T031000Z", "2026-01-02T031000Z", "keep-this", "2026-01-03"):
        (folder / name).mkdir(parents=True)
    tasks.make_backup()
    run = CareRun.objects.get(kind="backup")
    assert run.succeeded_at
    assert "2 files, read back; deleted 2026-01-01T031000Z" in run.note
    names = {path.name for path in folder.iterdir()}
    assert {"2026-01-02T031000Z", "keep-this", "2026-01-03"} < names
    [made] = names - {"2026-01-02T031000Z", "keep-this", "2026-01-03"}
    backups.verify(folder / made)
    dump = folder / made / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-2000])
    with pytest.raises(BackupError, match="damaged"):
        backups.verify(folder / made)


def test_a_dump_that_postgresql_cannot_read_is_refused_though_its_digest_is_right(tmp_path: Path) -> None:
    (tmp_path / "database.dump").write_bytes(b"PGDMP and then nonsense")
    digest = backups.digest(tmp_path / "database.dump")
    (tmp_path / "manifest.json").write_text(f'{{"format": 1, "sha256": {{"database.dump": "{digest}"}}}}')
    backups.check(tmp_path)
    with pytest.raises(BackupError, match="pg_restore cannot read"):
        backups.verify(tmp_path)


def test_a_backup_that_fails_is_noted_and_the_doctor_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("not a folder")
    tasks.make_backup()
    assert "docs/operator/runbook.md#aztlancarefailed" in caplog.text
    run = CareRun.objects.get(kind="backup")
    assert run.succeeded_at is None
    assert run.note.startswith("failed: ")
    assert DoctorVerdict.WRONG in {finding.verdict for _, finding in examine(["care"])}
    [figures] = [each for each in FIGURES if each.figures[0][0] == "arena_care_age_seconds"]
    ages, failed = figures.read()
    assert [sample.value for sample in failed.samples] == [1.0]
    assert not ages.samples


def test_an_old_backup_is_named_by_the_doctor(folder: Path) -> None:
    before = timezone.now() - timedelta(hours=27)
    CareRun.objects.create(kind="backup", ran_at=before, succeeded_at=before)
    found = [finding for _, finding in examine(["care"]) if finding.verdict == DoctorVerdict.WRONG]
    assert [finding.to_do for finding in found] == ["See docs/operator/runbook.md#aztlanbackupold."]


def test_without_a_folder_no_backup_is_made(settings: Settings) -> None:
    settings.BACKUPS = ""
    tasks.make_backup()
    assert not CareRun.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_statistics_of_every_table_are_renewed() -> None:
    query = "select count(*) from pg_stats where tablename = 'accounts_user'"
    make_bot("one")
    tasks.refresh_statistics()
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert cursor.fetchone()[0] > 0
        cursor.execute("show statement_timeout")
        assert cursor.fetchone()[0] == "15s"
    assert CareRun.objects.get(kind="statistics").succeeded_at


def test_retention_is_noted() -> None:
    tasks.forget_old()
    assert CareRun.objects.get(kind="retention").succeeded_at


def stuck() -> set[str]:
    return {kind for kind, count in count_stuck().items() if count}


def test_work_under_way_is_not_stuck() -> None:
    versions = [make_bot("one"), make_bot("two")]
    for match in (ask_for(versions), ask_for(versions), ask_for(versions)):
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - LONG_AGO)
    claim(Match.objects.order_by("pk")[0])
    finish(Match.objects.order_by("pk")[1])
    Outbox.objects.create(kind="settle", payload={})
    assert stuck() == set()


def test_each_kind_of_stuck_work_is_found_and_its_section_named(caplog: pytest.LogCaptureFixture) -> None:
    versions = [make_bot("one"), make_bot("two")]
    long_ago = timezone.now() - LONG_AGO
    lost, silent, held = (ask_for(versions) for _ in range(3))
    Attempt.objects.filter(match=lost).update(state=Attempt.State.REFUSED)
    Match.objects.filter(pk=lost.pk).update(created_at=long_ago)
    claim(silent)
    Attempt.objects.filter(match=silent).update(lease_until=long_ago)
    claim(held)
    attempt = Attempt.objects.get(match=held)
    Attempt.objects.filter(pk=attempt.pk).update(state=Attempt.State.DONE)
    HeldReport.objects.create(match=held, attempt=attempt, report=b"", public_at=long_ago)
    Outbox.objects.create(kind="settle", payload={}, created_at=long_ago)
    waiting = make_bot("three")
    Version.objects.filter(pk=waiting.pk).update(status=Status.CHECKED, created_at=long_ago)
    assert stuck() == set(STUCK)
    with caplog.at_level(logging.ERROR):
        tasks.report_stuck()
    sections = set(re.findall(r"runbook\.md#([\w-]+)", caplog.text))
    page = (PROJECT / "docs" / "operator" / "runbook.md").read_text()
    headings = {
        text.lower().replace(":", "").replace(" ", "-")
        for text in re.findall(r"^### (.+)$", page, re.MULTILINE)
    }
    assert sections == headings
    assert {finding.verdict for _, finding in examine(["stuck"])} == {DoctorVerdict.WRONG}


def test_the_schedule_names_tasks_that_exist() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
