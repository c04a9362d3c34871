import pytest
from django.conf import settings
from django.db import connection
from redis import Redis

from arena.embedded.home import Home
from tests.arena.processes import commands_of

from .conftest import Starter


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_with_servers_given_it_uses_them_and_starts_none(start: Starter, home: Home, redis: Redis) -> None:
    database = connection.settings_dict
    url = f"postgresql://{database['USER']}@/{database['NAME']}?host={database['HOST']}"
    arena = start(DATABASE_URL=url, REDIS_URL=settings.REDIS_URL).wait_until_ready()
    assert not home.postgres.exists()
    assert not {"postgres", "valkey-server"} & {name for _, name, _ in commands_of(arena.processes())}
    with connection.cursor() as cursor:
        cursor.execute("select count(*) from accounts_user where username <> 'house'")
        assert cursor.fetchone() == (3,)
