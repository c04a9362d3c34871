"""The whole product at work: matches per minute of trivial bots, and what the arena itself costs.

Matches are asked for, queued, claimed, played by four bots in sandboxes, reported, recorded and settled into
a ladder, by the same processes as in production. After them runs the pilot: the same bots, forked with
namespaces, over bare streams. Rounds of all ways alternate and the medians count, of the rates and of the
rounds' ratios, since machines change their speed within minutes. `MATCHES` is how many a round plays (a
quarter as many with cold starts), `ROUNDS` how many rounds there are.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import psutil

from bench._pilot import pilot_rate
from bench.figures import figure
from workers.polling import POLLING

if TYPE_CHECKING:
    from bench._running_arena import Contest, RunningArena

MATCHES = int(os.environ.get("MATCHES", "80"))
ROUNDS = int(os.environ.get("ROUNDS", "4"))
TARGET_PROCESSES, TARGET_WARM, TARGET_PILOT = 1.8, 2.5, 0.7


@dataclass
class Way:
    """One way to run a host, and what came of it."""

    name: str
    processes: int
    warm: bool
    matches: int
    rates: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    bots: list[float] = field(default_factory=list)

    @property
    def overhead(self) -> float:
        """The share of processor time that was neither the bots' own nor their start."""
        return sum(self.own) / (sum(self.own) + sum(self.bots))


WARM = (Way("warm, 1 process", 1, True, MATCHES), Way("warm, 2 processes", 2, True, MATCHES))
COLD = (Way("cold, 1 process", 1, False, MATCHES // 4), Way("cold, 2 processes", 2, False, MATCHES // 4))


def main() -> None:
    """Measure matches per minute each way, their ratios, and what settling and queueing cost."""
    folder = Path(tempfile.mkdtemp(prefix="arena-bench-"))
    os.environ |= {"DJANGO_SETTINGS_MODULE": "arena.settings", "ARENA_HOME": str(folder / "unused")}
    import django

    django.setup()
    from bench._ladder_costs import measure_costs
    from bench._running_arena import RunningArena

    arena = RunningArena(folder)
    arena.environment |= {
        "ARENA_LEASE_SECONDS": "20",
        "ARENA_BEAT_SECONDS": "5",
        "ARENA_LOG_LEVEL": "WARNING",
    }
    try:
        for server in arena.servers:
            arena.start_server(server)
        arena.migrate()
        with arena.database():
            measure_costs()
            for program in ("web", "arena", "scheduler"):
                arena.start(program)
            measure_matches(arena)
    finally:
        arena.end()
        shutil.rmtree(folder, ignore_errors=True)


def measure_matches(arena: "RunningArena") -> None:
    pilot: list[float] = []
    polling: list[float] = []
    for _ in range(ROUNDS):
        for way in WARM:
            play(arena, way)
        pilot.append(pilot_rate(MATCHES, processes=2))
        polling.append(pilot_rate(MATCHES, processes=2, polling=POLLING))
        print(f"  pilot: {pilot[-1]:.0f} matches/min, {polling[-1]:.0f} polling as we do", flush=True)
        for way in COLD:
            play(arena, way)
    for way in WARM + COLD:
        figure(f"{way.name}, matches", median(way.rates), "per minute")
        seconds = sum(way.own + way.bots) / way.matches / ROUNDS
        figure(f"{way.name}, CPU time per match", seconds, "s")
        figure(f"{way.name}, share of it that is not the bots'", 100 * way.overhead, "%")
    figure("pilot with 2 processes, matches", median(pilot), "per minute")
    figure("pilot with 2 processes that polls as we do, matches", median(polling), "per minute")
    (one, two), (cold, cold_two) = ([way.rates for way in ways] for ways in (WARM, COLD))
    figure("2 processes over 1, warm", over(two, one), "x", at_least=TARGET_PROCESSES)
    figure("2 processes over 1, cold", over(cold_two, cold), "x")
    figure("warm over cold, 2 processes", over(two, cold_two), "x", at_least=TARGET_WARM)
    figure("warm over cold, 1 process", over(one, cold), "x")
    figure("2 warm processes over the pilot", over(two, pilot), "x", at_least=TARGET_PILOT)
    figure("2 warm processes over the pilot that polls as we do", over(two, polling), "x")


def over(rates: list[float], others: list[float]) -> float:
    """How many times as fast, in the median round."""
    return median(rate / other for rate, other in zip(rates, others, strict=True))


def play(arena: "RunningArena", way: Way) -> None:
    """Play a round with a host of its own, and note how fast it went and whose time it took."""
    from bench._running_arena import Contest, wait_for

    contest = Contest("_trivial_bot", 4, Path(__file__).parent)
    name = f"host-{len(way.rates)}-{way.processes}-{'warm' if way.warm else 'cold'}"
    arena.start_host(name, processes=way.processes, ARENA_WARM_START=str(way.warm).lower())
    wait_for(lambda: arena.has_beaten(name), "the host")
    contest.ask(4 * way.processes)  # what is made at first use is made
    wait_for(contest.is_settled, "the first matches are settled", 300)
    own, bots = processor_time(arena, name)
    before = len(contest.matches)
    contest.ask(way.matches)
    wait_for(contest.is_settled, "all matches are settled", 1800)
    own_after, bots_after = processor_time(arena, name)
    way.rates.append(rate(contest, before))
    print(f"  {way.name}: {way.rates[-1]:.0f} matches/min", flush=True)
    way.own.append(own_after - own)
    way.bots.append(bots_after - bots)
    arena.stop(name)


def rate(contest: "Contest", first: int) -> float:
    """Matches a minute, from the moments at which they were recorded."""
    from django.db.models import Max, Min

    from arena.matches.models import Match

    made = [match.pk for match in contest.matches[first:]]
    span = Match.objects.filter(pk__in=made).aggregate(first=Min("finished_at"), last=Max("finished_at"))
    seconds: float = (span["last"] - span["first"]).total_seconds()
    return (len(made) - 1) / seconds * 60


def processor_time(arena: "RunningArena", host: str) -> tuple[float, float]:
    """Seconds that the arena's and the host's own processes have used, and the bots that ended."""
    own = bots = 0.0
    for name, started in arena.processes.items():
        process = psutil.Process(started.pid)
        for one in [process, *process.children(recursive=True)]:
            try:
                times = one.cpu_times()
            except psutil.NoSuchProcess:
                continue
            own += times.user + times.system
            if name == host:  # bots are children of the host's starters, and have been waited for
                bots += times.children_user + times.children_system
    return own, bots


if __name__ == "__main__":
    main()
