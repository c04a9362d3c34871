"""What the operator looks at: hosts, queues, throughput, faults, and what was set aside."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now
from redis import RedisError

from arena.bots.models import Status, Version
from arena.celery import ARENA_QUEUE
from arena.matches.listing import with_results, with_seats
from arena.matches.models import Attempt, Host, Match, MatchSeat, Outbox
from arena.matches.models.attempt import OPEN
from arena.matches.relay import queue_depth
from arena.matches.visibility import Person, known_to
from workers.settings import MATCHES_QUEUE

SILENT_SECONDS = 15
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Queues:
    """How much waits: messages in Redis (None where it does not answer), and what the database knows."""

    matches: int | None
    arena: int | None
    queued: int
    running: int
    owed: int
    failing: int
    """Owed work whose last try failed."""


@dataclass(frozen=True)
class Throughput:
    """Matches finished in the last minute, and a minute on average over five and over sixty."""

    one: int
    five: float
    sixty: float


def hosts() -> QuerySet[Host]:
    """Return the hosts, with `is_silent` for those that have stopped beating."""
    silent = Q(last_beat__lt=Now() - timedelta(seconds=SILENT_SECONDS))
    return Host.objects.annotate(is_silent=silent, silent_for=Now() - F("last_beat")).order_by(
        "is_silent", "name"
    )


def queues() -> Queues:
    try:
        depths: tuple[int | None, int | None] = (queue_depth(MATCHES_QUEUE), queue_depth(ARENA_QUEUE))
    except RedisError:
        depths = (None, None)
    states = dict(Attempt.objects.filter(state__in=OPEN).values_list("state").annotate(Count("pk")))
    owed = Outbox.objects.aggregate(all=Count("pk"), failing=Count("pk", filter=~Q(error="")))
    return Queues(*depths, states.get("queued", 0), states.get("running", 0), owed["all"], owed["failing"])


def throughput() -> Throughput:
    def finished(minutes: int) -> int:
        # By attempts: a match whose result is held back is over for its host.
        return Attempt.objects.filter(
            state=Attempt.State.DONE, match__isnull=False, ended_at__gt=Now() - timedelta(minutes=minutes)
        ).count()

    return Throughput(finished(1), finished(5) / 5, finished(60) / 60)


def attempt_faults() -> list[tuple[str, str, int]]:
    """Return how attempts of the last day ended: state, fault and how many."""
    ended = Attempt.objects.filter(ended_at__gt=Now() - DAY).order_by("state", "fault")
    states, faults = dict(Attempt.State.choices), dict(Attempt.Fault.choices)
    return [
        (str(states[state]), str(faults[fault]), count)
        for state, fault, count in ended.values_list("state", "fault").annotate(Count("pk"))
    ]


def bot_faults() -> list[tuple[str, int]]:
    """Return how bots failed in the last day, by cause."""
    seats = MatchSeat.objects.filter(match__finished_at__gt=Now() - DAY).exclude(fault="")
    causes = dict(MatchSeat.Fault.choices)
    counted = seats.values_list("fault").annotate(count=Count("pk")).order_by("-count")
    return [(str(causes[fault]), count) for fault, count in counted]


def set_aside() -> QuerySet[Match]:
    return Match.objects.filter(state=Match.State.SET_ASIDE).prefetch_related(with_seats(), "attempts")


def stuck_builds() -> QuerySet[Version]:
    """Return versions that wait for a build which nobody tries any more."""
    waiting = Version.objects.filter(status=Status.CHECKED).exclude(build_attempts__state__in=OPEN)
    return waiting.filter(build_attempts__isnull=False).select_related("bot").distinct()


def running_matches(person: Person, count: int = 20) -> list[Match]:
    """Return matches that are played now, as far as this person may know."""
    matches = Match.objects.filter(state=Match.State.RUNNING).prefetch_related(with_results())
    return list(known_to(person, matches).order_by("started_at")[:count])


def queue_by_purpose() -> list[tuple[str, int]]:
    counted = Match.objects.filter(state=Match.State.QUEUED).values_list("purpose").annotate(Count("pk"))
    purposes = dict(Match.Purpose.choices)
    return [(str(purposes[purpose]), count) for purpose, count in counted.order_by("purpose")]


def oldest_wait() -> timedelta | None:
    """Return how long the first match in the queue has waited; builds go their own way."""
    queued = Attempt.objects.filter(state=Attempt.State.QUEUED, match__isnull=False)
    oldest = queued.annotate(waited=Now() - F("created_at"))
    return oldest.order_by("created_at").values_list("waited", flat=True).first()
