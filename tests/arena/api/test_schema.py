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
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from arena.accounts import limits, tokens
from arena.accounts.limits import Limit
from arena.accounts.models import Scope, User
from arena.bots.models import Version
from arena.ladders.results import settle_match
from arena.notices.models import Webhook
from arena.notices.services import notify
from arena.promotions.models import PromotionTest
from arena.teams import inviting
from arena.tournaments.models import Tournament
from arena.tournaments.services import publish
from engine.rulesets import ruleset
from tests.arena.api.test_permissions import CLOCKS
from tests.arena.cast import ask_for, finish, make_season
from tests.arena.people import PASSWORD, make_active, make_team, playing, submit
from tests.workers.archives.zips import GOOD, make

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROLES = ("nobody", "owner", "rival", "organiser", "staff")
# Well-formed data names things that are not there; these are.
BODIES: dict[str, dict[str, Any]] = {
    "POST /api/v1/challenges": {"bot": "jaguar", "opponents": ["quetzal"], "version_number": None},
    "POST /api/v1/sign-in": {"username": "itzel", "password": PASSWORD},
    "POST /api/v1/tournaments/{slug}/acts": {"act": "cancel"},
    "POST /api/v1/tournaments/{slug}/entries": {"bot": "jaguar", "withdraw": False},
    "POST /api/v1/tournaments": {"tie_breaks": "points seed", "lock_at": None},
    "POST /api/v1/bots/{slug}/acts": {"act": "bench", "reason": "It cheats."},
    "POST /api/v1/matches/{id}/acts": {"act": "void", "reason": "A broken board."},
    "POST /api/v1/bots/{slug}/versions/{number}/test": {"act": "stop"},
    "POST /api/v1/follows": {"bot": "jaguar", "tournament": None},
    "POST /api/v1/follows/stop": {"bot": "jaguar", "tournament": None},
    "POST /api/v1/webhooks": {"url": "https://example.org/hook"},
    "POST /api/v1/bots/{slug}/move": {"to": "knights"},
    "POST /api/v1/teams/{name}/invitations": {"person": "citlali"},
}


