"""The stage of an event: what everybody may see, whoever is signed in."""

from __future__ import annotations

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.matches.models import Match
from tests.arena.cast import claim
from tests.arena.events import new_event, play_open, play_out
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db


def test_it_shows_boards_standings_and_what_comes_next(olin: User) -> None:
    event = new_event(olin, 4, format="swiss", rounds=2)
    page = Client().get("/tournaments/cup/stage").content.decode()
    assert "Round 1 · 0 of 2 games over" in page
    assert page.count('<ul class="coming"><li>') == 1
    claim(Match.objects.filter(purpose="tournament").order_by("pk")[0])
    play_open(event)
    context = Client().get("/tournaments/cup/stage").context
    assert len(context["matches"]) == 2
    assert context["standings"].paginator.count == 4


def test_what_is_held_back_is_not_on_stage_even_for_its_organiser(olin: User) -> None:
    event = new_event(olin, 4, format="swiss", rounds=2, release="hidden")
    play_out(event)
    context = browser_of(olin).get("/tournaments/cup/stage").context
    assert context["matches"] == []
    assert {entry.points for entry in context["standings"]} == {0}
    assert not context["is_over"]


def test_matches_within_the_delay_are_not_shown(olin: User) -> None:
    new_event(olin, 4, live_delay=600)
    for match in Match.objects.filter(purpose="tournament"):
        claim(match, host=f"host-{match.pk}")
    assert Client().get("/tournaments/cup/stage").context["matches"] == []


def test_a_draft_has_no_stage(olin: User) -> None:
    new_event(olin, 2, state="draft")
    assert browser_of(olin).get("/tournaments/cup/stage").status_code == 404


def test_an_event_without_entrants_has_an_empty_stage(olin: User) -> None:
    new_event(olin, 0, state="registration")
    assert "No bot has entered yet." in Client().get("/tournaments/cup/stage").content.decode()
