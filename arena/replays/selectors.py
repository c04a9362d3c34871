"""Queries for showing a match, and who may see what of it."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.validators import slug_re
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import is_owner, may_read_private
from arena.bots.selectors import open_private
from arena.matches.listing import with_seats
from arena.matches.models import Match, MatchReport, MatchSeat, SeatLog
from arena.matches.visibility import delays, held_back, may_see, seed_is_secret
from arena.offload import offload
from arena.replays.stored_frames import addresses, read_record, views
from arena.tournaments.models import State as EventState
from arena.tournaments.models import Tournament
from engine.errors import RulesVersionError
from engine.record import Record, check_rules
from proto.messages import StrikeKind
from workers.match.retelling import SeatStory, Told, retell
from workers.match.spec import read_clocks

MOST_RUNNING = 2000
"""With more matches running at a time, some are not considered for the few that are shown."""


def matches_to_show() -> QuerySet[Match]:
    """Return matches with everything their page shows, in a fixed number of queries."""
    return Match.objects.select_related("report").prefetch_related(with_seats())


def find_match(user: User | AnonymousUser, public_id: str) -> Match:
    """Return the match of this address for those who may see it; for others it does not exist."""
    match = get_object_or_404(matches_to_show(), public_id=public_id)
    if not may_see(match, user):
        raise Http404(_("The results of this match have not been released yet."))
    return match


def public_among(matches: QuerySet[Match], count: int) -> list[Match]:
    """Return the first of these that everybody may see; few matches are held back."""
    found = list(matches.prefetch_related(with_seats())[: 2 * count])
    hidden = held_back(found, AnonymousUser())
    return [match for match in found if match.pk not in hidden][:count]


def report_of(match: Match) -> MatchReport | None:
    """Return the report of a match that is over; a running match has only its live public view."""
    if not match.is_over:
        return None
    return MatchReport.objects.filter(match=match).first()


def record_of(match: Match) -> Record | None:
    report = report_of(match)
    return read_record(bytes(report.record)) if report else None


def record_to_replay(match: Match) -> Record | None:
    """Return the record if it can be replayed; one of other rules can only be downloaded."""
    record = record_of(match)
    if record is not None and (reason := why_not_replayable(record)):
        raise Http404(reason)
    return record


def why_not_replayable(record: Record) -> str:
    """Return why this release cannot show a match, for its page; empty if it can."""
    try:
        check_rules(record)
    except RulesVersionError as error:
        return _(
            "This match was played with version {number} of the rules, which this arena no longer supports, "
            "so it cannot be shown step by step. Its result stands, and its record can be downloaded."
        ).format(number=error.played_by)
    return ""


def open_record(match: Match) -> Record:
    """Return the record for everybody, which reveals the seed."""
    record = record_of(match)
    if record is None:
        raise Http404(_("The record becomes available once the match is over."))
    if seed_is_secret(match):
        raise Http404(_("The record becomes available once all matches with the same seed are over."))
    return record


def views_now(match: Match) -> list[str]:
    """Return the available views: all but the public one reveal cards of matches with the same seed."""
    return ["public"] if seed_is_secret(match) else views(match.seats)


def seats_of(match: Match) -> list[MatchSeat]:
    return list(match.seats_taken.all())


def header_of(match: Match) -> dict[str, Any]:
    """Return what a viewer must know about a match besides its frames."""
    names: list[str] = []
    seats = []
    for taken in seats_of(match):
        version = taken.version
        names.append(version.bot.name)
        times = names.count(version.bot.name)
        seats.append(
            {
                "name": version.bot.name if times == 1 else f"{version.bot.name} ({times})",
                "version": version.number,
                "url": version.bot.get_absolute_url(),
            }
        )
    return {"match": match.public_id, "seats": seats, "edition": match.ruleset.get("name", "")}


def times_of(report: MatchReport) -> list[dict[int, int]]:
    """Charged microseconds by seat and action. A bot is asked at the step before its action."""
    return [
        {step + 1: us for step, us in zip(seat.steps, seat.charged_us, strict=True)}
        for seat in report.seat_times
    ]


def own_seats(user: User | AnonymousUser, match: Match) -> list[dict[str, Any]]:
    """The seats whose private part this person may open, as their author or as staff."""
    return [
        {
            "seat": taken.seat,
            "name": taken.version.bot.name,
            "url": reverse("match-author", args=[match.public_id, taken.seat]),
            "is_own": is_owner(user, taken.version.bot),
        }
        for taken in seats_of(match)
        if may_read_private(user, taken.version.bot)
    ]


def author_view(user: User | AnonymousUser, match: Match, seat: int, view: str) -> dict[str, Any] | None:
    """Notes, times and output of one's own bot, by the steps of a view; None for anybody else.

    A reading by staff is recorded.
    """
    taken = next((one for one in seats_of(match) if one.seat == seat), None)
    if taken is None or not open_private(user, taken.version, f"read notes of match {match.public_id}"):
        return None
    report, record = report_of(match), record_to_replay(match)
    if report is None or record is None:
        return None
    shown = view if view in views(match.seats) else views(match.seats)[0]
    at = offload(addresses, bytes(report.record), shown)
    log = SeatLog.objects.filter(seat=taken).first()
    notes = {int(step): note for step, note in log.notes.items()} if log else {}
    return {
        "notes": [[*at[step + 1], note] for step, note in sorted(notes.items()) if step + 1 < len(at)],
        "times": [[*at[number], us] for number, us in times_of(report)[seat].items() if number < len(at)],
        "output": log.output if log else "",
    }


def messages_to(match: Match, record: Record, seat: int) -> list[Told]:
    """What a seat was sent in a match, from the record that may be told by now."""
    report = report_of(match)
    if reason := why_not_replayable(record):
        raise Http404(reason)
    if report is None:
        raise Http404(_("A match has a record once it is over."))
    times, faults = report.seat_times[seat], report.faults[seat]
    story = SeatStory(
        seat,
        match.public_id,
        read_clocks(match.clocks, "clocks"),
        dict(zip(times.steps, times.charged_us, strict=True)),
        {one["step"]: (StrikeKind[one["kind"].upper()], one["reason"]) for one in faults.get("strikes", [])},
        [] if faults.get("fault") else [taken.placement or 0 for taken in seats_of(match)],
    )
    return list(retell(record, story))


def being_shown(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return the matches that spectators can watch now: running for longer than their delay."""
    running = list(
        matches.filter(state=Match.State.RUNNING).only("pk", "purpose", "purpose_id", "started_at")[
            :MOST_RUNNING
        ]
    )
    behind, now = delays(running), timezone.now()
    begun = [
        match.pk
        for match in running
        if match.started_at and match.started_at + timedelta(seconds=behind.get(match.pk, 0)) <= now
    ]
    return matches.filter(pk__in=begun)


def live_matches(count: int) -> list[Match]:
    """Return matches that are shown now, rated ones first."""
    found = being_shown(Match.objects.exclude(purpose=Match.Purpose.VALIDATION))
    return public_among(found.order_by("-rated", "-seats", "-started_at"), count)


def find_event(slug: str) -> Tournament | None:
    """Return a published event by its address."""
    if not slug_re.fullmatch(slug):
        return None
    return Tournament.objects.exclude(state=EventState.DRAFT).filter(slug=slug).first()


def boards_of(event: Tournament, count: int) -> list[Match]:
    """Return the latest matches of an event, running ones before finished ones."""
    played = Match.objects.filter(purpose=Match.Purpose.TOURNAMENT, purpose_id=event.pk).order_by("-pk")
    shown = public_among(being_shown(played), count)
    return shown + public_among(played.filter(state=Match.State.FINISHED), count - len(shown))


def latest_matches(count: int) -> list[Match]:
    finished = Match.objects.filter(state=Match.State.FINISHED).exclude(purpose=Match.Purpose.VALIDATION)
    return public_among(finished.order_by("-finished_at"), count)
