import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from arena.arena_env import database
from workers.env import EnvError

NAME = "DATABASE_URL"
words = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))
shared_patch = hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_a_postgresql_address_becomes_django_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "postgresql://ada:p%40ss@db.example:5433/arena?sslmode=require")
    found = database(NAME, "")
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "arena",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite:///db", "must begin with postgresql://"),
        ("arena", "must begin with postgresql://"),
        ("postgresql://u:s3cret@h:99999/x", "port"),
        ("postgresql://u:s3cret@h:abc/x", "port"),
        ("postgresql://u:s3%cret@h/x", "cannot be parsed"),
        ("postgresql://u:s3cret@[::1/x", "cannot be parsed"),
        ("postgresql://u:s3cret@h/x?unheard=1", "cannot be parsed"),
        ("postgresql://u:s3cret@h/", "names no database"),
    ],
)
def test_a_malformed_address_is_one_sentence_without_the_password(
    monkeypatch: pytest.MonkeyPatch, url: str, why: str
) -> None:
    monkeypatch.setenv(NAME, url)
    with pytest.raises(EnvError) as caught:
        database(NAME, "")
    sentence = str(caught.value)
    assert sentence.startswith(f"{NAME} is not a PostgreSQL address like ")
    assert why in sentence
    assert "s3" not in sentence


@shared_patch
@given(rest=words)
@example(rest="[")
@example(rest="%80")
def test_whatever_is_set_gives_settings_or_one_sentence(monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.setenv(NAME, f"postgresql://{rest}")
    try:
        assert database(NAME, "")["NAME"]
    except EnvError as error:
        assert str(error).startswith(NAME)
