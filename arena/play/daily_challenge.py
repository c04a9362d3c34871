"""The challenge of the day: one bot, one deal, the same for everybody.

Only a person's first game of a day counts, and only with an account. Its course is held back from everybody
who has still to play it, because they would know the cards.
"""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.bots.errors import RefusedError
from arena.bots.house import NAMES
from arena.bots.models import Bot, Version
from arena.bots.selectors import playable_bots
from arena.matches.models import Match, MatchSeat
from arena.play.models import DailyChallenge, OnLeaving, Pace, Table, TableSeat
from arena.play.selectors import house_version
from arena.play.services import NewTable, open_table
from engine.rulesets import EDITIONS

PERSON_SEAT = 0
WEEKDAYS = ("random", "greedy", "settler", "warlord", "searcher")
"""The house bots of the days from Monday to Friday."""


def today() -> date:
    """The day of the challenge, in UTC, so that it is the same for everybody."""
    return timezone.now().date()


def challenge_of(day: date) -> DailyChallenge:
    """Return the challenge of a day: the stored one, or the one that the first person to take it stores."""
    stored = DailyChallenge.objects.select_related("version__bot").filter(day=day).first()
    return stored or DailyChallenge(
        day=day,
        version=version_of(day),
        edition=EDITIONS[day.toordinal() % len(EDITIONS)],
        seed=salted_hmac("arena.play.challenge", day.isoformat(), algorithm="sha256").digest(),
    )


def version_of(day: date) -> Version:
    """From Monday to Friday a house bot, from weaker to stronger; at weekends a bot of an author."""
    if day.weekday() < len(WEEKDAYS):
        wanted = WEEKDAYS[day.weekday()]
        return house_version([f"house-{wanted}", *(f"house-{name}" for name in NAMES)])
    number = int.from_bytes(sha256(day.isoformat().encode()).digest()[:8], "big")
    bots = playable_bots().filter(is_house=False, benched_at=None).order_by("pk")
    last = Bot.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    bot = bots.filter(pk__gte=number % (last + 1)).first() or bots.first()
    return bot.active_version if bot and bot.active_version else house_version()


@transaction.atomic
def take_challenge(user: User, opened_from: str) -> tuple[Table, str]:
    """Open the person's table of today's challenge; one per person and day."""
    found = challenge_of(today())
    values = {"version": found.version, "edition": found.edition, "seed": found.seed}
    found, _created = DailyChallenge.objects.get_or_create(day=found.day, defaults=values)
    User.objects.select_for_update().get(pk=user.pk)  # two clicks at once
    if own_seat(found, user):
        raise RefusedError("challenge-taken", _("You have taken today's challenge. Come back tomorrow."))
    wanted = NewTable(
        [found.version],
        found.edition,
        Pace.RELAXED,
        OnLeaving.RESIGN,
        opened_from,
        challenge=found,
    )
    return open_table(user, wanted)


def own_seat(challenge: DailyChallenge, person: Person) -> TableSeat | None:
    """Return a person's seat in a challenge; None if they have not taken it."""
    if not isinstance(person, User):
        return None
    seats = TableSeat.objects.filter(table__challenge__day=challenge.day, user=person)
    return seats.select_related("table__match").first()


def who_beat(challenge: DailyChallenge) -> QuerySet[MatchSeat]:
    """Return the seats of people who won this challenge, the most points first, each with its `username`."""
    won = MatchSeat.objects.filter(
        match__table__challenge__day=challenge.day,
        match__state=Match.State.FINISHED,
        seat=PERSON_SEAT,
        placement=1,
        match__table__table_seats__seat=PERSON_SEAT,
        match__table__table_seats__user__is_active=True,
    )
    return won.annotate(username=F("match__table__table_seats__user__username")).order_by("-score", "pk")


def held_back(match_ids: Sequence[int], person: Person) -> set[int]:
    """Return the matches of today's challenge, unless this person has finished it."""
    current = Table.objects.filter(match__in=match_ids, challenge__day__gte=today())
    hidden = dict(current.values_list("match", "challenge"))
    if not hidden or not isinstance(person, User):
        return set(hidden)
    own = TableSeat.objects.filter(
        user=person, table__challenge__in=set(hidden.values()), table__match__state=Match.State.FINISHED
    )
    return set() if own.exists() else set(hidden)
