import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from arena.accounts.models import User

pytestmark = pytest.mark.django_db


def make(username: str, email: str) -> User:
    return User(username=username, email=email, password="x")


def test_nobody_takes_a_name_that_differs_only_by_capitals() -> None:
    make("itzel", "itzel@example.org").save()
    with pytest.raises(IntegrityError, match="accounts_user_username_once"):
        make("Itzel", "other@example.org").save()


def test_nobody_takes_an_address_that_differs_only_by_capitals() -> None:
    make("itzel", "itzel@example.org").save()
    with pytest.raises(IntegrityError, match="accounts_user_email_once"):
        make("mateo", "ITZEL@example.org").save()


def test_a_form_is_told_in_words_that_the_address_is_taken() -> None:
    make("itzel", "itzel@example.org").save()
    with pytest.raises(ValidationError, match="This e-mail address is taken"):
        make("mateo", "Itzel@example.org").full_clean()


def test_an_account_needs_an_address() -> None:
    with pytest.raises(ValidationError, match="email"):
        make("itzel", "").full_clean()
