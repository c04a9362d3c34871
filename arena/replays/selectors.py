"""Queries for showing a match, and who may see what of it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.validators import slug_re
from django.db.models import QuerySet
from django.db.models.fields.json import KT
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import is_owner, may_read_private
from arena.bots.selectors import open_private
from arena.ladders.models import Season
from arena.matches.archived_reports import find_report
from arena.matches.listing import with_seats
from arena.matches.models import Match, MatchReport, MatchSeat, SeatLog
from arena.matches.stored_records import read_record
from arena.matches.visibility import delays, held_back, may_see, seed_is_secret
from arena.offload import offload
from arena.replays.stored_frames import addresses, views
from arena.tournaments.models import Game, RoundOpening, Tournament
from arena.tournaments.models import State as EventState
from arena.tournaments.round_titles import round_title
from engine.errors import RulesVersionError
from engine.record import Record, check_rules
from engine.replay.views import distinct
from proto.messages import StrikeKind
from workers.match.retelling import SeatStory, Told, retell
from workers.match.spec import read_clocks

FEATURED_AMONG = 12
MOST_RUNNING = 2000
"""With more matches running at a time, some are not considered for the few that are shown."""
NOT_FOR_SPECTATORS = (Match.Purpose.VALIDATION, Match.Purpose.PROMOTION, Match.Purpose.PLAY)


def matches_to_show() -> QuerySet[Match]:
    """Return matches with everything their page shows, in a fixed number of queries."""
    return Match.objects.select_related("report", "terms").prefetch_related(with_seats())


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
    return MatchReport.objects.filter(match=match).first() or find_report(match)


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


def named_seats(match: Match) -> list[MatchSeat]:
    """Return the seats with the name that each player has wherever this match is shown.

    A bot that sits twice is told apart by a number.
    """
    seats = seats_of(match)
    names = distinct([one.person or one.version.bot.name for one in seats])
    for taken, name in zip(seats, names, strict=True):
        taken.player = name
    return seats


def players(match: Match) -> str:
    """Return the names of the players in one line."""
    return " · ".join(taken.player for taken in named_seats(match))


def header_of(match: Match) -> dict[str, Any]:
    """Return what a viewer must know about a match besides its frames."""
    seats = [
        {
            "name": taken.player,
            "version": taken.version.number,
            "url": None if taken.person else taken.version.bot.get_absolute_url(),
        }
        for taken in named_seats(match)
    ]
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
            "name": taken.player,
            "url": reverse("match-author", args=[match.public_id, taken.seat]),
            "is_own": is_owner(user, taken.version.bot),
        }
        for taken in named_seats(match)
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
    found = being_shown(Match.objects.exclude(purpose__in=NOT_FOR_SPECTATORS))
    return public_among(found.order_by("-rated", "-seats", "-started_at"), count)


Links = list[tuple[str, str]]


def contest_links(matches: Sequence[Match]) -> dict[int, Links]:
    """Return by match where it belongs, with addresses: its event and round, or its ladder."""
    by_purpose: dict[str, dict[int, int]] = {}
    for match in matches:
        if match.purpose_id is not None:
            by_purpose.setdefault(match.purpose, {})[match.pk] = match.purpose_id
    in_ladders = by_purpose.get(Match.Purpose.LADDER, {})
    found: dict[int, Links] = {}
    if in_ladders:
        seasons = Season.objects.select_related("ladder").in_bulk(set(in_ladders.values()))
        for pk, season in in_ladders.items():
            if season in seasons:
                ladder = seasons[season].ladder
                found[pk] = [(ladder.name, ladder.get_absolute_url())]
    in_events = by_purpose.get(Match.Purpose.TOURNAMENT, {})
    return found | (_event_links(in_events) if in_events else {})


def _event_links(in_events: dict[int, int]) -> dict[int, Links]:
    events = Tournament.objects.in_bulk(set(in_events.values()))
    rounds = dict(Game.objects.filter(match__in=in_events).values_list("match", "round"))
    openings = RoundOpening.objects.filter(tournament__in=events, number__in=set(rounds.values()))
    named = openings.annotate(name=KT("pairing__name")).values_list("tournament", "number", "name")
    names = {(event, number): name for event, number, name in named}
    found: dict[int, Links] = {}
    for pk, event_id in in_events.items():
        event = events.get(event_id)
        if event is None:
            continue
        found[pk] = [(event.name, event.get_absolute_url())]
        if name := names.get((event_id, rounds.get(pk, 0))):
            found[pk].append((round_title(name), f"{event.get_absolute_url()}?round={rounds[pk]}#schedule"))
    return found


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


def featured_match() -> Match | None:
    """Return the match worth showing of the latest ones: most seats, then the closest result."""
    finished = Match.objects.filter(state=Match.State.FINISHED).exclude(purpose__in=NOT_FOR_SPECTATORS)
    found = public_among(finished.order_by("-finished_at"), FEATURED_AMONG)
    return max(found, key=lambda match: (match.seats, -_margin(match)), default=None)


def _margin(match: Match) -> int:
    """By how much the best score was ahead."""
    scores = sorted((taken.score or 0 for taken in seats_of(match)), reverse=True)
    return scores[0] - scores[1]
