"""The form of an event: options by format, presets, copies of earlier events, tie-breaks sorted without a script."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.accounts.models import User
from arena.tournaments.forms import OPTIONS_OF, shown_for
from arena.tournaments.models import FORMAT_NAMES, Tournament
from arena.tournaments.presets import PRESETS, free_name
from arena.tournaments.tie_breaks import cells, columns, moved
from contests.formats import FORMATS
from tests.arena.people import browser_of
from tests.arena.tournaments.test_pages import FORM

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]


def test_each_format_says_which_options_it_uses() -> None:
    assert set(OPTIONS_OF) == set(FORMATS) == set(FORMAT_NAMES)
    assert shown_for("group_size") == "option for-groups"
    assert shown_for("best_of") == ""
    assert shown_for("min_rating") == "needs-ladder"


def test_what_the_page_hides_is_not_refused_and_gets_its_default(olin: User) -> None:
    hidden = {
        "advance": "3",
        "group_size": "99999999999",
        "from_group": "x",
        "cycles": "",
        "min_rating": "1600",
    }
    answer = browser_of(olin).post("/tournaments/new", {**FORM, **hidden})
    assert answer.status_code == 302
    made = Tournament.objects.get()
    assert (made.advance, made.group_size, made.from_group, made.cycles, made.min_rating) == (
        1,
        4,
        2,
        1,
        None,
    )


def test_what_the_page_shows_is_checked(olin: User) -> None:
    shown = {"format": "groups", "group_size": "2", "from_group": "3"}
    page = browser_of(olin).post("/tournaments/new", {**FORM, **shown}).content.decode()
    assert "fewer than all of them go on" in page


def test_tie_breaks_are_ticked_in_their_order(olin: User) -> None:
    browser_of(olin).post("/tournaments/new", {**FORM, "tie_breaks": ["points", "rating", "buchholz"]})
    assert Tournament.objects.get().tie_breaks == ["points", "rating", "buchholz"]


def test_a_tie_break_moves_without_a_script_and_nothing_typed_is_lost(olin: User) -> None:
    typed = {**FORM, "name": "Half", "best_of": "99", "tie_breaks": ["points", "rating", "seed"]}
    answer = browser_of(olin).post("/tournaments/new", {**typed, "move": "seed up"})
    assert not Tournament.objects.exists()
    form = answer.context["form"]
    assert form["tie_breaks"].value() == "points seed rating"
    assert (form["name"].value(), form["best_of"].value()) == ("Half", "99")
    assert 'class="errorlist"' not in answer.content.decode()


def test_moves_stay_inside_the_list() -> None:
    assert moved(["a", "b"], "a up") == ["a", "b"]
    assert moved(["a", "b"], "a down") == ["b", "a"]
    for nonsense in ("", "c up", "a sideways", "a"):
        assert moved(["a", "b"], nonsense) == ["a", "b"]


def test_no_tie_break_is_refused(olin: User) -> None:
    without = {name: value for name, value in FORM.items() if name != "tie_breaks"}
    assert (
        "Tick at least one tie-break." in browser_of(olin).post("/tournaments/new", without).content.decode()
    )


@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.key)
def test_every_preset_is_accepted_as_offered(olin: User, preset: object) -> None:
    address = f"/tournaments/new?preset={preset.key}"  # type: ignore[attr-defined]
    form = browser_of(olin).get(address).context["form"]
    offered = {one.name: one.value() for one in form if one.value() is not None and one.value() is not False}
    answer = browser_of(olin).post(address, {**offered, "name": "From a preset", "edition": "english"})
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get()
    for name, value in preset.values.items():  # type: ignore[attr-defined]
        if name != "clock":
            assert getattr(made, name) == value


def test_a_copy_has_the_rules_of_its_model_and_invites_its_bots(make_tournament: Make, olin: User) -> None:
    make_tournament(4, format="swiss", rounds=3, best_of=3, tie_breaks=["points", "seed"], round_minutes=90)
    page = browser_of(olin).get("/tournaments/new?from=cup")
    form = page.context["form"]
    offered = {one.name: one.value() for one in form if one.value() is not None and one.value() is not False}
    assert offered["name"] == "Cup 2"
    answer = browser_of(olin).post("/tournaments/new?from=cup", {**offered, "invite_again": "on"})
    assert answer.status_code == 302, answer.context["form"].errors
    copy = Tournament.objects.get(slug="cup-2")
    assert (copy.format, copy.rounds, copy.best_of, copy.round_minutes) == ("swiss", 3, 3, 90)
    assert copy.tie_breaks == ["points", "seed"]
    assert list(copy.entries.values_list("state", flat=True)) == ["invited"] * 4
    assert copy.master_seed != Tournament.objects.get(slug="cup").master_seed


def test_a_name_that_is_taken_gets_the_next_number(make_tournament: Make) -> None:
    make_tournament(0, state="draft", slug="a", name="Cup 2")
    make_tournament(0, state="draft", slug="b", name="Cup")
    assert free_name("Cup 2") == "Cup 3"
    assert free_name("Spring") == "Spring"


def test_the_draft_of_another_cannot_be_copied(
    make_tournament: Make, make_person: Callable[..., User]
) -> None:
    make_tournament(2, state="draft")
    other = make_person("xoco", is_organiser=True)
    assert browser_of(other).get("/tournaments/new?from=cup").status_code == 404


def test_two_organisers_who_change_the_rules_at_once_get_one_clear_answer_each(
    make_tournament: Make, olin: User, citlali: User
) -> None:
    make_tournament(2, state="registration")
    first, second = browser_of(olin), browser_of(citlali)
    basis = first.get("/tournaments/cup/edit").context["basis"]
    assert second.get("/tournaments/cup/edit").context["basis"] == basis
    assert (
        first.post(
            "/tournaments/cup/edit", {**FORM, "name": "Cup", "best_of": "3", "basis": basis}
        ).status_code
        == 302
    )
    late = second.post("/tournaments/cup/edit", {**FORM, "name": "Cup", "best_of": "5", "basis": basis})
    assert "Another organiser changed the rules" in late.content.decode()
    assert Tournament.objects.get().best_of == 3
    again = {**FORM, "name": "Cup", "best_of": "5", "basis": late.context["basis"]}
    assert second.post("/tournaments/cup/edit", again).status_code == 302
    assert Tournament.objects.get().best_of == 5


def test_values_of_tie_breaks_are_told_as_people_read_them() -> None:
    names = ["points", "placements", "buchholz", "rating", "seed"]
    shown = columns(names)
    assert [one.heading for one in shown] == ["Places", "Buchholz", "Rating"]
    breaks = [24.0, 2_001_000_000.0, 30.0, 1512.4, -1.0]
    assert cells(shown, breaks, 2) == ["2-1", "2.50", "1512"]
    assert cells(shown, None, 2) == ["–", "–", "–"]
