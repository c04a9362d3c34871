"""What a seat was sent: for the author of its bot, with whose token `aztlan debug` feeds it to the bot again."""

import json
from base64 import b64decode
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from arena.accounts.models import AuditEntry, Scope, User
from arena.accounts.tokens import make_token
from arena.matches.models import Match
from aztlan.cli import main
from engine.record import replay
from proto import codec
from proto.messages import DecisionRequest, GameOver, MatchStart
from tests.arena.cast import claim
from tests.arena.people import make_person, program_of
from tests.e2e.matches import new_match, played, report

pytestmark = pytest.mark.django_db(transaction=True)
AXOLOTL = 1  # its seat; its author is itzel


def finish_match() -> Match:
    match = new_match()
    report(match, claim(match), played(match))
    match.refresh_from_db()
    return match


@pytest.fixture
def over(servers: None) -> Match:
    make_person("itzel")
    return finish_match()


def address(match: Match) -> str:
    return f"/api/v1/matches/{match.public_id}/messages"


def test_an_author_gets_every_message_to_the_own_seat_and_to_no_other(over: Match) -> None:
    [mine] = program_of(User.objects.get(username="itzel")).get(address(over)).json()
    assert (mine["seat"], mine["bot"]) == (AXOLOTL, "axolotl")
    messages = [codec.read_host_message(b64decode(one["message"])) for one in mine["messages"]]
    assert isinstance(messages[0], MatchStart)
    assert isinstance(messages[-1], GameOver)
    assert all(isinstance(one, DecisionRequest) for one in messages[1:-1])
    taken = [(step.number - 1, step.action) for step in replay(played(over)) if step.seat == AXOLOTL]
    assert [(one["step"], one["played"]) for one in mine["messages"][1:-1]] == taken


def test_a_rival_gets_nothing_and_a_visitor_is_asked_to_sign_in(over: Match) -> None:
    assert program_of(make_person("mateo")).get(address(over)).json() == []
    assert program_of(None).get(address(over)).status_code == 401


def test_staff_reads_on_record(over: Match) -> None:
    citlali = make_person("citlali", is_staff=True)
    seats = program_of(citlali).get(address(over)).json()
    assert [one["seat"] for one in seats] == [0, 1, 2, 3]
    assert AuditEntry.objects.filter(actor=citlali).count() == 4


def test_a_token_without_the_scope_is_refused(over: Match) -> None:
    itzel = User.objects.get(username="itzel")
    answer = program_of(itzel, Scope.BOTS).get(address(over))
    assert answer.status_code == 403
    assert "private" in answer.json()["message"]


def test_nothing_is_told_before_the_match_is_over(servers: None) -> None:
    itzel = make_person("itzel")
    assert program_of(itzel).get(address(new_match())).status_code == 404


def test_debug_feeds_a_match_of_the_arena_to_the_bot(
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    itzel = make_person("itzel")
    match = finish_match()
    _, secret = make_token(itzel, "debug", [Scope.PRIVATE])
    monkeypatch.setenv("AZTLAN_URL", live_server.url)
    monkeypatch.setenv("AZTLAN_TOKEN", secret)
    bot = tmp_path / "axolotl.py"
    bot.write_text(
        "from aztlan import Bot, run\n\nclass Axolotl(Bot):\n    def choose(self, observation, legal):\n"
        "        return legal[0]\n\nrun(Axolotl())\n"
    )
    assert main(["debug", match.public_id, str(bot), "--json"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    taken = {step.number: step.action for step in replay(played(match)) if step.seat == AXOLOTL}
    assert all(taken[row["step"]] == row["played"] != row["now"] for row in rows)
    assert all(row["then_ms"] > 0 for row in rows)
    assert main(["debug", match.public_id, str(bot), "--seat", "0"]) == 2
    assert f"seat 0 of match {match.public_id} is not yours" in capsys.readouterr().err
    monkeypatch.setenv("AZTLAN_TOKEN", "aztlan_wrong")
    assert main(["debug", match.public_id, str(bot)]) == 2
    told = capsys.readouterr().err
    assert "unknown or revoked" in told
    assert f"aztlan login {live_server.url}" in told
