"""Bots that read JSON lines and write JSON lines, in any language: the SDK's bridge speaks gRPC for them, inside."""

from __future__ import annotations

from pathlib import PurePosixPath

from workers.runtimes.base import Command, Runtime
from workers.runtimes.native import Native
from workers.runtimes.node import Node
from workers.runtimes.python import Python

BRIDGE = "import sys; sys.path.insert(0, {!r}); from aztlan.bridge import main; sys.exit(main())"


class JsonLines:
    name = "jsonlines"

    def run_command(self, entry: str) -> Command:
        inner = language_of(entry).run_command(entry)
        bridge = Python().command("-c", "", warm=False)
        return Command((*bridge.argv, *inner.argv), merge(bridge, inner), {**bridge.env, **inner.env})

    def build_command(self, entry: str) -> Command:
        return language_of(entry).build_command(entry)


def language_of(entry: str) -> Runtime:
    """Return the runtime that the entry's suffix asks for; what is no script is a program to be built."""
    suffixes: dict[str, Runtime] = {".py": Python(), ".js": Node(), ".mjs": Node(), ".cjs": Node()}
    return suffixes.get(PurePosixPath(entry).suffix) or Native()
