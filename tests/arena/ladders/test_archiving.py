"""A closed season's reports move into archives and back; everything about its matches is still answered."""

import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.ladders import archiving
from arena.ladders.archiving import archive_season, restore_season
from arena.ladders.models import CardTally, Season
from arena.ladders.results import settle_match
from arena.ladders.tallying import recount, tally_due
from arena.matches import archived_reports
from arena.matches.archived_reports import ReportArchiveError
from arena.matches.models import ArchivedReport, Match, MatchReport, ReportArchive
from arena.matches.services import void_match
from arena.operations.backups import file_names
from arena.operations.retention import forget_old
from engine.record import load_record, verify
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db
FIELDS = [
    field.attname for field in MatchReport._meta.fields if field.attname not in ("id", "record", "times")
]


class PowerCutError(Exception):
    """The process ends here."""


@pytest.fixture
def matches() -> list[Match]:
    season, versions = make_season(3), [make_bot(f"b{number}") for number in range(3)]
    matches = [ask_for(versions, season) for _ in range(5)]
    for number, match in enumerate(matches):
        finish(match, faulty=[2] if number == 3 else [])
        settle_match(match.pk)
    void_match(matches[4].pk, "a host failed")
    settle_match(matches[4].pk)
    tally_due()
    Season.objects.filter(pk=season.pk).update(closed_at=timezone.now())
    return matches


@pytest.fixture
def season(matches: list[Match]) -> Season:
    return Season.objects.select_related("ladder").get()


def contents() -> list[tuple[Any, ...]]:
    rows = MatchReport.objects.order_by("match_id")
    return [(*(getattr(row, name) for name in FIELDS), bytes(row.record), row.seat_times) for row in rows]


def addresses(match: Match) -> Iterator[str]:
    page = match.get_absolute_url()
    yield from (page, f"/api/v1/matches/{match.public_id}", f"/api/v1/matches/{match.public_id}/replay")
    yield from (f"{page}record.json", f"{page}record.aztr", f"{page}frames/public", f"{page}embed/")


def answers(client: Client, season: Season, matches: list[Match]) -> dict[str, tuple[int, bytes]]:
    """All that the arena says about a season and its matches, but what differs in each answer."""
    known = [address for match in matches for address in addresses(match)]
    known += [season.get_absolute_url(), "/matches/", "/bots/b0/", "/api/v1/matches/?bot=b0"]
    return {one: (got.status_code, got.content) for one in known if (got := client.get(one))}


def test_everything_about_an_archived_season_is_answered_as_before(
    season: Season, matches: list[Match], client: Client
) -> None:
    before = answers(client, season, matches)
    assert sum(status == 200 for status, _ in before.values()) > 30
    assert list(archive_season(season, batch=2)) == [2, 2, 1]
    assert not MatchReport.objects.exists()
    after = answers(client, season, matches)
    assert {one: status for one, (status, _) in after.items()} == {
        one: status for one, (status, _) in before.items()
    }
    exact = [one for one in before if "record" in one or "frames" in one or "/api/" in one]
    assert exact
    assert [one for one in exact if before[one] != after[one]] == []


def test_restoring_brings_back_the_very_same_rows(season: Season) -> None:
    before = contents()
    assert sum(archive_season(season, batch=2)) == 5
    assert sum(restore_season(season)) == 5
    assert contents() == before
    assert not ReportArchive.objects.exists()
    assert not ArchivedReport.objects.exists()
    assert default_storage.listdir(archiving.folder_of(season))[1] == []


def test_archiving_twice_moves_nothing_more(season: Season) -> None:
    list(archive_season(season))
    files = sorted(default_storage.listdir(archiving.folder_of(season))[1])
    assert list(archive_season(season)) == []
    assert sorted(default_storage.listdir(archiving.folder_of(season))[1]) == files


def test_the_files_explain_themselves_without_the_arena(season: Season, matches: list[Match]) -> None:
    list(archive_season(season, batch=10))
    archive = ReportArchive.objects.get(matches=5)
    with default_storage.open(archive.name) as opened, zipfile.ZipFile(opened) as files:
        data = json.loads(files.read(f"{matches[0].public_id}.json"))
        record = load_record(files.read(f"{matches[0].public_id}.aztr"))
    assert verify(record).is_over()
    assert record.seed.hex() == data["seed"]
    assert [bot["bot"] for bot in data["bots"]] == ["b0", "b1", "b2"]
    assert sorted(bot["placement"] for bot in data["bots"]) == [1, 2, 3]
    with default_storage.open(ReportArchive.objects.get(matches=0).name) as opened:
        files = zipfile.ZipFile(opened)
        summary = json.loads(files.read("season.json"))
        log = [json.loads(line) for line in files.read("results.jsonl").splitlines()]
    assert [one["rank"] for one in summary["standings"]] == [1, 2, 3]
    assert [line["kind"] for line in log] == ["match"] * 5 + ["void"]
    assert log[5]["voids"] == 5


def test_fold_ratings_finds_no_difference_in_an_archived_season(season: Season) -> None:
    list(archive_season(season))
    printed = StringIO()
    call_command("fold_ratings", "--check", stdout=printed)
    season.refresh_from_db()
    assert f"{season}: {season.last_sequence} results, 0 values differed" in printed.getvalue()


def test_a_match_of_an_archived_season_can_still_be_voided(season: Season, matches: list[Match]) -> None:
    list(archive_season(season))
    assert void_match(matches[0].pk, "a late protest")
    assert settle_match(matches[0].pk)
    call_command("fold_ratings", stdout=StringIO())
    call_command("fold_ratings", "--check", stdout=StringIO())


