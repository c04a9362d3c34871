"""Uploaded bots play a match on: asked of match hosts within a quota, recorded, counted, stopped."""

import json
import random
from typing import Any

import pytest
from django.db.models.functions import Now
from django.http import HttpResponse
from django.test import Client

from arena.accounts.models import User
from arena.analysis import host_continuations
from arena.analysis.models import Continuation
from arena.bots.models import Bot, Status, Version
from arena.hosts import attempts, reports, specs
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.models import Attempt, WorldGames
from arena.hosts.world_games import GAMES_AT_ONCE
from arena.matches.models import Match
from tests.arena.cast import HOST_STATE, KEY, ask_for, finish, make_bot
from tests.arena.people import browser_of
from workers.host.assignment import read_assignment
from workers.match.sampled_worlds import WorldTask, sample_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    make_bot("house-greedy", is_house=True)
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    finish(match)
    match.refresh_from_db()
    User.objects.update(email_confirmed_at=Now())
    return match


@pytest.fixture
def author(match: Match) -> User:
    return User.objects.get(username="itzel-author")


def ask(client: Client, match: Match, **changed: Any) -> HttpResponse:
    body = {"number": 20, "actions": [], "seat": 0, "bots": ["itzel", "rival 1"], "games": 6, "seed": "s"}
    path = f"/matches/{match.public_id}/continuations/"
    return client.post(path, json.dumps({**body, **changed}), content_type="application/json")


def play_at_random(task: WorldTask) -> dict[str, Any]:
    """Report the games of a task, played at random; seat 1 could not go on in the first."""
    games = []
    for seed in task.seeds:
        world, chance, actions = sample_world(task, seed), random.Random(seed), list[int]()
        while not world.is_over():
            actions.append(chance.choice(world.legal_actions()))
            world.apply(actions[-1])
        games.append({"actions": actions, "faults": [], "stood_in": []})
    games[0]["stood_in"] = [1]
    return {"games": games}


def claim_next() -> tuple[Claimant, WorldTask]:
    """Claim games as a host does, and read what it is told."""
    hosts.beat("host", HOST_STATE)
    queued = Attempt.objects.filter(worlds__isnull=False, state=Attempt.State.QUEUED).order_by("pk")
    claimant = Claimant(queued[0].pk, KEY)
    work = read_assignment(specs.claim_answer(attempts.claim(claimant, "host"))).worlds
    assert work
    assert [bot.name for bot in [*work.bots, work.stand_in]] == ["itzel", "rival", "house-greedy"]
    return claimant, work.task


def test_hosts_play_the_games_and_the_result_has_an_address(match: Match, author: User) -> None:
    client = browser_of(author)
    told = ask(client, match).json()
    assert (told["result"], told["bots"]) == (None, ["itzel 1", "rival 1"])
    claimant, task = claim_next()
    assert len(task.seeds) == GAMES_AT_ONCE
    reports.record_report(claimant, play_at_random(task))
    waiting = client.get(f"{told['url']}result")
    assert (waiting.status_code, waiting.json()) == (202, {"played": GAMES_AT_ONCE})
    claimant, task = claim_next()
    reports.record_report(claimant, play_at_random(task))
    result = Client().get(f"{told['url']}result").json()["result"]
    assert (result["games"], result["stood_in"], result["failed"]) == (6, [0, 2], [0, 0])
    assert sum(result["seats"][0]["places"]) == 6
    assert Client().get(told["url"]).status_code == 200
    assert not WorldGames.objects.exists(), "only the result is kept"


def test_the_same_seed_asks_for_the_same_games(match: Match, author: User) -> None:
    client = browser_of(author)
    for _ in range(2):
        assert ask(client, match).status_code == 201
    first, second = (
        [task["seeds"] for task in WorldGames.objects.filter(asked_by=one.key).values_list("task", flat=True)]
        for one in Continuation.objects.all()
    )
    assert first == second
    assert len(set(first[0] + first[1])) == 6


def test_whoever_began_a_continuation_stops_it_and_keeps_what_was_played(match: Match, author: User) -> None:
    client = browser_of(author)
    told = ask(client, match).json()
    claimant, task = claim_next()
    reports.record_report(claimant, play_at_random(task))
    claimant, task = claim_next()
    stranger = browser_of(User.objects.get(username="rival-author"))
    for other in (stranger, Client()):
        assert other.post(told["stop"]).status_code == 400
    stopped = client.post(told["stop"]).json()
    assert (stopped["ending"], stopped["result"]["games"], stopped["stop"]) == ("stopped", 4, "")
    assert client.post(told["stop"]).json() == stopped
    assert not attempts.beat(claimant), "its host is told to abandon the rest"
    with pytest.raises(HostRefusedError):
        reports.record_report(claimant, play_at_random(task))


