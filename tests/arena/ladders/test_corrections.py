"""Corrections go in batches, survive crashes, let results settle meanwhile, and end at the fold of the log."""

import random
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.ladders import correcting, queries
from arena.ladders.checking import check
from arena.ladders.models import RatingChange, Season, Standing
from arena.ladders.results import settle_match
from arena.matches.models import Match
from arena.matches.services import void_match
from arena.outbox.models import Outbox
from arena.outbox.services import deliver
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


class CrashError(Exception):
    """The process ends here."""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correcting, "BATCH", 3)
    monkeypatch.setattr(correcting, "BATCHES", 2)


def played_season(count: int, seats: int = 2) -> tuple[Season, list[Match]]:
    season, number = make_season(seats), Bot.objects.count()
    versions = [make_bot(f"b{number + n}") for n in range(4)]
    chance = random.Random(count)
    matches = [ask_for(chance.sample(versions, seats), season) for _ in range(count)]
    for match in matches:
        finish(match)
    return season, matches


def settled_season(count: int) -> tuple[Season, list[Match]]:
    season, matches = played_season(count)
    for match in matches:
        settle_match(match.pk)
    season.refresh_from_db()
    return season, matches


def void(match: Match) -> None:
    void_match(match.pk, "its host was broken")
    settle_match(match.pk)


def work_off() -> int:
    """Deliver all corrections that are owed, and those that they owe; return how many pieces there were."""
    count = 0
    while row := Outbox.objects.filter(kind="correct").order_by("pk").first():
        assert deliver(row.pk, row.tries)
        count += 1
    return count


@pytest.mark.usefixtures("small_batches")
def test_the_newest_result_is_voided_at_once() -> None:
    season, matches = settled_season(12)
    void(matches[-1])
    season.refresh_from_db()
    assert season.corrected_to is None
    assert not Outbox.objects.filter(kind="correct").exists()
    assert check(season.pk) == []


@pytest.mark.usefixtures("small_batches")
def test_an_old_result_is_corrected_in_pieces_while_new_ones_settle() -> None:
    season, matches = settled_season(20)
    waiting = played_again(season)
    void(matches[0])
    season.refresh_from_db()
    assert (season.corrected_from, season.corrected_to) == (0, 0)
    row = Outbox.objects.get(kind="correct")
    deliver(row.pk, row.tries)
    season.refresh_from_db()
    assert season.corrected_to == 6
    assert settle_match(waiting.pk), "settling goes on"
    assert check(season.pk) == [], "what is corrected already is right"
    assert work_off() == 3
    season.refresh_from_db()
    assert season.corrected_to is season.corrected_from is None
    assert check(season.pk) == []


def played_again(season: Season) -> Match:
    versions = [bot.active_version for bot in Bot.objects.order_by("pk")[:2]]
    match = ask_for([version for version in versions if version], season)
    finish(match)
    return match


@pytest.mark.usefixtures("small_batches")
def test_the_last_batch_is_left_with_the_standings_of_its_own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correcting, "STANDINGS", 2)
    season = make_season(2)
    pairs = [[make_bot(f"b{n}"), make_bot(f"c{n}")] for n in range(6)]
    matches = [ask_for(pair, season) for pair in [pairs[0], *pairs]]  # the first pair twice, others once
    for match in matches:
        finish(match)
        settle_match(match.pk)
    Standing.objects.update(rating=0)
    void(matches[0])
    correcting.correct(season.pk, batches=2)
    season.refresh_from_db()
    assert season.corrected_to == 6, "a batch is left, in which the last of these pairs played"
    unknown = Standing.objects.filter(rating=0).values_list("bot", flat=True)
    assert set(unknown) == {version.bot_id for version in pairs[-1]}
    work_off()
    assert check(season.pk) == []


@pytest.mark.usefixtures("small_batches")
def test_a_second_void_sets_a_correction_back_only_as_far_as_it_must() -> None:
    season, matches = settled_season(20)
    void(matches[5])
    correcting.correct(season.pk, batches=2)
    void(matches[15])
    season.refresh_from_db()
    assert season.corrected_to == 11, "it has not come that far yet"
    void(matches[2])
    season.refresh_from_db()
    assert (season.corrected_from, season.corrected_to) == (2, 2)
    assert Outbox.objects.filter(kind="correct").count() == 1
    work_off()
    assert check(season.pk) == []


