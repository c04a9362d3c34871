"""Asynchronous tests use the database from the thread that Django keeps for them."""

from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.db import connections


@pytest.fixture
async def tidy_connections() -> AsyncIterator[None]:
    """Leave no connection open in that thread: it would keep the test database from being dropped."""
    yield
    await sync_to_async(connections.close_all)()
