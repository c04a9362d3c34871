"""The life of an attempt: claimed once, kept by heartbeats, lost when they stop. By database time."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.hosts import queries, validation
from arena.hosts.models import Attempt
from arena.hosts.queries import ClaimVerdict
from arena.hosts.wakeups import send_wake_ups
from arena.listeners import Happening, publish
from arena.matches import settling
from arena.matches.models import Match
from arena.queues import nudge

log = logging.getLogger(__name__)

FIRST_REST = timedelta(minutes=1)
LONGEST_REST = timedelta(hours=1)


class HostRefusedError(Exception):
    """A definite no to a match host, with the reason. Trying again will not change it."""


@dataclass(frozen=True)
class Claimant:
    """A host's claim to an attempt: the key that it chose when it claimed it."""

    attempt_id: int
    key: str

    @property
    def key_hash(self) -> str:
        return sha256(self.key.encode()).hexdigest()


def lease_end() -> object:
    return Now() + timedelta(seconds=settings.LEASE_SECONDS)


class Claimed(NamedTuple):
    """The work of an attempt: a match to play, a version to build, or games to play on."""

    match_id: int | None
    build_id: int | None
    worlds_id: int | None


REFUSALS = {
    ClaimVerdict.TAKEN: "This attempt is already {state}.",
    ClaimVerdict.UNKNOWN_HOST: "This host is unknown: it must send a heartbeat before it claims.",
    ClaimVerdict.PAUSED: "This host is paused.",
    ClaimVerdict.DEGRADED: "This is a rated match, and the host does not enforce every limit.",
    ClaimVerdict.CANNOT_BUILD: "This host cannot build {language}.",
    ClaimVerdict.CANNOT_RUN: "This host cannot run {language} bots.",
}


def claim(claimant: Claimant, host_name: str) -> Claimed:
    """Give the attempt to a host, or raise HostRefusedError. Claiming again with the same key is harmless."""
    result = queries.claim(claimant.attempt_id, claimant.key_hash, host_name)
    if result is None:
        raise HostRefusedError("This attempt does not exist (any more).")
    if result.verdict in REFUSALS:
        state = Attempt.State(result.state).label
        raise HostRefusedError(REFUSALS[result.verdict].format(state=state, language=result.language))
    return Claimed(result.match_id, result.build_id, result.worlds_id)


def beat(claimant: Claimant) -> bool:
    """Extend the lease, up to a limit; return False to tell the host to abandon the attempt."""
    held = Attempt.objects.filter(
        pk=claimant.attempt_id, state=Attempt.State.RUNNING, key_hash=claimant.key_hash
    )
    longest = timedelta(seconds=settings.ATTEMPT_SECONDS)
    if held.filter(started_at__gt=Now() - longest).update(lease_until=lease_end()):
        return True
    stop_overrun(claimant)
    return False


@transaction.atomic
def stop_overrun(claimant: Claimant) -> None:
    """Stop an attempt that takes too long although its host still sends heartbeats."""
    note = f"It was not over after {settings.ATTEMPT_SECONDS} seconds."
    stopped = Attempt.objects.filter(
        pk=claimant.attempt_id, state=Attempt.State.RUNNING, key_hash=claimant.key_hash
    ).update(state=Attempt.State.OVERRUN, fault=Attempt.Fault.HOST, ended_at=Now(), note=note)
    if stopped:
        attempt = Attempt.objects.select_related("match", "build__bot").get(pk=claimant.attempt_id)
        log.error("%s on host %s was stopped: %s", attempt, attempt.host, note)
        if attempt.number > 1 and overran(attempt, attempt.number - 1):
            give_up(attempt)
        else:
            try_again(attempt)


def overran(attempt: Attempt, number: int) -> bool:
    """Return whether another attempt at the same work took too long."""
    return attempts_alike(attempt).filter(number=number, state=Attempt.State.OVERRUN).exists()


def attempts_alike(attempt: Attempt) -> QuerySet[Attempt]:
    """Return all attempts at the same work."""
    return Attempt.objects.filter(match=attempt.match_id, build=attempt.build_id, worlds=attempt.worlds_id)


