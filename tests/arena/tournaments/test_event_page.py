"""What the page of an event shows: brackets with scores and byes, groups, tie-breaks; and the ways there and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.tournaments import services
from arena.tournaments.bracket import draw
from arena.tournaments.models import Tournament
from arena.tournaments.round_titles import round_title
from arena.tournaments.sections import shown_round
from arena.tournaments.selectors import picture
from tests.arena.cast import ask_for, finish, make_bot, make_season
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def page_of(tournament: Tournament, query: str = "") -> str:
    return Client().get(f"{tournament.get_absolute_url()}{query}").content.decode()


def test_double_elimination_is_two_labelled_brackets(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(6, format="double_elimination")
    play_out(tournament)
    page = page_of(tournament)
    assert page.count('<svg class="bracket') == 2
    assert "Upper bracket and final</h3>" in page
    assert "Lower bracket</h3>" in page
    upper, lower = draw(picture(tournament))
    assert ">Final</text>" in upper.svg
    assert ">Final</text>" not in lower.svg
    boxes = sum(len(one.pods) for one in picture(tournament).rounds)
    assert (upper.svg + lower.svg).count('<g class="pod">') == boxes


def test_scores_and_byes_are_in_the_bracket(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(3, format="single_elimination", best_of=3)
    [before] = draw(picture(tournament))
    assert before.svg.count('class="pod bye"') == 1
    assert before.svg.count('class="pod open"') == 1, "the final is still to be filled"
    assert ">bye</text>" in before.svg
    play_out(tournament)
    [after] = draw(picture(tournament))
    scores = [
        part.split("</text>")[0].rpartition(">")[2] for part in after.svg.split('<text class="score"')[1:]
    ]
    won = [score for score in scores if score == "2"]
    assert len(won) == 2, "each series was won by two games"
    assert set(scores) <= {"bye", "2", "1", "0"}


def test_the_schedule_tells_the_score_of_a_series_as_the_bracket_does(
    make_tournament: Make, play_open: Play, play_out: Play
) -> None:
    tournament = make_tournament(2, format="single_elimination", best_of=3)
    play_open(tournament)
    page = page_of(tournament)
    assert "Game 1</a>" in page
    assert "Game 2 · queued</a>" in page
    play_out(tournament)
    [shown] = [shown_round(tournament, 1, 1, None)]
    assert shown is not None
    [first, second] = shown.tables[0].players
    assert first.points == 2, "two games won it"
    assert second.points in {0, 1}
    played = [game.placements for game in tournament.games.all() if game.placements]
    assert first.points + (second.points or 0) == len(played)


def test_groups_have_tables_and_mark_who_goes_on(make_tournament: Make, play_open: Play) -> None:
    tournament = make_tournament(6, format="groups", group_size=3, from_group=1)
    play_open(tournament)
    page = page_of(tournament)
    assert ">Group A</h3>" in page
    assert ">Group B</h3>" in page
    assert page.count('class="goes-on"') == 2


def test_tie_breaks_have_columns_that_explain_themselves(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(4, format="swiss", rounds=2)
    play_out(tournament)
    page = page_of(tournament)
    assert '<abbr title="The points of all opponents together' in page
    assert "How the order is decided" in page
    cells = Client().get(tournament.get_absolute_url()).context["lines"]
    assert [len(values) for _entry, values in cells] == [5] * 4


def test_rounds_lead_to_the_one_before_and_after(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(4)
    play_out(tournament)
    page = page_of(tournament, "?round=2")
    assert 'aria-label="Previous round: Round 1"' in page
    assert 'aria-label="Next round: Round 3"' in page
    assert "Previous round" not in page_of(tournament, "?round=1")


def test_the_list_names_winners_as_soon_as_their_results_are_public(
    make_tournament: Make, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(2, release="hidden")
    play_out(tournament)
    winner = tournament.entries.get(place=1).bot.name
    assert winner not in Client().get("/tournaments/").content.decode()
    assert winner in browser_of(olin).get("/tournaments/").content.decode()
    services.release_rounds(tournament.pk, olin, "public", 1)
    assert winner in Client().get("/tournaments/").content.decode()


def test_a_match_leads_to_its_event_and_round(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(3)
    play_out(tournament)
    game = tournament.games.filter(round=2)[0]
    assert game.match
    page = Client().get(game.match.get_absolute_url()).content.decode()
    assert '<a href="/tournaments/cup/">Cup</a>' in page
    assert '<a href="/tournaments/cup/?round=2#schedule">Round 2</a>' in page
    assert game.match.get_absolute_url() in page_of(tournament, "?round=2")


def test_a_match_leads_to_its_ladder() -> None:
    season = make_season(seats=2)
    match = ask_for([make_bot("a"), make_bot("b")], season)
    finish(match)
    page = Client().get(match.get_absolute_url()).content.decode()
    assert f'<a href="{season.ladder.get_absolute_url()}">{season.ladder.name}</a>' in page


def test_names_in_brackets_are_escaped(make_tournament: Make) -> None:
    tournament = make_tournament(2, format="double_elimination", state="locked")
    Bot.objects.filter(slug="bot-1").update(name='"><script>')
    assert "<script>" not in "".join(one.svg for one in draw(picture(tournament)))


def test_titles_of_rounds_are_known() -> None:
    for name in ("Round 3", "Groups, round 1", "Final", "Final, again (2)", "Semi-finals", "Gauntlet", "Group A",
                 "Upper bracket", "Lower bracket", "something else"):  # fmt: skip
        assert round_title(name) == name
