"""Text and numbers that no database holds, sent to every address, in every place that takes any.

The addresses are those of test_permissions, which has all of them. No answer may be the arena's fault.
"""

import inspect
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib import admin
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.test import Client
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

from arena.accounts import limits
from arena.accounts.limits import Limit
from arena.accounts.models import User
from tests.arena.api.test_permissions import API, PAGES, ROLES, people, undone
from tests.arena.api.test_permissions import names as names_of_addresses
from tests.arena.people import browser_of, program_of

pytestmark = pytest.mark.django_db
__all__ = ["names_of_addresses", "people"]
HUGE = "9" * 5000
ODD = ["%00", "a%00b", "%ED%A0%80", "%FF", "%", "9" * 30, HUGE, "-1", "NaN", "..", quote("é\u202e'\"")]
"""As they stand in an address: NUL, half of a surrogate pair, invalid UTF-8, numbers beyond any column."""
ODD_JSON: list[Any] = [
    "\0", "\ud800", "x" * 5000, 2**31, 2**63, 10**400, -1, 0.5, None, True, [], {},
    ["\0"], ["\ud800"], [None], {"\0": "\ud800"}, [[[]]],
]  # fmt: skip
READ_WITH = ("acts", "listing", "paging", "pagination", "forms", "export")
"""Modules that read parameters for the views beside them."""


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    generous = {name: Limit(10**9, 60, limit.reason) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", generous)


@pytest.fixture
def names(names_of_addresses: dict[str, object]) -> dict[str, object]:
    return names_of_addresses


class Faults(list[str]):
    """The answers that were the arena's fault."""

    def ask(self, browser: Any, method: str, path: str, **options: Any) -> Any:
        browser.raise_request_exception = False
        cookies = SimpleCookie({name: morsel.value for name, morsel in browser.cookies.items()})
        with undone():
            answer = getattr(browser, method)(path, **options)
        browser.cookies = cookies  # whoever was signed out still is signed in
        if answer.status_code >= 500 and not path.startswith("/readyz"):
            self.append(f"{method} {path[:200]} {str(options)[:200]}: {answer.status_code}")
        return answer


def addresses(names: dict[str, object]) -> list[tuple[str, str]]:
    pages = [(method, f"/{path.format(**names)}") for method, path in PAGES]
    return pages + [(method, f"/api/v1/{path.format(**names)}") for method, path in API]


def admin_addresses() -> Iterator[tuple[str, str]]:
    for model in admin.site._registry:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield base, f"{base}ODD/change/"


def test_no_part_of_an_address_is_the_arenas_fault(
    people: dict[str, User | None], names: dict[str, object]
) -> None:
    faults, browser = Faults(), browser_of(people["staff"])
    for method, path in addresses(names):
        for value in {str(value) for value in resolve(path).kwargs.values()}:
            for odd in ODD:
                before, _, after = path.rpartition(value)
                faults.ask(browser, method, before + odd + after)
    for _, change in admin_addresses():
        for odd in ODD:
            faults.ask(browser, "get", change.replace("ODD", odd))
    assert faults == []


def query_names(path: str) -> set[str]:
    """The names of parameters that the module of an address's view reads, or that the API describes."""
    source = module_source(view_of(path))
    found = set(re.findall(r"(?:GET|query_params)(?:\.get|\.getlist)?[(\[]\"(\w+)\"", source))
    return found | described(path)


def view_of(path: str) -> Any:
    view = resolve(path).func
    return getattr(view, "cls", None) or getattr(view, "view_class", None) or inspect.unwrap(view)


def module_source(view: Any) -> str:
    module = inspect.getmodule(view)
    assert module is not None
    own = Path(str(module.__file__)).with_suffix(".py")
    beside = [file for file in own.parent.glob("*.py") if file.stem in READ_WITH]
    return "".join(file.read_text() for file in [own, *beside])


def described(path: str) -> set[str]:
    return {
        parameter["name"]
        for template, operations in SCHEMA["paths"].items()
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path)
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query"
    }


class _Schema(dict[str, Any]):
    """The description of the API, drawn at first use."""

    def __missing__(self, key: str) -> Any:
        self.update(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]  # no types
        return self[key]


SCHEMA = _Schema()


def test_no_query_is_the_arenas_fault(people: dict[str, User | None], names: dict[str, object]) -> None:
    faults, browser = Faults(), browser_of(people["staff"])
    asked = 0
    for method, path in addresses(names):
        if method != "get":
            continue
        for name in query_names(path):
            for odd in ODD:
                faults.ask(browser, "get", f"{path}?{name}={odd}")
                asked += 1
        faults.ask(browser, "get", f"{path}?%00=1&%ED%A0%80")
    assert faults == []
    assert asked > 500


def test_no_query_of_the_administration_is_the_arenas_fault(
    people: dict[str, User | None], names: dict[str, object]
) -> None:
    faults, browser = Faults(), browser_of(people["staff"])
    for base, _ in admin_addresses():
        for name in ("q", "o", "p", "id__gt", "e", "_to_field"):
            for odd in ("a%00b", "%ED%A0%80", HUGE, "-1"):
                faults.ask(browser, "get", f"{base}?{name}={odd}")
    assert faults == []


