"""Examines a deployment: every part is tried for real, and what is wrong is named with what to do."""

from collections.abc import Iterable, Iterator

from django.db import DatabaseError
from redis import RedisError

from arena.operations import examine_care, examine_hosts, examine_outside, examine_servers
from arena.operations.diagnosis import Diagnosis, Examination, wrong

EXAMINATIONS: dict[str, Examination] = {
    "settings": examine_servers.settings_hold,
    "database": examine_servers.database_is_current,
    "redis": examine_servers.redis_keeps_messages,
    "queues": examine_servers.queues_are_consumed,
    "clocks": examine_hosts.clocks_agree,
    "hosts": examine_hosts.hosts_play,
    "care": examine_care.care_is_taken,
    "stuck": examine_care.nothing_is_stuck,
    "storage": examine_outside.storage_works,
    "mail": examine_outside.mail_is_taken,
    "disk": examine_outside.disk_has_room,
    "certificate": examine_outside.certificate_is_good,
}


def examine(names: Iterable[str]) -> Iterator[tuple[str, Diagnosis]]:
    """Run the examinations of these names; one that a server prevents says which."""
    for name in names:
        try:
            for finding in EXAMINATIONS[name]():
                yield name, finding
        except DatabaseError as error:
            sentence = f"The database does not answer: {first_line(error)}"
            yield name, wrong(sentence, "Start PostgreSQL, or correct DATABASE_URL.")
        except RedisError as error:
            yield name, wrong(f"Redis does not answer: {error}", "Start Redis, or correct REDIS_URL.")


def first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
