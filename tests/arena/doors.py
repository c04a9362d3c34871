"""Every address that can be read, asked by one person: what each of them answers, to be compared."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.urls import get_resolver

from arena.accounts.models import ApiToken, AuditEntry, User
from arena.matches.models import Match
from arena.operations.middleware import PROBES
from tests.arena.people import browser_of, program_of

Answers = dict[str, tuple[int, str, str]]
"""By address: the status, the tag that caches compare, and the body."""

# Further ways to ask for the same address.
QUERIES = {
    "matches/": ["?state=finished", "?state=running"],
    "api/v1/matches": ["?state=finished", "?state=running", "?bot=bot-0"],
    "live/": ["?event=cup"],
}
# What stands for the parameters of addresses, by their name or by the first word of the address and their name.
EXAMPLES: dict[str, list[Any]] = {
    "view": ["open", "public"], "seat": [0], "number": [1], "kind": ["json", "csv", "trf"],
    "bots/slug": ["bot-0"], "tournaments/slug": ["cup"], "ladders/slug": ["ladder-0"],
    "bot_slug": ["bot-0"], "bot": ["bot-0"], "username": ["itzel"], "board_id": ["aztlan"],
    "name": ["host"], "pk": [1], "version_id": [1], "token_id": [1], "attempt_id": [1], "sha256": ["x"],
    "uidb64": ["x"], "token": ["y"], "format": ["json"],
}  # fmt: skip
NOT_WALKED = {
    "live/events",  # a stream without an end: test_live
    "accounts/tokens", "api/v1/tokens",  # which show when they were last used: in this walk
}  # fmt: skip
CHANGING = [
    re.compile(r'name="csrfmiddlewaretoken" value="\w+"'),
    re.compile(r"[\d.]+(?=\W*(?:s|ms|seconds?|minutes?)\b)"),  # since something was
]


def values(name: str, route: str, matches: Sequence[Match]) -> list[Any]:
    """What can stand for a parameter; a new one must be given an example."""
    app = route.removeprefix("api/v1/").split("/")[0]
    if name == "public_id" or (app, name) == ("matches", "id"):
        return [match.public_id for match in matches]
    for key in (f"{app}/{name}", name):
        if key in EXAMPLES:
            return EXAMPLES[key]
    raise AssertionError(f"Say in EXAMPLES what stands for {name} in {route}.")


def addresses(matches: Sequence[Match]) -> Iterator[str]:
    """All addresses of the table but the administration's, with each example for each parameter."""
    known = get_resolver().reverse_dict
    for name in sorted(one for one in known if isinstance(one, str)):
        for forms, *_ in known.getlist(name):
            for form, names in forms:
                if form in NOT_WALKED:
                    continue
                for chosen in product(*(values(one, form, matches) for one in names)):
                    path = form % dict(zip(names, chosen, strict=True))
                    yield from (f"/{path}{query}" for query in ["", *QUERIES.get(path, [])])


def administration() -> Iterator[str]:
    for model in admin.site._registry.keys() - {ApiToken, AuditEntry}:  # which show this very walk
        place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield place
        for pk in model._default_manager.order_by("-pk").values_list("pk", flat=True)[:3]:
            yield f"{place}{pk}/change/"


class Visitor:
    """Somebody with a browser and a program, who looks everywhere."""

    def __init__(self, person: User | None) -> None:
        self.is_staff = person is not None and person.is_staff
        self.browser, self.program = browser_of(person), program_of(person)

    def walk(self, matches: Sequence[Match]) -> Answers:
        """Return what they are answered at each address. Nothing of the walk is kept."""
        found = {}
        with transaction.atomic():
            for path in [*addresses(matches), *PROBES, *(administration() if self.is_staff else ())]:
                answer: Any = (self.program if path.startswith("/api/") else self.browser).get(path)
                body = b"".join(answer) if answer.streaming else answer.content
                text = steady(body.decode("utf-8", "replace"))
                found[path] = (answer.status_code, answer.get("ETag", ""), text)
            transaction.set_rollback(True)
        return found


def steady(body: str) -> str:
    for pattern in CHANGING:
        body = pattern.sub("*", body)
    return body


def differences(before: Answers, after: Answers) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
