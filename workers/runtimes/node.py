"""Bots in JavaScript on Node, with `@grpc/grpc-js` and `@grpc/proto-loader` available.

Uploads carry no packages, so a host keeps those that bots share; `python -m workers.runtimes.node` fetches
them with npm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from workers.runtimes.base import BotCommand, Mount, RuntimeMissingError, same_place
from workers.runtimes.kit import cache_folder
from workers.runtimes.typescript import BUNDLE, COMPILER
from workers.sandbox.base import MIB, ResourceLimits

FETCH_SECONDS = 120
PACKAGES = ("@grpc/grpc-js@^1.13.0", "@grpc/proto-loader@^0.8.0", f"{COMPILER}@^5.9.0")


class Node:
    name = "node"

    def language(self, entry: str) -> str:
        return "TypeScript" if entry.endswith(".ts") else "JavaScript"

    def run_command(self, entry: str) -> BotCommand:
        return self.command("/run/built" if entry.endswith(".ts") else f"/bot/{entry}")

    def build_command(self, entry: str) -> BotCommand:
        if not entry.endswith(".ts"):
            return self.command("--check", f"/bot/{entry}")
        command = self.command("-e", BUNDLE, f"/bot/{entry}", f"/node_modules/{COMPILER}", "3")
        if not has_compiler():
            raise RuntimeMissingError(
                f"This host lacks {modules_folder() / COMPILER}, which TypeScript bots are built with: "
                f"`python -m {__name__}` fetches it."
            )
        return command

    def command(self, *arguments: str) -> BotCommand:
        node = shutil.which("node")
        if not node:
            raise RuntimeMissingError("Node is not installed on this host: `apt-get install nodejs npm`.")
        modules = modules_folder()
        if not modules.is_dir():
            raise RuntimeMissingError(
                f"This host lacks {modules}, the packages of Node bots: `python -m {__name__}` fetches them."
            )
        program = os.path.realpath(node)
        # Node sizes its heap by the machine's memory, but a bot may use less.
        heap = ResourceLimits().memory // MIB * 3 // 4
        mounts = same_place(program, "/usr/lib", "/usr/lib64", "/usr/share/nodejs")
        return BotCommand(
            (program, f"--max-old-space-size={heap}", *arguments), (*mounts, Mount(modules, "/node_modules"))
        )


def modules_folder() -> Path:
    """Where the host keeps the packages that Node bots share."""
    return Path(os.environ.get("ARENA_NODE_MODULES") or cache_folder() / "node" / "node_modules")


def has_compiler() -> bool:
    """Whether the shared packages have what TypeScript is built with; those of an older release do not."""
    return (modules_folder() / COMPILER).is_dir()


def fetch_modules() -> None:
    """Install the shared packages, without running any of their scripts; all of them or none.

    Raises RuntimeMissingError, which says what to do, if that fails.
    """
    npm = shutil.which("npm")
    if not npm:
        raise RuntimeMissingError("npm is not installed: `apt-get install npm`.")
    modules = modules_folder()
    modules.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetched.", dir=modules.parent) as fresh:
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        options += ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"]
        command = [npm, "install", "--prefix", fresh, *options, *PACKAGES]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=FETCH_SECONDS)
        except subprocess.CalledProcessError as error:
            words = " ".join(error.stderr.decode(errors="replace").split())[-300:]
            raise RuntimeMissingError(f"npm could not install the packages of Node bots: {words}") from error
        except subprocess.TimeoutExpired as error:
            raise RuntimeMissingError(
                f"npm did not end within {FETCH_SECONDS} s: try again later."
            ) from error
        subprocess.run(["chmod", "-R", "a+rX,go-w", fresh], check=True)
        shutil.rmtree(modules, ignore_errors=True)
        Path(fresh, "node_modules").rename(modules)


if __name__ == "__main__":
    if "--if-missing" in sys.argv and (not shutil.which("node") or has_compiler()):
        sys.exit()
    try:
        fetch_modules()
    except RuntimeMissingError as trouble:
        sys.exit(str(trouble))