@pytest.fixture
def schema(monkeypatch: pytest.MonkeyPatch, db: None) -> Iterator[schemathesis.BaseSchema]:
    """The API, without limits on how often."""
    generous = {name: Limit(10**9, 60, limit.reason) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", generous)
    # As Django's own test client does: the end of a request must not end the test's transaction.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def names(active: Version, itzel: User, mateo: User, olin: User) -> dict[str, dict[str, object]]:
    """An arena with something of everything; by the beginnings of addresses, what can stand in them."""
    season = make_season(seats=2)
    over = ask_for([active, playing(make_active(mateo, "quetzal"))], season)
    finish(over)
    settle_match(over.pk)
    cup = Tournament.objects.create(
        slug="cup",
        name="Cup",
        organiser=olin,
        format="swiss",
        ruleset=ruleset().options(),
        clocks=CLOCKS,
        seats=2,
    )
    publish(cup.pk, olin)
    notify(itzel.pk, lambda: "News.", "/bots/jaguar/")
    waiting = submit(active.bot, "print(2)\n")  # version 2, which waits to be built
    PromotionTest.objects.create(
        bot=active.bot, version=active, baseline=waiting, elo0=0, elo1=30, alpha=0.05, beta=0.05, most_sets=10
    )
    knights = make_team("knights", itzel, mateo)
    invitation = inviting.invite(itzel, knights.pk, "olin").pk
    team_token = tokens.make_token(knights, "old", ["bots"], itzel)[0].pk
    _, secret = inviting.invite_by_link(itzel, knights.pk)
    return {
        "/api/v1/teams/{name}/invitations/": {"name": "knights", "id": invitation},
        "/api/v1/teams/{name}/tokens/": {"name": "knights", "id": team_token},
        "/api/v1/teams/": {"name": "knights", "username": "mateo"},
        "/api/v1/invitations": {"id": invitation, "secret": secret},
        "/api/v1/bots/": {"slug": "jaguar", "number": 1},
        "/api/v1/ladders/": {"slug": season.ladder.slug, "bot": "jaguar"},
        "/api/v1/tournaments/": {"slug": "cup"},
        "/api/v1/matches/": {"id": over.public_id},
        "/api/v1/tokens/": {"id": tokens.make_token(itzel, "old", [])[0].pk},
        "/api/v1/webhooks/": {"id": Webhook.objects.create(owner=itzel, url="https://example.org/").pk},
        "/api/v1/authors/": {"username": "itzel"},
    }


@pytest.fixture
def authorizations(itzel: User, mateo: User, olin: User, citlali: User) -> dict[str, dict[str, str]]:
    """By role, the header that its program sends."""
    people = dict(zip(ROLES[1:], (itzel, mateo, olin, citlali), strict=True))
    found: dict[str, dict[str, str]] = {"nobody": {}}
    for role, person in people.items():
        _, secret = tokens.make_token(person, "schemathesis", Scope.values)
        found[role] = {"Authorization": f"Bearer {secret}"}
    return found


Names = dict[str, dict[str, object]]
Authorizations = dict[str, dict[str, str]]


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_operation_keeps_to_its_description(
    schema: schemathesis.BaseSchema, names: Names, authorizations: Authorizations, mode: GenerationMode
) -> None:
    wrong: list[str] = []
    for operation in operations(schema):
        ask(operation, mode, authorizations["owner"], wrong)
    assert wrong == [], "\n\n".join(wrong)


@pytest.mark.timeout(300)
def test_every_operation_keeps_to_it_for_every_role_about_things_that_are_there(
    schema: schemathesis.BaseSchema, names: Names, authorizations: Authorizations
) -> None:
    wrong: list[str] = []
    answered: dict[str, set[int]] = {}
    for operation in operations(schema):
        for role in ROLES:
            statuses = ask(operation, GenerationMode.POSITIVE, authorizations[role], wrong, names, examples=3)
            answered.setdefault(operation.label, set()).update(statuses)
    assert wrong == [], "\n\n".join(wrong)
    never = [label for label, statuses in answered.items() if not any(code < 300 for code in statuses)]
    assert never == [], "operations that nobody was ever given a good answer by"


def operations(schema: schemathesis.BaseSchema) -> list[Any]:
    return [found.ok() for found in schema.get_all_operations()]


def ask(
    operation: Any,
    mode: GenerationMode,
    authorization: dict[str, str],
    wrong: list[str],
    names: Names | None = None,
    examples: int = 10,
) -> list[int]:
    """Call an operation a few times, note what is wrong, and return the answers' statuses.

    Well-formed data may be refused: without `names`, it may speak of a bot that is not there.
    """
    statuses = []
    # With `names`, a case is not what schemathesis takes it for any more.
    excluded = [positive_data_acceptance, *([negative_data_rejection] if names else [])]

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        if names is not None:
            speak_of(case, operation, names)
        with transaction.atomic():
            answer = case.call_and_validate(headers=authorization, excluded_checks=excluded)
            statuses.append(answer.status_code)
            transaction.set_rollback(True)

    try:
        call()
    except Unsatisfiable:
        pass  # nothing in this operation can be wrong
    except (FailureGroup, Failure) as error:
        wrong.append(f"{operation.label}: {error}")
    return statuses


def speak_of(case: Any, operation: Any, names: Names) -> None:
    """Have a case name what is there."""
    known = next((found for start, found in names.items() if operation.path.startswith(start)), {})
    for name in case.path_parameters:
        case.path_parameters[name] = known[name]
    for name in ("cursor", "season"):  # nobody guesses a cursor
        (case.query or {}).pop(name, None)
    if operation.label in BODIES:
        case.body = {**case.body, **BODIES[operation.label]}
    if operation.label == "POST /api/v1/invitations":
        case.body = {"secret": known["secret"]}
    if operation.path.endswith("/build"):
        case.path_parameters["number"] = 2
    if operation.label == "POST /api/v1/bots/{slug}/versions":
        case.body = {"archive": make(*GOOD)}
