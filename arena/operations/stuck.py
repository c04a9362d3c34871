"""Work that nothing moves any more. Each kind has its section in docs/operator/runbook.md."""

import logging

from django.db import connection

log = logging.getLogger(__name__)

# By kind: a query of what is stuck. All of them read only what is still open.
STUCK = {
    "match": """select from matches_match m where m.state in ('queued', 'running')
        and m.created_at < statement_timestamp() - interval '15 minutes'
        and not exists (select from hosts_attempt a
            where a.match_id = m.id and a.state in ('queued', 'running'))
        and not exists (select from hosts_heldreport h where h.match_id = m.id)""",
    "attempt": """select from hosts_attempt a where a.state = 'running'
        and a.lease_until < statement_timestamp() - interval '5 minutes'""",
    "owed_work": """select from outbox_outbox o
        where o.created_at < statement_timestamp() - interval '1 hour'""",
    "version": """select from bots_version v where v.status in ('checked', 'built')
        and v.created_at < statement_timestamp() - interval '2 hours'
        and not exists (select from hosts_attempt a
            where a.build_id = v.id and a.state in ('queued', 'running'))
        and not exists (select from matches_matchseat s join matches_match m on m.id = s.match_id
            where s.version_id = v.id and m.state in ('queued', 'running', 'set_aside'))""",
    "held_report": """select from hosts_heldreport h
        where h.public_at < statement_timestamp() - interval '10 minutes'""",
}
QUERY = " union all ".join(
    f"select '{kind}', count(*) from ({query}) as found"  # noqa: S608  made of constants alone
    for kind, query in STUCK.items()
)


def count_stuck() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(QUERY)
        return dict(cursor.fetchall())


def report_stuck() -> None:
    """Log what is stuck, with the page that says what to do."""
    for kind, count in count_stuck().items():
        if count:
            page = f"docs/operator/runbook.md#stuck-{kind.replace('_', '-')}"
            log.error("stuck: %s of kind %s; what to do is in %s", count, kind, page)
