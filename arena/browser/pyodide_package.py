"""Pyodide, the Python of browsers: fetched with npm by name, never part of the repository.

`pyodide.json` locks its version, the integrity that the registry states for the package, and the SHA-256 of
each file that we serve. `python -m arena.browser.pyodide_package` fetches it; `--if-missing` only where it is
not there yet, `--lock VERSION` locks another version.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from workers.runtimes.kit import cache_folder

LOCK = Path(__file__).with_name("pyodide.json")
FETCH_SECONDS = 120
WORTH_PACKING = 0.9
"""A file is also kept compressed if that makes it smaller than this share of it."""


class PyodideError(Exception):
    """Pyodide could not be fetched. The message says why, and what to do."""


def read_lock() -> dict[str, Any]:
    lock: dict[str, Any] = json.loads(LOCK.read_text())
    return lock


def pyodide_folder() -> Path:
    """Where the files of the locked version are kept: in ARENA_PYODIDE, or a cache folder of this machine."""
    root = Path(os.environ.get("ARENA_PYODIDE") or cache_folder() / "pyodide")
    return root / str(read_lock()["version"])


def is_fetched() -> bool:
    """Whether the locked version is there: it is moved to its place only when it is complete."""
    return pyodide_folder().is_dir()


def fetch_pyodide() -> None:
    """Fetch the locked version: all of it, with the hashes of the lock, or nothing."""
    lock, folder = read_lock(), pyodide_folder()
    folder.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fetched.", dir=folder.parent) as fresh:
        archive = download(f"{lock['package']}@{lock['version']}", Path(fresh))
        if integrity_of(archive.read_bytes()) != lock["integrity"]:
            raise PyodideError(f"npm sent another package than {LOCK.name} names: it was not installed.")
        files = Path(fresh, "files")
        files.mkdir(mode=0o755)
        for name, data in unpack(archive, lock["files"]).items():
            if hashlib.sha256(data).hexdigest() != lock["files"][name]:
                raise PyodideError(f"{name} does not have the SHA-256 of {LOCK.name}: it was not installed.")
            store(files / name, data)
        shutil.rmtree(folder, ignore_errors=True)
        files.rename(folder)


def download(package: str, folder: Path) -> Path:
    """Let npm fetch a package as a file, without running any of its scripts."""
    options = [f"--pack-destination={folder}", "--ignore-scripts", "--loglevel=error"]
    options += ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"]
    ask_npm("pack", package, *options)
    return next(folder.glob("*.tgz"))


def ask_npm(*arguments: str) -> str:
    npm = shutil.which("npm")
    if not npm:
        raise PyodideError("npm is not installed: `apt-get install npm`.")
    try:
        done = subprocess.run([npm, *arguments], check=True, capture_output=True, timeout=FETCH_SECONDS)
    except subprocess.CalledProcessError as error:
        words = " ".join(error.stderr.decode(errors="replace").split())[-300:]
        raise PyodideError(f"npm could not fetch it: {words}") from error
    except subprocess.TimeoutExpired as error:
        raise PyodideError(f"npm did not end within {FETCH_SECONDS} s: try again later.") from error
    return done.stdout.decode(errors="replace").strip()


def integrity_of(data: bytes) -> str:
    """Return the integrity of a package as registries write it."""
    return f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"


def unpack(archive: Path, names: list[str]) -> dict[str, bytes]:
    """Read the named files of a package; nothing is written to where the archive says."""
    found = {}
    with tarfile.open(archive) as packed:
        for name in names:
            try:
                file = packed.extractfile(f"package/{name}")
            except KeyError:
                file = None
            if file is None:
                raise PyodideError(f"the package has no file {name}.")
            found[name] = file.read()
    return found


def store(path: Path, data: bytes) -> None:
    """Write a file, and its compressed form beside it if that is worth it."""
    path.write_bytes(data)
    packed = gzip.compress(data, 9, mtime=0)
    if len(packed) < WORTH_PACKING * len(data):
        path.with_name(f"{path.name}.gz").write_bytes(packed)
    for file in path.parent.glob(f"{path.name}*"):
        file.chmod(0o644)


def lock_version(version: str) -> None:
    """Lock another version of Pyodide, as the registry states its integrity now."""
    lock = read_lock()
    package = f"{lock['package']}@{version}"
    lock |= {"version": version, "integrity": ask_npm("view", package, "dist.integrity", "--loglevel=error")}
    with tempfile.TemporaryDirectory() as folder:
        archive = download(package, Path(folder))
        if integrity_of(archive.read_bytes()) != lock["integrity"]:
            raise PyodideError("npm sent another package than the registry states: nothing is locked.")
        files = unpack(archive, lock["files"])
    lock["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    LOCK.write_text(json.dumps(lock, indent=2) + "\n")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m arena.browser.pyodide_package", description=__doc__)
    parser.add_argument("--if-missing", action="store_true", help="do nothing where it is fetched already")
    parser.add_argument("--lock", metavar="VERSION", help="lock another version instead")
    options = parser.parse_args(arguments)
    if options.lock:
        lock_version(options.lock)
    elif not (options.if_missing and is_fetched()):
        fetch_pyodide()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except PyodideError as trouble:
        sys.exit(f"Pyodide is missing: {trouble}")
