"""Keeps each ladder's queue filled to its depth."""

import json
import logging
from collections import Counter
from datetime import timedelta
from random import Random

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone

from arena.bots.models import Bot
from arena.bots.selectors import people_behind
from arena.ladders import queries, reading_queries
from arena.ladders.models import Entry, Ladder, Season
from arena.ladders.reading_queries import WaitingEntry
from arena.matches.models import Match, MatchSeat
from arena.matches.services import MatchRequest, request_duplicate_set, request_matches
from contests.pairing import Candidate, make_tables
from contests.strength import UNKNOWN
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks

log = logging.getLogger(__name__)

SMALL = 400
"""Up to this many entries, all of them are looked at."""
MOST_URGENT = 32
SAMPLE = 128
"""How many entries of a larger ladder are drawn at random."""
GAMES_OF_BEGINNERS = 20
COMPARE_EVERY = timedelta(minutes=1)
COMPARED = 500
"""How many bots are compared with a ladder's entries at a time."""
NOT_NEEDED = ("bot__description", "bot__active_version__manifest", "bot__active_version__reason")
OPEN = (Match.State.QUEUED, Match.State.RUNNING)
UNPLAYED = Q(state__in=OPEN, held_report=None)
"""Matches that a host still has to play; those whose reports are held back have been played."""


def fill_all() -> int:
    """Top up the queues of all open ladders; return how many matches were made."""
    return sum(fill(pk) for pk in Ladder.objects.filter(is_open=True).values_list("pk", flat=True))


def refill(season_id: int) -> int:
    """Top up a queue that is no longer full, so that hosts need not wait for the scheduler."""
    ladder = Ladder.objects.filter(seasons=season_id, is_open=True).values_list("pk", "depth").first()
    return fill(ladder[0]) if ladder and unplayed_matches(season_id) <= ladder[1] * 3 // 4 else 0


@transaction.atomic
def fill(ladder_id: int, random: Random | None = None) -> int:
    """Make as many matches as the ladder's queue lacks. Of several callers at once, one does it."""
    ladder = Ladder.objects.select_for_update(skip_locked=True).filter(pk=ladder_id, is_open=True).first()
    season = current_season(ladder) if ladder else None
    if ladder is None or season is None:
        return 0
    missing = min(ladder.depth - unplayed_matches(season.pk), allowed_now(ladder, season))
    tables = missing // ladder.seats if ladder.duplicate else missing
    if tables <= 0:
        return 0
    enter_new_bots(ladder)
    chance = random or Random()
    waiting = entries_to_choose_from(season, tables, chance)
    chosen = make_tables(candidates(season, waiting), ladder.seats, tables, chance)
    entries = entries_of(ladder, chosen)
    requests = [request_for(season, [entries[one.bot].bot for one in table]) for table in chosen]
    if ladder.duplicate:
        made = sum(len(request_duplicate_set(request)) for request in requests)
    else:
        made = len(request_matches(requests))
    note_paired(entries, chosen)
    return made


def current_season(ladder: Ladder) -> Season | None:
    seasons = ladder.seasons.filter(starts_at__lte=Now(), closed_at=None)
    return seasons.filter(Q(ends_at=None) | Q(ends_at__gt=Now())).order_by("-number").first()


def open_matches(season_id: int) -> int:
    return Match.objects.filter(purpose=Match.Purpose.LADDER, purpose_id=season_id, state__in=OPEN).count()


def unplayed_matches(season_id: int) -> int:
    return Match.objects.filter(UNPLAYED, purpose=Match.Purpose.LADDER, purpose_id=season_id).count()


def allowed_now(ladder: Ladder, season: Season) -> int:
    """Return how many more matches may be made in this minute."""
    if ladder.a_minute is None:
        return ladder.depth
    made = Match.objects.filter(purpose=Match.Purpose.LADDER, purpose_id=season.pk).order_by("-id")
    # The newest, by the index: those of the last minute are among them, or they are too many already.
    latest = made.values_list("created_at", flat=True)[: ladder.a_minute]
    minute_ago = timezone.now() - timedelta(minutes=1)
    return ladder.a_minute - sum(created_at > minute_ago for created_at in latest)


