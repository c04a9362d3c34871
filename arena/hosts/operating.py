"""What the operator's page shows: hosts, queues, throughput, faults, and matches set aside."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now
from redis import RedisError

from arena.accounts.permissions import Person
from arena.bots.models import Status, Version
from arena.celery import QUEUES
from arena.hosts.models import OPEN, Attempt, Host
from arena.hosts.services import SILENT_SECONDS, live, works
from arena.hosts.waiting import why_it_waits
from arena.matches.listing import with_results, with_seats
from arena.matches.models import Match, MatchSeat
from arena.matches.visibility import known_to
from arena.outbox.models import Outbox
from arena.queues import queue_depth
from workers.runtimes.registry import LANGUAGES
from workers.settings import MATCHES_QUEUE

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Queues:
    """How much is waiting: messages in Redis (None while it is down), and rows in the database."""

    messages: list[tuple[str, int | None]]
    queued: int
    running: int
    owed: int
    failing: int
    """Owed tasks whose last try failed."""


@dataclass(frozen=True)
class Throughput:
    """Matches finished in the last minute, and the average per minute over 5 and 60 minutes."""

    one: int
    five: float
    sixty: float


def hosts() -> QuerySet[Host]:
    """Return the hosts, with `is_silent` for those whose heartbeats have stopped."""
    silent = Q(last_beat__lt=Now() - timedelta(seconds=SILENT_SECONDS))
    return Host.objects.annotate(is_silent=silent).order_by("is_silent", "name")


def queues() -> Queues:
    names = (MATCHES_QUEUE, *QUEUES)
    try:
        messages: list[tuple[str, int | None]] = [(queue, queue_depth(queue)) for queue in names]
    except RedisError:
        messages = [(queue, None) for queue in names]
    states = dict(Attempt.objects.filter(state__in=OPEN).values_list("state").annotate(Count("pk")))
    owed = Outbox.objects.aggregate(all=Count("pk"), failing=Count("pk", filter=~Q(error="")))
    return Queues(messages, states.get("queued", 0), states.get("running", 0), owed["all"], owed["failing"])


def throughput() -> Throughput:
    def finished(minutes: int) -> int:
        # Count attempts: a match whose result is held back is over for its host.
        return Attempt.objects.filter(
            state=Attempt.State.DONE, match__isnull=False, ended_at__gt=Now() - timedelta(minutes=minutes)
        ).count()

    return Throughput(finished(1), finished(5) / 5, finished(60) / 60)


def attempt_faults() -> list[tuple[str, str, int]]:
    """Return how attempts ended in the last 24 hours: state, fault and count."""
    ended = Attempt.objects.filter(ended_at__gt=Now() - DAY).order_by("state", "fault")
    states, faults = dict(Attempt.State.choices), dict(Attempt.Fault.choices)
    return [
        (str(states[state]), str(faults[fault]), count)
        for state, fault, count in ended.values_list("state", "fault").annotate(Count("pk"))
    ]


def bot_faults() -> list[tuple[str, int]]:
    """Return how bots failed in the last 24 hours, by cause."""
    seats = MatchSeat.objects.filter(match__finished_at__gt=Now() - DAY).exclude(fault="")
    causes = dict(MatchSeat.Fault.choices)
    counted = seats.values_list("fault").annotate(count=Count("pk")).order_by("-count")
    return [(str(causes[fault]), count) for fault, count in counted]


def set_aside() -> QuerySet[Match]:
    return Match.objects.filter(state=Match.State.SET_ASIDE).prefetch_related(with_seats(), "attempts")


def waiting_versions(count: int = 50) -> list[tuple[Version, str]]:
    """Return versions that wait through no fault of their own, oldest first, and why."""
    moving = Version.objects.filter(status__in=[Status.CHECKED, Status.BUILT]).select_related("bot")
    reasons = ((version, why_it_waits(version)) for version in moving.order_by("pk")[:count])
    return [(version, reason) for version, reason in reasons if reason]


@dataclass(frozen=True)
class Runtimes:
    """What online hosts have proved: which languages work on at least one of them, and what is missing."""

    languages: list[str]
    trouble: list[str]
    """What does not work although its tools are installed."""
    missing: list[str]
    """What cannot work because a tool is not installed, which may be intended."""
    untried: list[str]
    """The languages that no host has tried yet."""


def place(language: str) -> int:
    """Return a sort key for languages; one that only a newer host knows comes last."""
    return LANGUAGES.index(language) if language in LANGUAGES else len(LANGUAGES)


def runtimes() -> Runtimes:
    told = list(live().order_by("name").values_list("name", "languages"))
    able = [
        language
        for language in LANGUAGES
        if any(language in languages and works(languages, language) for _, languages in told)
    ]
    lacks = [
        (proof["missing"], f"{language} bots cannot play on host {host}: {proof['trouble']}")
        for host, languages in told
        for language, proof in sorted(languages.items(), key=lambda item: place(item[0]))
        if not proof["works"]
    ]
    return Runtimes(
        able,
        [text for is_missing, text in lacks if not is_missing],
        [text for is_missing, text in lacks if is_missing],
        [language for language in LANGUAGES if not any(language in languages for _, languages in told)],
    )


def running_matches(person: Person, count: int = 20) -> list[Match]:
    """Return the matches being played that this person may know of."""
    matches = Match.objects.filter(state=Match.State.RUNNING).prefetch_related(with_results())
    return list(known_to(person, matches).order_by("started_at")[:count])


def queue_by_purpose() -> list[tuple[str, int]]:
    counted = Match.objects.filter(state=Match.State.QUEUED).values_list("purpose").annotate(Count("pk"))
    purposes = dict(Match.Purpose.choices)
    return [(str(purposes[purpose]), count) for purpose, count in counted.order_by("purpose")]


def oldest_wait() -> timedelta | None:
    """Return how long the first match in the queue has waited; builds do not count."""
    queued = Attempt.objects.filter(state=Attempt.State.QUEUED, match__isnull=False)
    oldest = queued.annotate(waited=Now() - F("created_at"))
    return oldest.order_by("created_at").values_list("waited", flat=True).first()
