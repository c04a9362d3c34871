"""Match hosts: what they report about themselves, and what staff tell them."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.bots.house import retry_rejected
from arena.hosts.models import Host
from workers.match.strict import DataError, fields, flag, number, text
from workers.runtimes.contract import RUNTIME
from workers.runtimes.registry import SCRIPTS

BEAT_FIELDS = ("sandbox", "limits", "degraded", "slots", "busy", "load", "free_bytes", "trouble", "languages")
LANGUAGE_FIELDS = ("works", "missing", "trouble", "runtime", "versions")
SILENT_SECONDS = 15

MOST_LOAD = 1_000_000


@dataclass(frozen=True)
class HeartbeatAnswer:
    """What a host is told in answer to its heartbeat."""

    paused: bool


def beat(name: str, data: Any) -> HeartbeatAnswer:
    """Store a host's heartbeat, and return its orders."""
    if isinstance(data, dict):
        data = {"languages": {}, **data}  # hosts of older versions do not send them
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
    values["languages"] = check_languages(values["languages"])
    values["cannot_run"] = [language for language in SCRIPTS if not works(values["languages"], language)]
    return HeartbeatAnswer(paused=note(name, values).paused)


def check_languages(data: Any) -> dict[str, Any]:
    """Return what a host has proved. One that proved another runtime than ours must be updated first."""
    if not isinstance(data, dict) or len(data) > 50:
        raise DataError("host.languages must be an object with at most 50 entries")
    found = {}
    for language, told in data.items():
        text(language, "host.languages", 20)
        if isinstance(told, dict):
            told = {"runtime": "", "versions": {}, **told}  # a host of an older version says nothing of them
        does, missing, trouble, runtime, versions = fields(told, "host.languages", LANGUAGE_FIELDS)
        text(runtime, "host.languages.runtime", 20)
        if not isinstance(versions, dict) or len(versions) > 50:
            raise DataError("host.languages.versions must be an object of at most 50")
        for component, version in versions.items():
            text(component, "host.languages.versions", 40)
            text(version, "host.languages.versions", 100)
        text(trouble, "host.languages.trouble", 1000)
        if not isinstance(does, bool) or not isinstance(missing, bool):
            raise DataError("works and missing in host.languages must be true or false")
        if does and runtime not in {"", RUNTIME}:
            told |= {"works": False, "trouble": f"It proved the runtime {runtime}, not {RUNTIME}: update it."}
        found[language] = told
    return found


def works(languages: dict[str, Any], language: str) -> bool:
    """Return whether a host supports a language; if it did not mention it, assume that it does."""
    return language not in languages or languages[language]["works"]


@transaction.atomic
def note(name: str, values: dict[str, Any]) -> Host:
    """Store what a host reports; if it can run Python bots again, retry the house bots that it rejected."""
    before = Host.objects.filter(name=name).values_list("cannot_run", flat=True).first() or []
    host, _ = Host.objects.update_or_create(name=name, defaults={**values, "last_beat": Now()})
    if "Python" in before and "Python" not in host.cannot_run:
        retry_rejected()
    return host


def live() -> QuerySet[Host]:
    """Return the hosts that are online."""
    return Host.objects.filter(last_beat__gte=Now() - timedelta(seconds=SILENT_SECONDS))


def unable() -> set[str]:
    """Return the languages that no online host can build; an empty set if no host is online."""
    told = list(live().values_list("languages", flat=True))
    names = {language for languages in told for language in languages}
    return {name for name in names if not any(works(languages, name) for languages in told)}


def set_paused(name: str, paused: bool) -> bool:
    """Pause a host, which then finishes its matches and takes no new ones, or resume it."""
    return bool(Host.objects.filter(name=name).update(paused=paused))
