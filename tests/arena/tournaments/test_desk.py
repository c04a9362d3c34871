"""The desk: every act can be previewed, is refused with a reason, and loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.hosts.models import HeldReport
from arena.tournaments import entering, services
from arena.tournaments.acts import ACTS
from arena.tournaments.agenda import agenda
from arena.tournaments.models import Tournament
from arena.tournaments.selectors import picture
from tests.arena.cast import finish
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]
DESK = "/tournaments/cup/desk"


def state_of(tournament: Tournament) -> tuple[object, ...]:
    """Everything that an act could change."""
    tournament.refresh_from_db()
    return (
        tournament.state,
        tournament.opened_rounds,
        list(tournament.entries.order_by("pk").values_list("pk", "state", "out_from", "seed")),
        list(tournament.games.order_by("pk").values_list("pk", "placements", "voided_at", "match")),
        list(tournament.openings.values_list("number", "release")),
    )


CASES: dict[str, tuple[str, dict[str, str], str]] = {
    "publish": ("draft", {}, "“draft” to “open for entries”"),
    "lock": ("registration", {}, "4 bots take part"),
    "start": ("locked", {}, "2 games are to be played."),
    "pause": ("running", {}, "“running” to “paused”"),
    "resume": ("paused", {}, "“paused” to “running”"),
    "open_next_round": ("by hand", {}, "2 pairings are added:"),
    "cancel": ("running", {"reason": "rain"}, "2 games are called off."),
    "reinstate": ("cancelled", {}, "“cancelled” to “paused”"),
    "void": ("running", {}, "1 game is called off."),
    "take_back": ("by hand", {"round": "1"}, "2 played games stay on record, but no longer count."),
    "release": ("by hand", {"round": "1", "release": "hidden"}, "nobody but the organiser"),
    "seed": ("registration", {"slugs": "Bot-3\nBot-1"}, "Seeds, strongest first: Bot-3, Bot-1, Bot-0, Bot-2"),
    "enter": ("registration", {"bot": "RANDOM"}, "is then entered."),
    "invite": ("registration", {"bot": "random"}, "is then invited."),
    "uninvite": ("invited", {"bot": "random"}, "is no longer on the list of entrants."),
    "withdraw": ("running", {"bot": "Bot-2"}, "Bot-2 is then withdrawn."),
    "disqualify": ("running", {"bot": "bot-2"}, "Bot-2 is then disqualified."),
}


def test_there_is_a_case_for_every_act() -> None:
    assert set(CASES) == set(ACTS)


@pytest.mark.parametrize("name", CASES)
def test_every_act_is_previewed_changes_nothing_then_and_is_done_when_confirmed(
    make_tournament: Make, play_open: Play, olin: User, name: str
) -> None:
    state, data, words = CASES[name]
    tournament = staged(make_tournament, play_open, olin, state)
    if name == "void":
        data = {"game": str(tournament.games.order_by("pk")[0].pk)}
    before = state_of(tournament)
    browser = browser_of(olin)
    shown = browser.post(DESK, {"preview": name, **data})
    assert words in shown.content.decode()
    assert state_of(tournament) == before
    answer = {
        **dict(shown.context["hidden_fields"]),
        "basis": shown.context["preview"].basis,
        "confirmed": "1",
    }
    assert browser.post(DESK, answer).status_code == 302
    assert state_of(tournament) != before


def staged(make_tournament: Make, play_open: Play, olin: User, state: str) -> Tournament:
    if state in {"draft", "registration", "locked", "running"}:
        return make_tournament(4, state=state)
    if state == "invited":
        tournament = make_tournament(4, state="registration")
        entering.invite(tournament.pk, Bot.objects.get(slug="random"), olin)
        return tournament
    tournament = make_tournament(4, rounds_by_hand=state == "by hand")
    if state == "by hand":
        play_open(tournament)
    elif state == "paused":
        services.pause(tournament.pk, olin)
    else:
        services.cancel(tournament.pk, olin, "rain")
    return tournament


def test_a_preview_that_is_no_longer_true_is_shown_again_instead_of_done(
    make_tournament: Make, olin: User, citlali: User
) -> None:
    tournament = make_tournament(4, state="registration")
    shown = browser_of(olin).post(DESK, {"preview": "lock"})
    entering.withdraw(tournament.pk, Bot.objects.get(slug="bot-3"), citlali)
    confirmed = {"act": "lock", "basis": shown.context["preview"].basis, "confirmed": "1"}
    late = browser_of(olin).post(DESK, confirmed)
    assert "Something has changed since this preview." in late.content.decode()
    assert "3 bots take part" in late.content.decode()
    tournament.refresh_from_db()
    assert tournament.state == "registration"
    confirmed["basis"] = late.context["preview"].basis
    assert browser_of(olin).post(DESK, confirmed).status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == "locked"


def test_of_two_organisers_who_click_the_same_button_the_second_is_told_why_not(
    make_tournament: Make, olin: User, citlali: User
) -> None:
    make_tournament(4, state="locked")
    assert "has started" in browser_of(olin).post(DESK, {"act": "start"}, follow=True).content.decode()
    second = browser_of(citlali).post(DESK, {"act": "start"}, follow=True).content.decode()
    assert "This is not possible now: the tournament is running." in second


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_act_in_the_same_moment_get_one_clear_answer_each(
    make_tournament: Make, olin: User, citlali: User
) -> None:
    tournament = make_tournament(4, state="locked")
    browsers = [browser_of(olin), browser_of(citlali)]
    together = Barrier(2)

    def start(browser: Client) -> str:
        together.wait()
        try:
            return browser.post(DESK, {"act": "start"}, follow=True).content.decode()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(start, browsers))
    assert sum("The tournament has started." in page for page in pages) == 1
    assert sum("This is not possible now: the tournament is running." in page for page in pages) == 1
    assert tournament.games.count() == 2


def test_a_refusal_keeps_what_was_typed(make_tournament: Make, olin: User) -> None:
    make_tournament(2, state="registration")
    page = browser_of(olin).post(DESK, {"act": "enter", "bot": "Jagaur"}).content.decode()
    assert "There is no bot “Jagaur”. Check how it is written." in page
    assert 'value="Jagaur"' in page


def test_seeds_are_typed_by_name_one_per_line(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(3, state="registration")
    Bot.objects.filter(slug="bot-1").update(name="The Old Jaguar")
    seeds = {"act": "seed", "slugs": "The old jaguar\nbot-2", "confirmed": "1"}
    browser_of(olin).post(DESK, seeds)
    assert dict(tournament.entries.values_list("bot__slug", "seed")) == {
        "bot-1": 1,
        "bot-2": 2,
        "bot-0": None,
    }


def test_cancelling_keeps_a_game_that_was_played_but_is_not_public_yet(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(4, live_delay=600)
    game, other = tournament.games.order_by("pk")
    assert game.match
    finish(game.match)
    assert HeldReport.objects.filter(match=game.match).exists()
    services.cancel(tournament.pk, olin, "rain")
    game.refresh_from_db()
    other.refresh_from_db()
    assert game.voided_at is None
    assert other.voided_at is not None


def test_the_time_line_says_what_comes_next(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    def lines(stage: str) -> list[str]:
        return [one.text for one in agenda(picture(tournament)) if one.stage == stage]

    tournament = make_tournament(4, state="registration", format="swiss", rounds=3)
    assert lines("now") == ["Open for entries: 4 bots have entered."]
    assert lines("next")[0] == "Entries close when you lock the versions."
    services.lock(tournament.pk, olin)
    services.start(tournament.pk, olin)
    tournament.refresh_from_db()
    assert lines("now") == ["Round 1: 0 of 2 games are over."]
    assert "2 rounds are left." in lines("next")
    play_out(tournament)
    assert lines("now") == []
    assert lines("done")[-1] == "Finished"


def test_the_desk_is_read_in_parts_that_renew_themselves(make_tournament: Make, olin: User) -> None:
    make_tournament(4)
    page = browser_of(olin).get(DESK).content.decode()
    for part in ("state", "steps", "agenda", "entrants", "release", "games"):
        assert page.count(f'data-part="{part}"') == 1
    assert "pages/refresh" in page
