"""Seats are written by hand as the ORM would write them, on random data."""

import random

import pytest

from arena.hosts.models import Attempt
from arena.matches import queries
from arena.matches.models import Match, MatchSeat
from bench import _plain_statements as plain
from tests.arena.cast import ask_for, make_bot
from tests.arena.statements import outcome


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.django_db
def test_seats_of_new_matches(seed: int) -> None:
    chance = random.Random(seed)
    versions = [make_bot(f"bot-{number}") for number in range(5)]
    matches = [ask_for(chance.sample(versions, chance.choice([2, 3, 4]))) for _ in range(3)]
    Attempt.objects.all().delete()
    MatchSeat.objects.all().delete()
    seats = [
        queries.NewSeat(match.pk, seat, chance.choice(versions).pk, chance.choice(Match.Purpose.values))
        for match in matches
        for seat in range(match.seats)
    ]
    by_hand, by_orm = (
        outcome(lambda form=form: form(seats), MatchSeat)
        for form in (queries.insert_seats, plain.insert_seats)
    )
    assert by_hand == by_orm
    assert len(by_hand[1]["MatchSeat"]) == len(seats)
