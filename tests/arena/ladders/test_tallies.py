"""The counts by version are those of the log, whatever is voided, and however often they are made."""

import random

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.ladders.checking import check, refold
from arena.ladders.meeting_queries import MeetingCount, add_meetings
from arena.ladders.models import CardTally, MeetingBlock, Season, SeatTally
from arena.ladders.results import settle_match, settle_matches
from arena.ladders.tallying import recount, tally_batch, tally_due
from arena.matches.models import Match, MatchReport
from arena.matches.services import MatchRequest, request_duplicate_set, void_match
from engine.rulesets import ruleset
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def play(season: Season, versions: list, count: int) -> list[Match]:
    chance = random.Random(count)
    matches = [ask_for(chance.sample(versions, season.ladder.seats), season) for _ in range(count)]
    for match in matches:
        finish(match)
    settle_matches([match.pk for match in matches])
    return matches


@pytest.fixture
def versions() -> list:
    return [make_bot(f"b{n}") for n in range(4)]


def meetings() -> list[MeetingCount]:
    """Return the counts of all blocks, in order."""
    return sorted(
        MeetingCount(row.version_id, row.block * 512 + key // 4, key % 4, *counts)
        for row in MeetingBlock.objects.all()
        for key, *counts in zip(row.keys, row.games, row.better, row.worse, strict=True)
    )


def kept() -> list[object]:
    """Return all counts that are not zero."""
    return [meetings()] + [
        sorted(model.objects.filter(games__gt=0).values_list(*fields))
        for model, fields in (
            (SeatTally, ("version_id", "seat", "games", "firsts", "places", "read", "read_places", "luck")),
            (CardTally, ("version_id", "seat", "age", "card", "games", "firsts", "places")),
        )
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_meetings_and_seats_are_those_of_the_matches(seats: int, versions: list) -> None:
    season = make_season(seats)
    matches = play(season, versions, 6)
    assert tally_due() == 1
    assert tally_due() == 0
    assert sum(one.games for one in meetings()) == 6 * seats * (seats - 1)
    for match in matches[:1]:
        for own in match.seats_taken.all():
            assert SeatTally.objects.get(version=own.version, season=season, seat=own.seat).games >= 1
    assert sum(SeatTally.objects.values_list("firsts", flat=True)) == 6
    assert sum(SeatTally.objects.values_list("places", flat=True)) == 6 * seats * (seats + 1) // 2
    assert sum(SeatTally.objects.values_list("luck", flat=True)) in range(
        -6 * seats, 6 * seats + 1
    )  # rounding
    assert check(season.pk) == []


def test_each_seat_chooses_one_power_card_per_age(versions: list) -> None:
    season = make_season(2)
    play(season, versions, 3)
    tally_due()
    for age in range(1, 6):
        assert sum(CardTally.objects.filter(age=age).values_list("games", flat=True)) == 6


def test_a_voided_result_is_taken_out_of_all_counts(versions: list) -> None:
    season = make_season(3)
    play(season, versions, 3)
    tally_due()
    before = kept()
    [match] = play(season, versions, 1)
    tally_due()
    assert kept() != before
    void_match(match.pk, "its host was broken")
    settle_match(match.pk)
    assert check(season.pk) == []  # up to the line that was counted
    tally_due()
    assert kept() == before
    assert check(season.pk) == []


def test_matches_of_a_duplicate_set_are_counted_one_by_one_and_voided_together(versions: list) -> None:
    season = make_season(2, duplicate=True)
    request = MatchRequest(
        versions[:2], ruleset("english"), Match.Purpose.LADDER, purpose_id=season.pk, rated=True
    )
    matches = request_duplicate_set(request)
    for match in matches:
        finish(match)
        settle_match(match.pk)
    tally_due()
    assert sum(one.games for one in meetings()) == 4
    assert check(season.pk) == []
    void_match(matches[0].pk, "its host was broken")
    settle_match(matches[0].pk)
    tally_due()
    assert kept() == [[], [], []]
    assert check(season.pk) == []


def test_a_match_without_a_record_is_counted_without_its_cards(versions: list) -> None:
    season = make_season(2)
    play(season, versions, 1)
    MatchReport.objects.all().delete()
    tally_due()
    assert sum(SeatTally.objects.values_list("games", flat=True)) == 2
    assert not SeatTally.objects.exclude(read=0).exists()
    assert not CardTally.objects.exists()


def test_two_workers_count_a_line_once(versions: list, monkeypatch: pytest.MonkeyPatch) -> None:
    season = make_season(2)
    play(season, versions, 2)
    read = Season.objects.get

    def read_and_lose_the_race(*args: object, **kwargs: object) -> Season:
        found = read(*args, **kwargs)
        monkeypatch.undo()
        assert tally_batch(season.pk)  # another worker is faster
        return found

    monkeypatch.setattr(Season.objects, "get", read_and_lose_the_race)
    assert not tally_batch(season.pk)
    assert sum(SeatTally.objects.values_list("games", flat=True)) == 4


def test_the_check_finds_a_wrong_count_and_folding_again_puts_it_right(versions: list) -> None:
    season = make_season(2)
    play(season, versions, 3)
    tally_due()
    before = kept()
    MeetingBlock.objects.update(better=[7])
    assert len(check(season.pk)) == MeetingBlock.objects.count()
    with pytest.raises(CommandError):
        call_command("fold_ratings", "--check")
    refold(season.pk)
    assert kept() == before
    recount(season.pk)
    assert kept() == before


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    batches=st.lists(
        st.dictionaries(
            st.tuples(
                st.integers(0, 1), st.sampled_from([1, 2, 511, 512, 513, 1300, 40_000]), st.integers(0, 3)
            ),
            st.tuples(st.integers(0, 2), st.integers(0, 2)),
            min_size=1,
        ),
        max_size=6,
    ),
    chance=st.randoms(use_true_random=False),
)
def test_blocks_hold_what_was_added_and_not_taken_away(
    batches: list[dict], chance: random.Random, versions: list
) -> None:
    MeetingBlock.objects.all().delete()
    season = Season.objects.first() or make_season(2)
    lines = [
        MeetingCount(versions[which].pk, other, seat, better + worse + 1, better, worse)
        for batch in batches
        for (which, other, seat), (better, worse) in batch.items()
    ]
    for batch in batches:
        taken = [
            MeetingCount(versions[which].pk, other, seat, better + worse + 1, better, worse)
            for (which, other, seat), (better, worse) in sorted(batch.items())
        ]
        add_meetings(season.pk, taken)
    voided = [line for line in lines if chance.random() < 0.5]
    for line in voided:
        lines.remove(line)
        add_meetings(season.pk, [(*line[:3], *(-count for count in line[3:]))])
    expected: dict[tuple[int, ...], list[int]] = {}
    for line in lines:
        total = expected.setdefault(line[:3], [0, 0, 0])
        expected[line[:3]] = [one + more for one, more in zip(total, line[3:], strict=True)]
    assert meetings() == sorted((*key, *counts) for key, counts in expected.items())
    assert all(row.keys == sorted(row.keys) for row in MeetingBlock.objects.all())
