"""An arena in which every text that a person, a bot or a host can write is an attack, looked at by everybody.

The fields are read from the models, so a new one must be said to be free text or of a checked form.
"""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import models
from django.utils import timezone

from arena.accounts import tokens
from arena.accounts.audit import record
from arena.accounts.models import User
from arena.analysis.models import Variation
from arena.bots.models import Version
from arena.discovery.services import follow
from arena.hosts import services as hosts
from arena.matches.models import Match
from arena.notices.models import Webhook, WebhookDelivery
from arena.notices.services import notify
from arena.outbox.models import Outbox
from arena.promotions.models import PromotionTest
from arena.tournaments.entering import enter
from arena.tournaments.models import Tournament
from arena.tournaments.services import publish
from engine.rulesets import ruleset
from tests.arena.api.test_permissions import CLOCKS, PAGES
from tests.arena.cast import HOST_STATE, ask_for, finish, make_season
from tests.arena.people import browser_of, make_active, submit

pytestmark = pytest.mark.django_db
ATTACKS = (
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(1)</script>",
    "'><svg/onload=alert(1)>",
)
OUR_SCRIPTS = ("/static/", "/admin/jsi18n/")
OURS = (
    "accounts", "bots", "matches", "ladders", "tournaments", "promotions", "replays", "discovery", "play",
    "analysis",
)  # fmt: skip
# What strangers fill with what they like, or what quotes them.
FREE = {
    "accounts.user": {"about", "first_name", "last_name"},
    "accounts.apitoken": {"name"},
    "accounts.notice": {"text"},
    "accounts.auditentry": set[str](),  # the database refuses a change; `record` writes an attack below
    "bots.bot": {"name", "description", "benched_reason", "disqualified_reason"},
    "bots.version": {"code", "reason"},
    "bots.versionevent": {"code", "reason", "log"},
    "matches.matchseat": {"fault_reason", "person"},
    "matches.attempt": {"note"},
    "matches.host": {"sandbox", "limits", "trouble"},
    "matches.outbox": {"error"},
    "matches.seatlog": {"output"},
    "matches.webhookdelivery": {"answer", "subject"},
    "ladders.ladder": {"name", "description"},
    "ladders.result": {"reason"},
    "promotions.promotiontest": {"reason"},
    "tournaments.tournament": {"name", "description", "cancel_reason"},
    "tournaments.tournamententry": {"reason"},
    "tournaments.game": {"void_reason"},
    "analysis.variation": {"name"},
}
# What has a form that is checked where it is written, or is made by the arena itself.
CHECKED = {
    "accounts.user": {"password", "username", "email", "language"},
    "accounts.apitoken": {"start"},
    "accounts.notice": {"link"},
    "accounts.auditentry": {"act", "target", "reason"},
    "bots.bot": {"slug"},
    "bots.version": {"sha256", "runtime", "language", "manifest", "pinned_runtime"},
    "matches.match": {
        "public_id",
        "own_ruleset",
        "own_board_id",
        "own_board_hash",
        "own_clocks",
        "seed_commitment",
    },
    "matches.matchterms": {"digest", "ruleset", "board_id", "board_hash", "clocks"},
    "matches.attempt": {"host", "key_hash"},
    "matches.host": {"name", "languages"},  # an attack below
    "matches.outbox": {"kind", "payload"},
    "matches.owedmail": {"subject", "body", "from_email", "to"},  # on no page at all
    "matches.matchreport": {"host", "timings", "faults"},
    "matches.reportarchive": {"name", "sha256"},  # on no page at all
    "matches.seatlog": {"notes"},  # an attack below: it is a table of texts
    "matches.webhook": {"url", "secret"},
    "matches.webhookdelivery": {"event", "body"},
    "ladders.ladder": {"slug", "ruleset", "clocks"},
    "ladders.season": {"luck_sha256"},
    "ladders.entry": {"seats_had"},
    "ladders.result": {"places"},
    "tournaments.tournament": {"slug", "ruleset", "clocks"},
    "tournaments.roundopening": {"pairing", "known"},
    "tournaments.game": {"pod", "placements"},
    "replays.winchances": {"moments"},
    "play.dailychallenge": {"edition"},
    "play.table": {"public_id", "edition", "opened_from"},
    "play.tableseat": {"token_hash"},
    "analysis.variation": {"key"},
    "analysis.continuation": {"key", "seed", "result"},
}


def texts(model: type[models.Model]) -> dict[str, Any]:
    kinds = (models.CharField, models.TextField, models.JSONField)
    return {
        field.name: field for field in model._meta.fields if isinstance(field, kinds) and not field.choices
    }


