"""The figures of the arena, each read from the database when it is asked for.

So every web process answers the same, and none has to remember anything. Events are counted over the last
five minutes, which costs the same however many matches are stored.
"""
# ruff: noqa: S608  the queries are made of constants alone

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis import RedisError

from arena.celery import QUEUES
from arena.operations import stuck
from arena.queues import queue_depth
from workers.settings import MATCHES_QUEUE

RECENT = "statement_timestamp() - interval '5 minutes'"
QUANTILES = (0.5, 0.95)


@dataclass(frozen=True)
class Figures:
    """One query: its first columns are the labels, the others the values of the named figures."""

    labels: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    query: str

    def read(self) -> Iterator[Metric]:
        families = [GaugeMetricFamily(name, text, labels=self.labels) for name, text in self.figures]
        with connection.cursor() as cursor:
            cursor.execute(self.query)
            for row in cursor.fetchall():
                labels = [str(value) for value in row[: len(self.labels)]]
                for family, value in zip(families, row[len(self.labels) :], strict=True):
                    if value is not None:
                        family.add_metric(labels, float(value))
        yield from families


def seconds_by_stage(stages: dict[str, str]) -> str:
    """Return the query of the quantiles of some stages; each is a query of one column of seconds."""
    parts = [
        f"select '{stage}', q, percentile_cont(q) within group (order by s) "
        f"from ({query}) as found(s), unnest(array{list(QUANTILES)}::float[]) as q group by q"
        for stage, query in stages.items()
    ]
    return " union all ".join(parts)


REPORTS = (
    f"from matches_matchreport r join matches_match m on m.id = r.match_id where m.finished_at > {RECENT}"
)
STAGES = {
    "waiting": "select extract(epoch from started_at - created_at) from hosts_attempt "
    f"where ended_at > {RECENT} and started_at is not null",
    "attempt": "select extract(epoch from ended_at - started_at) from hosts_attempt "
    f"where ended_at > {RECENT} and started_at is not null",
    "match": f"select r.wall_us / 1e6::float {REPORTS}",
    "play": f"select r.play_us / 1e6::float {REPORTS}",
    "stalled": f"select r.stalled_us / 1e6::float {REPORTS}",
    "bot_start": f"select unnest(r.startup_us) / 1e6::float {REPORTS}",
    # The mean of each seat: a quantile over every single decision would read all of them.
    "decision": f"select unnest(r.decision_us) / 1e6::float {REPORTS}",
    "ping": f"select unnest(r.ping_us) / 1e6::float {REPORTS}",
}

