"""Which versions of the contract's components this machine would give to bots."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

from workers.runtimes import kit
from workers.runtimes.node import modules_folder

ASK_SECONDS = 20
TOOLS = {"C++": ("g++", "-dumpfullversion"), "Go": ("go", "version"), "Rust": ("cargo", "--version"),
         "Java": ("javac", "--version")}  # fmt: skip
PATH = "/usr/bin:/usr/local/bin:/usr/local/go/bin"


def versions_of(language: str) -> dict[str, str]:
    """Return the versions by component; what is missing is left out."""
    ask = {"Python": python_versions, "JavaScript": node_versions, "TypeScript": node_versions}
    return ask.get(language, partial(tool_version, language))()


def python_versions() -> dict[str, str]:
    found = {"Python": platform.python_version(), **kit.installed()}
    return {**found, "aztlan": aztlan_version()}


def aztlan_version() -> str:
    """Return the version of the SDK beside us, which is a part of the kit; empty where it is missing."""
    for name in ("aztlan", "aztlan-arena"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def node_versions() -> dict[str, str]:
    found = {"node": ask("node", "--version").removeprefix("v")}
    for package in ("@grpc/grpc-js", "@grpc/proto-loader", "typescript"):
        try:
            found[package] = json.loads(Path(modules_folder(), package, "package.json").read_text())[
                "version"
            ]
        except (OSError, ValueError, KeyError):
            continue
    return {name: version for name, version in found.items() if version}


def tool_version(language: str) -> dict[str, str]:
    if language not in TOOLS:
        return {}
    tool, option = TOOLS[language]
    said = re.search(r"\d+(\.\d+)+", ask(tool, option))
    return {tool: said[0]} if said else {}


def ask(tool: str, option: str) -> str:
    program = shutil.which(tool) if tool == "node" else shutil.which(tool, path=PATH)
    if not program:
        return ""
    try:
        done = subprocess.run(
            [program, option], capture_output=True, text=True, timeout=ASK_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
