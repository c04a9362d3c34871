import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from arena.accounts.models import User

pytestmark = pytest.mark.django_db


def test_the_home_page_is_for_everybody(client: Client) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert 'href="/accounts/sign-in"' in answer.content.decode()


def test_who_is_signed_in_sees_their_name_and_the_way_out(client: Client) -> None:
    client.force_login(User.objects.create_user("itzel", "itzel@example.org", "x"))
    page = client.get("/").content.decode()
    assert "itzel" in page
    assert 'action="/accounts/sign-out"' in page
    assert "/admin/" not in page


def test_a_wrong_password_is_said_and_signs_nobody_in(client: Client) -> None:
    User.objects.create_user("itzel", "itzel@example.org", "right")
    answer = client.post("/accounts/sign-in", {"username": "itzel", "password": "wrong"})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not answer.wsgi_request.user.is_authenticated


def test_a_sign_in_never_leads_to_another_site(client: Client) -> None:
    User.objects.create_user("itzel", "itzel@example.org", "right")
    form = {"username": "itzel", "password": "right", "next": "https://evil.example/"}
    assert client.post("/accounts/sign-in", form).headers["Location"] == "/"


@pytest.mark.parametrize("name", ["pages/site.css", "pages/mark.svg"])
def test_what_the_pages_link_to_is_there(name: str) -> None:
    assert finders.find(name)
