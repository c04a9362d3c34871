"""What was played is a fact: no act changes a result or a pairing that it does not name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.matches.models import Match
from arena.matches.services import rerun_match
from arena.tournaments import entering, export, running, services
from arena.tournaments.models import Tournament
from arena.tournaments.selectors import picture
from aztlan.verify_tournament import verify_tournament
from contests.formats import FORMATS
from contests.formats.entities import Pod
from contests.formats.points import series_points
from tests.arena import events

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def test_withdrawing_in_a_swiss_leaves_the_games_of_all_others_as_they_were(
    make_tournament: Make, play_open: Play, olin: User
) -> None:
    tournament = make_tournament(8, format="swiss", rounds_by_hand=True)
    play_open(tournament)
    before = facts(tournament)
    points = dict(tournament.entries.values_list("pk", "points"))
    bot = Bot.objects.get(slug="bot-3")
    change = services.preview(lambda: entering.withdraw(tournament.pk, bot, olin), tournament.pk)
    assert (change.dropped, change.added, change.results) == ((), (), ())
    entering.withdraw(tournament.pk, bot, olin)
    assert facts(tournament) == before
    assert dict(tournament.entries.values_list("pk", "points")) == points
    services.open_next_round(tournament.pk, olin)
    entry = tournament.entries.get(bot=bot)
    second = picture(tournament).rounds[1]
    assert all(entry.pk not in pod.entrants for pod in second.pods)
    assert len(second.byes) == 1


@dataclass
class Facts:
    """Rounds as they are paired, games as they were played, and the points of the pods that are decided."""

    pairings: dict[int, Any] = field(default_factory=dict)
    games: dict[int, Any] = field(default_factory=dict)
    points: dict[str, dict[int, int]] = field(default_factory=dict)


def facts(tournament: Tournament) -> Facts:
    seen = picture(tournament)
    assert seen.timeline is not None
    return Facts(
        {one.number: one.pairing for one in seen.openings},
        {
            game.pk: (game.pod, game.number, game.placements, game.forfeit, game.match_id)
            for game in seen.games
            if game.placements is not None and game.voided_at is None
        },
        {
            key: series_points(one)
            for played in seen.timeline.so_far.played
            for key, one in played.games.items()
        },
    )


@dataclass
class Named:
    """What an act names: these games, the results of these pods, the rounds from this one on."""

    games: set[int] = field(default_factory=set)
    pods: Callable[[str], bool] = lambda _key: False
    rounds_from: int = 10_000


def check_kept(before: Facts, after: Facts, named: Named) -> None:
    """Everything that was there is there, but for what was named."""
    for number, pairing in before.pairings.items():
        assert number >= named.rounds_from or after.pairings[number] == pairing
    for pk, game in before.games.items():
        if pk not in named.games and round_of(game[0]) < named.rounds_from:
            assert after.games[pk] == game
    for key, points in before.points.items():
        if not named.pods(key) and round_of(key) < named.rounds_from:
            assert after.points[key] == points


def queued() -> QuerySet[Match]:
    return Match.objects.filter(purpose="tournament", state="queued").order_by("pk")


def decide(match: Match, chance: Random) -> None:
    """Settle a match that nobody played: only who came where matters here."""
    seats = list(match.seats_taken.order_by("seat"))
    for place, seat in enumerate(chance.sample(seats, len(seats)), 1):
        seat.placement = place
        seat.save(update_fields=["placement"])
    Match.objects.filter(pk=match.pk).update(state="finished", finished_at=timezone.now())
    running.settle_match(match)


def round_of(key: str) -> int:
    return Pod.from_key(key).round


class Desk:
    """Draws acts, carries them out, and tells what each of them names."""

    def __init__(self, tournament: Tournament, organiser: User, staff: User, data: st.DataObject) -> None:
        self.tournament, self.organiser, self.staff, self.data = tournament, organiser, staff, data

    def act(self) -> Named:
        names = ["play", "play_all", "withdraw", "disqualify", "void", "rerun", "pause", "next", "take_back"]
        return getattr(self, self.data.draw(st.sampled_from(names)))()

    def play(self) -> Named:
        if waiting := list(queued()):
            decide(self.data.draw(st.sampled_from(waiting)), self.data.draw(st.randoms()))
        return Named()

    def play_all(self) -> Named:
        chance = self.data.draw(st.randoms())
        for match in queued():
            decide(match, chance)
        return Named()

    def entry(self) -> Any:
        return self.data.draw(
            st.sampled_from(list(self.tournament.entries.select_related("bot").order_by("pk")))
        )

    def withdraw(self) -> Named:
        bot = self.entry().bot
        self.twice(lambda: entering.withdraw(self.tournament.pk, bot, self.organiser, "to see"))
        return Named()

    def disqualify(self) -> Named:
        entry = self.entry()
        latest = max(1, self.tournament.opened_rounds)
        first = self.data.draw(st.one_of(st.none(), st.integers(1, latest)))
        self.twice(
            lambda: entering.disqualify(self.tournament.pk, entry.bot, self.organiser, "to see", first)
        )
        return Named(
            pods=lambda key: entry.pk in Pod.from_key(key).entrants and round_of(key) >= (first or latest)
        )

    def played(self) -> list[Any]:
        return list(self.tournament.games.filter(placements__isnull=False, voided_at=None).order_by("pk"))

    def void(self) -> Named:
        if not (games := self.played()):
            return Named()
        game = self.data.draw(st.sampled_from(games))
        self.twice(lambda: services.void(self.tournament.pk, game.pk, self.organiser, "to see"))
        return Named({game.pk}, lambda key: key == game.pod)

    def rerun(self) -> Named:
        if not (games := [game for game in self.played() if game.match_id]):
            return Named()
        game = self.data.draw(st.sampled_from(games))
        rerun_match(game.match_id, self.staff, "to see")
        running.settle_match(Match.objects.get(pk=game.match_id))
        return Named({game.pk}, lambda key: key == game.pod)

    def pause(self) -> Named:
        self.twice(lambda: services.pause(self.tournament.pk, self.organiser))
        if self.data.draw(st.booleans()):
            self.twice(lambda: services.resume(self.tournament.pk, self.organiser))
        return Named()

    def next(self) -> Named:
        self.twice(lambda: services.open_next_round(self.tournament.pk, self.organiser))
        return Named()

    def take_back(self) -> Named:
        first = self.data.draw(st.integers(1, max(1, self.tournament.opened_rounds)))
        self.once(lambda: services.take_back_rounds(self.tournament.pk, self.organiser, first, "to see"))
        return Named(rounds_from=first)

    def twice(self, act: Callable[[], object]) -> None:
        """As one organiser does it, and perhaps another who has the same page before them."""
        self.once(act)
        if self.data.draw(st.booleans()):
            self.once(act)

    def once(self, act: Callable[[], object]) -> None:
        try:
            with transaction.atomic():
                act()
        except RefusedError:
            pass
        self.tournament.refresh_from_db()


@contextmanager
def undone() -> Iterator[None]:
    """Each example begins with the same empty arena."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("format_name", [*FORMATS])
