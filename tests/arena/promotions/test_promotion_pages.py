"""The page and the API of a promotion test; strangers see neither it nor its matches."""

from collections.abc import Callable

import pytest
from django.core.files.base import ContentFile

from arena.accounts.models import User
from arena.bots.models import Bot, Version
from arena.matches.models import Match
from arena.promotions.evidence_chart import MOST_POINTS, evidence_chart
from arena.promotions.models import PromotionTest
from contests.promotion import PlayedSet, SetState, follow_sets
from contests.sequential import Plan
from tests.arena.people import browser_of, pass_validation, program_of, submit

pytestmark = pytest.mark.django_db
PAGE = "/bots/jaguar/versions/2/test"
API = "/api/v1/bots/jaguar/versions/2/test"
Play = Callable[..., None]


def test_the_owner_sees_the_running_test(trial: PromotionTest, play: Play, itzel: User) -> None:
    play(3)
    page = browser_of(itzel).get(PAGE).content.decode()
    assert "Is version 2 better than version 1?" in page
    assert "<polyline" in page
    assert "enough for “better”" in page
    assert "Stop the test" in page
    assert 'hx-trigger="every 5s"' in page
    part = browser_of(itzel).get(PAGE, HTTP_HX_REQUEST="true")
    assert "HX-Refresh" not in part
    assert "<html" not in part.content.decode()


def test_before_the_first_set_there_is_no_chart(trial: PromotionTest, itzel: User) -> None:
    page = browser_of(itzel).get(PAGE).content.decode()
    assert "<polyline" not in page
    assert "The first matches are requested as soon as a match host has time." in page


@pytest.mark.parametrize(("wins", "said"), [(True, "Promoted."), (False, "Not promoted.")])
def test_the_page_says_how_it_ended(
    trial: PromotionTest, play: Play, itzel: User, wins: bool, said: str
) -> None:
    play(50, wins)
    answer = browser_of(itzel).get(PAGE)
    assert f"<strong>{said}</strong>" in answer.content.decode()
    assert browser_of(itzel).get(PAGE, HTTP_HX_REQUEST="true")["HX-Refresh"] == "true"


def test_a_version_without_a_test_has_a_page_that_starts_one(active: Version, itzel: User) -> None:
    Bot.objects.update(activates_itself=False)
    second = pass_validation(submit(active.bot, "print(2)\n"))
    browser = browser_of(itzel)
    assert "Start a test" in browser.get(PAGE).content.decode()
    assert browser.post(f"{PAGE}/start").headers["Location"] == PAGE
    assert second.promotion_tests.get().is_running
    browser.post(f"{PAGE}/start")
    assert second.promotion_tests.count() == 1, "a second click starts no second test"
    browser.post(f"{PAGE}/stop")
    assert second.promotion_tests.get().state == "stopped"
    assert "No test of this version is running." in browser.post(f"{PAGE}/stop", follow=True).content.decode()
    assert "Go on with the test" in browser.get(PAGE).content.decode()
    assert "nothing to test it against" in browser.get("/bots/jaguar/versions/1/test").content.decode()


def test_other_pages_lead_to_the_test(trial: PromotionTest, itzel: User, mateo: User) -> None:
    line = "Version 2 is being tested against version 1"
    assert line in browser_of(itzel).get("/bots/jaguar/").content.decode()
    assert (
        "New versions play only when they are better."
        in browser_of(itzel).get("/bots/jaguar/").content.decode()
    )
    assert line not in browser_of(mateo).get("/bots/jaguar/").content.decode()
    assert PAGE in browser_of(itzel).get("/bots/jaguar/versions/2/").content.decode()
    assert PAGE not in browser_of(mateo).get("/bots/jaguar/versions/2/").content.decode()


def test_strangers_know_nothing_of_its_matches(
    trial: PromotionTest, play: Play, itzel: User, mateo: User, citlali: User
) -> None:
    play(1)
    match = Match.objects.filter(purpose="promotion", state="finished").latest("pk")
    seen = {
        name: (
            browser_of(person).get(f"/matches/{match.public_id}/").status_code,
            program_of(person).get(f"/api/v1/matches/{match.public_id}").status_code,
            match.public_id in browser_of(person).get("/matches/?purpose=promotion").content.decode(),
            program_of(person).get("/api/v1/matches?purpose=promotion").json()["results"] != [],
        )
        for name, person in (("owner", itzel), ("rival", mateo), ("staff", citlali), ("nobody", None))
    }
    # There is no record behind the page of a match whose result was only said.
    assert seen["owner"][1:] == seen["staff"][1:] == (200, True, True)
    assert seen["rival"] == seen["nobody"] == (404, 404, False, False)


def test_the_api_tells_and_acts(trial: PromotionTest, play: Play, itzel: User, mateo: User) -> None:
    play(2)
    told = program_of(itzel).get(API).json()
    assert (told["state"], told["version"], told["baseline"], told["sets"], told["games"]) == (
        "running", 2, 1, 2, 4,
    )  # fmt: skip
    assert told["score"] == 1.0
    assert told["elo"] is None
    assert len(told["log_better"]) == 2
    assert told["by_seats"] == [{"seats": 2, "sets": 2, "games": 4, "score": 1.0}]
    assert program_of(itzel).post(API, {"act": "stop"}).json()["state"] == "stopped"
    assert program_of(itzel).post(API, {"act": "stop"}).json()["code"] == "not-running"
    assert program_of(itzel).post(API, {"act": "start"}).json()["state"] == "running"
    assert program_of(itzel).post(API, {"act": "win"}).status_code == 400
    assert program_of(itzel, "bots").get(API).status_code == 403
    assert program_of(itzel, "private").post(API, {"act": "stop"}).status_code == 403
    assert program_of(mateo).get(API).status_code == 403
    assert program_of(itzel).get("/api/v1/bots/jaguar/versions/1/test").status_code == 404


def test_the_setting_is_changed_everywhere(active: Version, itzel: User) -> None:
    bot = active.bot

    def setting() -> bool:
        bot.refresh_from_db()
        return bot.only_when_better

    program, browser = program_of(itzel), browser_of(itzel)
    program.patch("/api/v1/bots/jaguar", {"only_when_better": True}, format="json")
    assert setting()
    upload = {"archive": ContentFile(b"print(2)\n", name="bot.py")}
    assert program.post("/api/v1/bots/jaguar/versions", upload, format="multipart").status_code == 201
    assert setting(), "an upload that says nothing of it leaves it"
    upload = {"archive": ContentFile(b"print(3)\n", name="bot.py"), "only_when_better": "false"}
    assert program.post("/api/v1/bots/jaguar/versions", upload, format="multipart").status_code == 201
    assert not setting()
    upload = {"archive": ContentFile(b"print(4)\n", name="bot.py"), "only_when_better": "on"}
    assert browser.post("/bots/jaguar/upload", upload).status_code == 302
    assert setting()
    assert "checked" in browser.get("/bots/jaguar/upload").content.decode()
    browser.post("/bots/jaguar/edit", {"name": "Jaguar", "activates_itself": "on"})
    assert not setting()


def test_a_chart_of_many_sets_has_few_points() -> None:
    plan = Plan()
    sets = [PlayedSet(SetState.COUNTED, 0.5 + 0.5 * (number % 2) - 0.25) for number in range(1000)]
    chart = evidence_chart(follow_sets(sets, plan, 5000).steps, plan)
    assert chart is not None
    assert len(chart.better.split()) <= MOST_POINTS + 1
    assert chart.upper < chart.middle < chart.lower
    assert evidence_chart([], plan) is None