def our_models() -> dict[str, type[models.Model]]:
    return {each._meta.label_lower: each for name in OURS for each in apps.get_app_config(name).get_models()}


def test_every_text_is_known_to_be_free_or_checked() -> None:
    for label, model in our_models().items():
        assert set(texts(model)) == FREE.get(label, set()) | CHECKED.get(label, set()), label


class Dangers(HTMLParser):
    """Notes whatever in a page could run, and comes from an attack."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if any(name.startswith("on") for name in has) or has.get("src") == "x":
            self.found.append(f"{tag} {attributes}")
        is_data = has.get("type") in {"application/json", "importmap"}
        if tag == "script" and not is_data and not str(has.get("src")).startswith(OUR_SCRIPTS):
            self.found.append("a script of its own")


@pytest.fixture
def names(active: Version, itzel: User, mateo: User, olin: User, citlali: User) -> dict[str, object]:
    """An arena with something of everything; what stands in the addresses of its pages."""
    quetzal = make_active(mateo, "quetzal")
    versions: list[Any] = [active, quetzal.active_version]
    season = make_season(seats=2)
    over, faulty = ask_for(versions, season), ask_for(versions)
    finish(over)
    finish(faulty, faulty=[0])
    cup = Tournament.objects.create(
        slug="cup", name="Cup", organiser=olin, ruleset=ruleset().options(), clocks=CLOCKS, seats=2
    )
    publish(cup.pk, olin)
    enter(cup.pk, active.bot, itzel)
    hosts.beat("host", HOST_STATE)
    waiting = ask_for(versions)
    Match.objects.filter(pk=waiting.pk).update(state=Match.State.SET_ASIDE)
    Outbox.objects.create(kind="webhook", payload={}, error="x")
    webhook = Webhook.objects.create(owner=itzel, url="https://example.org/")
    WebhookDelivery.objects.create(webhook=webhook, event="match", subject="x", body={})
    second = submit(active.bot, "print(2)")
    PromotionTest.objects.create(
        bot=active.bot, version=active, baseline=second, state="stopped", ended_at=timezone.now(), elo0=0,
        elo1=30, alpha=0.05, beta=0.05, most_sets=10,
    )  # fmt: skip
    notify(itzel.pk, lambda: "x", "/bots/jaguar/")
    follow(itzel, quetzal)
    token, _ = tokens.make_token(itzel, "x", [])
    variation = Variation.objects.create(match=over, number=0, name="x", author=itzel)
    return {
        "variation": variation.key,
        "over": over.public_id,
        "match": waiting.public_id,
        "version": active.pk,
        "webhook": webhook.pk,
        "token": token.pk,
    }


def attack_everything(attack: str, staff: User) -> None:
    for label, model in our_models().items():
        fields = texts(model)
        for row in model._default_manager.all():
            changed: dict[str, Any] = {
                name: attack[: fields[name].max_length] for name in FREE.get(label, ())
            }
            if label == "bots.bot":
                changed["name"] = f"{attack}{row.pk}"  # a name is there once
            if label == "matches.seatlog":
                changed["notes"] = {"1": attack}
            if label == "matches.host":
                changed["languages"] = {attack: {"works": False, "missing": False, "trouble": attack}}
            if changed:
                model._default_manager.filter(pk=row.pk).update(**changed)
    for version in Version.objects.all():
        record(staff, "read logs", version, attack)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_page_runs_what_somebody_wrote(
    names: dict[str, object], attack: str, itzel: User, olin: User, citlali: User
) -> None:
    attack_everything(attack, citlali)
    paths = [f"/{path.format(**names)}" for method, path in PAGES if method == "get"]
    paths += [f"/bots/jaguar/versions/1/?logs=1&{attack}", f"/bots/?q={attack}", f"/matches/?bot={attack}"]
    paths += [f"/search/?q={attack}", "/search/?q=alert"]
    seen = 0
    for person in (None, itzel, olin, citlali):
        browser = browser_of(person)
        for path in [*paths, *(staff_paths() if person == citlali else [])]:
            answer = browser.get(path)
            if answer.streaming or not answer["Content-Type"].startswith(("text/html", "image/svg")):
                continue
            html = answer.content.decode()
            assert Dangers(html).found == [], path
            seen += "alert(1)" in html
    assert seen > 60  # the attacks are really there


def staff_paths() -> list[str]:
    found = []
    for model in admin.site._registry:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        row = model._default_manager.first()
        found += [base, f"{base}?q=alert", *([f"{base}{row.pk}/change/"] if row else [])]
    return found
