"""What anything costs must not depend on how much was played: what is read at one size, and at ten times it.

All addresses of the URL table and all tasks of the schedule are measured, so whatever is added is measured too.
"""

from collections.abc import Callable, Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import Settings

from arena.accounts.staff import BoundedPaginator
from arena.ladders import checking
from arena.ladders.models import Season, Standing
from arena.urls import urlpatterns as real_pages
from bench import _growth_data as data
from bench._growth_costs import Cost, grown
from bench._growth_work import measure_all

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = data.Size(matches=2_000, bots=450, house_share=1.0, house=1, per_day=500)
"""Large enough that every page is full: more bots than matchmaking looks at, and a bot with a long history."""
LARGE = data.Size(matches=20_000, bots=4_500, house_share=1.0, house=1, per_day=500)
# PostgreSQL samples 30,000 rows of each table at most, which are all of them here.
LINEAR = {"task: estimate strengths", "task: renew the statistics of tables"}
"""It reads the whole log, on the queue for what can wait, and rests twenty times as long as it took."""


def count_winners(request: HttpRequest) -> HttpResponse:
    """Answer with what no index helps to count: the page of somebody who forgot how much is played."""
    return HttpResponse(Standing.objects.filter(wins__gt=0).count())


urlpatterns = [*real_pages, path("winners", count_winners, name="winners")]


def is_flat(small: Cost, large: Cost) -> bool:
    """Ten times as much of everything may cost half as much again: indexes are a level deeper."""
    return large.read <= 1.5 * small.read + 800


@pytest.fixture
def filled() -> Iterator[Callable[[data.Size], None]]:
    def fill(size: data.Size) -> None:
        data.empty()
        data.fill(size)

    yield fill
    data.empty()


def test_ten_times_the_matches_cost_no_more_to_look_at(
    filled: Callable[[data.Size], None], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROOT_URLCONF = __name__  # with a page whose cost is linear: it has to be found
    monkeypatch.setattr(BoundedPaginator, "MOST", 400)  # how far the staff's lists count, which is bounded
    filled(SMALL)
    small, failed = measure_all(as_if_large=True)
    assert not failed
    filled(LARGE)
    large, failed = measure_all(as_if_large=True)
    assert not failed
    assert small.keys() == large.keys()
    assert len(large) > 150
    linear = {
        name: f"{small[name].read:,} -> {cost.read:,}; {grown(small[name], cost)}"
        for name, cost in large.items()
        if not is_flat(small[name], cost)
    }
    found = set(linear) - LINEAR
    assert found == {"/winners"}, "\n".join(f"{name}: {linear[name]}" for name in found)


def test_what_is_filled_in_is_what_folds_from_the_log(filled: Callable[[data.Size], None]) -> None:
    filled(data.Size(matches=200, bots=20))
    assert [checking.check(season.pk) for season in Season.objects.all()] == [[], [], []]
    standings = list(Standing.objects.order_by("pk").values_list())
    filled(data.Size(matches=200, bots=20))
    assert list(Standing.objects.order_by("pk").values_list()) == standings  # the same seed, the same arena
