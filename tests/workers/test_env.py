import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from workers import env

NAME = "ARENA_TEST_VARIABLE"
words = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))
# The patch is undone after the test; in between each example overwrites it.
shared_patch = hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_an_unset_or_empty_variable_takes_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    assert env.text(NAME, "fallback") == "fallback"
    monkeypatch.setenv(NAME, "  ")
    assert env.text(NAME, "fallback") == "fallback"


def test_a_variable_without_a_default_must_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAME, raising=False)
    with pytest.raises(env.EnvError, match=f"^{NAME} must be set.$"):
        env.text(NAME)


@pytest.mark.parametrize("value", ["0", "65536", "-1", "8e3", "eight", "٣", "8000 "])
def test_a_number_is_a_whole_one_within_its_bounds(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    if value == "8000 ":
        assert env.number(NAME, 1, 1, 65535) == 8000
    else:
        with pytest.raises(env.EnvError, match=f"{NAME} must be a whole number from 1 to 65535"):
            env.number(NAME, 1, 1, 65535)


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)]
)
def test_a_flag_is_read_in_any_usual_spelling(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: bool
) -> None:
    monkeypatch.setenv(NAME, value)
    assert env.flag(NAME, not expected) is expected


def test_a_flag_that_is_neither_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "maybe")
    with pytest.raises(env.EnvError, match=f"{NAME} must be true or false, not 'maybe'"):
        env.flag(NAME)


def test_a_list_drops_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "a.example, ,b.example,")
    assert env.listing(NAME, []) == ["a.example", "b.example"]


def test_a_level_of_logging_has_a_known_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "debug")
    assert env.level(NAME) == "DEBUG"
    monkeypatch.setenv(NAME, "loud")
    with pytest.raises(env.EnvError, match=NAME):
        env.level(NAME)


@pytest.mark.parametrize("url", ["redis://h", "rediss://:p@h:6380/1", "unix:///run/redis.sock?db=2"])
def test_redis_addresses_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv(NAME, url)
    assert env.redis_url(NAME) == url


@pytest.mark.parametrize(
    "url", ["localhost:6379", "http://h", "redis://", "unix://", "redis://h:x", "redis://[h"]
)
def test_other_addresses_are_refused_by_name(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv(NAME, url)
    with pytest.raises(env.EnvError, match=f"^{NAME} is not a Redis address"):
        env.redis_url(NAME)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("https://arena.example/", "https://arena.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_an_address_of_a_site_loses_its_last_slash(
    monkeypatch: pytest.MonkeyPatch, given: str, taken: str
) -> None:
    monkeypatch.setenv(NAME, given)
    assert env.web_address(NAME, "http://localhost") == taken


@pytest.mark.parametrize(
    "address",
    [
        "arena.example", "arena:8000", "ftp://arena.example", "https://", "https://arena.example/path",
        "https://arena.example?page=1", "http://arena:port", "http://user@arena", "http://[::1",
        "https://a.example, https://b.example",
    ],
)  # fmt: skip
def test_other_addresses_of_sites_are_refused_by_name(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(NAME, address)
    with pytest.raises(env.EnvError, match=f"^{NAME} must be an address like https://arena.example.org"):
        env.web_address(NAME, "http://localhost")


@shared_patch
@given(value=words)
def test_whatever_is_set_gives_a_value_or_one_sentence(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv(NAME, value)
    for read in (
        lambda: env.redis_url(NAME, "redis://h"),
        lambda: env.web_address(NAME, "http://h"),
        lambda: env.number(NAME, 1),
        lambda: env.flag(NAME),
    ):
        try:
            read()
        except env.EnvError as error:
            assert str(error).startswith(NAME)
