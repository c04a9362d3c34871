"""Scheduled care: backups with verification, retention, statistics of tables. Each run leaves a note.

What goes wrong is logged, noted for metrics and the doctor, and never raised: the next run tries again.
"""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from arena.operations import backups, retention
from arena.operations.models import CareRun

log = logging.getLogger(__name__)

BACKUP, RETENTION, STATISTICS = "backup", "retention", "statistics"
FOLDER_NAME: Final = "%Y-%m-%dT%H%M%SZ"
BACKUP_LOCK = 0x61726261  # any number that nothing else locks
FAILED = "failed: "
RUNBOOK = "docs/operator/runbook.md"


@contextmanager
def noted(kind: str) -> Iterator[list[str]]:
    """Note a run; what is put into the list becomes its note, or else the error."""
    said: list[str] = []
    CareRun.objects.update_or_create(kind=kind, defaults={"ran_at": Now()})
    try:
        yield said
    except (backups.BackupError, OSError, DatabaseError) as error:
        log.error("%s failed: %s See %s#aztlancarefailed.", kind, error, RUNBOOK)
        CareRun.objects.filter(kind=kind).update(note=f"{FAILED}{error}"[:1000])
    else:
        CareRun.objects.filter(kind=kind).update(succeeded_at=Now(), note="; ".join(said))
        log.info("%s: %s", kind, "; ".join(said) or "nothing to do")


def make_backup() -> None:
    """Make a backup in ARENA_BACKUPS, prove that it can be read, and delete the oldest ones."""
    if not settings.BACKUPS:
        return
    with only_one() as is_ours:
        if not is_ours:
            return  # a long backup's message was delivered again
        with noted(BACKUP) as said:
            folder = Path(settings.BACKUPS) / timezone.now().strftime(FOLDER_NAME)
            manifest = backups.back_up(folder)
            backups.verify(folder)
            said.append(f"{folder.name}: {len(manifest['sha256'])} files, read back")
            said.extend(f"deleted {old.name}" for old in delete_old_backups())


@contextmanager
def only_one() -> Iterator[bool]:
    """Hold a lock of the database that ends with its connection."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(%s)", [BACKUP_LOCK])
        [is_ours] = cursor.fetchone()
    try:
        yield is_ours
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("select pg_advisory_unlock(%s)", [BACKUP_LOCK])


def delete_old_backups() -> list[Path]:
    """Keep the newest KEEP_BACKUPS folders that this schedule made; others' files are left alone."""
    made = sorted(path for path in Path(settings.BACKUPS).iterdir() if path.is_dir() and is_ours(path.name))
    old = made[: -settings.KEEP_BACKUPS]
    for folder in old:
        shutil.rmtree(folder)
    return old


def is_ours(name: str) -> bool:
    try:
        datetime.strptime(name, FOLDER_NAME)  # noqa: DTZ007  only whether it fits
    except ValueError:
        return False
    return True


def forget_old() -> None:
    with noted(RETENTION) as said:
        said.extend(f"{count} {kind}" for kind, count in retention.forget_old().items() if count)


def refresh_statistics() -> None:
    """Have the planner's statistics renewed: autovacuum leaves out tables that only grow a little."""
    with noted(STATISTICS) as said:
        tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
        for table in tables:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("set local statement_timeout = 0")
                cursor.execute(f"analyze {connection.ops.quote_name(table)}")
        said.append(f"{len(tables)} tables")
