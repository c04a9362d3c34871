"""The dry run of a tournament: how many games it takes, how long they last here, and who is likely to win."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Avg, F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.hosts.models import Host
from arena.matches.models import Match
from arena.tournaments.selectors import Picture, entrants_of, options_of
from contests.formats.dry_run import Forecast, forecast
from contests.formats.entities import FormatError

SIMULATED_GAMES: Final = 4000
"""Large events are simulated fewer times, so that the page stays fast."""
UNKNOWN_SECONDS: Final = 10.0


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
        first = forecast(tournament.format, options, entrants, tournament.series_length, simulations=1)
        simulations = max(5, min(200, int(SIMULATED_GAMES / max(1, first.games_mean))))
        found = forecast(tournament.format, options, entrants, tournament.series_length, simulations)
    except FormatError:
        return None
    slots = sum(host.slots for host in _hosts()) or 1
    seconds = _seconds_a_match(tournament.seats)
    return DryRun(
        found, simulations, slots, seconds, timedelta(seconds=round(found.games_mean * seconds / slots))
    )


def _hosts() -> list[Host]:
    return list(Host.objects.filter(last_beat__gte=timezone.now() - timedelta(minutes=1)))


def _seconds_a_match(seats: int) -> float:
    """Return how long matches with this many seats took in the last week, on average."""
    lately = Match.objects.filter(
        seats=seats, state=Match.State.FINISHED, finished_at__gte=timezone.now() - timedelta(days=7)
    )
    mean = lately.aggregate(mean=Avg(F("finished_at") - F("started_at")))["mean"]
    return mean.total_seconds() if mean else UNKNOWN_SECONDS
