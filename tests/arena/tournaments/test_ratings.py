"""Ratings before versions are locked: the dry run, the public page and the seeds go by them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.ladders.models import Ladder, Season, Standing
from arena.tournaments import entering, services
from arena.tournaments.forecasts import forecast_of
from arena.tournaments.models import Tournament
from arena.tournaments.selectors import picture
from tests.arena.cast import make_season

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def rate(season: Season, **ratings: float) -> None:
    """Give bots a standing: bot_0=1700."""
    for name, rating in ratings.items():
        bot = Bot.objects.get(slug=name.replace("_", "-"))
        values = {"rating": rating}
        Standing.objects.update_or_create(season=season, bot=bot, defaults=values)


@pytest.fixture
def rated(make_tournament: Make) -> Tournament:
    season = make_season(seats=2)
    tournament = make_tournament(4, state="registration", ladder=season.ladder)
    rate(season, bot_0=1400.0, bot_1=1500.0, bot_2=1950.0, bot_3=1300.0)
    return tournament


def seeded(tournament: Tournament) -> list[str]:
    return list(tournament.entries.order_by("seed").values_list("bot__slug", flat=True))


def test_the_dry_run_says_before_the_lock_what_it_says_after_it(rated: Tournament, olin: User) -> None:
    before = forecast_of(picture(rated))
    services.lock(rated.pk, olin)
    rated.refresh_from_db()
    after = forecast_of(picture(rated))
    assert before is not None
    assert after is not None
    assert before.forecast == after.forecast
    assert before.forecast.best_wins > 0.6


def test_the_public_page_lists_entrants_by_their_ratings_while_entries_are_open(rated: Tournament) -> None:
    page = Client().get("/tournaments/cup/").content.decode()
    ratings = [page.index(f'<td class="number">{rating}</td>') for rating in (1950, 1500, 1400, 1300)]
    assert ratings == sorted(ratings)


def test_who_is_not_seeded_by_hand_follows_by_rating_though_seeded_before(
    rated: Tournament, olin: User
) -> None:
    entering.seed_by_hand(rated.pk, ["bot-3", "bot-0", "bot-1"], olin)
    entering.seed_by_hand(rated.pk, ["bot-3"], olin)
    season = Ladder.objects.get().seasons.get()
    rate(season, bot_0=1600.0)
    services.lock(rated.pk, olin)
    assert seeded(rated) == ["bot-3", "bot-2", "bot-0", "bot-1"]
    assert rated.entries.get(bot__slug="bot-0").rating == 1600.0


def test_seeds_by_hand_after_the_lock_go_by_the_locked_ratings_and_leave_room_for_who_withdrew(
    rated: Tournament, olin: User
) -> None:
    services.lock(rated.pk, olin)
    entering.withdraw(rated.pk, Bot.objects.get(slug="bot-2"), olin)
    entering.seed_by_hand(rated.pk, ["bot-3"], olin)
    assert seeded(rated) == ["bot-3", "bot-2", "bot-1", "bot-0"]


def test_a_bots_rating_is_that_of_the_newest_season_it_stands_in(rated: Tournament, olin: User) -> None:
    first = Ladder.objects.get().seasons.get()
    second = Season.objects.create(ladder=first.ladder, number=2, starts_at=first.starts_at)
    rate(second, bot_3=2100.0)
    ratings = {entry.bot.slug: entry.rating for entry in picture(rated).entries.values()}
    assert ratings == {"bot-0": 1400.0, "bot-1": 1500.0, "bot-2": 1950.0, "bot-3": 2100.0}
