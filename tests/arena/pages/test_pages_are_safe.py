"""What strangers write appears as text, on every page that shows it, and pages run no script but ours."""

import re
from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders

from arena.accounts import tokens
from arena.accounts.models import User
from arena.bots import services
from arena.bots.models import Bot, Status
from arena.matches.models import Match, MatchSeat
from arena.notices.services import notify
from tests.arena.cast import ask_for, finish
from tests.arena.people import browser_of, make_active, pass_validation, playing, program_of, submit

pytestmark = pytest.mark.django_db
ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "</textarea></pre></title><svg onload=alert(1)>",
    "{{ 7|add:7 }}{% debug %}",
    "javascript:alert(1)",
)


class Page(HTMLParser):
    """Notes whatever in a page could run."""

    def __init__(self) -> None:
        super().__init__()
        self.dangers: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attributes:
            if name.startswith("on") or name == "style":
                self.dangers.append(f"{tag} {name}={value}")
            if name in {"href", "src", "action", "formaction"} and (value or "").strip().lower().startswith(
                ("javascript", "data:", "http:", "https:", "//")
            ):
                self.dangers.append(f"{tag} {name}={value}")
        has = dict(attributes)
        is_ours = tag == "svg" and has.get("class") == "signs"  # the viewer's own drawings
        if tag in {"iframe", "object", "embed", "style", "svg"} and not is_ours:
            self.dangers.append(tag)
        is_data = has.get("type") == "application/json"
        if tag == "script" and not is_data and not str(has.get("src")).startswith("/static/"):
            self.dangers.append("script of its own")


def dangers_of(html: str) -> list[str]:
    page = Page()
    page.feed(html)
    return page.dangers


@pytest.fixture(params=range(len(ATTACKS)), ids=[f"attack {number}" for number in range(len(ATTACKS))])
def attack(request: pytest.FixtureRequest) -> str:
    return ATTACKS[request.param]


@pytest.fixture
def attacked(itzel: User, mateo: User, attack: str) -> Match:
    """An arena in which everything that a person can write is an attack."""
    bot = services.create_bot(itzel, "jaguar", attack, attack)
    version = submit(bot)
    services.set_status(version.pk, Status.BUILT, attack, attack, attack[:40])
    pass_validation(version)
    rejected = submit(bot, "print(2)")
    services.set_status(rejected.pk, Status.REJECTED, attack, attack, attack[:40])
    quetzal = make_active(mateo, "quetzal")
    bot.refresh_from_db()
    match = ask_for([version, playing(quetzal)])
    finish(match, faulty=[0])
    MatchSeat.objects.update(fault_reason=attack)
    services.bench(bot.pk, attack)
    Bot.objects.filter(slug="quetzal").update(disqualified_reason=attack, disqualified_at="2026-01-01T00:00Z")
    User.objects.filter(pk=itzel.pk).update(about=attack)
    tokens.make_token(itzel, attack, [])
    notify(itzel.pk, lambda: attack, "/bots/jaguar/")
    return match


PAGES = (
    "/",
    "/bots/",
    "/bots/mine",
    "/bots/jaguar/",
    "/bots/quetzal/",
    "/bots/jaguar/edit",
    "/bots/jaguar/upload",
    "/bots/jaguar/versions/1/",
    "/bots/jaguar/versions/2/",
    "/matches/",
    "/challenge",
    "/authors/itzel/",
    "/accounts/settings",
    "/accounts/tokens",
    "/accounts/notices",
)


def test_every_field_is_shown_as_text(attacked: Match, itzel: User, attack: str) -> None:
    browser = browser_of(itzel)
    shown = 0
    for path in PAGES:
        html = browser.get(path).content.decode()
        assert dangers_of(html) == [], path
        assert "14" not in html or "{{ 7|add:7 }}" not in attack or "{{ 7|add:7 }}" in html
        shown += sum(attack in text for text in texts_of(html))
    assert shown >= 8  # the attacks are really there, as text


def texts_of(html: str) -> list[str]:
    found: list[str] = []

    class Texts(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    Texts().feed(html)
    return found


def test_what_is_searched_for_is_shown_as_text(db: None, attack: str) -> None:
    for path in ("/bots/", "/matches/"):
        answer = browser_of(None).get(path, {"q": attack, "bot": attack, "runtime": attack, "before": attack})
        assert answer.status_code == 200
        assert dangers_of(answer.content.decode()) == []


def test_what_is_typed_wrongly_comes_back_as_text(itzel: User, attack: str) -> None:
    browser = browser_of(itzel)
    wrong = {"name": attack, "slug": attack, "description": attack, "opponents": attack, "bot": attack}
    for path in ("/bots/new", "/challenge"):
        assert dangers_of(browser.post(path, wrong).content.decode()) == []
    nobody = browser_of(None)
    form = {"username": attack, "email": attack, "password": attack}
    for path in ("/accounts/sign-up", "/accounts/sign-in", "/accounts/reset"):
        assert dangers_of(nobody.post(path, form).content.decode()) == []


def test_the_staff_pages_show_it_as_text(attacked: Match, citlali: User) -> None:
    browser = browser_of(citlali)
    version = attacked.seats_taken.get(seat=0).version
    for path in ("bots/bot/", f"bots/bot/{version.bot_id}/change/", f"bots/version/{version.pk}/change/"):
        html = browser.get(f"/admin/{path}").content.decode()
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<svg onload" not in html


def test_the_api_sends_data_that_no_browser_takes_for_a_page(attacked: Match, itzel: User) -> None:
    program = program_of(itzel)
    for path in ("bots", "bots/jaguar", "bots/jaguar/versions/1", "matches", "me", "notices", "tokens"):
        answer = program.get(f"/api/v1/{path}")
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/api/v1/docs", "/nowhere", "/accounts/sign-in"])
def test_pages_may_run_only_scripts_of_our_own(db: None, path: str) -> None:
    policy = browser_of(None).get(path).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_what_the_pages_link_to_is_there(itzel: User, jaguar: Bot) -> None:
    submit(jaguar)
    for path in ("/", "/bots/jaguar/versions/1/", "/api/v1/docs"):
        html = browser_of(itzel).get(path).content.decode()
        for name in re.findall(r'(?:href|src)="/static/([^"?]+)', html):
            assert finders.find(name), name


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_one_heading_a_language_and_names_for_its_fields(
    itzel: User, mateo: User, jaguar: Bot, path: str
) -> None:
    pass_validation(submit(jaguar))
    services.set_status(submit(jaguar, "print(2)").pk, Status.REJECTED)
    make_active(mateo, "quetzal")
    html = browser_of(itzel).get(path).content.decode()
    assert html.count("<h1") == 1
    assert '<html lang="en">' in html
    assert '<main id="content">' in html
    labelled = set(re.findall(r'<label for="([^"]+)"', html))
    for tag in re.findall(r"<(?:input|select|textarea)[^>]*>", html):
        if 'type="hidden"' in tag or ('type="checkbox"' in tag and 'name="scopes"' in tag):
            continue
        [identity] = re.findall(r' id="([^"]+)"', tag)
        assert identity in labelled, tag


@pytest.mark.parametrize(
    "path", ["/nowhere", "/bots/nobody/", "/authors/nobody/", "/bots/jaguar/versions/99999999999/"]
)
def test_what_is_not_there_has_a_page_that_says_so(jaguar: Bot, path: str) -> None:
    answer = browser_of(None).get(path)
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


def test_an_address_of_the_api_that_is_not_there_answers_in_its_shape(db: None) -> None:
    answer = browser_of(None).get("/api/v1/nowhere")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"