def test_a_continuation_that_is_stopped_before_its_first_game_says_so(match: Match, author: User) -> None:
    client = browser_of(author)
    told = ask(client, match).json()
    stopped = client.post(told["stop"]).json()
    assert stopped["result"] == {"games": 0, "seats": [], "failed": [0, 0], "stood_in": [0, 0]}
    assert client.get(told["url"]).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        lambda games: games.pop(),
        lambda games: games[0].update(actions=[]),
        lambda games: games[0]["actions"].pop(),
        lambda games: games[0].update(actions=[9000]),
        lambda games: games[0].update(stood_in=[7]),
        lambda games: games[0].update(faults=[[0, 1, "bored"]]),
        lambda games: games[0].update(more=1),
    ],
)
def test_games_that_cannot_be_are_the_hosts_fault_and_played_again(
    match: Match, author: User, change: Any
) -> None:
    ask(browser_of(author), match)
    claimant, task = claim_next()
    report = play_at_random(task)
    change(report["games"])
    with pytest.raises(HostRefusedError):
        reports.record_report(claimant, report)
    refused = Attempt.objects.get(pk=claimant.attempt_id)
    assert (refused.state, refused.fault) == ("refused", "host")
    assert Attempt.objects.filter(worlds=refused.worlds, state="queued").count() == 1


def test_games_at_which_hosts_always_fail_end_the_continuation(match: Match, author: User) -> None:
    client = browser_of(author)
    told = ask(client, match, games=1).json()
    while Attempt.objects.filter(worlds__isnull=False, state="queued").exists():
        claimant, _task = claim_next()
        attempts.give_back(claimant, "out of memory", host_at_fault=True)
    shown = client.get(f"{told['url']}result").json()
    assert (shown["ending"], shown["result"]["games"]) == ("failed", 0)


def test_a_seat_that_fails_is_placed_last_and_counted(match: Match, author: User) -> None:
    told = ask(browser_of(author), match, games=2).json()
    claimant, task = claim_next()
    report = play_at_random(task)
    for game in report["games"]:
        game["faults"] = [[0, 3, "crash"]]
    reports.record_report(claimant, report)
    result = Client().get(f"{told['url']}result").json()["result"]
    assert (result["failed"], result["seats"][0]["places"]) == ([2, 0], [0, 2])


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"bots": ["itzel", "nobody"]}, "nobody"),
        ({"bots": ["itzel", "rival 2"]}, "rival 2"),
        ({"bots": ["itzel", "rival x"]}, "rival x"),
        ({"bots": ["itzel", "quick"]}, "addresses of bots"),
        ({"bots": ["itzel"]}, "2 seats"),
        ({"bots": ["itzel", "<b>" * 30]}, "<b>"),
        ({"games": 101}, "at most 100"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    match: Match, author: User, changed: dict[str, Any], reason: str
) -> None:
    answer = ask(browser_of(author), match, **changed)
    assert answer.status_code == 400
    assert reason in answer.json()["message"]
    assert not Continuation.objects.exists()
    assert not WorldGames.objects.exists()


def test_it_needs_an_account_and_a_quota_is_kept(
    match: Match, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Sign in" in ask(Client(), match).json()["message"]
    client = browser_of(author)
    monkeypatch.setattr(host_continuations, "GAMES_A_DAY", 10)
    client.post(ask(client, match).json()["stop"])
    assert "You have 4 left" in ask(client, match).json()["message"]
    assert ask(client, match, games=2).status_code == 201
    assert ask(client, match, games=1).status_code == 201
    assert "still being played" in ask(client, match, games=1).json()["message"]
    other = browser_of(User.objects.get(username="rival-author"))
    assert ask(other, match).status_code == 201


def test_versions_that_were_never_public_are_for_their_author_alone(match: Match, author: User) -> None:
    bot = Bot.objects.get(slug="itzel")
    old = bot.active_version
    assert old
    Version.objects.create(
        bot=bot, number=2, sha256="2" * 64, size=1, runtime="python", manifest=old.manifest,
        status=Status.VALIDATED,
    )  # fmt: skip
    assert ask(browser_of(author), match, bots=["itzel@2", "rival"]).status_code == 201
    other = browser_of(User.objects.get(username="rival-author"))
    assert ask(other, match, bots=["itzel 2", "rival"]).status_code == 400
    Bot.objects.filter(pk=bot.pk).update(disqualified_at=match.created_at)
    assert ask(browser_of(author), match, bots=["itzel", "rival"]).status_code == 400
