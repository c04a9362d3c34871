"""Ranks are added up from counts of ratings, which the database keeps; they are those of counting all rows."""

import pytest
from django.db.models import F
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from arena.accounts.models import User
from arena.ladders import checking, matchmaking, reading_queries, selectors
from arena.ladders.models import Ladder, RatingCount, Season
from tests.arena.cast import make_bot, make_season

RATINGS = st.one_of(
    st.integers(-3, 3).map(lambda span: span * 8.0),
    st.sampled_from([7.999999999999999, 8.000000000000002, -1e-300, 1500.0, 1500.5]),
    st.floats(-5000, 5000, allow_subnormal=False),
)
BOTS = 12


class Counting(TestCase):
    """The counts follow whatever is written to the standings."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.season, cls.other = make_season(2), make_season(2)
        cls.bots = [make_bot(f"b{number}").bot for number in range(BOTS)]
        cls.other.standings.create(bot=cls.bots[0], rating=9999.0)

    @settings(max_examples=60)
    @given(
        st.lists(RATINGS, min_size=1, max_size=BOTS),
        st.lists(st.tuples(st.integers(0, BOTS - 1), RATINGS | st.none()), max_size=6),
    )
    def test_ranks_are_those_of_counting(
        self, ratings: list[float], changes: list[tuple[int, float | None]]
    ) -> None:
        for bot, rating in zip(self.bots, ratings, strict=False):
            self.season.standings.create(bot=bot, rating=rating)
        for number, rating in changes:
            rows = self.season.standings.filter(bot=self.bots[number])
            if rating is None:
                rows.delete()
            else:
                rows.update(rating=rating)
        ordered = list(self.season.standings.order_by("-rating", "pk"))
        expected = {standing.pk: rank for rank, standing in enumerate(ordered, 1)}
        assert reading_queries.ranks_of(self.season.pk, [one.pk for one in ordered]) == expected
        assert reading_queries.count_standings(self.season.pk) == len(ordered)
        for offset in range(len(ordered) + 2):
            page = selectors.standings_from(self.season, offset, 3)
            assert [row.bot.pk for row in page] == [one.bot_id for one in ordered[offset : offset + 3]]
            assert [row.rank for row in page] == list(range(offset + 1, offset + 1 + len(page)))
        assert not [line for line in checking.check(self.season.pk) if "count of ratings" in line]
        assert reading_queries.count_standings(self.other.pk) == 1


@pytest.fixture
def season(db: None) -> Season:
    season = make_season(2)
    for number in range(3):
        bot = make_bot(f"b{number}", owner="Xochitl" if number == 2 else None).bot
        season.standings.create(bot=bot, rating=1500.0 - number, games=1)
    return season


def test_a_wrong_count_is_told_and_put_right(season: Season) -> None:
    RatingCount.objects.filter(season=season).update(bots=7)
    assert "count of ratings from 1498" in checking.check(season.pk)
    checking.refold(season.pk)
    assert not [line for line in checking.check(season.pk) if "count of ratings" in line]


@pytest.mark.parametrize(
    ("search", "found"),
    [("b1", ["b1"]), ("B", ["b0", "b1", "b2"]), ("xoch", ["b2"]), ("nobody", []), ("&|!", []), ("%", [])],
)
def test_a_search_looks_at_the_words_of_names_of_bots_and_authors(
    client: Client, season: Season, search: str, found: list[str]
) -> None:
    User.objects.create(username="nobody-plays", email="n@example.org")
    rows = client.get(f"/api/v1/ladders/{season.ladder.slug}/standings", {"search": search}).json()
    assert [row["bot"] for row in rows] == found
    page = client.get(season.ladder.get_absolute_url(), {"q": search})
    assert [row.bot.slug for row in page.context["rows"]] == found
    assert found or "No bot or author here is called that." in page.content.decode()


def test_bots_that_were_left_outside_are_entered_in_their_turn(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaking, "COMPARED", 2)
    ladder = make_season(2).ladder
    first = [make_bot(f"b{number}").bot for number in range(5)]

    def compare() -> set[int]:
        matchmaking.enter_new_bots(Ladder.objects.get(pk=ladder.pk))
        Ladder.objects.update(entered_at=F("entered_at") - matchmaking.COMPARE_EVERY)
        return set(ladder.entries.values_list("bot_id", flat=True))

    assert compare() == {bot.pk for bot in first}, "a new ladder looks at all"
    ladder.entries.all().delete()
    counts = [len(compare()) for _ in range(3)]
    assert counts == [2, 4, 5]
    last = make_bot("last").bot
    assert [last.pk in compare() for _ in range(3)] == [False, False, True]
