"""Tournaments run by a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arena.accounts.models import AuditEntry, User
from arena.tournaments import sections, services
from arena.tournaments.models import Tournament
from arena.tournaments.serializers import StandingSerializer, standing_lines
from tests.arena.cast import make_bot, make_season
from tests.arena.people import make_person, program_of

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def test_a_script_creates_and_runs_an_event(olin: User, play_out: Play) -> None:
    program = program_of(olin)
    made = program.post("/api/v1/tournaments", {"name": "Night Cup", "format": "swiss", "seats": 2})
    assert made.status_code == 201
    for number in range(4):
        make_bot(f"bot-{number}")

    def act(name: str, **data: Any) -> Any:
        return program.post("/api/v1/tournaments/night-cup/acts", {"act": name, **data})

    assert program_of(None).get("/api/v1/tournaments/night-cup").status_code == 404
    assert act("publish").status_code == 200
    for number in range(4):
        assert act("enter", bot=f"bot-{number}").status_code == 200
    assert act("seed", slugs="bot-3 bot-1").status_code == 200
    assert act("lock").status_code == 200
    preview = act("start", preview=True).json()
    assert (len(preview["added"]), preview["dropped"], preview["results"]) == (2, [], [])
    assert act("start").status_code == 200
    play_out(Tournament.objects.get())
    data = program_of(None).get("/api/v1/tournaments/night-cup").json()
    assert data["state"] == "finished"
    assert [line["place"] for line in data["standings"]] == [1, 2, 3, 4]
    assert data["schedule"][0]["pods"][0]["matches"]
    assert program_of(None).get("/api/v1/tournaments/night-cup/export").json()["master_seed"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "x", "format": "melee"}, "format"),
        ({"name": "", "format": "swiss"}, "name"),
        ({"name": "x", "format": "swiss", "seats": 7}, "seats"),
        ({"name": "x", "format": "swiss", "tie_breaks": "luck"}, "tie_breaks"),
    ],
)
def test_what_makes_no_sense_is_refused_by_field(olin: User, body: dict[str, Any], field: str) -> None:
    answer = program_of(olin).post("/api/v1/tournaments", body)
    assert answer.status_code == 400
    [error] = answer.json()["fields"][field]
    assert "{" not in error["message"] + error["code"]


def test_a_script_changes_the_rules_until_versions_are_locked(
    make_tournament: Make, olin: User, mateo: User, citlali: User
) -> None:
    tournament = make_tournament(4, state="registration")
    ladder, path = make_season(seats=2).ladder, "/api/v1/tournaments/cup"
    changed = program_of(olin).patch(path, {"best_of": 3, "ladder": ladder.slug, "tie_breaks": "points seed"})
    assert changed.status_code == 200
    tournament.refresh_from_db()
    assert (tournament.best_of, tournament.ladder, tournament.name) == (3, ladder, "Cup")
    assert changed.json()["ladder"] == ladder.slug
    assert changed.json()["tie_breaks"] == ["points", "seed"]
    assert AuditEntry.objects.filter(act="change tournament", actor=olin).count() == 1
    make_person("xoco", is_organiser=True)
    for person, status in ((None, 401), (mateo, 403), (User.objects.get(username="xoco"), 403)):
        assert program_of(person).patch(path, {"best_of": 5}).status_code == status
    apart = program_of(citlali).patch(path, {"format": "groups", "group_size": 2, "from_group": 3})
    assert (apart.status_code, apart.json()["fields"]) == (400, {})
    assert apart.json()["message"] == "Groups have 2 to 64 entrants, and fewer than all of them go on."
    services.lock(tournament.pk, olin)
    late = program_of(olin).patch(path, {"best_of": 5})
    assert (late.status_code, late.json()["code"]) == (400, "locked")


def test_who_may_do_what(make_tournament: Make, olin: User, itzel: User, mateo: User, active: object) -> None:
    make_tournament(2, state="registration")
    body = {"name": "Another", "format": "swiss"}
    assert [program_of(one).post("/api/v1/tournaments", body).status_code for one in (None, mateo)] == [
        401,
        403,
    ]
    acts = "/api/v1/tournaments/cup/acts"
    assert [program_of(one).post(acts, {"act": "lock"}).status_code for one in (None, mateo)] == [401, 403]
    entries = "/api/v1/tournaments/cup/entries"
    assert program_of(itzel).post(entries, {"bot": "jaguar"}).status_code == 200
    assert program_of(mateo).post(entries, {"bot": "jaguar"}).json()["code"] == "not-yours"
    assert program_of(itzel).post(entries, {"bot": "jaguar", "withdraw": True}).status_code == 200
    other = make_organiser(olin)
    assert program_of(other).post(acts, {"act": "lock"}).json()["code"] == "not-organiser"


def test_lines_of_the_standings_are_what_their_serializer_describes(
    make_tournament: Make, play_open: Play
) -> None:
    tournament = make_tournament(4, format="swiss")
    play_open(tournament)
    for visible in (0, 99):  # computed, and read as stored
        entries = sections.standings(tournament, visible)
        assert standing_lines(entries) == [dict(one) for one in StandingSerializer(entries, many=True).data]


def make_organiser(like: User) -> User:
    return User.objects.create(username="second", email="second@example.org", is_organiser=True)


def test_the_command_starts_an_event_or_says_why_not(olin: User, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        make_bot(f"bot-{number}")
    bots = ["bot-0", "bot-1", "bot-2"]
    call_command(
        "tournament", "Late Cup", *bots, organiser="olin", seats=2, format="round_robin", no_wait=True
    )
    assert Tournament.objects.get().state == "running"
    assert "/tournaments/late-cup/" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no bot 'bot-9'"):
        call_command("tournament", "Other Cup", "bot-9", organiser="olin")
    with pytest.raises(CommandError, match="no user called"):
        call_command("tournament", "Other Cup", *bots, organiser="nobody")