FIGURES = (
    Figures(
        ("work", "state"),
        (
            ("arena_attempts_open", "Attempts that are queued or running."),
            ("arena_attempts_oldest_seconds", "How long the oldest of them has waited or run."),
        ),
        """select w.work, s.state, count(a.id),
            extract(epoch from statement_timestamp()
                - min(case s.state when 'queued' then a.created_at else a.started_at end))
        from (values ('match'), ('build')) w(work) cross join (values ('queued'), ('running')) s(state)
        left join hosts_attempt a on a.state = s.state and a.state in ('queued', 'running')
            and (a.match_id is null) = (w.work = 'build')
        group by w.work, s.state""",
    ),
    Figures(
        ("state", "purpose"),
        (("arena_matches_open", "Matches that are queued, running or set aside."),),
        """select state, purpose, count(*) from matches_match
        where state in ('queued', 'running', 'set_aside') group by state, purpose""",
    ),
    Figures(
        ("purpose", "outcome"),
        (("arena_matches_recent", "Matches that ended in the last 5 minutes, played out or with a fault."),),
        f"""select purpose, outcome, count(*) from (
            select m.purpose, case when m.state <> 'finished' then m.state
                when exists (select from matches_matchseat s where s.match_id = m.id and s.fault <> '')
                then 'fault' else 'played' end as outcome
            from matches_match m where m.finished_at > {RECENT}) ended
        group by purpose, outcome""",
    ),
    Figures(
        ("fault",),
        (("arena_seat_faults_recent", "Bots that failed in matches of the last 5 minutes, by cause."),),
        f"""select s.fault, count(*) from matches_matchseat s join matches_match m on m.id = s.match_id
        where m.finished_at > {RECENT} and s.fault <> '' group by s.fault""",
    ),
    Figures(
        ("state", "fault"),
        (
            (
                "arena_attempts_recent",
                "Attempts that ended in the last 5 minutes, by outcome and by whose fault it was.",
            ),
        ),
        f"""select state, fault, count(*) from hosts_attempt where ended_at > {RECENT}
        group by state, fault""",
    ),
    Figures(
        ("stage", "quantile"),
        (("arena_stage_seconds", "How long stages took in matches of the last 5 minutes."),),
        seconds_by_stage(STAGES),
    ),
    Figures(
        ("sandbox",),
        (("arena_sandbox_starts_recent", "Bots started for matches of the last 5 minutes, by sandbox."),),
        f"""select coalesce(h.sandbox, 'unknown'), sum(m.seats)
        from matches_matchreport r join matches_match m on m.id = r.match_id
        left join hosts_host h on h.name = r.host where m.finished_at > {RECENT} group by 1""",
    ),
    Figures(
        ("host", "sandbox", "degraded", "paused"),
        (
            ("arena_host_slots", "Matches that a host plays at a time."),
            ("arena_host_busy", "Matches that it plays now."),
            ("arena_host_load", "Its load."),
            ("arena_host_free_bytes", "Its free disk space."),
            ("arena_host_beat_age_seconds", "How long ago it last reported."),
            ("arena_host_trouble", "1 if it takes no matches by its own decision."),
        ),
        """select name, sandbox, degraded::text, paused::text, slots, busy, load, free_bytes,
            extract(epoch from statement_timestamp() - last_beat), (trouble <> '')::int
        from hosts_host where last_beat > statement_timestamp() - interval '1 hour'""",
    ),
    Figures(
        ("kind",),
        (
            ("arena_outbox_owed", "Owed work: settling, mails, win chances."),
            ("arena_outbox_failing", "Those whose last try failed."),
            ("arena_outbox_oldest_seconds", "How long the oldest of them has been due."),
        ),
        """select kind, count(*), count(*) filter (where error <> ''),
            greatest(extract(epoch from statement_timestamp() - min(due_at)), 0)
        from outbox_outbox group by kind""",
    ),
    Figures(
        (),
        (
            ("arena_webhook_calls_due", "Webhook calls that are due, except to paused receivers."),
            ("arena_webhook_calls_oldest_seconds", "How long the oldest of them has been due."),
        ),
        """select count(*), greatest(extract(epoch from statement_timestamp() - min(d.due_at)), 0)
        from notices_webhookdelivery d join notices_webhook w on w.id = d.webhook_id
        where d.due_at <= statement_timestamp() and d.delivered_at is null and w.stopped_at is null
            and coalesce(w.paused_until, '-infinity') <= statement_timestamp()""",
    ),
    Figures(
        ("kind",),
        (("arena_stuck", "Work that nothing moves any more: docs/operator/runbook.md."),),
        stuck.QUERY,
    ),
    Figures(
        ("kind",),
        (
            ("arena_care_age_seconds", "How long ago a kind of scheduled care last went well."),
            ("arena_care_failed", "1 if its last run failed."),
        ),
        """select kind, extract(epoch from statement_timestamp() - succeeded_at),
            starts_with(note, 'failed: ')::int
        from operations_carerun""",
    ),
    Figures(
        ("table",),
        (
            ("arena_table_bytes", "The size of a large table with its indexes."),
            ("arena_table_rows", "Its rows, as PostgreSQL estimates them."),
            ("arena_table_dead_rows", "Its deleted rows whose room is not free yet."),
        ),
        """select relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup from pg_stat_user_tables
        order by pg_total_relation_size(relid) desc limit 12""",
    ),
    Figures(
        (),
        (("arena_webhooks_paused", "Webhooks that are paused for a while."),),
        "select count(*) from notices_webhook where paused_until > statement_timestamp()",
    ),
)


class ArenaFigures(Collector):
    """Everything above, and the lengths of the queues in Redis."""

    def collect(self) -> Iterator[Metric]:
        for figures in FIGURES:
            yield from figures.read()
        yield from broker()


def broker() -> Iterator[Metric]:
    up = GaugeMetricFamily("arena_broker_up", "1 if Redis answers.")
    depth = GaugeMetricFamily("arena_queue_messages", "Messages in a queue in Redis.", labels=["queue"])
    try:
        for queue in (MATCHES_QUEUE, *QUEUES):
            depth.add_metric([queue], queue_depth(queue))
        up.add_metric([], 1)
    except RedisError:
        up.add_metric([], 0)
    leases = GaugeMetricFamily(
        "arena_lease_seconds", "How long a host may be silent before it counts as dead."
    )
    leases.add_metric([], settings.LEASE_SECONDS)
    yield from (up, depth, leases)
