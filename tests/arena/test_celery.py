"""The arena's worker: what it keeps between tasks."""

import os
import subprocess
import sys

import pytest
from django.db import connection

from arena.embedded.home import PROJECT

# Celery's fixups hold for a worker's pool processes only, so this is one in all but its work.
PROGRAM = """
from celery.signals import task_prerun, worker_process_init
from arena.celery import app
from django.db import connection

def session():
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return cursor.fetchone()[0]

worker_process_init.send(sender=None)
seen = []
for _ in range(3):
    task_prerun.send(sender=None)
    seen.append(session())
print(len(set(seen)), connection.settings_dict["CONN_MAX_AGE"])
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("pool", "kept"), [("0", 60), ("1", 0)])
def test_tasks_share_a_connection_with_a_pool_and_without(pool: str, kept: int) -> None:
    settings = connection.settings_dict
    url = f"postgresql:///{settings['NAME']}?host={settings['HOST']}&user={settings['USER']}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": url, "ARENA_DATABASE_POOL": pool},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", str(kept)], done.stderr
