"""Estimates what an arena needs, from figures that were measured: docs/operator/sizing.md."""

from dataclasses import dataclass

DAYS_PER_MONTH = 30.4
SECONDS_PER_DAY = 86_400
PEAK = 3
"""Plan for this many times the average rate of matches."""
ARENA_CPU_PER_MATCH = 0.05
"""Seconds of web server, workers, database and Redis together: docs/measurements/cost-of-a-match.md."""
BYTES_PER_MATCH = 4300
"""docs/measurements/growth.md."""
IDLE_CORES = 1.0
"""For what runs without any match: scheduler, relay, estimates of strengths."""


@dataclass(frozen=True)
class Demand:
    matches_per_day: float
    cpu_per_match: float
    """CPU seconds of one match: its bots, their sandboxes and the match host."""
    requests_per_second: float = 0
    """At peak."""
    requests_per_core: float = 20


@dataclass(frozen=True)
class Size:
    host_cores: float
    arena_cores: float
    gigabytes_per_month: float


def size_for(demand: Demand) -> Size:
    """Return the cores for match hosts, those for everything else, and what the database grows by."""
    per_second = demand.matches_per_day / SECONDS_PER_DAY * PEAK
    requests = demand.requests_per_second / demand.requests_per_core
    return Size(
        host_cores=per_second * demand.cpu_per_match,
        arena_cores=IDLE_CORES + per_second * ARENA_CPU_PER_MATCH + requests,
        gigabytes_per_month=demand.matches_per_day * DAYS_PER_MONTH * BYTES_PER_MATCH / 1e9,
    )