def give_up(ended: Attempt) -> None:
    """Give up on work that took too long twice; a version that is being built or validated is rejected."""
    if ended.build:
        validation.follow_build(
            ended.build, False, f"it took longer than {settings.ATTEMPT_SECONDS} seconds, twice", ""
        )
    set_aside(ended)


@transaction.atomic
def give_back(claimant: Claimant, note: str, host_at_fault: bool) -> bool:
    """Take an attempt back from a host that cannot finish it. It counts only if the host is at fault."""
    given = Attempt.objects.filter(
        pk=claimant.attempt_id, state=Attempt.State.RUNNING, key_hash=claimant.key_hash
    ).update(
        state=Attempt.State.GIVEN_BACK,
        fault=Attempt.Fault.HOST if host_at_fault else Attempt.Fault.NONE,
        ended_at=Now(),
        note=note[:2000],
    )
    if given:
        try_again(Attempt.objects.get(pk=claimant.attempt_id))
    return bool(given)


def reap() -> int:
    """Mark attempts without heartbeats as lost, and return how many there were."""
    expired = Attempt.objects.filter(state=Attempt.State.RUNNING, lease_until__lt=Now())
    return sum(lose(pk) for pk in expired.order_by("lease_until").values_list("pk", flat=True)[:1000])


@transaction.atomic
def lose(attempt_id: int) -> bool:
    # Check the lease again: a heartbeat may have arrived since the reaper listed it.
    lost = Attempt.objects.filter(pk=attempt_id, state=Attempt.State.RUNNING, lease_until__lt=Now()).update(
        state=Attempt.State.LOST,
        fault=Attempt.Fault.HOST,
        ended_at=Now(),
        note="The host stopped sending heartbeats.",
    )
    if lost:
        attempt = Attempt.objects.get(pk=attempt_id)
        log.warning("%s was lost by host %s", attempt, attempt.host)
        try_again(attempt)
    return bool(lost)


def failures(attempt: Attempt) -> QuerySet[Attempt]:
    """Return the attempts at the same work that failed through no fault of a bot."""
    return attempts_alike(attempt).exclude(fault__in=[Attempt.Fault.NONE, Attempt.Fault.BOT])


def try_again(ended: Attempt) -> None:
    """Queue the next attempt, or set the match aside after too many failures through no fault of a bot.

    Builds and validations are never set aside, as a host's fault must not end a version: they are retried
    less and less often. Runs in the transaction that ended the attempt, so each has one successor.
    """
    failed = failures(ended).count()
    allowed = ended.match.attempts_allowed if ended.match else settings.ATTEMPTS_ALLOWED
    is_of_a_version = ended.build_id or (ended.match and ended.match.purpose == Match.Purpose.VALIDATION)
    if failed < allowed or is_of_a_version:
        Match.objects.filter(attempts=ended, state=Match.State.RUNNING).update(state=Match.State.QUEUED)
        # One that was given back waits for the sweep; otherwise the same host might get it again.
        waits = ended.state == Attempt.State.GIVEN_BACK and ended.fault == Attempt.Fault.HOST
        rest = min(FIRST_REST * 2 ** (failed - allowed), LONGEST_REST) if failed >= allowed else timedelta()
        Attempt.objects.create(
            match=ended.match,
            build=ended.build,
            worlds=ended.worlds,
            number=ended.number + 1,
            sent_at=ended.ended_at + rest if ended.ended_at and (waits or rest) else None,
        )
        nudge(send_wake_ups)
    else:
        log.error("%s failed %s times through no fault of a bot and is set aside", ended, failed)
        set_aside(ended)


def set_aside(ended: Attempt) -> None:
    """Leave a match to the staff; those who wait for one that is of a version are told."""
    Match.objects.filter(attempts=ended, state__in=[Match.State.RUNNING, Match.State.QUEUED]).update(
        state=Match.State.SET_ASIDE
    )
    if ended.match and ended.match.purpose in {Match.Purpose.VALIDATION, Match.Purpose.PROMOTION}:
        settling.owe_settling(ended.match.pk)
    if ended.worlds:
        publish(Happening.WORLDS_SET_ASIDE, ended.worlds.asked_by)