@settings(max_examples=8, suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_no_act_changes_a_result_that_it_does_not_name_and_the_event_still_verifies(
    olin: User, citlali: User, format_name: str, data: st.DataObject
) -> None:
    with undone():
        options = {
            "seats": data.draw(st.sampled_from([2, 3, 4])),
            "best_of": data.draw(st.sampled_from([1, 2, 3])),
            "rounds_by_hand": data.draw(st.booleans()),
            "duplicate": data.draw(st.booleans()),
        }
        tournament = events.new_event(
            olin, data.draw(st.integers(3, 5)), format=format_name, group_size=3, **options
        )
        desk = Desk(tournament, olin, citlali, data)
        for _ in range(data.draw(st.integers(1, 8))):
            before = facts(tournament)
            named = desk.act()
            tournament.refresh_from_db()
            check_kept(before, facts(tournament), named)
        play_to_the_end(tournament, olin, data.draw(st.randoms()))
        problems = verify_tournament(json.dumps(export.to_data(picture(tournament))))
        assert [one for one in problems if "its record does not replay" not in one] == []


def play_to_the_end(tournament: Tournament, organiser: User, chance: Random) -> None:
    """Go on until the event is over, opening rounds where nobody else does."""
    tournament.refresh_from_db()
    if tournament.state == "paused":
        services.resume(tournament.pk, organiser)
        tournament.refresh_from_db()
    while tournament.state != "finished":
        for match in (waiting := list(queued())):
            decide(match, chance)
        if not waiting:
            services.open_next_round(tournament.pk, organiser)
        tournament.refresh_from_db()


@pytest.mark.django_db(transaction=True)
def test_two_organisers_and_the_results_that_come_in_act_at_once(
    make_tournament: Make, olin: User, citlali: User
) -> None:
    """Each does what it names, none waits for another for ever, and no result is lost."""
    tournament = make_tournament(6, format="swiss", rounds_by_hand=True)
    chance = Random(1)
    first, second, third = queued()
    decide(first, chance)
    decide(second, chance)
    voided = tournament.games.get(match=first)
    kept = tournament.games.get(match=second)
    out = tournament.entries.get(pk=Pod.from_key(kept.pod).entrants[0]).bot
    acts = [
        lambda: services.void(tournament.pk, voided.pk, olin, "at once"),
        lambda: services.void(tournament.pk, voided.pk, citlali, "at once"),
        lambda: entering.withdraw(tournament.pk, out, olin),
        lambda: entering.withdraw(tournament.pk, out, citlali),
        lambda: rerun_match(first.pk, citlali, "at once") and running.settle_match(first),
        lambda: decide(third, chance),
        lambda: running.tick(tournament.pk),
        lambda: services.pause(tournament.pk, citlali),
    ]
    with ThreadPoolExecutor(len(acts)) as pool:
        start = Barrier(len(acts))
        outcomes = list(pool.map(lambda act: at_once(start, act), acts))
    assert [one for one in outcomes if one not in ("done", "refused")] == []
    assert tournament.entries.get(bot=out).out_from == 2
    assert tournament.games.get(pk=kept.pk).voided_at is None
    assert tournament.games.get(pk=kept.pk).placements == kept.placements
    assert tournament.games.get(match=third).placements is not None
    assert tournament.games.filter(pod=voided.pod).exclude(voided_at=None).count() >= 1
    assert outcomes[:2].count("done") + outcomes[4:5].count("done") >= 1
    assert outcomes[2:4].count("done") == 1


def at_once(start: Barrier, act: Callable[[], object]) -> str:
    """Act when all others do, on a connection of one's own."""
    start.wait()
    try:
        act()
    except RefusedError:
        return "refused"
    except DatabaseError as error:
        return repr(error)
    finally:
        connection.close()
    return "done"
