"""Authors hear of ranks that matter to them, and of one a day at most."""

import pytest
from django.utils import timezone

from arena.bots.models import Bot
from arena.ladders import services
from arena.ladders.models import Entry, RatingChange, Season
from tests.arena.cast import make_bot, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """A ladder of thirty bots, best first, of which the 20th is a house bot; all ranks are noted."""
    season = make_season(2)
    for number in range(30):
        version = make_bot(f"b{number:02}", is_house=number == 19)
        services.enter(season.ladder, version.bot)
        rating = 2000.0 - 10 * number
        season.standings.create(bot=version.bot, rating=rating, games=10)
    for bot in Bot.objects.order_by("pk"):
        play(season, bot)
    assert services.update_best_ranks() == 0, "a first rank is no news"
    assert Entry.objects.exclude(best_rank=None).count() == 30
    return season


def play(season: Season, bot: Bot, rating: float | None = None) -> None:
    """Have a bot play, after which it has this rating."""
    if rating is not None:
        season.standings.filter(bot=bot).update(rating=rating)
    season.last_sequence += 1
    season.save(update_fields=["last_sequence"])
    values = {"rating": 0, "games": 11, "wins": 0, "place": 1}
    RatingChange.objects.create(season=season, bot=bot, sequence=season.last_sequence, **values)


def told(bot: Bot) -> list[str]:
    return list(bot.owner.notices.order_by("pk").values_list("text", flat=True))


@pytest.mark.parametrize(
    ("number", "rating", "words"),
    [
        (12, 1915.0, "in the top ten of Ladder 0 for the first time: number 10."),
        (7, 1985.0, "in the top tenth of Ladder 0 for the first time: number 3."),
        (25, 1815.0, "has passed another house bot"),
    ],
)
def test_a_rank_that_matters_is_told_once(season: Season, number: int, rating: float, words: str) -> None:
    bot = Bot.objects.get(slug=f"b{number:02}")
    play(season, bot, rating)
    assert services.update_best_ranks() == 1
    assert words in told(bot)[0]
    play(season, bot, 1000.0)
    services.update_best_ranks()
    play(season, bot, rating)
    assert services.update_best_ranks() == 0
    assert len(told(bot)) == 1


def test_a_falling_bot_gives_nobody_a_best_rank(season: Season) -> None:
    play(season, Bot.objects.get(slug="b00"), 1000.0)
    assert services.update_best_ranks() == 0
    assert Entry.objects.get(bot__slug="b01").best_rank == 2


def test_a_better_rank_that_is_no_milestone_is_noted_and_not_told(season: Season) -> None:
    bot = Bot.objects.get(slug="b15")
    play(season, bot, 1875.0)
    assert services.update_best_ranks() == 0
    assert Entry.objects.get(bot=bot).best_rank == 14
    assert told(bot) == []


def test_an_author_hears_of_a_bot_at_most_once_a_day(season: Season) -> None:
    bot = Bot.objects.get(slug="b25")
    play(season, bot, 1815.0)
    services.update_best_ranks()
    play(season, bot, 1915.0)
    services.update_best_ranks()
    assert len(told(bot)) == 1
    assert Entry.objects.get(bot=bot).best_rank == 10
    Entry.objects.update(told_at=timezone.now() - timezone.timedelta(days=2))
    play(season, bot, 1995.0)
    services.update_best_ranks()
    assert len(told(bot)) == 2


def test_house_bots_and_beginners_hear_nothing(season: Season) -> None:
    house, beginner = Bot.objects.get(slug="b19"), Bot.objects.get(slug="b29")
    season.standings.filter(bot=beginner).update(games=9)
    play(season, house, 3000.0)
    play(season, beginner, 2900.0)
    assert services.update_best_ranks() == 0
    assert told(house) == told(beginner) == []
