"""How far spectators are kept behind a running match: set on the ladder or the event, by those who may."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from arena.accounts.models import User
from arena.ladders.models import Ladder
from arena.matches.models import Match
from arena.matches.visibility import delay
from tests.arena import events
from tests.arena.cast import ask_for, make_bot, make_season

pytestmark = pytest.mark.django_db


def test_staff_set_the_delay_of_a_ladder_and_its_matches_have_it(admin_client: Client) -> None:
    season = make_season(2)
    address = f"/admin/ladders/ladder/{season.ladder_id}/change/"
    form = admin_client.get(address).context["adminform"].form
    values = {name: form.initial[name] for name in form.fields if form.initial.get(name) is not None}
    json = {name: form[name].value() for name in ("ruleset", "clocks")}
    answer = admin_client.post(address, {**values, **json, "live_delay": "90"})
    assert answer.status_code == 302, answer.context["errors"]
    match = ask_for([make_bot("eagle"), make_bot("jaguar")], season)
    assert delay(match.purpose, match.purpose_id) == 90


def test_matches_of_an_event_have_its_delay(olin: User) -> None:
    event = events.new_event(olin, 2, live_delay=45)
    match = Match.objects.get(purpose=Match.Purpose.TOURNAMENT, purpose_id=event.pk)
    assert delay(match.purpose, match.purpose_id) == 45


def test_a_match_of_no_contest_is_shown_at_once() -> None:
    match = ask_for([make_bot("eagle"), make_bot("jaguar")])
    assert delay(match.purpose, match.purpose_id) == 0


def test_nobody_can_ask_for_a_delay_of_a_day() -> None:
    ladder = Ladder.objects.get(pk=make_season(2).ladder_id)
    ladder.live_delay = 30_000
    with pytest.raises(ValidationError, match="3600"):
        ladder.full_clean()
