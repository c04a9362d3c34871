"""Match hosts: whether they are there, what they proved, and whether clocks agree."""

import time
from collections.abc import Iterator

from django.conf import settings
from django.db import connection

from arena import health
from arena.hosts import operating
from arena.hosts.models import Host
from arena.hosts.services import live
from arena.operations.diagnosis import Diagnosis, ok, warning, wrong
from arena.redis_client import redis_client

# Signed addresses expire after minutes, codes of second factors after half a one.
OFF_SECONDS = 2.0
FAR_OFF_SECONDS = 20.0
SYNCHRONISE = "Keep the clock by NTP: `timedatectl set-ntp true`."


def clocks_agree() -> Iterator[Diagnosis]:
    """Compare this machine's clock with those of PostgreSQL, Redis and the match hosts."""
    yield compare("PostgreSQL's", database_offset())
    yield compare("Redis's", redis_offset())
    for host in live():
        offset = health.clock_of(host.name)
        if offset is None:
            yield warning(f"The host {host.name} does not tell its clock.", "Upgrade it.")
        else:
            yield compare(f"The host {host.name}'s", offset)


def compare(whose: str, offset: float) -> Diagnosis:
    if abs(offset) < OFF_SECONDS:
        return ok(f"{whose} clock agrees with this machine's.")
    sentence = (
        f"{whose} clock is {abs(offset):.0f} seconds {'ahead of' if offset > 0 else 'behind'} this one."
    )
    return (wrong if abs(offset) >= FAR_OFF_SECONDS else warning)(sentence, SYNCHRONISE)


def database_offset() -> float:
    before = time.time()
    with connection.cursor() as cursor:
        cursor.execute("select extract(epoch from clock_timestamp())::float")
        [told] = cursor.fetchone()
    return float(told) - (before + time.time()) / 2


def redis_offset() -> float:
    with redis_client() as client:
        before = time.time()
        seconds, micros = client.time()
    return float(seconds + micros / 1e6 - (before + time.time()) / 2)


def hosts_play() -> Iterator[Diagnosis]:
    online = set(live())
    if not online:
        yield wrong(
            "No match host is online, so nothing is played.",
            "Start one: docs/operator/deploy.md. Its log says why it does not reach the arena.",
        )
    for host in Host.objects.order_by("name"):
        yield from examine_host(host, host in online)
    runtimes = operating.runtimes()
    for sentence in runtimes.trouble:
        yield wrong(sentence, "Its log has the whole proof; it tries again every half minute.")
    for sentence in runtimes.missing:
        yield warning(sentence, "Install the tools, or leave the language out of MATCH_HOST_LANGUAGES.")


def examine_host(host: Host, is_online: bool) -> Iterator[Diagnosis]:
    if not is_online:
        yield warning(
            f"The host {host.name} was last heard at {host.last_beat:%Y-%m-%d %H:%M} UTC.",
            "Start it again, or delete it in the admin if it is gone for good.",
        )
        return
    if host.trouble:
        yield wrong(f"The host {host.name} takes no matches: {host.trouble}", "Mend that on the host.")
    elif host.paused:
        yield warning(f"The host {host.name} is paused.", "Resume it on /operator/.")
    else:
        yield ok(f"The host {host.name} plays, {host.slots} matches at a time.")
    if host.degraded and not settings.RATED_ON_DEGRADED_HOSTS:
        yield warning(
            f"The host {host.name} plays no rated matches, since it enforces: {host.limits}.",
            "Give it what docs/sandbox.md asks for.",
        )
