"""Records that were kept from earlier open in the viewer as they always did."""

from pathlib import Path

import pytest

from arena.replays.frames import frames_of, views
from engine.record import load_record

GOLDEN = sorted((Path(__file__).parents[2] / "engine" / "golden").glob("rules*"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_a_golden_game_has_frames_in_every_view(path: Path) -> None:
    record = load_record(path.read_bytes())
    lasts = {view: list(frames_of(record, view))[-1] for view in views(len(record.seats))}
    assert {last["events"][-1]["kind"] for last in lasts.values()} == {"game_over"}
    assert len({last["step"] for last in lasts.values()}) == 1