class Forms(HTMLParser):
    """The forms of a page: where each goes, and what would be sent if nothing were filled in."""

    def __init__(self, html: str, address: str) -> None:
        super().__init__()
        self.address = address
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if tag == "form" and (has.get("method") or "").lower() == "post":
            self.found.append((has.get("action") or self.address, {}))
        elif tag == "form":
            self.found.append(("", {}))
        elif tag in {"input", "textarea", "select", "button"} and has.get("name") and self.found:
            self.found[-1][1].setdefault(str(has["name"]), has.get("value") or "")


def test_no_field_of_a_form_is_the_arenas_fault(
    people: dict[str, User | None], names: dict[str, object]
) -> None:
    faults, seen = Faults(), set()
    for role in ("nobody", "owner", "organiser", "staff"):
        browser = browser_of(people[role])
        pages = [path for method, path in addresses(names) if method == "get" and "/api/" not in path]
        if role == "staff":
            pages += [
                "/admin/",
                "/admin/ladders/ladder/add/",
                f"/admin/accounts/user/{people['owner'].pk}/change/",
            ]  # type: ignore[union-attr]  # there is one
        for page in pages:
            answer = faults.ask(browser, "get", page)
            if answer.streaming or not answer["Content-Type"].startswith("text/html"):
                continue
            for action, sent in Forms(answer.content.decode(), page).found:
                for name in sent:
                    if action and (action, name) not in seen:
                        seen.add((action, name))
                        for odd in ("a\0b", "9" * 30, "-1", "x" * 5000):
                            faults.ask(browser, "post", action, data={**sent, name: odd})
    assert faults == []
    assert len({action for action, _ in seen}) > 15


def allowed(people: dict[str, User | None], answers: tuple[int, ...]) -> User | None:
    """Somebody whom an address lets in: the others would be sent away before anything is read."""
    best = min(range(1, len(ROLES)), key=lambda place: answers[place])
    return people[ROLES[best]]


def test_no_field_that_a_page_reads_by_itself_is_the_arenas_fault(
    people: dict[str, User | None], names: dict[str, object]
) -> None:
    faults, asked = Faults(), 0
    for (method, path), answers in PAGES.items():
        if method == "get" or path.startswith(("host/", "accounts/sign-out")):
            continue
        address, browser = f"/{path.format(**names)}", browser_of(allowed(people, answers))
        source = module_source(view_of(address))
        for name in set(re.findall(r"(?:POST|data)(?:\.get|\.getlist)?[(\[]\"(\w+)\"", source)):
            for odd in ("a\0b", "9" * 30, HUGE):
                faults.ask(browser, "post", address, data={name: odd})
                asked += 1
    assert faults == []
    assert asked > 100


def properties(path: str, method: str) -> set[str]:
    """The fields that an operation's body may have."""
    for template, operations in SCHEMA["paths"].items():
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path) and method in operations:
            content = operations[method].get("requestBody", {}).get("content", {})
            body = content.get("application/json", {}).get("schema", {})
            name = body.get("$ref", "").rpartition("/")[2]
            return set(SCHEMA["components"]["schemas"].get(name, body).get("properties", {}))
    return set()


def test_no_body_is_the_apis_fault(people: dict[str, User | None], names: dict[str, object]) -> None:
    faults, asked = Faults(), 0
    programs = {person: program_of(person) for person in people.values() if person}
    for (method, path), (answers, body) in API.items():
        address, person = "/api/v1/" + path.format(**names), allowed(people, answers)
        if method == "get" or body == "upload" or person is None:
            continue
        fields = properties(address, method) | set(body or {})
        raws = [json.dumps({**(body or {}), name: odd}) for name in fields for odd in ODD_JSON]
        for raw in [*raws, "", "[]", '"\\ud800"', "NaN", "[" * 100_000, "\xff", "{"]:
            answer = faults.ask(programs[person], method, address, data=raw, content_type="application/json")
            if answer.status_code >= 400:
                assert set(answer.json()) == {"code", "message", "fields", "wait_seconds"}
            asked += 1
    assert faults == []
    assert asked > 800


@pytest.mark.parametrize("path", ["/", "/accounts/settings", "/api/v1/me", "/admin/", "/matches/"])
def test_no_cookie_or_header_is_the_arenas_fault(path: str, itzel: User) -> None:
    faults = Faults()
    session = SessionStore()
    session["a"] = 1
    session.save()
    for odd in ('"aaaaaaaaaaaa\\000"', '"\\303\\000aaaaaaaa"', session.session_key, "x" * 3000, "é"):
        for name in ("sessionid", "csrftoken", "known", "messages", "django_language"):
            faults.ask(Client(headers={"Cookie": f"{name}={odd}"}), "get", path)
    for header in ("Authorization", "Accept-Language", "If-None-Match", "Range", "Accept", "X-CSRFToken"):
        for odd in ("Bearer \0", "Bearer é", "\xff", "", 'W/"', "bytes=9-1", "x" * 3000):
            faults.ask(Client(headers={header: odd}), "get", path)
    assert faults == []
    assert connection.is_usable()
