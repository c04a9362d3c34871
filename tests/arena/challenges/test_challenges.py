from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.bots import services as bots
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Version
from arena.challenges import services
from arena.challenges.services import Challenge, challenge, quota_of
from arena.matches.models import Match
from tests.arena.people import browser_of, make_active, pass_validation, program_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def quetzal(mateo: User) -> Bot:
    return make_active(mateo, "quetzal")


@pytest.fixture
def own(active: Version) -> Bot:
    return Bot.objects.get(pk=active.bot_id)


def test_a_challenge_is_one_unrated_match(itzel: User, own: Bot, quetzal: Bot) -> None:
    [match] = challenge(itzel, Challenge(own, [quetzal], edition="german"))
    assert (match.purpose, match.purpose_id, match.rated) == ("challenge", itzel.pk, False)
    assert match.ruleset["name"] == "german"
    assert [seat.version.bot for seat in match.seats_taken.order_by("seat")] == [own, quetzal]


def test_a_duplicate_set_plays_one_seed_in_every_rotation(
    itzel: User, own: Bot, quetzal: Bot, olin: User
) -> None:
    third = make_active(olin, "third")
    matches = challenge(itzel, Challenge(own, [quetzal, third], duplicate=True))
    assert len(matches) == 3
    assert len({bytes(match.seed) for match in matches}) == 1
    first = {match.seats_taken.get(seat=0).version.bot for match in matches}
    assert first == {own, quetzal, third}


def test_a_version_that_is_not_active_may_be_tried(itzel: User, own: Bot, quetzal: Bot) -> None:
    pass_validation(submit(own, "print(2)"))
    [match] = challenge(itzel, Challenge(own, [quetzal], version_number=1))
    assert match.seats_taken.get(seat=0).version.number == 1


@pytest.mark.parametrize("number", [2, 99])
def test_a_version_that_did_not_pass_validation_may_not(
    itzel: User, own: Bot, quetzal: Bot, number: int
) -> None:
    submit(own, "print(2)")
    with pytest.raises(RefusedError, match="no such version"):
        challenge(itzel, Challenge(own, [quetzal], version_number=number))


def test_nobody_plays_with_the_bot_of_another(mateo: User, own: Bot, quetzal: Bot) -> None:
    with pytest.raises(RefusedError, match="not your bot"):
        challenge(mateo, Challenge(own, [quetzal]))


def test_a_bot_meets_each_other_once(itzel: User, own: Bot, quetzal: Bot) -> None:
    for opponents in ([own], [quetzal, quetzal]):
        with pytest.raises(RefusedError, match="once"):
            challenge(itzel, Challenge(own, opponents))


def test_who_cannot_play_is_not_challenged(itzel: User, own: Bot, quetzal: Bot) -> None:
    bots.bench(quetzal.pk, "why")
    quetzal.refresh_from_db()
    with pytest.raises(RefusedError, match="cannot play at the moment"):
        challenge(itzel, Challenge(own, [quetzal]))


def test_the_quota_of_a_day_is_kept_and_the_wait_told(
    itzel: User, own: Bot, quetzal: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MATCHES_A_DAY", 3)
    challenge(itzel, Challenge(own, [quetzal], duplicate=True))
    Match.objects.update(created_at=timezone.now() - timedelta(hours=23))
    with pytest.raises(RefusedError, match="1 left, and this needs 2") as refused:
        challenge(itzel, Challenge(own, [quetzal], duplicate=True))
    assert refused.value.wait_seconds
    assert 3500 < refused.value.wait_seconds <= 3601  # until there are two
    Match.objects.update(created_at=timezone.now())
    challenge(itzel, Challenge(own, [quetzal]))
    with pytest.raises(RefusedError) as refused:
        challenge(itzel, Challenge(own, [quetzal]))
    assert refused.value.wait_seconds
    assert 86_000 < refused.value.wait_seconds <= 86_401
    assert (quota_of(itzel).left, quota_of(itzel).open_now) == (0, 3)


def test_only_so_many_are_open_at_once(
    itzel: User, own: Bot, quetzal: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "OPEN_AT_ONCE", 1)
    challenge(itzel, Challenge(own, [quetzal]))
    with pytest.raises(RefusedError, match="in progress at a time"):
        challenge(itzel, Challenge(own, [quetzal]))
    Match.objects.update(state="finished", finished_at="2026-01-01T00:00Z")
    challenge(itzel, Challenge(own, [quetzal]))


def test_the_page_asks_for_a_match(itzel: User, own: Bot, quetzal: Bot) -> None:
    browser: Client = browser_of(itzel)
    assert 'value="quetzal"' in browser.get("/challenge?against=quetzal").content.decode()
    form = {"bot": "jaguar", "opponents": "quetzal", "edition": "english"}
    page = browser.post("/challenge", form, follow=True).content.decode()
    assert "1 match requested." in page
    assert "39 / 40" in page


@pytest.mark.parametrize("opponents", ["", "nobody", "a b c d", "quetzal quetzal"])
def test_the_page_says_what_is_wrong(itzel: User, own: Bot, quetzal: Bot, opponents: str) -> None:
    form = {"bot": "jaguar", "opponents": opponents, "edition": "english"}
    answer = browser_of(itzel).post("/challenge", form)
    assert "errorlist" in answer.content.decode()
    assert not Match.objects.exists()


def test_the_api_asks_for_a_duplicate_set(itzel: User, own: Bot, quetzal: Bot) -> None:
    program = program_of(itzel, "matches")
    answer = program.post(
        "/api/v1/challenges", {"bot": "jaguar", "opponents": ["quetzal"], "duplicate": True}
    )
    assert answer.status_code == 201
    assert len(answer.json()) == 2
    assert program.get("/api/v1/challenges").json() == {
        "a_day": 40,
        "left": 38,
        "open_now": 2,
        "wait_seconds": None,
    }
    missing = program.post("/api/v1/challenges", {"bot": "jaguar", "opponents": ["nobody"]})
    assert missing.status_code == 400
    assert missing.json()["fields"]["opponents.0"][0]["code"] == "missing"


def test_the_api_tells_the_seconds_of_a_used_up_quota(
    itzel: User, own: Bot, quetzal: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MATCHES_A_DAY", 1)
    program = program_of(itzel)
    program.post("/api/v1/challenges", {"bot": "jaguar", "opponents": ["quetzal"]})
    answer = program.post("/api/v1/challenges", {"bot": "jaguar", "opponents": ["quetzal"]})
    assert (answer.status_code, answer.json()["code"]) == (429, "quota-challenges")
    assert answer.headers["Retry-After"] == str(answer.json()["wait_seconds"])


def test_who_has_no_bot_that_can_play_is_told_what_to_do_first(itzel: User) -> None:
    page = browser_of(itzel).get("/challenge").content.decode()
    assert "Upload one first." in page
    assert "<select" not in page
