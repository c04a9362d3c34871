"""All runtimes, by the name that a bot's manifest gives."""

from __future__ import annotations

from workers.runtimes.base import Runtime, RuntimeMissingError
from workers.runtimes.jsonlines import JsonLines
from workers.runtimes.native import Native
from workers.runtimes.node import Node
from workers.runtimes.python import Python

RUNTIMES: dict[str, Runtime] = {
    runtime.name: runtime for runtime in (Python(), Node(), Native(), JsonLines())
}

LANGUAGES = ("Python", "JavaScript", "TypeScript", "C++", "Go", "Rust", "Java")
"""The languages of bots, in the order in which people see them."""
SCRIPTS = ("Python", "JavaScript", "TypeScript", "Java")
"""Languages that a host needs to run a bot, not only to build it."""


def find_runtime(name: str) -> Runtime:
    if name not in RUNTIMES:
        raise RuntimeMissingError(f"There is no runtime {name!r}; choose one of {', '.join(RUNTIMES)}.")
    return RUNTIMES[name]