def enter_new_bots(ladder: Ladder) -> None:
    """Enter every bot that can play, unless its author took it out.

    A bot that can play for the first time is entered at once, by `enter_everywhere`. So that none stays
    outside all the same, a new ladder looks at all bots, and then at some of them every minute, in turn.
    """
    now = timezone.now()
    if ladder.entered_at and now - ladder.entered_at < COMPARE_EVERY:
        return
    most = COMPARED if ladder.entered_at else None
    bots = reading_queries.bots_to_enter(ladder.pk, ladder.entered_to, most)
    new = [Entry(ladder=ladder, bot_id=bot) for bot, is_entered in bots if not is_entered]
    if new:
        Entry.objects.bulk_create(new, ignore_conflicts=True)
    entered_to = bots[-1][0] if len(bots) == COMPARED else 0
    Ladder.objects.filter(pk=ladder.pk).update(entered_at=now, entered_to=entered_to)


def enter_everywhere(bot_id: int) -> None:
    """Enter a bot that can play now in all open ladders, except where its author took it out."""
    ladders = Ladder.objects.filter(is_open=True).values_list("pk", flat=True)
    Entry.objects.bulk_create([Entry(ladder_id=pk, bot_id=bot_id) for pk in ladders], ignore_conflicts=True)


def entries_to_choose_from(season: Season, tables: int, random: Random) -> list[WaitingEntry]:
    """Return entries that can play: all of a small ladder; of a large one the most urgent and a fair sample.

    Opponents are drawn from the sample with the same weights as from all, so tables are as good.
    """
    bots = reading_queries.entered_bots(season.ladder_id, SMALL + 1)
    if len(bots) > SMALL:
        most = max(MOST_URGENT, 2 * tables)
        draws = [random.random() for _ in range(max(SAMPLE, 2 * tables * season.ladder.seats))]
        bots = reading_queries.choose_entries(season.ladder_id, season.pk, most, GAMES_OF_BEGINNERS, draws)
    entries = reading_queries.read_entries(season.ladder_id, season.pk, bots)
    # Whoever cannot play loses its turn; otherwise those that wait longest would soon all be of that kind.
    if unable := [entry.bot for entry in entries if not entry.can_play]:
        Entry.objects.filter(ladder=season.ladder_id, bot__in=unable).update(paired_at=timezone.now())
    return [entry for entry in entries if entry.can_play]


def entries_of(ladder: Ladder, tables: list[tuple[Candidate, ...]]) -> dict[int, Entry]:
    """Return the entries of those who were chosen, with their bots and active versions, by bot."""
    bots = {one.bot for table in tables for one in table}
    entries = Entry.objects.filter(ladder=ladder, bot__in=bots).select_related("bot__active_version")
    return {entry.bot_id: entry for entry in entries.defer(*NOT_NEEDED)}


def candidates(season: Season, entries: list[WaitingEntry]) -> list[Candidate]:
    now = timezone.now()
    people = people_behind({entry.owner for entry in entries if not entry.is_house})
    playing = Counter(
        dict(
            MatchSeat.objects.filter(
                match__purpose=Match.Purpose.LADDER,
                match__purpose_id=season.pk,
                match__state__in=OPEN,
                match__held_report=None,
            )
            .values_list("version__bot_id")
            .annotate(Count("pk"))
        )
    )
    return [
        Candidate(
            entry.bot,
            # The rule is against an author's bots helping each other; house bots help nobody.
            frozenset() if entry.is_house else people[entry.owner],
            UNKNOWN.mean if entry.mean is None else entry.mean,
            UNKNOWN.own if entry.own is None else entry.own,
            (now - entry.waits_since).total_seconds(),
            playing[entry.bot],
            entry.seats_had,
        )
        for entry in entries
    ]


def request_for(season: Season, bots: list[Bot]) -> MatchRequest:
    ladder = season.ladder
    versions = [bot.active_version for bot in bots if bot.active_version]
    return MatchRequest(
        versions,
        ruleset_from_options(ladder.ruleset),
        Match.Purpose.LADDER,
        Clocks(**ladder.clocks),
        season.pk,
        rated=True,
    )


def note_paired(entries: dict[int, Entry], tables: list[tuple[Candidate, ...]]) -> None:
    paired = {}
    for table in tables:
        for seat, one in enumerate(table):
            entry = paired[one.bot] = entries[one.bot]
            entry.seats_had += [0] * (len(table) - len(entry.seats_had))
            entry.seats_had[seat] += 1
    queries.note_paired([(entry.pk, json.dumps(entry.seats_had)) for entry in paired.values()])
