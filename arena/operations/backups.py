"""A backup: a folder with the database, every file that it names, and a manifest with their digests.

The manifest is written last, so a folder without one is an incomplete backup. Redis is left out: nothing of
record is there. Secrets are left out too: they are in the environment, which the operator keeps.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from arena.bots.models import Version
from arena.embedded.postgres import BINARIES
from arena.matches.models import ReportArchive
from arena.storage_down import StorageDownError

FORMAT = 1
DUMP = "database.dump"
FILES = "files"
MANIFEST = "manifest.json"


class BackupError(Exception):
    """The sentence says what is wrong and what to do."""


def back_up(folder: Path) -> dict[str, Any]:
    """Write a backup into a new folder and return its manifest.

    Archives never change and are stored before they are named, so files that are copied after the database
    are all that it names.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty: use a new folder for each backup.")
    try:
        (folder / FILES).mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)  # it holds password hashes and the sources of bots
    except OSError as error:
        raise BackupError(f"{folder} cannot be written: {error.strerror}.") from error
    run_tool("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={folder / DUMP}")
    for name in sorted(file_names()):
        copy_out(name, folder / FILES / name)
    manifest = {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(),
        "sha256": {str(path.relative_to(folder)): digest(path) for path in files_in(folder)},
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def restore(folder: Path) -> dict[str, Any]:
    """Restore a backup into an empty database and into the storage, once every digest has been checked."""
    manifest = check(folder)
    if tables := connection.introspection.table_names():
        raise BackupError(
            f"The database {connection.settings_dict['NAME']} is not empty ({len(tables)} tables): "
            "create a new one and name it in DATABASE_URL."
        )
    for name in manifest["sha256"]:
        if name != DUMP:
            put_back(folder / name, name.removeprefix(f"{FILES}/"))
    run_tool("pg_restore", "--no-owner", "--no-privileges", "--single-transaction", str(folder / DUMP))
    return manifest


def check(folder: Path) -> dict[str, Any]:
    """Return the manifest of a complete backup, or raise BackupError."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        expected = dict(manifest["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BackupError(f"{folder} is not a backup, or an incomplete one: it has no {MANIFEST}.") from None
    if manifest.get("format") != FORMAT:
        raise BackupError(
            f"{folder} is a backup in another format: restore it with the version that made it."
        )
    found = {str(path.relative_to(folder)): digest(path) for path in files_in(folder)}
    wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    if wrong:
        raise BackupError(
            f"{folder} is damaged; use another one. Missing, changed or added: {', '.join(wrong[:5])}"
        )
    return manifest


def verify(folder: Path) -> None:
    """Check all digests, and have PostgreSQL's own tool read the whole dump, as a restore would."""
    check(folder)
    done = subprocess.run(
        [str(BINARIES / "pg_restore"), "--file=/dev/null", str(folder / DUMP)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"pg_restore cannot read {folder / DUMP}: {' '.join(done.stderr.split())[:1000]}")


def file_names() -> set[str]:
    """Return every file that the database names: archives of bots, and archives of reports."""
    named = Version.objects.values_list("archive", "built_archive")
    reports = ReportArchive.objects.values_list("name", flat=True)
    return {name for row in named.iterator() for name in row if name} | set(reports)


def copy_out(name: str, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with default_storage.open(name) as source, target.open("wb") as copy:
            for chunk in source.chunks():
                copy.write(chunk)
    except FileNotFoundError:
        raise BackupError(f"The database names {name}, which the storage does not have.") from None
    except StorageDownError as error:
        raise BackupError(f"{error} Then make a new backup.") from error


def put_back(source: Path, name: str) -> None:
    if default_storage.exists(name):
        return  # names come from digests: it is the same file
    with source.open("rb") as opened:
        default_storage.save(name, File(opened))


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MANIFEST)


def digest(path: Path) -> str:
    with path.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()


def run_tool(tool: str, *words: str) -> None:
    """Run one of PostgreSQL's own tools. The password is not in its arguments, which everybody can see."""
    known = connection.settings_dict
    # Without our timeouts, which the dump of a large arena would exceed, and options that only Django knows.
    options = {name: value for name, value in known["OPTIONS"].items() if name not in {"options", "pool"}}
    address = make_conninfo(
        dbname=known["NAME"], user=known["USER"], host=known["HOST"], port=known["PORT"], **options
    )
    environment = {**os.environ, **({"PGPASSWORD": known["PASSWORD"]} if known["PASSWORD"] else {})}
    command = [str(BINARIES / tool), f"--dbname={address}", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"{tool} failed: {' '.join(done.stderr.split())[:1000]}")
