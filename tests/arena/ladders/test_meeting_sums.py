"""What is kept of a bot's opponents is always the plain sum of its blocks, whatever was counted or voided."""

import random
from collections.abc import Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.ladders import meeting_queries, meeting_sums
from arena.ladders.meeting_queries import MeetingCount, Met, MetByBoth, Opponents, add_meetings
from arena.ladders.models import MeetingBlock, Season
from arena.ladders.results import settle_match, settle_matches
from arena.ladders.tallying import tally_due
from arena.matches.services import void_match
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

MOST = 3


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting_sums, "FEW_BYTES", 0)


@pytest.fixture
def versions() -> list[int]:
    return [make_bot(f"b{n}").pk for n in range(2)]


def plainly_summed(lines: Iterable[MeetingCount], seat: int | None) -> dict[tuple[int, int], list[int]]:
    """Add up games, better and worse by version and opponent."""
    sums: dict[tuple[int, int], list[int]] = {}
    for line in lines:
        if seat in (None, line.seat):
            known = sums.get((line.version_id, line.other_id), [0, 0, 0])
            sums[line.version_id, line.other_id] = [
                one + more for one, more in zip(known, line[3:], strict=True)
            ]
    return sums


def opponents_of(lines: Iterable[MeetingCount], seat: int | None) -> Opponents:
    by_bot: dict[int, list[int]] = {}
    for (_, other), counts in plainly_summed(lines, seat).items():
        by_bot[other] = [one + more for one, more in zip(by_bot.get(other, [0, 0, 0]), counts, strict=True)]
    ordered = sorted(by_bot.items(), key=lambda one: (-one[1][0], one[0]))
    total = Met(*map(sum, zip(*by_bot.values(), strict=True))) if by_bot else Met(0, 0, 0)
    return Opponents([(other, Met(*counts)) for other, counts in ordered[:MOST]], total, len(by_bot))


def met_by_both(lines: Iterable[MeetingCount], older: int, newer: int) -> list[MetByBoth]:
    sums = plainly_summed(lines, None)
    found = [
        MetByBoth(other, Met(*counts), Met(*sums[newer, other]))
        for (version, other), counts in sums.items()
        if version == older and (newer, other) in sums
    ]
    return sorted(found, key=lambda one: (-min(one.older.games, one.newer.games), one.other_id))[:MOST]


LINE = st.tuples(
    st.integers(0, 1), st.sampled_from([1, 2, 511, 512, 513, 40_000]), st.integers(0, 3), st.integers(0, 3)
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    batches=st.lists(st.lists(LINE, max_size=5), min_size=1, max_size=6),
    chance=st.randoms(use_true_random=False),
)
def test_after_each_batch_and_void_the_sums_are_the_plain_ones(
    batches: list[list[tuple[int, int, int, int]]], chance: random.Random, versions: list[int]
) -> None:
    MeetingBlock.objects.all().delete()
    season = Season.objects.first() or make_season(4)
    lines: list[MeetingCount] = []
    for batch in batches:
        added = {
            one[:3]: MeetingCount(versions[one[0]], one[1], one[2], one[3] + 1, one[3], 0) for one in batch
        }
        voided = [line for line in lines if chance.random() < 0.3]
        for line in voided:
            lines.remove(line)
            add_meetings(season.pk, [(*line[:3], *(-count for count in line[3:]))])
        if added:
            add_meetings(season.pk, [added[key] for key in sorted(added)])
        lines += added.values()
        for seat in (None, 0, 3):
            for _ in range(2):  # added up, and then kept
                assert meeting_sums.opponents_met(versions, [season.pk], seat, MOST) == opponents_of(
                    lines, seat
                )
        for _ in range(2):
            found = meeting_sums.met_by_both(versions[0], versions[1], [season.pk], MOST)
            assert found == met_by_both(lines, versions[0], versions[1])


def test_what_is_kept_is_not_added_up_again_until_a_result_is_counted_or_voided() -> None:
    season, bots = make_season(2), [make_bot(f"b{n}") for n in range(3)]

    def play() -> int:
        match = ask_for(bots[:2], season)
        finish(match)
        settle_matches([match.pk])
        tally_due()
        return match.pk

    def asks() -> tuple[int, bool]:
        """Return the games of the first bot, and whether its blocks were read for that."""
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = meeting_sums.opponents_met([bots[0].pk], [season.pk], None, MOST)
        return found.total.games, any("unnest" in query["sql"] for query in queries)

    play()
    assert [asks(), asks()] == [(1, True), (1, False)]
    voided = play()
    assert [asks(), asks()] == [(2, True), (2, False)]
    void_match(voided, "its host was broken")
    settle_match(voided)
    tally_due()
    assert [asks(), asks()] == [(1, True), (1, False)]


def test_few_counts_are_added_up_each_time(monkeypatch: pytest.MonkeyPatch, versions: list[int]) -> None:
    season = make_season(4)
    add_meetings(season.pk, [MeetingCount(versions[0], 7, 0, 1, 1, 0)])
    monkeypatch.setattr(meeting_sums, "FEW_BYTES", meeting_queries.state_of(versions, [season.pk])[1] + 1)
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert meeting_sums.opponents_met(versions, [season.pk], None, MOST).bots == 1
        assert any("unnest" in query["sql"] for query in queries)
