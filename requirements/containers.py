"""How images are built and containers run here: the tools, and the environment that they are given.

On a machine with systemd the tools' own defaults hold. Elsewhere they are told to do without it. With
`ARENA_CONTAINERS` set to a folder, everything that they keep is in that folder, apart from other containers.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import system

ROOT = Path(__file__).resolve().parent.parent
TOOLS = (
    "buildah", "podman", "podman-compose", "runc", "mmdebstrap", "netavark", "aardvark-dns", "catatonit",
    "iptables",
)  # fmt: skip
"""Debian packages; the Makefile names them, too."""
CONTAINERS = """\
[containers]
default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
"""
OWN_ENGINE = 'tmp_dir = "{folder}/tmp"\n'
OWN_NETWORK = '[network]\nnetwork_config_dir = "{folder}/networks"\n'
OWN_STORAGE = '[storage]\ndriver = "overlay"\ngraphroot = "{folder}/storage"\nrunroot = "{folder}/run"\n'


def why_not() -> str:
    """Return why no containers can be built and run here, or an empty text."""
    if os.geteuid() != 0:
        return "Building and running containers needs root here."
    if missing := [package for package in TOOLS if not system.is_installed(package)]:
        command = f"apt-get install --yes --no-install-recommends {' '.join(missing)}"
        return f"Not installed: {', '.join(missing)}. Install with: {command}"
    return ""


def require_tools() -> None:
    if reason := why_not():
        sys.exit(reason)


def engine_environment() -> dict[str, str]:
    """Return the environment for buildah and podman, and write the files that it names."""
    environment = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
    own = os.environ.get("ARENA_CONTAINERS", "")
    if not own and Path("/run/systemd/system").exists():
        return environment
    folder = Path(own or ROOT / "build" / "containers").resolve()
    (folder / "tmp").mkdir(mode=0o755, parents=True, exist_ok=True)
    text = CONTAINERS
    if own:
        text += OWN_ENGINE.format(folder=folder) + OWN_NETWORK.format(folder=folder)
        (folder / "storage.conf").write_text(OWN_STORAGE.format(folder=folder), encoding="utf-8")
        environment["CONTAINERS_STORAGE_CONF"] = str(folder / "storage.conf")
    (folder / "containers.conf").write_text(text, encoding="utf-8")
    environment["CONTAINERS_CONF"] = str(folder / "containers.conf")
    environment["DISABLE_HC_SYSTEMD"] = "true"  # podman would have systemd ask for containers' health
    return environment


def run(*command: object, settings: Mapping[str, str] | None = None) -> str:
    """Run a tool, with more variables if given, and return its output; its failure ends this program."""
    words = [str(word) for word in command]
    environment = {**engine_environment(), **(settings or {})}
    done = subprocess.run(words, env=environment, cwd=ROOT, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"This failed: {' '.join(words)}\n{done.stdout[-5000:]}{done.stderr[-5000:]}")
    return done.stdout
