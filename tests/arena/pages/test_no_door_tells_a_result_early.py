"""One policy for every door: each address of the table is asked in every role while a result must not be told.

Nothing is listed here by hand: an address that is added later is walked too, or the walk asks for an example.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from redis import Redis

from arena.accounts.models import User
from arena.hosts import reports
from arena.hosts.attempts import Claimant
from arena.hosts.models import HeldReport
from arena.ladders.models import Ladder, RatingChange
from arena.matches.models import Match, MatchSeat
from arena.notices.models import Webhook, WebhookDelivery
from arena.operations.middleware import PROBES
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from arena.tournaments import running, services
from arena.tournaments.models import Tournament
from arena.tournaments.selectors import picture
from tests.arena import events
from tests.arena.cast import ask_for, claim, finish, make_bot, make_season, report_of
from tests.arena.doors import Visitor, differences

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
# The machine room: it shows that a host is done and that work is owed, never how a match went.
MACHINE_ROOM = (
    "/queue/", "/api/v1/queue", "/operator/", "/health/", *PROBES, "/admin/hosts/attempt/",
    "/admin/outbox/outbox/", "/admin/hosts/host/",
)  # fmt: skip
# New secrets and the time of the last look: they differ at every look.
NEW_EACH_TIME = ("/accounts/export", "/accounts/security", "/accounts/second-factor/")
SECRET_OUTPUT = "xolotl was here"
TELLING = (SECRET_OUTPUT, "crash", 'fault="bot"')


@pytest.fixture
def visitors(itzel: User, mateo: User, olin: User, citlali: User) -> dict[str, Visitor]:
    """Itzel's bot plays, Mateo's is its rival, Olin organises, Citlali is staff, Nobody watches."""
    make_bot("bot-0", "itzel")
    make_bot("bot-1", "mateo")
    Webhook.objects.create(owner=itzel, url="https://example.org/")
    people = {"nobody": None, "author": itzel, "rival": mateo, "organiser": olin, "staff": citlali}
    return {role: Visitor(person) for role, person in people.items()}


def work_off() -> None:
    """Do what is owed and due, as the arena's workers do. Nothing leaves the machine: webhooks stay owed."""
    while due := list(
        Outbox.objects.filter(due_at__lte=Now() + timedelta(seconds=60)).exclude(kind="webhook")
    ):
        for work in due:
            outbox.deliver(work.pk, work.tries)


def told_by(match: Match) -> dict[str, Any]:
    """A report in which seat 0 fails, and says so."""
    report = report_of(match, faulty=[0])
    report["seats"][0]["output"] = SECRET_OUTPUT
    return report


def test_during_the_delay_no_door_changes_for_anybody(
    visitors: dict[str, Visitor], olin: User, redis: Redis
) -> None:
    season = make_season(2)
    versions = [make_bot("bot-2"), *(bot.active_version for bot in _bots("bot-0", "bot-1"))]
    finish(ask_for(versions[1:], season))  # so that there are standings, told before there was a delay
    work_off()
    Ladder.objects.update(live_delay=3600)
    on_ladder = ask_for(versions[1:], season)
    events.new_event(olin, 4, format="single_elimination", live_delay=3600)
    in_event = Match.objects.filter(purpose="tournament").order_by("pk").first()
    assert in_event
    work_off()  # the event's authors are told that it has started
    played: list[tuple[Match, Claimant]] = [(match, claim(match)) for match in (on_ladder, in_event)]
    known = [on_ladder, in_event]
    before = {role: visitor.walk(known) for role, visitor in visitors.items()}
    for match, claimant in played:
        reports.record_report(claimant, told_by(match))
        reports.record_report(claimant, told_by(match))  # the host did not hear the first answer
    work_off()
    assert not WebhookDelivery.objects.filter(subject__in=[match.public_id for match, _ in played])
    for role, visitor in visitors.items():
        during = visitor.walk(known)
        changed = differences(before[role], during)
        assert [path for path in changed if not path.startswith((*MACHINE_ROOM, *NEW_EACH_TIME))] == [], role
        for path in changed:
            assert not [word for word in TELLING if word in during[path][2]], (role, path)

    HeldReport.objects.update(public_at=Now())
    Outbox.objects.filter(kind="publish").update(due_at=Now())
    work_off()
    after = visitors["nobody"].walk(known)
    changed = differences(before["nobody"], after)
    assert len(changed) > 30
    assert after[f"/matches/{on_ladder.public_id}/record.json"][0] == 200
    assert RatingChange.objects.filter(season=on_ladder.purpose_id, sequence=2).count() == 2
    assert WebhookDelivery.objects.filter(subject=on_ladder.public_id).count() == 1


