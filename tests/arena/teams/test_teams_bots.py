"""What members of a team share, who may not meet whom, and limits that teams do not multiply."""

import pytest
from django.core.files.base import ContentFile
from rest_framework.test import APIClient

from arena.accounts import tokens
from arena.accounts.models import AuditEntry, User
from arena.bots import quotas, services
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Version
from arena.bots.selectors import people_behind
from arena.challenges.services import quota_of
from arena.ladders import matchmaking
from arena.matches.models import MatchSeat
from arena.notices.models import Webhook
from arena.notices.webhooks import webhooks_of
from arena.teams import moving
from arena.tournaments.conditions import verdicts
from arena.tournaments.models import EntryState, TournamentEntry
from tests.arena.cast import make_bot, make_season
from tests.arena.events import new_event
from tests.arena.people import (
    browser_of,
    make_active,
    make_person,
    make_team,
    pass_validation,
    program_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


@pytest.fixture
def team(itzel: User, mateo: User) -> User:
    """The knights: itzel owns the team, mateo is a member."""
    return make_team("knights", itzel, mateo)


@pytest.fixture
def eagle(team: User, itzel: User) -> Bot:
    bot = services.create_bot(team, "eagle", "Eagle", creator=itzel)
    pass_validation(upload(bot, itzel))
    bot.refresh_from_db()
    return bot


def upload(bot: Bot, person: User, source: str = "print(1)\n") -> Version:
    return services.submit_version(
        uploader=person, bot=bot, upload=ContentFile(source.encode(), name="bot.py")
    )


def token_of(team: User, maker: User, *scopes: str) -> APIClient:
    client = APIClient()
    _, secret = tokens.make_token(team, "CI", scopes or ["bots", "private", "matches"], maker)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def test_members_share_uploads_logs_and_sources(eagle: Bot, mateo: User, olin: User) -> None:
    member, stranger = browser_of(mateo), browser_of(olin)
    assert "a secret build log" in member.get("/bots/eagle/versions/1/").content.decode()
    assert "a secret build log" not in stranger.get("/bots/eagle/versions/1/").content.decode()
    assert member.get("/bots/eagle/versions/1/source").status_code == 200
    file = ContentFile(b"print(2)\n", name="bot.py")
    assert member.post("/bots/eagle/upload", {"archive": file}).status_code == 302
    assert Version.objects.get(number=2).uploaded_by == mateo
    assert "Eagle" in member.get("/bots/mine").content.decode()
    assert program_of(mateo).get("/api/v1/bots/eagle/versions/1/logs").status_code == 200


def test_whoever_leaves_sees_no_more_of_it(eagle: Bot, team: User, mateo: User) -> None:
    team.members.filter(person=mateo).delete()
    assert browser_of(mateo).get("/bots/eagle/versions/1/source").status_code == 403
    assert browser_of(mateo).get("/bots/eagle/upload").status_code == 403


def test_a_new_bot_can_belong_to_a_team_on_the_page_and_in_the_api(
    team: User, mateo: User, olin: User
) -> None:
    form = {"name": "Owl", "slug": "owl", "owner": "knights"}
    browser_of(mateo).post("/bots/new", form)
    assert Bot.objects.get(slug="owl").owner == team
    body = {"name": "Puma", "slug": "puma", "team": "knights"}
    assert program_of(mateo).post("/api/v1/bots", body).json()["owner"] == "knights"
    refused = program_of(olin).post("/api/v1/bots", {**body, "slug": "other", "name": "Other"})
    assert refused.json()["fields"]["team"][0]["code"] == "missing"
    listed = program_of(mateo).get("/api/v1/bots", {"mine": "true"}).json()["results"]
    assert {row["slug"] for row in listed} == {"owl", "puma"}
    assert "owner" not in browser_of(olin).get("/bots/new").content.decode().split("<main")[1]


def test_a_teams_token_reaches_the_teams_bots_and_nothing_of_its_makers(
    eagle: Bot, team: User, itzel: User
) -> None:
    make_active(itzel, "jaguar")
    program = token_of(team, itzel)
    assert program.get("/api/v1/bots/eagle/versions/1/logs").status_code == 200
    assert program.get("/api/v1/bots/jaguar/versions/1/logs").status_code == 403
    assert program.post("/api/v1/bots/jaguar/move", {"to": "knights"}).status_code == 403
    assert program.delete("/api/v1/teams/knights").status_code == 403
    file = ContentFile(b"print(3)\n", name="bot.py")
    answer = program.post("/api/v1/bots/eagle/versions", {"archive": file}, format="multipart")
    assert answer.status_code == 201
    assert Version.objects.get(number=2).uploaded_by == itzel
    challenge = {"bot": "eagle", "opponents": ["jaguar"]}
    before = quota_of(itzel).left
    assert program.post("/api/v1/challenges", challenge, format="json").status_code == 201
    assert quota_of(itzel).left == before - 1


def test_a_teams_token_stops_with_the_account_of_its_maker(eagle: Bot, team: User, itzel: User) -> None:
    program = token_of(team, itzel)
    User.objects.filter(pk=itzel.pk).update(is_active=False)
    assert program.get("/api/v1/bots/eagle/versions/1/logs").status_code == 401


@pytest.mark.parametrize("scope", ["account", "staff", "organise"])
def test_a_teams_token_has_no_power_over_accounts(team: User, itzel: User, scope: str) -> None:
    answer = program_of(itzel).post("/api/v1/teams/knights/tokens", {"name": "CI", "scopes": [scope]})
    assert answer.json()["fields"]["scopes"][0]["code"] == "scope"
    page = browser_of(itzel).post("/teams/knights/tokens", {"name": "CI", "scopes": [scope]})
    assert not team.tokens.exists()
    assert page.status_code == 200


def test_uploads_for_a_team_count_for_the_team_and_the_person(
    eagle: Bot, itzel: User, mateo: User, olin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "VERSIONS_A_DAY", 2)
    upload(eagle, mateo, "print(2)\n")
    with pytest.raises(RefusedError, match="The team knights has reached its limit"):
        upload(eagle, mateo, "print(3)\n")
    other = services.create_bot(make_team("owls", mateo), "owl", "Owl", creator=mateo)
    upload(other, mateo, "print(4)\n")
    own = services.create_bot(mateo, "puma", "Puma")
    with pytest.raises(RefusedError, match="You have uploaded 2 versions"):
        upload(own, mateo, "print(5)\n")


def test_teams_do_not_multiply_how_many_bots_a_person_has(
    itzel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "BOTS", 2)
    services.create_bot(itzel, "one", "One")
    for name in ("knights", "owls"):
        make_team(name, itzel)
    moving.move_bot(itzel, Bot.objects.get().pk, User.objects.get(username="knights"))
    services.create_bot(User.objects.get(username="owls"), "two", "Two", creator=itzel)
    with pytest.raises(RefusedError, match="You have 2 bots"):
        services.create_bot(itzel, "three", "Three")


def test_a_bot_moves_to_a_team_and_back_with_everything(team: User, itzel: User, mateo: User) -> None:
    jaguar = make_active(itzel, "jaguar")
    page = browser_of(itzel).get("/bots/jaguar/move").content.decode()
    assert "knights" in page
    browser_of(itzel).post("/bots/jaguar/move", {"to": "knights"})
    jaguar.refresh_from_db()
    assert (jaguar.owner, jaguar.created_by) == (team, itzel)
    assert jaguar.versions.get().uploaded_by == itzel
    assert "itzel has moved Jaguar" in mateo.notices.get().text
    assert AuditEntry.objects.filter(act="move a bot").exists()
    assert browser_of(mateo).post("/bots/jaguar/move", {"to": "mateo"}).status_code == 200
    jaguar.refresh_from_db()
    assert jaguar.owner == team  # a member may not
    assert program_of(itzel).post("/api/v1/bots/jaguar/move", {"to": "itzel"}).json()["owner"] == "itzel"


def test_nobody_moves_a_bot_to_a_team_they_are_not_in(jaguar: Bot, mateo: User) -> None:
    make_team("owls", mateo)
    itzel = jaguar.owner
    assert browser_of(itzel).post("/bots/jaguar/move", {"to": "owls"}).status_code == 200
    assert program_of(itzel).post("/api/v1/bots/jaguar/move", {"to": "owls"}).status_code == 403
    jaguar.refresh_from_db()
    assert jaguar.owner == itzel


def test_bots_that_one_person_may_change_never_meet(itzel: User, mateo: User) -> None:
    """Itzel's own bots and those of her teams do not meet; those of two team mates may."""
    season = make_season(2, depth=40)
    knights, owls = make_team("knights", itzel, mateo), make_team("owls", itzel)
    for owner in ("itzel", "mateo", "knights", "owls"):
        make_bot(f"{owner}-bot", owner=owner)
    assert people_behind([knights.pk, owls.pk, mateo.pk]) == {
        knights.pk: {knights.pk, itzel.pk, mateo.pk},
        owls.pk: {owls.pk, itzel.pk},
        mateo.pk: {mateo.pk},
    }
    matchmaking.fill(season.ladder_id)
    met = set()
    for match in MatchSeat.objects.values_list("match", flat=True).distinct():
        names = MatchSeat.objects.filter(match=match).values_list("version__bot__owner__username", flat=True)
        met.add(frozenset(names))
    assert met <= {frozenset({"itzel", "mateo"}), frozenset({"mateo", "owls"})}
    assert met


def test_a_tournaments_limit_per_author_counts_their_teams(
    eagle: Bot, team: User, itzel: User, mateo: User, olin: User
) -> None:
    cup = new_event(olin, bots=0, state="registration")
    TournamentEntry.objects.create(tournament=cup, bot=eagle, state=EntryState.ENTERED)

    def may_enter(bot: Bot) -> bool:
        return next(one.is_met for one in verdicts(cup, bot) if one.condition == "owner")

    assert may_enter(eagle)  # itself does not count
    assert not may_enter(make_active(mateo, "puma"))
    assert not may_enter(make_active(make_team("owls", itzel), "owl"))
    assert may_enter(make_active(make_person("nelli"), "snake"))


def test_members_webhooks_are_called_for_the_teams_bots(eagle: Bot, mateo: User, olin: User) -> None:
    for person in (mateo, olin):
        Webhook.objects.create(owner=person, url=f"https://{person.username}.example.org/")
    called = webhooks_of(User.objects.filter(pk=eagle.owner_id))
    assert [webhook.owner for webhook in called] == [mateo]
