"""The dry run of a tournament: how many games it takes, how long they last here, and who is likely to win."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Avg, F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.hosts.models import Host
from arena.ladders.models import Strength
from arena.matches.models import Match
from arena.shared_cache import get_or_build
from arena.tournaments.models import FORMAT_NAMES
from arena.tournaments.selectors import Picture, entrants_of, options_of
from contests.formats.dry_run import Forecast, Need, forecast, games_needed
from contests.formats.entities import Entrant, FormatError, Options
from contests.strength import UNKNOWN

SIMULATED_GAMES: Final = 4000
"""Large events are simulated fewer times, so that the page stays fast."""
UNKNOWN_SECONDS: Final = 10.0
KEPT_SECONDS: Final = 3600
"""How long a forecast is cached; the desk, which renews itself, asks for it again and again."""
MOST_GAMES: Final = 4000
"""Series are not made so long that an event has more games than this."""
CERTAINTIES: Final = (0.8, 0.9, 0.95)


@dataclass(frozen=True)
class DryRun:
    """The forecast, and how long it would take on the hosts that are online now."""

    forecast: Forecast
    simulations: int
    slots: int
    seconds_a_match: float
    duration: timedelta

    @property
    def words(self) -> str:
        """The duration in words."""
        minutes = round(self.duration.total_seconds() / 60)
        if minutes < 1:
            return _("less than a minute")
        if minutes < 120:
            return ngettext("%d minute", "%d minutes", minutes) % minutes
        return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


def forecast_of(seen: Picture) -> DryRun | None:
    """Simulate the event with the bots entered so far; None while there are fewer than two."""
    tournament = seen.tournament
    entrants = entrants_of(list(seen.entries.values()))
    if len(entrants) < 2:
        return None
    try:
        options = options_of(tournament)
        strengths = strengths_of(seen)
        found, simulations = simulate(
            tournament.format, options, entrants, tournament.series_length, strengths
        )
    except FormatError:
        return None
    slots = sum(host.slots for host in _hosts()) or 1
    seconds = _seconds_a_match(tournament.seats)
    return DryRun(
        found, simulations, slots, seconds, timedelta(seconds=round(found.games_mean * seconds / slots))
    )


def simulate(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    best_of: int,
    strengths: Mapping[int, tuple[float, float]],
) -> tuple[Forecast, int]:
    """Simulate an event as often as there is time for; return how often that was. Equal events are cached."""

    def build() -> bytes:
        first = forecast(format_name, options, entrants, best_of, 1, 0, strengths)
        simulations = max(5, min(200, int(SIMULATED_GAMES / max(1, first.games_mean))))
        found = forecast(format_name, options, entrants, best_of, simulations, 0, strengths)
        return json.dumps([asdict(found), simulations]).encode()

    basis = repr((format_name, options, entrants, best_of, strengths)).encode()
    kept = get_or_build(f"forecast:{hashlib.sha256(basis).hexdigest()}", build, KEPT_SECONDS)
    values, simulations = json.loads(kept)
    return Forecast(**values), simulations


def strengths_of(seen: Picture) -> dict[int, tuple[float, float]]:
    """Return what is known of each entrant's strength on the tournament's ladder, by entry.

    It is that of the newest season in which the bot has results; a bot without any may be of any strength.
    """
    of_bots = {entry.bot_id: pk for pk, entry in seen.entries.items()}
    rows = Strength.objects.filter(season__ladder=seen.tournament.ladder_id, bot__in=list(of_bots))
    known = {row.bot_id: (row.mean, row.sigma) for row in rows.order_by("season__number")}
    return {pk: known.get(bot, (seen.entries[pk].rating, UNKNOWN.sigma)) for bot, pk in of_bots.items()}


@dataclass(frozen=True)
class Alternative:
    """How another format would do with the same entrants and series."""

    format: str
    name: str
    forecast: Forecast | None
    """None where it cannot be played with these options."""
    is_chosen: bool


@dataclass(frozen=True)
class Alternatives:
    """All formats, and what the chosen one needs to find the best bot with some certainty."""

    formats: list[Alternative]
    needs: list[Need]


def compare_formats(seen: Picture) -> Alternatives | None:
    """Simulate every format with the bots entered so far; None while there are fewer than two."""
    tournament, entrants = seen.tournament, entrants_of(list(seen.entries.values()))
    if len(entrants) < 2:
        return None
    strengths = strengths_of(seen)
    found = []
    for name, label in FORMAT_NAMES.items():
        try:
            tried, _simulations = simulate(
                name, options_of(tournament), entrants, tournament.series_length, strengths
            )
        except FormatError:
            tried = None
        found.append(Alternative(name, str(label), tried, name == tournament.format))
    try:
        needs = games_needed(
            tournament.format,
            options_of(tournament),
            entrants,
            strengths,
            CERTAINTIES,
            MOST_GAMES,
            10 * SIMULATED_GAMES,
        )
    except FormatError:
        needs = []
    return Alternatives(found, needs)


def _hosts() -> list[Host]:
    return list(Host.objects.filter(last_beat__gte=timezone.now() - timedelta(minutes=1)))


def _seconds_a_match(seats: int) -> float:
    """Return how long matches with this many seats took in the last week, on average."""
    lately = Match.objects.filter(
        seats=seats, state=Match.State.FINISHED, finished_at__gte=timezone.now() - timedelta(days=7)
    )
    mean = lately.aggregate(mean=Avg(F("finished_at") - F("started_at")))["mean"]
    return mean.total_seconds() if mean else UNKNOWN_SECONDS
