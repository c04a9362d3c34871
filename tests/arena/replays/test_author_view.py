"""Notes, times and output of a bot: for its author, and for staff whose reading is recorded."""

import zlib

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.matches.models import Match
from arena.replays.selectors import record_of
from arena.replays.stored_frames import addresses, frames_of
from engine.record import replay
from tests.arena.cast import claim
from tests.e2e.games import play
from tests.e2e.matches import NAMES, new_match, played, report

pytestmark = pytest.mark.django_db
AXOLOTL = 1  # its seat; its author is itzel


@pytest.fixture
def over() -> Match:
    match = new_match()
    report(match, claim(match), played(match))
    match.refresh_from_db()
    return match


def sign_in(client: Client, name: str, **more: object) -> None:
    user, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.org", **more})
    client.force_login(user)


def test_an_author_sees_notes_times_and_output_of_its_own_bot(client: Client, over: Match) -> None:
    sign_in(client, "itzel")
    answer = client.get(f"/matches/{over.public_id}/author/{AXOLOTL}")
    seen = answer.json()
    assert seen["output"] == "seat 1 is ready\n"
    assert all(us > 0 for *_, us in seen["times"])
    assert "no-store" in answer["Cache-Control"]
    assert seen["notes"]


@pytest.mark.parametrize("view", ["open", f"seat{AXOLOTL}"])
def test_a_note_stands_at_the_frame_that_shows_what_its_bot_did(
    client: Client, over: Match, view: str
) -> None:
    sign_in(client, "itzel")
    seen = client.get(f"/matches/{over.public_id}/author/{AXOLOTL}?view={view}").json()
    record = record_of(over)
    assert record is not None
    shown = {(frame["step"], frame.get("sub", 0)): frame["seat"] for frame in frames_of(record, view)}
    at = [(step, sub) for step, sub, _ in seen["times"]]
    # Each of its decisions has a frame of its own, in the order in which they were taken.
    assert {shown[one] for one in at} == {AXOLOTL}
    assert at == sorted(set(at))
    assert {(step, sub) for step, sub, _ in seen["notes"]} <= set(at)


def test_what_came_of_a_decision_is_never_shown_a_frame_early_to_its_own_seat() -> None:
    record = play(4, bytes([1]) * 32, NAMES)
    stored = zlib.compress(record.to_bytes())
    deciders = [step.seat for step in replay(record)]
    for seat in range(4):
        shown = {(one["step"], one.get("sub", 0)): one["seat"] for one in frames_of(record, f"seat{seat}")}
        at = [
            where
            for where, who in zip(addresses(stored, f"seat{seat}"), deciders, strict=True)
            if who == seat
        ]
        assert {shown[where] for where in at} == {seat}


@pytest.mark.parametrize("view", ["public", "seat0", "nonsense"])
def test_in_other_views_a_note_stands_at_the_first_frame_after(
    client: Client, over: Match, view: str
) -> None:
    sign_in(client, "itzel")
    seen = client.get(f"/matches/{over.public_id}/author/{AXOLOTL}?view={view}").json()
    record = record_of(over)
    assert record is not None
    shown = {
        (frame["step"], frame.get("sub", 0))
        for frame in frames_of(record, view if view != "nonsense" else "open")
    }
    at = [(step, sub) for step, sub, _ in seen["times"]]
    assert set(at) <= shown
    assert at == sorted(at)


@pytest.mark.parametrize("seat", [0, 2, 3, 7])
def test_an_author_sees_nothing_of_other_seats(client: Client, over: Match, seat: int) -> None:
    sign_in(client, "itzel")
    assert client.get(f"/matches/{over.public_id}/author/{seat}").status_code == 404


def test_others_and_strangers_see_nothing(client: Client, over: Match) -> None:
    assert client.get(f"/matches/{over.public_id}/author/{AXOLOTL}").status_code == 404
    sign_in(client, "rival")
    assert client.get(f"/matches/{over.public_id}/author/{AXOLOTL}").status_code == 404
    page = client.get(f"/matches/{over.public_id}/").content.decode()
    assert "is ready" not in page
    assert "/author/" not in page


def test_the_page_offers_an_author_its_own_seats_alone(client: Client, over: Match) -> None:
    sign_in(client, "itzel")
    page = client.get(f"/matches/{over.public_id}/").content.decode()
    assert f"/matches/{over.public_id}/author/1" in page
    assert f"/matches/{over.public_id}/author/0" not in page
    assert "/author/" not in client.get(f"/matches/{over.public_id}/embed/").content.decode()


def test_a_reading_by_staff_is_recorded(client: Client, over: Match) -> None:
    from arena.accounts.models import AuditEntry

    sign_in(client, "keeper", is_staff=True)
    assert client.get(f"/matches/{over.public_id}/author/{AXOLOTL}").status_code == 200
    assert AuditEntry.objects.filter(actor__username="keeper").exists()
