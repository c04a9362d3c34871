"""Bots in JavaScript on Node. They find `@grpc/grpc-js` and its like, besides what they bring."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from workers.runtimes.base import Command, Mount, RuntimeMissingError, same_place
from workers.runtimes.kit import cache_folder


class Node:
    name = "node"

    def run_command(self, entry: str) -> Command:
        return self.command(f"/bot/{entry}")

    def build_command(self, entry: str) -> Command:
        return self.command("--check", f"/bot/{entry}")

    def command(self, *arguments: str) -> Command:
        node = shutil.which("node")
        if not node:
            raise RuntimeMissingError("Node is not installed on this host: `apt-get install nodejs`.")
        program = os.path.realpath(node)
        mounts = same_place(program, "/usr/lib", "/usr/lib64", "/usr/share/nodejs")
        modules = modules_folder()
        if modules.is_dir():
            mounts += (Mount(modules, "/node_modules"),)
        return Command((program, *arguments), mounts)


def modules_folder() -> Path:
    """Where the host keeps the packages that Node bots share."""
    return Path(os.environ.get("ARENA_NODE_MODULES") or cache_folder() / "node_modules")
