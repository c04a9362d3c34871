"""Files in a bucket: everything works as with a folder, and a bucket that is down stops only what needs it."""

import io
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage, storages
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.accounts.models import User
from arena.arena_env import storage
from arena.bots.models import Bot, Version
from arena.hosts import attempts, signing
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant
from arena.hosts.models import Attempt
from arena.hosts.reports import record_report
from arena.hosts.specs import bot_data, player_of
from arena.ladders.archiving import archive_season, restore_season
from arena.ladders.models import Season
from arena.ladders.results import settle_match
from arena.matches.models import Match, MatchReport, ReportArchive
from arena.operations.copying import Outcome, copy_files
from arena.operations.tasks import forget_old
from arena.storage_down import StorageDownError
from tests.arena.buckets import bucket_at, s3_server, variables
from tests.arena.cast import HOST_STATE, KEY, ask_for, finish, make_bot, make_season
from tests.arena.people import browser_of, program_of, submit
from workers.env import EnvError
from workers.host.assignment import AssignedBot
from workers.host.cache import BotCache

pytestmark = pytest.mark.django_db
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server() as address:
        yield address


def use(settings: Settings, monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    for name, value in variables(endpoint).items():
        monkeypatch.setenv(name, value)
    settings.STORAGES = {**settings.STORAGES, "default": storage("ARENA_STORAGE")}


@pytest.fixture
def bucket(endpoint: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with bucket_at(endpoint) as made:
        use(settings, monkeypatch, endpoint)
        yield made


@pytest.fixture
def no_bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    use(settings, monkeypatch, NOWHERE)


def names(bucket: Any) -> set[str]:
    return {each.key for each in bucket.objects.all()}


def build(version: Version, artifact: bytes) -> None:
    hosts.beat("host", HOST_STATE)
    claimant = Claimant(Attempt.objects.get(build=version).pk, KEY)
    attempts.claim(claimant, "host")
    artifact_text = b64encode(artifact).decode()
    record_report(claimant, {"ok": True, "reason": "", "log": "", "artifact": artifact_text})


def fetch(client: Client, path: str) -> tuple[bytes, str]:
    answer = client.get(path, headers={"Authorization": f"Bearer {django_settings.HOST_KEY}"})
    assert answer.status_code == 200, answer.content
    return answer.content, answer["X-Content-SHA256"]


def test_an_upload_is_built_fetched_by_a_host_and_downloaded_through_the_bucket(
    bucket: Any, jaguar: Bot, client: Client, tmp_path: Path
) -> None:
    version = submit(jaguar)
    build(version, b"\x7fELF built")
    version.refresh_from_db()
    assert names(bucket) == {f"arena/{version.archive.name}", f"arena/{version.built_archive.name}"}
    (tmp_path / "cache").mkdir()
    cache = BotCache(tmp_path / "cache", 10**9, lambda path: fetch(client, path))
    assigned = AssignedBot(**bot_data(player_of(version)))
    with cache.source(assigned) as source, cache.built(assigned) as built:
        assert (source / "bot.py").read_text() == "print(1)\n"
        assert built is not None
        assert built.read_bytes() == b"\x7fELF built"
    page = browser_of(jaguar.owner).get(f"/bots/{jaguar.slug}/versions/{version.number}/source")
    assert sha256(b"".join(page.streaming_content)).hexdigest() == version.sha256  # type: ignore[attr-defined]


def test_the_address_that_a_host_fetches_from_expires(
    bucket: Any, jaguar: Bot, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = signing.archive_path(submit(jaguar).pk, "source")
    fetch(client, path)
    monkeypatch.setattr(signing, "ARCHIVE_SECONDS", -1)
    answer = client.get(path, headers={"Authorization": f"Bearer {django_settings.HOST_KEY}"})
    assert (answer.status_code, "has expired" in answer.json()["reason"]) == (403, True)


def played_season() -> tuple[Season, list[Match]]:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(2)]
    matches = [ask_for(versions, season) for _ in range(3)]
    for match in matches:
        finish(match)
        settle_match(match.pk)
    Season.objects.filter(pk=season.pk).update(
        closed_at=timezone.now(), tallied_to=Season.objects.get(pk=season.pk).last_sequence
    )
    return Season.objects.get(pk=season.pk), matches


def test_an_archived_season_is_read_from_the_bucket_and_comes_back(bucket: Any, client: Client) -> None:
    season, matches = played_season()
    before = client.get(f"/matches/{matches[0].public_id}/record.aztr").content
    assert sum(archive_season(season)) == 3
    assert {f"arena/{each.name}" for each in ReportArchive.objects.all()} == names(bucket)
    assert client.get(f"/matches/{matches[0].public_id}/record.aztr").content == before
    list(restore_season(season))
    assert (MatchReport.objects.count(), names(bucket)) == (3, set())


def test_retention_deletes_in_the_bucket(bucket: Any, settings: Settings) -> None:
    settings.KEEP_LOGS_DAYS, settings.KEEP_REPLAYS_DAYS = 0, 10
    season, _ = played_season()
    list(archive_season(season))
    archived = {
        f"arena/{name}"
        for name in ReportArchive.objects.filter(finished_to=None).values_list("name", flat=True)
    }
    ReportArchive.objects.exclude(finished_to=None).update(finished_to=timezone.now() - timedelta(days=11))
    forget_old()
    assert names(bucket) == archived  # the season's own file stays
    assert len(archived) == 1


def test_files_move_from_the_folder_to_the_bucket_and_every_copy_is_compared(
    jaguar: Bot, storage: Path, endpoint: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = submit(jaguar)
    out = io.StringIO()
    with pytest.raises(CommandError, match="is the storage itself"):
        call_command("copy_files")
    with bucket_at(endpoint) as bucket:
        use(settings, monkeypatch, endpoint)
        call_command("copy_files", "--dry-run", stdout=out)
        assert (names(bucket), "Would copy 1 files" in out.getvalue()) == (set(), True)
        call_command("copy_files", stdout=out)
        assert version.archive.open().read() == (storage / version.archive.name).read_bytes()
        assert [each.outcome for each in copy_files(storage)] == [Outcome.THERE]
        bucket.Object(f"arena/{version.archive.name}").put(Body=b"half a fi")
        assert [each.outcome for each in copy_files(storage)] == [Outcome.COPIED]
        assert sha256(version.archive.open().read()).hexdigest() == version.sha256
        (storage / version.archive.name).unlink()
        assert [each.outcome for each in copy_files(storage)] == [Outcome.THERE]
        default_storage.delete(version.archive.name)
        with pytest.raises(CommandError, match="1 files are missing"):
            call_command("copy_files", stdout=out)
        assert f"missing in the folder: {version.archive.name}" in out.getvalue()


def test_copying_stops_with_a_sentence_when_the_bucket_is_down(
    jaguar: Bot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(jaguar)
    use(settings, monkeypatch, NOWHERE)
    with pytest.raises(CommandError, match=r"does not answer.*run this again"):
        call_command("copy_files")


def test_a_bucket_that_is_down_stops_uploads_with_a_clear_answer_and_no_page(
    no_bucket: None, jaguar: Bot, itzel: User
) -> None:
    browser = browser_of(itzel)
    browser.raise_request_exception = False
    upload = {"archive": ContentFile(b"print(1)\n", name="bot.py")}
    answer = browser.post(f"/bots/{jaguar.slug}/upload", upload)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "cannot reach its file storage" in answer.content.decode()
    program = program_of(itzel)
    program.raise_request_exception = False
    upload = {"archive": ContentFile(b"print(1)\n", name="bot.py")}
    told = program.post(f"/api/v1/bots/{jaguar.slug}/versions", upload, format="multipart")
    assert (told.status_code, told.json()["code"], told.json()["wait_seconds"]) == (503, "storage_down", 60)
    assert not Version.objects.exists()
    assert browser.get(f"/bots/{jaguar.slug}/").status_code == 200
    assert browser.get("/readyz").json()["database"] is True


def test_a_host_is_asked_to_come_back_while_the_bucket_is_down(
    jaguar: Bot, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = submit(jaguar)
    use(settings, monkeypatch, NOWHERE)
    path = signing.archive_path(version.pk, "source")
    answer = client.get(path, headers={"Authorization": f"Bearer {django_settings.HOST_KEY}"})
    assert (answer.status_code, "file storage" in answer.json()["reason"]) == (503, True)
    with pytest.raises(StorageDownError):
        build(version, b"built")
    assert Attempt.objects.get(build=version).state == Attempt.State.RUNNING  # the host reports again later


def test_matches_of_an_archived_season_keep_their_pages_while_the_bucket_is_down(
    bucket: Any, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    season, matches = played_season()
    list(archive_season(season))
    use(settings, monkeypatch, NOWHERE)
    assert client.get(matches[0].get_absolute_url()).status_code == 200
    assert client.get(f"/matches/{matches[0].public_id}/record.aztr").status_code == 404
    with pytest.raises(CommandError, match="does not answer"):
        call_command("archive_season", season.ladder.slug, season.number, "--restore")


@pytest.mark.parametrize(
    ("change", "fix"),
    [
        ({"ARENA_STORAGE": "s3://nowhere-here"}, "Create the bucket"),
        ({"ARENA_S3_ENDPOINT": NOWHERE}, "ARENA_S3_ENDPOINT"),
    ],
)
def test_what_is_wrong_with_a_bucket_is_said_with_the_fix(
    bucket: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], fix: str
) -> None:
    for name, value in change.items():
        monkeypatch.setenv(name, value)
    settings.STORAGES = {**settings.STORAGES, "default": storage("ARENA_STORAGE")}
    with pytest.raises(StorageDownError, match=fix):
        default_storage.save("x", ContentFile(b"x"))


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"ARENA_STORAGE": "bucket"}, "ARENA_STORAGE must name a bucket, like s3://bucket"),
        ({"ARENA_STORAGE": "s3://Bad_Name"}, "ARENA_STORAGE must name a bucket"),
        ({"ARENA_STORAGE": "s3://files/../up"}, "ARENA_STORAGE must name a bucket"),
        ({"ARENA_S3_KEY_ID": "x"}, "ARENA_S3_KEY_ID is set, but no bucket: set ARENA_STORAGE"),
        ({"ARENA_STORAGE": "s3://files", "ARENA_S3_KEY_ID": "x"}, "ARENA_S3_SECRET must be set too"),
        ({"ARENA_STORAGE": "s3://files", "ARENA_S3_SECRET": "x"}, "ARENA_S3_KEY_ID must be set too"),
        (
            {"ARENA_STORAGE": "s3://files", "ARENA_S3_ENDPOINT": "s3.local"},
            "ARENA_S3_ENDPOINT must be an address",
        ),
    ],
)
def test_wrong_settings_are_named_at_start_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], sentence: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(EnvError, match=sentence):
        storage("ARENA_STORAGE")


def test_without_the_setting_files_are_in_the_folder() -> None:
    assert storage("ARENA_STORAGE")["BACKEND"].endswith("FileSystemStorage")
    assert isinstance(storages["default"], FileSystemStorage)
