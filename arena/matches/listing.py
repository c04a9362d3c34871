"""Lists of matches, with filters; fast however many there are."""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet

from arena.bots.models import Bot, Version
from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import Person, known_to

NOT_IN_LISTS = ("seed", "clocks", "board_id", "board_hash", "seed_commitment", "attempts_allowed")


@dataclass(frozen=True)
class MatchFilter:
    """Which matches are wanted; empty values want all."""

    bot: str = ""
    state: str = ""
    purpose: str = ""
    seats: int | None = None


def list_matches(wanted: MatchFilter, person: Person) -> QuerySet[Match]:
    """Return matches that a person may know of, the latest first, with who sat where.

    That takes two queries, three where a bot is asked for. How they went is for `visibility.conceal` to say.
    """
    found = Match.objects.order_by("-id").defer(*NOT_IN_LISTS).prefetch_related(with_results())
    matches = known_to(person, found)
    if wanted.bot:
        # Numbers in the query itself: PostgreSQL knows how often each one played, and plans by that.
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
    """Who sat where, by seat, with the few words that a list shows, in a quarter of the objects."""
    seats = MatchSeat.objects.order_by("seat").annotate(
        version_number=F("version__number"),
        bot_slug=F("version__bot__slug"),
        bot_name=F("version__bot__name"),
        owner_name=F("version__bot__owner__username"),
    )
    return Prefetch("seats_taken", seats.defer("fault_reason", "purpose", "version"), to_attr="seated")


def with_seats() -> Prefetch:
    """Who sat where, by seat, with versions, bots and owners."""
    seats = MatchSeat.objects.select_related("version__bot__owner").order_by("seat")
    return Prefetch(
        "seats_taken",
        seats.defer("version__manifest", "version__bot__description", "version__bot__owner__about"),
    )


def recent_matches_of(bot: Bot, count: int, person: Person) -> list[Match]:
    return list(list_matches(MatchFilter(bot=bot.slug), person)[:count])