def _bots(*slugs: str) -> list[Any]:
    from arena.bots.models import Bot

    return [Bot.objects.get(slug=slug) for slug in slugs]


def swap_outcomes(event: Tournament) -> None:
    """Have the losers win: whoever may not see the results cannot notice."""
    for game in event.games.exclude(match=None):
        places = game.placements
        game.placements = {entry: len(places) + 1 - place for entry, place in places.items()}
        game.save(update_fields=["placements"])
        for seat in MatchSeat.objects.filter(match=game.match_id):
            seat.placement, seat.score = 3 - (seat.placement or 0), (seat.score or 0) + 1000
            seat.fault = "" if seat.fault else "crash"
            seat.save()
    running.keep_standings(picture(Tournament.objects.get(pk=event.pk)))


@pytest.mark.parametrize("release", ["hidden", "entrants"])
def test_what_an_organiser_holds_back_makes_no_difference_at_any_door(
    release: str, visitors: dict[str, Visitor], olin: User
) -> None:
    make_season(2)
    event = events.new_event(olin, 2, release=release, best_of=2)
    events.play_out(event)
    work_off()
    assert event.state == "finished"
    known = list(Match.objects.filter(purpose="tournament").order_by("pk"))
    kept_out = ["nobody", "author", "rival"] if release == "hidden" else ["nobody"]
    before = {role: visitors[role].walk(known) for role in [*kept_out, "organiser"]}
    told = WebhookDelivery.objects.filter(subject__in=[match.public_id for match in known])
    assert told.count() == (0 if release == "hidden" else len(known))
    for role in kept_out:
        text = "".join(body for _, _, body in before[role].values())
        assert bytes(event.master_seed).hex() not in text
        assert not any(bytes(match.seed).hex() in text for match in known)
        assert before[role][f"/matches/{known[0].public_id}/record.json"][0] == 404
    swap_outcomes(event)
    for role in kept_out:
        changed = differences(before[role], visitors[role].walk(known))
        assert [path for path in changed if not path.startswith((*MACHINE_ROOM, *NEW_EACH_TIME))] == [], role
    assert len(differences(before["organiser"], visitors["organiser"].walk(known))) > 5

    services.release_rounds(event.pk, olin, "public", event.openings.count())
    work_off()
    assert told.count() == len(known)


def test_who_meets_in_a_final_tells_no_one_who_won_a_held_back_semifinal(
    visitors: dict[str, Visitor], olin: User
) -> None:
    event = events.new_event(olin, 4, format="single_elimination", release="hidden")
    events.play_out(event)
    final = event.games.get(round=2).match
    semifinal = event.games.filter(round=1)[0].match
    make_season(2)
    for role in ("nobody", "author", "rival"):
        seen = visitors[role].walk([semifinal])
        assert [path for path, (_, _, body) in seen.items() if final.public_id in body] == [], role
        assert visitors[role].program.get(f"/api/v1/matches/{final.public_id}").status_code == 404
    seen = visitors["organiser"].walk([semifinal])
    assert final.public_id in seen["/matches/"][2]
    services.release_rounds(event.pk, olin, "public", 1)
    assert final.public_id in visitors["nobody"].program.get("/api/v1/matches").content.decode()
    services.release_rounds(event.pk, olin, "entrants", event.openings.count())
    known = {role: visitors[role].program.get("/api/v1/matches").content.decode() for role in visitors}
    assert {role for role, body in known.items() if final.public_id in body} == {
        "author", "rival", "organiser", "staff",
    }  # fmt: skip
