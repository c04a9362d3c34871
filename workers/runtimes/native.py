"""Bots as native programs, compiled from source with the host's compilers when they are submitted."""

from __future__ import annotations

import shutil
from pathlib import PurePosixPath

from workers.runtimes.base import BotCommand, EntryError, RuntimeMissingError, same_place

SYSTEM = ("/usr/lib", "/usr/lib64")
TOOLS = (
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/go",
    "/etc/alternatives",
)
# Each builds in a copy of the bot's folder, beside the entry ("$1"), and leaves its program as /tmp/built.
BEGIN = 'cp -R /bot /tmp/source && cd "/tmp/source/$(dirname "$1")"'
CPP = (
    "find . -name '*.cpp' -print0 -o -name '*.cc' -print0 | "
    "xargs -0 g++ -std=c++20 -O2 -pthread -I. -o /tmp/built"
)
RUST = (
    "cargo build --release --offline --target-dir /tmp/target && "
    "find /tmp/target/release -maxdepth 1 -type f -perm -u+x -exec cp {} /tmp/built ';'"
)
GO = "go build -o /tmp/built ."
END = "cat /tmp/built >&3"
BUILDERS = {".cpp": ("g++", CPP), ".cc": ("g++", CPP), ".toml": ("cargo", RUST), ".go": ("go", GO)}
LANGUAGES = {"g++": "C++", "cargo": "Rust", "go": "Go"}
DEBIAN = {"go": "golang-go"}
"""The packages of tools whose package has another name."""
ENV = {
    "CARGO_HOME": "/tmp/cargo",  # noqa: S108  inside the sandbox
    "GOCACHE": "/tmp/go",  # noqa: S108  inside the sandbox
    "GOPATH": "/tmp/gopath",  # noqa: S108  inside the sandbox
    "GOFLAGS": "-buildvcs=false",
    "GOTOOLCHAIN": "local",
}


class Native:
    name = "native"

    def language(self, entry: str) -> str:
        tool, _ = BUILDERS.get(PurePosixPath(entry).suffix, ("", ""))
        return LANGUAGES.get(tool, "")

    def run_command(self, entry: str) -> BotCommand:  # noqa: ARG002  as others need it
        return BotCommand(("/run/built",), same_place(*SYSTEM))

    def build_command(self, entry: str) -> BotCommand:
        suffix = PurePosixPath(entry).suffix
        if suffix not in BUILDERS:
            raise EntryError(
                f"nothing builds {entry}: the entry must be a .cpp, .cc or .go file or Cargo.toml"
            )
        tool, script = BUILDERS[suffix]
        found = shutil.which(tool, path="/usr/bin:/usr/local/bin:/usr/local/go/bin")
        if not found:
            raise RuntimeMissingError(
                f"{tool} is not installed on this host where a sandbox can reach it: "
                f"`apt-get install {DEBIAN.get(tool, tool)}`."
            )
        argv = ("/usr/bin/sh", "-euc", f"{BEGIN}\n{script}\n{END}", "build", entry)
        return BotCommand(argv, same_place(*TOOLS), ENV)
