"""Kept records open in the viewer; those of other rules are not replayed, and the page says why."""

import zlib
from pathlib import Path

import pytest
from django.test import Client

from arena.matches.models import MatchReport
from arena.replays.models import WinChances
from arena.replays.services import work_out_chances
from arena.replays.stored_frames import frames_of, views
from engine.record import load_record
from tests.arena.cast import ask_for, finish, make_bot

ENGINE = Path(__file__).parents[2] / "engine"
GOLDEN = sorted((ENGINE / "golden").glob("rules*"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_a_golden_game_has_frames_in_every_view(path: Path) -> None:
    record = load_record(path.read_bytes())
    lasts = {view: list(frames_of(record, view))[-1] for view in views(len(record.seats))}
    assert {last["events"][-1]["kind"] for last in lasts.values()} == {"game_over"}
    assert len({last["step"] for last in lasts.values()}) == 1


@pytest.mark.django_db
def test_a_match_of_older_rules_keeps_its_page_and_record_and_is_never_replayed(client: Client) -> None:
    old = (ENGINE / "old_records" / "rules1.aztr").read_bytes()
    match = ask_for([make_bot(name) for name in ("itzel", "rival", "third", "fourth")])
    finish(match)
    MatchReport.objects.filter(match=match).update(record=zlib.compress(old))
    for name in ("", "embed/"):
        page = client.get(f"/matches/{match.public_id}/{name}")
        assert page.status_code == 200
        assert b"was played with version 1 of the rules" in page.content
        assert b'id="viewer"' not in page.content
    assert client.get(f"/matches/{match.public_id}/record.aztr").content == old
    assert client.get(f"/api/v1/matches/{match.public_id}/replay").json()["record"]["version"] == 1
    for name in ("frames/open", "picture.svg", "chances"):
        assert client.get(f"/matches/{match.public_id}/{name}").status_code == 404
    work_out_chances(match.pk)
    assert not WinChances.objects.filter(match=match).exists()
