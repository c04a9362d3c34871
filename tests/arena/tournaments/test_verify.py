"""What `aztlan verify-tournament` finds in an export, honest or not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.tournaments import entering, services
from arena.tournaments.models import Tournament
from aztlan.cli import main
from aztlan.verify_tournament import verify_tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


@pytest.fixture
def exported(make_tournament: Make, play_out: Play) -> dict[str, Any]:
    play_out(make_tournament(5, format="swiss", seats=2, rounds=3))
    data: dict[str, Any] = Client().get("/tournaments/cup/export.json").json()
    return data


def test_an_honest_export_has_no_problem(exported: dict[str, Any]) -> None:
    assert verify_tournament(json.dumps(exported)) == []


@pytest.mark.parametrize(
    ("format_name", "seats", "options"),
    [
        ("single_elimination", 4, {}),
        ("round_robin", 3, {"duplicate": True}),
        ("double_elimination", 2, {"best_of": 3}),
    ],
)
def test_every_kind_of_event_verifies(
    make_tournament: Make, play_out: Play, format_name: str, seats: int, options: dict[str, Any]
) -> None:
    play_out(make_tournament(4, format=format_name, seats=seats, **options))
    assert verify_tournament(Client().get("/tournaments/cup/export.json").content.decode()) == []


def swap(placements: dict[str, int]) -> dict[str, int]:
    return {entry: 3 - place for entry, place in placements.items()}


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (lambda data: data.update(master_seed="00" * 32), "does not fit the commitment"),
        (lambda data: data["games"][0].update(placements=swap(data["games"][0]["placements"])), "placements"),
        (lambda data: data["games"][0].update(record=data["games"][1]["record"]), "seed does not follow"),
        (lambda data: data["games"][0].update(record="AAAA"), "does not replay"),
        (lambda data: data["ranking"].reverse(), "ranking does not follow"),
        (lambda data: data["games"].pop(), "do not bring the event to its end"),
        (lambda data: data["rounds"][0]["pods"].pop(), "Round 1 was not paired"),
        (lambda data: data["rounds"][0]["pods"].pop(), "was never paired"),
        (lambda data: data["rounds"][1]["byes"].reverse() or data["rounds"][1].update(byes=[]), "Round 2"),
        (lambda data: data["rounds"][1]["known"]["counted"].pop(), "before all of its past was played"),
        (lambda data: data["rounds"][2]["known"]["voided"].append(data["games"][0]["id"]), "never voided"),
        (lambda data: data["rounds"][1]["known"]["counted"].append(10**6), "is missing"),
        (
            lambda data: data["rounds"][1]["known"]["out"].update({str(data["entries"][0]["id"]): 1}),
            "not now",
        ),
        (lambda data: data["games"].append({**data["games"][0], "id": 10**6}), "counts 2 times"),
        (lambda data: data["entries"][0].update(state="withdrawn", out_from=1), "had withdrawn"),
        (lambda data: data["games"][0]["placements"].popitem(), "placements"),
        (lambda data: data.update(master_seed=None), "not over"),
        (lambda data: data.update(version=9), "version 9"),
        (lambda data: data.pop("entries"), "not the export"),
    ],
)
def test_tampering_is_named(exported: dict[str, Any], tamper: Callable[[Any], object], words: str) -> None:
    tamper(exported)
    assert any(words in problem for problem in verify_tournament(json.dumps(exported)))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "7", '{"version": 2}'])
def test_any_other_file_is_refused_in_a_sentence(text: str) -> None:
    [problem] = verify_tournament(text)
    assert "not the export" in problem


def test_the_command_says_what_it_found(
    exported: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.json"
    file.write_text(json.dumps(exported))
    assert main(["verify-tournament", str(file)]) == 0
    assert "ok: every seed" in capsys.readouterr().out
    exported["ranking"].reverse()
    file.write_text(json.dumps(exported))
    assert main(["verify-tournament", str(file)]) == 1
    assert "FAILED: The ranking" in capsys.readouterr().out
    assert main(["verify-tournament", str(tmp_path / "none.json")]) == 2


def test_an_event_verifies_after_acts_that_changed_the_past_of_opened_rounds(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User, citlali: User
) -> None:
    """Round 2 was paired from a game that was voided later: the export still tells of it, and proves it."""
    tournament = make_tournament(6, format="swiss", rounds=4)
    play_open(tournament)
    first = tournament.games.filter(round=1).first()
    assert first is not None
    services.void(tournament.pk, first.pk, olin, "a power cut")
    play_open(tournament)
    entering.withdraw(tournament.pk, Bot.objects.get(slug="bot-1"), olin)
    entering.disqualify(tournament.pk, Bot.objects.get(slug="bot-2"), olin, "two hands", 1)
    play_out(tournament)
    data = Client().get("/tournaments/cup/export.json").json()
    assert [game["voided"] for game in data["games"] if game["id"] == first.pk] == ["a power cut"]
    assert verify_tournament(json.dumps(data)) == []
    data["rounds"][1]["known"]["counted"].remove(first.pk)
    assert any("Round 2" in one for one in verify_tournament(json.dumps(data)))
