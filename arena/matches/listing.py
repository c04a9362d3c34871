"""Lists of matches, with filters; fast no matter how many there are."""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from arena.accounts.permissions import Person
from arena.bots.models import Bot, Version
from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import known_to

NOT_IN_LISTS = (
    "seed", "own_clocks", "own_board_id", "own_board_hash", "seed_commitment", "attempts_allowed",
    "terms__digest", "terms__clocks", "terms__board_id", "terms__board_hash",
)  # fmt: skip


@dataclass(frozen=True)
class MatchFilter:
    """Which matches to list; an empty value means all."""

    bot: str = ""
    state: str = ""
    purpose: str = ""
    seats: int | None = None


def list_matches(wanted: MatchFilter, person: Person) -> QuerySet[Match]:
    """Return the matches that a person may know of, newest first, with who sat where.

    Takes two queries, or three with a bot. `visibility.conceal` hides results that the person may not see.
    """
    found = Match.objects.order_by("-id").select_related("terms").defer(*NOT_IN_LISTS)
    matches = known_to(person, found.prefetch_related(with_results()))
    if wanted.bot:
        # Ids in the query itself: PostgreSQL knows how often each version played, and plans accordingly.
        versions = list(Version.objects.filter(bot__slug=wanted.bot).values_list("pk", flat=True))
        played = MatchSeat.objects.filter(match=OuterRef("pk"), version_id__in=versions)
        if wanted.purpose:
            played = played.filter(purpose__in=[wanted.purpose, ""])
        matches = matches.filter(Exists(played))
    if wanted.state:
        matches = matches.filter(state=wanted.state)
    if wanted.purpose:
        matches = matches.filter(purpose=wanted.purpose)
    if wanted.seats:
        matches = matches.filter(seats=wanted.seats)
    return matches


def with_results() -> Prefetch:
    """Prefetch who sat where, with the few values that a list shows, and a quarter of the objects."""
    seats = MatchSeat.objects.order_by("seat").annotate(
        version_number=F("version__number"),
        bot_slug=F("version__bot__slug"),
        bot_name=Coalesce(NullIf("person", Value("")), "version__bot__name"),
        owner_name=F("version__bot__owner__username"),
    )
    return Prefetch("seats_taken", seats.defer("fault_reason", "purpose", "version"), to_attr="seated")


def with_seats() -> Prefetch:
    """Prefetch who sat where, with versions, bots and owners."""
    seats = MatchSeat.objects.select_related("version__bot__owner").order_by("seat")
    return Prefetch(
        "seats_taken",
        seats.defer("version__manifest", "version__bot__description", "version__bot__owner__about"),
    )


def recent_matches_of(bot: Bot, count: int, person: Person) -> list[Match]:
    return list(list_matches(MatchFilter(bot=bot.slug), person)[:count])
