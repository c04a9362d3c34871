"""Schemathesis calls every operation of the description with what it allows and what it does not."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import positive_data_acceptance

from arena.accounts import limits, tokens
from arena.accounts.limits import Limit
from arena.accounts.models import Scope, User
from arena.bots.models import Version
from tests.arena.cast import ask_for, finish
from tests.arena.people import make_active

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def schema(
    active: Version, itzel: User, mateo: User, monkeypatch: pytest.MonkeyPatch
) -> Iterator[schemathesis.BaseSchema]:
    """The API of a small arena, asked by itzel's program, without limits on how often."""
    generous = {name: Limit(10**9, 60, limit.reason) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", generous)
    finish(ask_for([active, make_active(mateo, "quetzal").active_version]))  # type: ignore[list-item]
    # As Django's own test client does: the end of a request must not end the test's transaction.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def authorization(itzel: User) -> dict[str, str]:
    _, secret = tokens.make_token(itzel, "schemathesis", Scope.values)
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_operation_keeps_to_its_description(
    schema: schemathesis.BaseSchema, authorization: dict[str, str], mode: GenerationMode
) -> None:
    wrong = []
    for found in schema.get_all_operations():
        operation = found.ok()
        try:
            ask(operation, mode, authorization)
        except Unsatisfiable:
            pass  # nothing in this operation can be wrong
        except (FailureGroup, Failure) as error:
            wrong.append(f"{operation.label}: {error}")
    assert wrong == [], "\n\n".join(wrong)


def ask(operation: Any, mode: GenerationMode, authorization: dict[str, str]) -> None:
    """Call an operation a few times. Well-formed data may be refused: it may name a bot that is not there."""

    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        with transaction.atomic():
            case.call_and_validate(headers=authorization, excluded_checks=[positive_data_acceptance])
            transaction.set_rollback(True)

    call()
