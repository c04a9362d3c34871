"""What every test may use. PostgreSQL and Redis are real: each test process starts its own at first use.

They live in a temporary folder, so tests run beside a running arena and test processes beside each other.
With DATABASE_URL and REDIS_URL set, those servers are used instead.
"""

import atexit
import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis
from redis import Redis

from workers.polling import POLLING

os.environ |= POLLING  # gRPC polls here as on match hosts; it reads this when a test imports it

# Hosts in tests prove no compilers, which would take longer than most tests; `test_proof` does.
os.environ.setdefault("MATCH_HOST_LANGUAGES", "Python")

# Whoever started us in the background had us ignore Ctrl-C, and so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# An ordinary user's programs may open 1,024 files at first, which is too few for 500 spectators.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536) if most > 0 else 65_536, most))

# How long an example takes, or the making of one, says nothing on a busy machine. A test that is repeated runs
# on a new instance of its class each time.
hypothesis.register_profile(
    "arena",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
hypothesis.load_profile("arena")

FOLDER = Path(tempfile.mkdtemp(prefix="arena-test-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["ARENA_HOME"] = str(FOLDER)
# Django reads its settings here, with this folder.
os.environ["DJANGO_SETTINGS_MODULE"] = "arena.settings"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Let no test process inherit the variable: it would read the settings before it has its own folder."""
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)


@pytest.fixture(scope="session")
def servers() -> Iterator[None]:
    """PostgreSQL and Redis, running. Tests of the database have them through `db`; others ask for this."""
    from arena.embedded.home import Home
    from arena.embedded.servers import running_servers

    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        yield
        return
    with running_servers(Home(FOLDER), durable=False):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers: None) -> None:
    """Have the servers run before pytest-django makes its database."""


@pytest.fixture
def redis(servers: None) -> Iterator[Redis]:
    """An empty Redis, the same one that the settings name."""
    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
        yield client
