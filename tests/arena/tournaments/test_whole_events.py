"""One event of each format, for two and for four, through the pages alone: it goes wrong in every way that it
can (a withdrawal, a void, a rerun, a disqualification), and after each it can be verified."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.matches.models import Match
from arena.tournaments import running
from arena.tournaments.models import FORMAT_NAMES, Tournament
from aztlan.cli import main
from tests.arena.cast import make_bot
from tests.arena.events import play_open, play_out
from tests.arena.people import browser_of
from tests.arena.tournaments.test_pages import FORM

pytestmark = pytest.mark.django_db
BOTS = 5


class Desk:
    """An organiser's browser at the desk of one event."""

    def __init__(self, organiser: User, **rules: Any) -> None:
        self.browser = browser_of(organiser)
        page = self.browser.post("/tournaments/new", {**FORM, **rules}, follow=True)
        assert page.redirect_chain, page.context["form"].errors
        self.address = page.redirect_chain[-1][0]
        self.event = Tournament.objects.get()

    def act(self, name: str, **data: Any) -> str:
        """Preview an act, confirm it as the page offers it, and return what the page says then."""
        shown = self.browser.post(self.address, {"preview": name, **data})
        offered = dict(shown.context["hidden_fields"])
        confirmed = {**offered, "basis": shown.context["preview"].basis, "confirmed": "1"}
        answer = self.browser.post(self.address, confirmed, follow=True)
        [message] = [str(one) for one in answer.context["messages"]]
        assert answer.redirect_chain, message
        self.event.refresh_from_db()
        return message


@pytest.fixture
def verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    def verify(desk: Desk) -> None:
        """Play the event to its end, and have `aztlan verify-tournament` check what everybody can download."""
        play_out(desk.event)
        assert desk.event.state == "finished"
        page = Client().get(desk.event.get_absolute_url()).content.decode()
        assert 'class="podium"' in page
        file = tmp_path / "event.json"
        file.write_bytes(Client().get(f"{desk.event.get_absolute_url()}export.json").content)
        assert main(["verify-tournament", str(file)]) == 0, capsys.readouterr().out

    return verify


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("format_name", FORMAT_NAMES)
def test_an_event_that_goes_wrong_in_every_way_can_be_verified_after_each(
    format_name: str, seats: int, olin: User, citlali: User, verified: Any
) -> None:
    make_bot("random", "house", is_house=True)
    for number in range(BOTS):
        make_bot(f"bot-{number}")
    desk = Desk(olin, format=format_name, seats=str(seats), group_size="3", rounds="3", live_delay="0")
    assert desk.act("publish") == "The tournament is open for entries."
    assert desk.act("enter", bot="Bot-0") == "Bot-0 entered."  # by its name
    for number in range(1, BOTS):
        assert desk.browser.post(desk.address, {"act": "enter", "bot": f"bot-{number}"}).status_code == 302
    desk.act("seed", slugs="\n".join(f"Bot-{number}" for number in reversed(range(BOTS))))
    desk.act("lock")
    desk.act("start")

    assert desk.act("withdraw", bot="Bot-1", reason="its author is ill") == "Bot-1 withdrawn."
    verified(desk)

    voided = played(desk.event)[0]
    assert (
        desk.act("void", game=str(voided.pk), reason="a power cut") == "Game voided. It will be played again."
    )
    assert desk.event.state == "running"
    verified(desk)
    voided.refresh_from_db()
    assert voided.placements, "what was played stays on record"

    match = played(desk.event)[-1].match
    assert match is not None
    assert browser_of(citlali).post(f"/operator/matches/{match.public_id}/rerun").status_code == 302
    running.settle_match(Match.objects.get(pk=match.pk))  # as the worker does
    desk.event.refresh_from_db()
    assert desk.event.state == "running"
    verified(desk)

    desk.act("void", game=str(played(desk.event)[-1].pk), reason="a second power cut")
    assert desk.act("disqualify", bot="Bot-3", reason="two hands") == "Bot-3 disqualified."
    play_open(desk.event)
    verified(desk)
    last = desk.event.entries.get(bot__slug="bot-3")
    assert last.place is not None
    assert last.place >= BOTS - 1, "those who are out come last"


def played(event: Tournament) -> list[Any]:
    games = event.games.filter(voided_at=None, placements__isnull=False, match__isnull=False)
    return list(games.select_related("match"))
