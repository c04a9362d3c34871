"""Match hosts: what they say of themselves, and what staff tells them."""

from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Now

from arena.matches.models import Host
from workers.match.strict import DataError, fields, flag, number, text

BEAT_FIELDS = ("sandbox", "limits", "degraded", "slots", "busy", "load", "free_bytes", "trouble")

MOST_LOAD = 1_000_000


@dataclass(frozen=True)
class Orders:
    """What a host is told in answer to its beat."""

    paused: bool


def beat(name: str, data: Any) -> Orders:
    """Note how a host is, and return what it is to do."""
    values = dict(zip(BEAT_FIELDS, fields(data, "host", BEAT_FIELDS), strict=True))
    text(name, "host.name", 100)
    for field, longest in (("sandbox", 20), ("limits", 1000), ("trouble", 1000)):
        text(values[field], f"host.{field}", longest)
    for field in ("slots", "busy"):
        number(values[field], f"host.{field}", 0, 10_000)
    number(values["free_bytes"], "host.free_bytes", 0, 2**62)
    flag(values["degraded"], "host.degraded")
    load = values["load"]
    if isinstance(load, bool) or not isinstance(load, int | float) or not 0 <= load <= MOST_LOAD:
        raise DataError(f"host.load must be a number from 0 to {MOST_LOAD}")
    host, _ = Host.objects.update_or_create(name=name, defaults={**values, "last_beat": Now()})
    return Orders(paused=host.paused)


def set_paused(name: str, paused: bool) -> bool:
    """Pause a host, which then finishes what it plays and takes nothing new, or let it go on."""
    return bool(Host.objects.filter(name=name).update(paused=paused))
