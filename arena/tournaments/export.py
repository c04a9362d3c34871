"""A tournament as a file: everything that is public at the time, and enough to verify it."""

import base64
import csv
import io
from typing import Any

from arena.matches.models import MatchReport
from arena.matches.stored_records import unpack_record
from arena.tournaments import stored_rounds
from arena.tournaments.models import Game, RoundOpening
from arena.tournaments.selectors import Picture
from arena.tournaments.stored_rounds import paired
from arena.tournaments.visibility import seed_is_told
from contests.formats import trf
from contests.formats.entities import Pod
from contests.formats.fairness import commitment
from contests.formats.points import WIN
from contests.formats.standings import tallies
from contests.formats.swiss import rounds_of

PLACES = ("firsts", "seconds", "thirds", "fourths")
IN_WINS = {"head_to_head", "buchholz", "sonneborn_berger"}
"""Tie-breaks that are sums of points. The others have columns of their own."""
OPTIONS = ("seats", "rounds", "advance", "group_size", "from_group", "cycles")


def to_data(seen: Picture) -> dict[str, Any]:
    """Return the whole event. It includes the master seed and the records once it is over."""
    tournament = seen.tournament
    is_over = seed_is_told(tournament, seen.visible)
    told = _told(seen)
    reports = _reports([game for game in seen.games if game.pk in told]) if is_over else {}
    return {
        "version": 2,
        "tournament": tournament.slug,
        "name": tournament.name,
        "state": tournament.state,
        "format": tournament.format,
        "options": {name: getattr(tournament, name) for name in OPTIONS},
        "best_of": tournament.best_of,
        "duplicate": tournament.duplicate,
        "tie_breaks": tournament.tie_breaks,
        "ruleset": tournament.ruleset,
        "clocks": tournament.clocks,
        "seed_commitment": commitment(bytes(tournament.master_seed)),
        "master_seed": bytes(tournament.master_seed).hex() if is_over else None,
        "entries": [
            {
                "id": entry.pk,
                "bot": entry.bot.slug,
                "version": entry.version.number if entry.version else None,
                "sha256": entry.version.sha256 if entry.version else None,
                "seed": entry.seed,
                "rating": entry.rating,
                "state": entry.state,
                "out_from": entry.out_from,
            }
            for entry in seen.entries.values()
        ],
        "rounds": [_round(one) for one in seen.openings],
        "games": [_game(game, reports) for game in seen.games if game.pk in told],
        "ranking": [entry.pk for entry in seen.ranked()],
    }


def _told(seen: Picture) -> set[int]:
    """Return the games that count, and those voided since that counted when a round was paired."""
    knew = {pk for one in seen.openings for pk in one.known["counted"]}
    return knew | {game.pk for game in seen.games if game.voided_at is None}


def _round(opening: RoundOpening) -> dict[str, Any]:
    """Return a round as it was paired when it opened, with what was known then."""
    one = stored_rounds.to_data(paired(opening))
    for pod in one["pods"]:
        pod["key"] = Pod(opening.number, tuple(pod["entries"])).key
    return {"number": opening.number, **one, "known": opening.known}


def _game(game: Game, reports: dict[int, MatchReport]) -> dict[str, Any]:
    report = reports.get(game.match_id) if game.match_id else None
    record = unpack_record(bytes(report.record)) if report else None
    return {
        "id": game.pk,
        "voided": game.void_reason if game.voided_at else None,
        "round": game.round,
        "pod": game.pod,
        "number": game.number,
        "match": game.match.public_id if game.match else None,
        "forfeit": game.forfeit,
        "placements": game.placements,
        "record": base64.b64encode(record).decode() if record else None,
        # By seat, the step at which its bot failed: bots that failed are placed behind those that did not.
        "failed_at": [seat["fault"]["step"] if seat.get("fault") else None for seat in report.faults]
        if report
        else None,
    }


def _reports(games: list[Game]) -> dict[int, MatchReport]:
    reports = MatchReport.objects.filter(match__in=[game.match_id for game in games if game.match_id])
    return {report.match_id: report for report in reports}


def to_csv(seen: Picture) -> str:
    """Return the standings as CSV, with points in wins. Names that a spreadsheet would run are quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    breaks = [name for name in seen.tournament.tie_breaks if name in IN_WINS]
    places = PLACES[: seen.tournament.seats]
    writer.writerow(
        [
            "place",
            "bot",
            "author",
            "version",
            "state",
            "seed",
            "rating",
            "points",
            "pods",
            "byes",
            *places,
            *breaks,
        ]
    )
    tally = tallies(seen.standing_event) if seen.standing_event else {}
    for entry, line in seen.lines_now:
        values = dict(zip(seen.tournament.tie_breaks, line.breaks, strict=True))
        writer.writerow(
            [
                line.place,
                _plain(entry.bot.slug),
                _plain(entry.bot.owner.username),
                entry.version.number if entry.version else "",
                entry.state,
                entry.seed,
                round(entry.rating),
                round(line.points / WIN, 3),
                line.pods,
                line.byes,
                *tally[entry.pk].places[: len(places)],
                *(round(values[name] / WIN, 3) for name in breaks),
            ]
        )
    return out.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text[:1] in "=+-@\t" else text


def to_trf(seen: Picture) -> str:
    """Return a two-seat event in FIDE's report format; raise FormatError for others."""
    if seen.event is None:
        return ""
    names = {entry.pk: entry.bot.name for entry in seen.entries.values()}
    total = rounds_of(seen.event) if seen.tournament.format == "swiss" else len(seen.event.played)
    return trf.export(seen.event, seen.tournament.name, names, max(total, len(seen.event.played), 1))
