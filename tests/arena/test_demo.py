from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from arena.accounts.models import User
from arena.embedded.home import Home

pytestmark = pytest.mark.django_db


@pytest.fixture
def sign_ins(settings: Settings, tmp_path: Path) -> list[list[str]]:
    """What `prepare` prints on its first run in a folder of its own."""
    settings.HOME = Home(tmp_path)
    return prepare()


def prepare() -> list[list[str]]:
    output = StringIO()
    call_command("prepare", stdout=output)
    return [line.split(maxsplit=2) for line in output.getvalue().splitlines()]


def test_every_printed_sign_in_works(sign_ins: list[list[str]], client: Client) -> None:
    assert [name for name, _, _ in sign_ins] == ["itzel", "mateo", "citlali"]
    for name, password, _ in sign_ins:
        answer = client.post("/accounts/sign-in", {"username": name, "password": password}, follow=True)
        assert answer.wsgi_request.user.get_username() == name
        client.post("/accounts/sign-out")


def test_only_the_administrator_may_administer(sign_ins: list[list[str]]) -> None:
    assert [user.username for user in User.objects.filter(is_staff=True)] == ["citlali"]


def test_a_second_run_prints_the_same_and_changes_nothing(sign_ins: list[list[str]]) -> None:
    before = list(User.objects.order_by("pk").values())
    assert prepare() == sign_ins
    assert list(User.objects.order_by("pk").values()) == before


def test_a_database_with_people_gains_no_demo_account(settings: Settings, tmp_path: Path) -> None:
    settings.HOME = Home(tmp_path)
    User.objects.create_user("ana", "ana@example.org", "x")
    assert prepare() == []
    assert {user.username for user in User.objects.all()} == {"ana", "house"}
