"""What bots get, promised: the interpreters, packages and compilers of the named runtime `aztlan-1`.

This is the one place that says so. Match hosts prove it when they start (`workers.host.proof`), versions pin
the name with which they were validated, and pages, the API, `aztlan runtime` and docs/runtimes.md show it. A
change that could break a bot makes a new name; a newer version within a range does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

RUNTIME = "aztlan-1"


@dataclass(frozen=True)
class Component:
    """One thing that a bot finds, in which versions: from `least` up to, and without, `below`."""

    name: str
    what: str
    least: str
    below: str = ""
    module: str = ""
    """What a Python bot imports; empty for what is not imported."""

    @property
    def versions(self) -> str:
        return f"{self.least} or later" + (f", below {self.below}" if self.below else "")

    def holds(self, version: str) -> bool:
        """Whether a version keeps the promise."""
        found = numbers(version)
        return numbers(self.least) <= found and (not self.below or found < numbers(self.below))


CONTRACT: Mapping[str, tuple[Component, ...]] = {
    "Python": (
        Component("Python", "CPython with its standard library", "3.11", "4"),
        Component("aztlan", "the package for authors", "0.1", "1", module="aztlan"),
        Component("numpy", "arrays", "2", "3", module="numpy"),
        Component("onnxruntime", "runs trained networks", "1.20", "2", module="onnxruntime"),
        Component("grpcio", "the transport", "1.75", "2", module="grpc"),
        Component("protobuf", "its messages", "7.35", "8", module="google"),
        Component("typing_extensions", "typing_extensions", "4", "5", module="typing_extensions"),
    ),
    "JavaScript": (
        Component("node", "Node.js", "18"),
        Component("@grpc/grpc-js", "the transport", "1.13", "2"),
        Component("@grpc/proto-loader", "reads bot.proto", "0.8", "0.9"),
    ),
    "TypeScript": (
        Component("node", "Node.js; types are stripped, not checked", "18"),
        Component("typescript", "strips the types", "5.9", "6"),
    ),
    "C++": (Component("g++", "C++20, with its standard library", "11"),),
    "Go": (Component("go", "Go with its standard library; no modules are fetched", "1.19"),),
    "Rust": (Component("cargo", "Rust with its standard library; no crates are fetched", "1.63"),),
    "Java": (Component("javac", "Java with its standard library", "17"),),
}
"""By language, in the order in which people are told."""

ALSO_IMPORTED = frozenset({"engine", "proto"})
"""Names of the arena's own that bots of earlier days imported. They stay, and `aztlan.rules` is better."""


def numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, for comparison: 1.19.8-rc1 is (1, 19, 8)."""
    found = re.match(r"\D*(\d+(?:\.\d+)*)", version)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


def broken_promises(language: str, versions: Mapping[str, str]) -> list[str]:
    """Return what a host with these versions does not keep of the contract, one sentence each."""
    found = []
    for component in CONTRACT.get(language, ()):
        version = versions.get(component.name, "")
        if not version:
            found.append(f"{component.name} is missing; {RUNTIME} promises {component.versions}.")
        elif not component.holds(version):
            found.append(f"{component.name} is {version[:40]}; {RUNTIME} promises {component.versions}.")
    return found


def python_modules() -> frozenset[str]:
    """Return the modules that a Python bot can import besides the standard library and its own."""
    return frozenset(one.module for one in CONTRACT["Python"] if one.module) | ALSO_IMPORTED


def as_data() -> dict[str, Any]:
    """Return the contract as plain data."""
    languages = [
        {
            "language": language,
            "components": [{**asdict(one), "versions": one.versions} for one in components],
        }
        for language, components in CONTRACT.items()
    ]
    return {"name": RUNTIME, "languages": languages}