@pytest.mark.parametrize("place", ["check_archive", "note", "write_summary", "store"])
def test_killed_anywhere_nothing_is_lost_and_the_next_run_goes_on(
    season: Season, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents()
    real, calls = getattr(archiving, place), []

    def cut_off(*arguments: Any) -> Any:
        calls.append(place)
        result = real(*arguments)
        if len(calls) == (1 if place == "write_summary" else 2):
            raise PowerCutError
        return result

    with monkeypatch.context() as patched:
        patched.setattr(archiving, place, cut_off)
        with pytest.raises(PowerCutError):
            list(archive_season(season, batch=2))
    assert MatchReport.objects.count() + ArchivedReport.objects.count() == 5
    list(archive_season(season, batch=2))
    assert ArchivedReport.objects.count() == 5
    named = {Path(name).name for name in ReportArchive.objects.values_list("name", flat=True)}
    assert set(default_storage.listdir(archiving.folder_of(season))[1]) == named
    list(restore_season(season))
    assert contents() == before


def test_a_half_written_file_is_written_again(season: Season) -> None:
    list(archive_season(season, batch=10))
    name = ReportArchive.objects.get(matches=5).name
    list(restore_season(season))
    path = Path(default_storage.path(name))
    path.write_bytes(b"PK half of it")
    list(archive_season(season, batch=10))
    assert zipfile.ZipFile(path).testzip() is None


def test_nothing_is_deleted_if_the_file_does_not_read_back(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents()
    monkeypatch.setattr(
        archiving, "write_archive", lambda matches: archived_reports.write_archive(matches[1:])
    )
    with pytest.raises(ReportArchiveError, match="cannot be read back"):
        list(archive_season(season))
    assert contents() == before
    assert not ReportArchive.objects.exists()


def test_a_running_season_is_refused_with_a_clear_sentence(season: Season) -> None:
    Season.objects.update(closed_at=None)
    with pytest.raises(CommandError, match="is not closed yet: it can be archived once its last match"):
        call_command("archive_season", season.ladder.slug, "1")
    assert MatchReport.objects.count() == 5


def test_a_season_that_is_still_being_counted_is_refused(season: Season) -> None:
    Season.objects.update(tallied_to=1)
    with pytest.raises(CommandError, match="still being counted for its statistics: try again later"):
        call_command("archive_season", season.ladder.slug, "1")


def test_statistics_count_archived_matches_as_before(season: Season) -> None:
    before = list(CardTally.objects.order_by("pk").values_list("pk", "games", "places"))
    assert before
    list(archive_season(season))
    recount(season.pk)
    assert list(CardTally.objects.order_by("pk").values_list("pk", "games", "places")) == before


def test_an_unknown_season_is_refused_with_a_clear_sentence(season: Season) -> None:
    with pytest.raises(CommandError, match="There is no season 7 of a ladder “ladder-0”"):
        call_command("archive_season", "ladder-0", "7")


def test_the_command_says_how_far_it_is(season: Season) -> None:
    out = StringIO()
    call_command("archive_season", season.ladder.slug, "1", stdout=out)
    call_command("archive_season", season.ladder.slug, "1", "--restore", stdout=out)
    assert "5 of 5 reports" in out.getvalue()
    assert "all of them are in seasons/ladder-0-1 in the storage." in out.getvalue()
    assert "all of them are in the database." in out.getvalue()


def test_opening_a_match_reads_its_part_of_the_archive_only(
    season: Season, matches: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    list(archive_season(season))
    members: list[str] = []
    real = zipfile.ZipFile.open

    def noting(archive: zipfile.ZipFile, name: Any, *words: Any, **options: Any) -> Any:
        members.append(str(name))
        return real(archive, name, *words, **options)

    monkeypatch.setattr(zipfile.ZipFile, "open", noting)
    assert archived_reports.find_report(matches[1])
    assert sorted(members) == [f"{matches[1].public_id}.aztr", f"{matches[1].public_id}.json"]


def test_a_lost_archive_leaves_the_results_and_the_pages(
    season: Season, matches: list[Match], client: Client
) -> None:
    list(archive_season(season))
    for name in ReportArchive.objects.values_list("name", flat=True):
        default_storage.delete(name)
    archived_reports.open_report.cache_clear()
    assert client.get(matches[0].get_absolute_url()).status_code == 200
    assert client.get(f"{matches[0].get_absolute_url()}record.json").status_code == 404
    with pytest.raises(CommandError, match=r"cannot be read: .* nothing is lost"):
        call_command("archive_season", season.ladder.slug, "1", "--restore")


def test_a_changed_archive_is_not_restored(season: Season) -> None:
    list(archive_season(season))
    path = Path(default_storage.path(ReportArchive.objects.get(matches=5).name))
    path.write_bytes(path.read_bytes() + b"!")
    with pytest.raises(ReportArchiveError, match="its digest is not the one in the database"):
        list(restore_season(season))
    assert ArchivedReport.objects.count() == 5


def test_backups_have_the_archives(season: Season) -> None:
    list(archive_season(season))
    assert set(ReportArchive.objects.values_list("name", flat=True)) <= file_names()


def test_archived_records_are_forgotten_when_the_setting_says_so(season: Season, settings: Settings) -> None:
    settings.KEEP_LOGS_DAYS, settings.KEEP_REPLAYS_DAYS = 0, 10
    list(archive_season(season))
    assert forget_old()["archives"] == 0
    ReportArchive.objects.filter(matches__gt=0).update(finished_to=timezone.now() - timedelta(days=11))
    assert forget_old()["archives"] > 0
    assert not ArchivedReport.objects.exists()
    assert len(default_storage.listdir(archiving.folder_of(season))[1]) == 1