@pytest.mark.usefixtures("small_batches")
def test_a_crash_in_a_batch_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    season, matches = settled_season(20)
    void(matches[0])
    correcting.correct(season.pk, batches=2)
    real = queries.copy_changes

    def crash(season_id: int, changes: Iterator[queries.Change]) -> None:
        real(season_id, changes)
        raise CrashError

    monkeypatch.setattr(queries, "copy_changes", crash)
    row = Outbox.objects.get(kind="correct")
    assert not deliver(row.pk, row.tries)
    season.refresh_from_db()
    assert season.corrected_to == 6
    monkeypatch.setattr(queries, "copy_changes", real)
    assert check(season.pk) == []
    work_off()
    season.refresh_from_db()
    assert season.corrected_to is None
    assert check(season.pk) == []


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 3),
    acts=st.lists(st.sampled_from(["settle", "settle", "void", "batch", "crash"]), min_size=6, max_size=16),
)
@pytest.mark.usefixtures("small_batches")
def test_whatever_happens_what_is_stored_ends_as_the_fold(seed: int, seats: int, acts: list[str]) -> None:
    chance = random.Random(seed)
    season, waiting = played_season(acts.count("settle"), seats)
    settled: list[Match] = []
    real = queries.copy_changes

    def crash(season_id: int, changes: Iterator[queries.Change]) -> None:
        for _ in zip(range(2), changes, strict=False):
            pass
        raise CrashError

    for act in acts:
        if act == "settle":
            match = waiting.pop(chance.randrange(len(waiting)))
            assert settle_match(match.pk)
            settled.append(match)
        elif act == "void" and settled:
            void(settled.pop(chance.randrange(len(settled))))
        elif act == "batch":
            correcting.correct(season.pk, batches=1)
        elif act == "crash":
            queries.copy_changes = crash
            try:
                correcting.correct(season.pk, batches=1)
            except CrashError:
                pass
            finally:
                queries.copy_changes = real
        assert check(season.pk) == []
    work_off()
    season.refresh_from_db()
    assert season.corrected_to is None
    assert check(season.pk) == []
    assert season.standings.count() == len(
        {bot for match in settled for bot in match.seats_taken.values_list("version__bot", flat=True)}
    )


@pytest.mark.usefixtures("small_batches")
def test_the_operator_sees_how_far_a_correction_is(client: Client) -> None:
    season, matches = settled_season(20)
    staff = User.objects.create(username="staff", email="s@example.org", is_staff=True)
    client.force_login(staff)
    assert "<progress" not in client.get("/operator/").content.decode()
    void(matches[0])
    correcting.correct(season.pk, batches=3)
    page = client.get("/operator/").content.decode()
    assert 'max="100" value="42"' in page
    assert "up to result 9 of 21 (42%)" in page
    assert "42% done" in client.get(season.ladder.get_absolute_url()).content.decode()
    work_off()
    assert "<progress" not in client.get("/operator/").content.decode()


def test_missing_stray_and_wrong_values_are_each_found_and_mended() -> None:
    season, _ = settled_season(6)
    bot = season.standings.earliest("pk").bot_id
    RatingChange.objects.filter(season=season, sequence=2).delete()
    RatingChange.objects.filter(season=season, sequence=4).update(rating=1.0)
    stray = {"rating": 1, "games": 1, "wins": 1, "place": 1}
    RatingChange.objects.create(season=season, sequence=99, bot_id=bot, **stray)
    season.standings.filter(bot=bot).delete()
    found = check(season.pk)
    assert len([line for line in found if "by result 2" in line]) == 2
    assert len([line for line in found if "by result 4" in line]) == 4
    assert len([line for line in found if line.startswith(f"bot {bot}")]) == 1
    with pytest.raises(CommandError, match="stored values are not what their log says"):
        call_command("fold_ratings", check=True)
    call_command("fold_ratings")
    call_command("fold_ratings", check=True)
    assert check(season.pk) == []
