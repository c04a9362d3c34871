"""Bots in Java: compiled into one jar when they are submitted, with nothing but Java's own library."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

from workers.runtimes.base import BotCommand, RuntimeMissingError, same_place
from workers.runtimes.native import BEGIN, END, TOOLS
from workers.sandbox.base import MIB, ResourceLimits

HEAP = ResourceLimits().memory // MIB // 2
"""MiB. The virtual machine needs about as much again as its heap."""
RUN_OPTIONS = (f"-Xmx{HEAP}m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
"""One small heap, one thread to collect it, a quick start: a bot has one processor and seconds."""
BUILD = (
    "mkdir /tmp/classes && find . -name '*.java' -print0 | "
    "xargs -0 javac -J-Xmx256m -encoding UTF-8 -d /tmp/classes && "
    'jar --create --file /tmp/built --main-class "$2" -C /tmp/classes .'
)
DEBIAN = "default-jdk-headless"


class Java:
    name = "java"

    def language(self, entry: str) -> str:  # noqa: ARG002  as others need it
        return "Java"

    def run_command(self, entry: str) -> BotCommand:  # noqa: ARG002  as others need it
        java = find_tool("java")
        return BotCommand(
            (java, *RUN_OPTIONS, "-jar", "/run/built"), same_place("/usr/lib", "/usr/lib64", *settings())
        )

    def build_command(self, entry: str) -> BotCommand:
        find_tool("javac")
        script = f"{BEGIN}\n{BUILD}\n{END}"
        argv = ("/usr/bin/sh", "-euc", script, "build", entry, PurePosixPath(entry).stem)
        return BotCommand(argv, same_place(*TOOLS, *settings()))


def find_tool(name: str) -> str:
    """Return the true path of a tool of Java's, under /usr/lib, where a sandbox can reach it."""
    found = shutil.which(name, path="/usr/bin:/usr/local/bin")
    if not found:
        raise RuntimeMissingError(f"{name} is not installed on this host: `apt-get install {DEBIAN}`.")
    return str(Path(found).resolve())


def settings() -> list[Path]:
    """Return where Debian keeps the settings of the virtual machine, outside its folder."""
    return sorted(Path("/etc").glob("java-*-openjdk"))
