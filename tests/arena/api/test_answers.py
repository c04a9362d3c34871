"""What all answers of the API share: tags, one shape of errors, the reason and the seconds to wait."""

from base64 import b64encode

import pytest
from rest_framework.test import APIClient

from arena.accounts import limits
from arena.accounts.limits import Limit
from arena.accounts.models import User
from arena.bots.models import Bot, Version
from tests.arena.cast import ask_for, finish, make_season
from tests.arena.people import browser_of, make_active, playing, program_of

pytestmark = pytest.mark.django_db
LISTS_AND_ROWS = (
    "bots", "bots/jaguar", "bots/jaguar/versions", "bots/jaguar/versions/1", "bots/jaguar/versions/1/logs",
    "bots/jaguar/versions/1/source", "matches", "matches/{match}", "matches/{match}/replay", "ladders",
    "ladders/ladder-0/standings", "tournaments", "me", "notices", "tokens", "schema", "docs",
)  # fmt: skip


def test_what_has_not_changed_is_not_sent_again(active: Version, mateo: User, itzel: User) -> None:
    make_season(seats=2)
    match = ask_for([active, playing(make_active(mateo, "quetzal"))])
    finish(match)
    program = program_of(itzel)
    for path in LISTS_AND_ROWS:
        address = f"/api/v1/{path.format(match=match.public_id)}"
        first = program.get(address)
        assert first.status_code == 200, path
        if path == "docs":
            continue  # a page for people: each has a form with a token of its own
        again = program.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b""), path
    tag = program.get("/api/v1/bots/jaguar").headers["ETag"]
    Bot.objects.update(description="New words.")
    assert program.get("/api/v1/bots/jaguar", headers={"If-None-Match": tag}).status_code == 200


def test_who_may_not_see_an_answer_is_not_told_that_it_has_not_changed(active: Version, itzel: User) -> None:
    path = "/api/v1/bots/jaguar/versions/1/logs"
    tag = program_of(itzel).get(path).headers["ETag"]
    assert APIClient().get(path, headers={"If-None-Match": tag}).status_code == 401


@pytest.mark.parametrize("who", ["nobody", "somebody"])
def test_who_asks_too_often_is_told_why_and_how_long_to_wait(
    itzel: User, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    strict = {name: Limit(2, 60, limit.reason) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", strict)
    program = program_of(itzel if who == "somebody" else None)
    for _ in range(2):
        assert program.get("/api/v1/bots").status_code == 200
    answer = program.get("/api/v1/bots")
    assert answer.status_code == 429
    told = answer.json()
    assert told["code"] == "throttled"
    assert told["message"].startswith("Too many requests")
    assert 0 < told["wait_seconds"] <= 60
    assert f"Try again in {told['wait_seconds']} s." in told["message"]
    assert answer.headers["Retry-After"] == str(told["wait_seconds"])


def test_changes_are_counted_apart(itzel: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.LIMITS, "api-write", Limit(1, 60, limits.LIMITS["api-write"].reason))
    program = program_of(itzel)
    assert program.patch("/api/v1/me", {"about": "x"}).status_code == 200
    answer = program.patch("/api/v1/me", {"about": "y"})
    assert (answer.status_code, "Too many changes." in answer.json()["message"]) == (429, True)
    assert program.get("/api/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("get", "nowhere", None, 404, "not_found"),
        ("delete", "tokens/999", None, 404, "not_found"),
        ("get", "bots/nobody", None, 404, "not_found"),
        ("put", "bots", {}, 405, "method_not_allowed"),
        ("post", "bots", "{", 400, "parse_error"),
        ("post", "bots", {}, 400, "invalid"),
        ("post", "challenges", {"bot": "jaguar", "opponents": ["nobody"]}, 400, "invalid"),
        ("get", "bots?cursor=x", None, 404, "not_found"),
        ("get", "bots?page_size=0", None, 400, "invalid"),
        ("get", "matches?seats=nine", None, 400, "invalid"),
    ],
)
def test_every_error_has_one_shape(
    active: Version, itzel: User, method: str, path: str, body: object, status: int, code: str
) -> None:
    program = program_of(itzel)
    kind = {"content_type": "application/json"} if isinstance(body, str) else {}
    answer = getattr(program, method)(f"/api/v1/{path}", body, **kind)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code)
    assert set(told) == {"code", "message", "fields", "wait_seconds"}
    assert told["message"]
    for errors in told["fields"].values():
        assert all(set(error) == {"code", "message"} for error in errors)


@pytest.mark.parametrize(
    "words", ["p=x", "p=", "p=%00", "p=1e9", f"p={'9' * 30}", "p=1&o=-1", "p=1&r=x", "p=1&o=9x"]
)
@pytest.mark.parametrize("path", ["bots", "matches", "ladders/ladder-0/results"])
def test_a_forged_cursor_is_refused(itzel: User, path: str, words: str) -> None:
    make_season(seats=2)
    cursor = b64encode(words.encode()).decode()
    answer = program_of(itzel).get(f"/api/v1/{path}", {"cursor": cursor})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "Start again" in answer.json()["message"]


@pytest.mark.parametrize("words", ["p=1&o=999999999", "p=999999999999999999&o=1000", "p=0", "p=5&r=1"])
def test_a_cursor_beyond_all_rows_gets_an_empty_page(active: Version, itzel: User, words: str) -> None:
    cursor = b64encode(words.encode()).decode()
    answer = program_of(itzel).get("/api/v1/matches", {"cursor": cursor})
    assert (answer.status_code, answer.json()["results"]) == (200, [])


def test_who_sends_no_token_is_told_how_to_send_one(db: None) -> None:
    answer = program_of(None).get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert "Authorization: Bearer aztlan_" in answer.json()["message"]
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_markup_in_an_answer_is_never_taken_for_a_page(active: Version, itzel: User) -> None:
    Bot.objects.update(description="</script><script>alert(1)</script>")
    answer = browser_of(itzel).get("/api/v1/bots/jaguar", headers={"Accept": "text/html,*/*"})
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
