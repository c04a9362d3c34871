"""The cast: itzel owns the jaguar, mateo is her rival, olin organises, citlali is staff. Nobody is nobody.

Models are imported inside: this file is read before Django is set up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_django import Settings

    from arena.accounts.models import User
    from arena.bots.models import Bot, Version


@pytest.fixture(autouse=True)
def storage(settings: Settings, tmp_path: Path) -> Path:
    """Uploads and packages of a test are in its own folder, and passwords are hashed quickly."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.PACKAGES = tmp_path / "packages"
    settings.DOCS = tmp_path / "docs"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return tmp_path / "media"


@pytest.fixture(autouse=True)
def fresh_limits(request: pytest.FixtureRequest) -> None:
    """Limits are counted anew in each test that has a database, and so Redis."""
    if "db" in request.fixturenames or request.node.get_closest_marker("django_db"):
        from arena import redis_client as redis

        redis.PATIENCE_SECONDS = 60  # Redis on a busy machine is slow, not unavailable
        request.getfixturevalue("servers")
        client = redis.impatient_client()
        patterns = ("limit:*", "known:*", "aztlan:cache:*")
        for key in [key for pattern in patterns for key in client.scan_iter(pattern)]:
            client.delete(key)


@pytest.fixture
def make_person(db: None) -> Callable[..., User]:
    from tests.arena.people import make_person

    return make_person


@pytest.fixture
def itzel(make_person: Callable[..., User]) -> User:
    return make_person("itzel")


@pytest.fixture
def mateo(make_person: Callable[..., User]) -> User:
    return make_person("mateo")


@pytest.fixture
def olin(make_person: Callable[..., User]) -> User:
    return make_person("olin", is_organiser=True)


@pytest.fixture
def citlali(make_person: Callable[..., User]) -> User:
    return make_person("citlali", is_staff=True, is_superuser=True)


@pytest.fixture
def jaguar(itzel: User) -> Bot:
    """A bot of itzel's without versions."""
    from arena.bots import services

    return services.create_bot(itzel, "jaguar", "Jaguar", "Pounces late.")


@pytest.fixture
def active(jaguar: Bot) -> Version:
    """The first version of the jaguar, active."""
    from tests.arena.people import pass_validation, submit

    version = pass_validation(submit(jaguar))
    jaguar.refresh_from_db()
    return version


@pytest.fixture
def api(db: None) -> Callable[..., Any]:
    from tests.arena.people import program_of

    return program_of
