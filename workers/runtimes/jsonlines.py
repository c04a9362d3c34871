"""Bots in any language that read and write JSON lines; in the sandbox, the SDK's bridge speaks gRPC."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from workers.runtimes.base import BotCommand, Runtime
from workers.runtimes.java import Java
from workers.runtimes.kit import open_kit
from workers.runtimes.native import Native
from workers.runtimes.node import Node
from workers.runtimes.python import Python, python_command


class JsonLines:
    name = "jsonlines"

    def language(self, entry: str) -> str:
        return runtime_of(entry).language(entry)

    def run_command(self, entry: str) -> BotCommand:
        inner = runtime_of(entry).run_command(entry)
        bridge = python_command(str(open_kit().packages / "bridge.py"), *inner.argv)
        mounts = dict.fromkeys(bridge.mounts + inner.mounts)
        return replace(bridge, mounts=tuple(mounts), env={**inner.env, **bridge.env})

    def build_command(self, entry: str) -> BotCommand:
        return runtime_of(entry).build_command(entry)


def runtime_of(entry: str) -> Runtime:
    """Return the runtime for the entry's suffix; anything that is not a script must be built."""
    suffixes: dict[str, Runtime] = {
        ".py": Python(),
        ".java": Java(),
        **dict.fromkeys((".js", ".mjs", ".cjs", ".ts"), Node()),
    }
    return suffixes.get(PurePosixPath(entry).suffix) or Native()
