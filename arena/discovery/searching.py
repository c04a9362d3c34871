"""One search for everything. Each part reads a few rows by an index, however much there is."""

import re
from dataclasses import dataclass, field
from typing import TypeVar, cast

from django.contrib.postgres.search import SearchVector
from django.db.models import Model, Q, QuerySet

from arena.accounts.models import User
from arena.accounts.permissions import Person, is_staff
from arena.bots.models import Bot
from arena.bots.selectors import beginnings, list_bots
from arena.ladders.models import Ladder
from arena.matches.listing import with_results
from arena.matches.models import Match
from arena.matches.visibility import conceal, known_to
from arena.tournaments.models import State, Tournament

Row = TypeVar("Row", bound=Model)
MOST = 10
LONGEST = 100
MATCH_ID = re.compile(r"[a-z0-9]{6,16}")


@dataclass
class Found:
    """What a search found, the few best of each kind."""

    bots: list[Bot] = field(default_factory=list)
    people: list[User] = field(default_factory=list)
    events: list[Tournament] = field(default_factory=list)
    ladders: list[Ladder] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.bots or self.people or self.events or self.ladders or self.matches)


def search(text: str, person: Person) -> Found:
    """Find what this person may see: names that begin with the text, or the match with this id."""
    text = text.strip()[:LONGEST]
    if not text:
        return Found()
    events = Tournament.objects.order_by("-id")
    if not is_staff(person):
        events = events.filter(~Q(state=State.DRAFT) | Q(organiser=person.pk))
    return Found(
        bots=list(list_bots(search=text)[:MOST]),
        people=list(
            _named(User.objects.filter(is_active=True), text, "username").order_by("username")[:MOST]
        ),
        events=list(_named(events, text, "name", "slug")[:MOST]),
        ladders=list(_named(Ladder.objects.all(), text, "name", "slug")[:MOST]),
        matches=_match(text.lower(), person),
    )


def _named(rows: QuerySet[Row], text: str, *fields: str) -> QuerySet[Row]:
    """Leave the rows that have a word which begins with each word of the text."""
    words = SearchVector(*fields, config="simple")
    return cast(QuerySet[Row], rows.annotate(words=words).filter(words=beginnings(text)))


def _match(public_id: str, person: Person) -> list[Match]:
    """The match of this id; its result is left out for those who may not see it yet."""
    if not MATCH_ID.fullmatch(public_id):
        return []
    matches = known_to(person, Match.objects.filter(public_id=public_id).prefetch_related(with_results()))
    return list(conceal(list(matches), person))
