import subprocess
import sys

import pytest

from workers.settings import broker_url, celery_settings


def test_a_match_host_loads_without_django_and_without_a_database_driver() -> None:
    # Celery's serialiser looks for a text class of Django's where that is installed; nothing else may.
    code = (
        "import workers.app, sys; print(*{'django.conf', 'django.db', 'psycopg', 'arena'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"REDIS_URL": "redis://nowhere.invalid"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


def test_a_match_host_without_a_broker_says_so_in_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import workers.app"], env={}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "REDIS_URL must be set.\n")


@pytest.mark.parametrize(
    ("ours", "celerys"),
    [
        ("redis://:p@h:6379/2", "redis://:p@h:6379/2"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock?virtual_host=0"),
        ("unix:///run/redis.sock?db=3", "redis+socket:///run/redis.sock?virtual_host=3"),
    ],
)
def test_a_socket_is_spelled_as_celery_wants_it(ours: str, celerys: str) -> None:
    assert broker_url(ours) == celerys


def test_a_message_stays_hidden_longer_than_its_task_may_run() -> None:
    settings = celery_settings("redis://h", "matches")
    assert settings["broker_transport_options"]["visibility_timeout"] > settings["task_time_limit"]
