"""Specs and reports travel as JSON: they come back the same, and anything else is refused with a reason."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.match.report import NOTES_KEPT, MatchReport, SeatReport, clean
from workers.match.spec import MatchSpec
from workers.match.strict import DataError

from .conftest import Friend, make_spec, play, villain

STRANGE = [None, True, -1, 1.5, 2**60, "", "x" * 200_000, [], {}, [None], {"a": 1}]


@pytest.fixture(scope="module")
def report_data() -> dict[str, Any]:
    """A report with a strike, a fault and notes in it."""
    import asyncio

    report = asyncio.run(play([villain("illegal_action"), villain("take_notes"), Friend()]))
    data: dict[str, Any] = json.loads(json.dumps(report.to_data()))
    return data


def test_a_spec_comes_back_the_same() -> None:
    spec = make_spec(3, edition="italian")
    assert MatchSpec.from_data(json.loads(json.dumps(spec.to_data()))) == spec


def test_a_report_comes_back_the_same(report_data: dict[str, Any]) -> None:
    report = MatchReport.from_data(report_data)
    assert report.to_data() == report_data
    assert report.seats[0].fault is not None
    assert len(report.seats[0].strikes) == 3
    assert report.seats[1].notes
    assert report.placements[0] == 3


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in JSON data; of lists only the first two are walked."""
    yield path
    if isinstance(data, dict):
        for name in data:
            yield from places(data[name], (*path, name))
    elif isinstance(data, list):
        for number in range(min(2, len(data))):
            yield from places(data[number], (*path, number))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    data = copy.deepcopy(data)
    if not path:
        return value
    inner = data
    for part in path[:-1]:
        inner = inner[part]
    inner[path[-1]] = value
    return data


def read_or_refuse(read: Any, data: Any) -> Any:
    """What was read, or None; any error but DataError is a bug."""
    try:
        return read(data)
    except DataError as error:
        assert str(error)
        return None


@pytest.mark.parametrize("strange", STRANGE, ids=lambda one: repr(one)[:20])
def test_a_spec_with_any_value_replaced_is_refused_or_reads_as_what_it_says(strange: object) -> None:
    data = make_spec(2).to_data()
    for path in places(data):
        spec = read_or_refuse(MatchSpec.from_data, changed(data, path, strange))
        assert spec is None or spec.to_data() == changed(data, path, strange)


@pytest.mark.parametrize("strange", STRANGE, ids=lambda one: repr(one)[:20])
def test_a_report_with_any_value_replaced_is_refused_or_reads_as_what_it_says(
    report_data: dict[str, Any], strange: object
) -> None:
    for path in places(report_data):
        report = read_or_refuse(MatchReport.from_data, changed(report_data, path, strange))
        assert report is None or report.to_data() == changed(report_data, path, strange)


def test_a_missing_or_unknown_field_is_named(report_data: dict[str, Any]) -> None:
    for data, read in ((make_spec().to_data(), MatchSpec.from_data), (report_data, MatchReport.from_data)):
        for name in data:
            with pytest.raises(DataError, match=f"lacks {name}"):
                read({key: value for key, value in data.items() if key != name})
        with pytest.raises(DataError, match="unknown fields: surprise"):
            read({**data, "surprise": 1})


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("names",), ["one"], "2, 3 or 4 seats"),
        (("names",), ["a"] * 5, "a list of at most 4"),
        (("seed",), "AB" * 32, "32 bytes in lower-case hexadecimal"),
        (("seed",), "ab" * 31, "32 bytes in lower-case hexadecimal"),
        (("board_id",), "../../etc/passwd", "letters, digits"),
        (("board_id",), "x.json", "letters, digits"),
        (("ruleset", "tie"), "nobody", "spec.ruleset"),
        (("clocks", "startup_ms"), 0, "from 1 to 3600000"),
        (("clocks", "decision_ms"), 4_000_000, "from 1 to 3600000"),
        (("clocks", "bank_ms"), 0, "no bot has time to answer"),
    ],
)
def test_a_spec_that_no_host_could_play_is_refused(path: tuple[str, ...], value: object, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        MatchSpec.from_data(changed(make_spec().to_data(), path, value))


def test_a_board_that_this_host_does_not_have_is_refused() -> None:
    spec = MatchSpec.from_data(changed(make_spec().to_data(), ("board_hash",), "0" * 64))
    with pytest.raises(DataError, match="update the host"):
        spec.load_board()


def test_two_seats_with_one_place_are_refused(report_data: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="a place of its own"):
        MatchReport.from_data(changed(report_data, ("seats", 0, "placement"), 1))


@given(st.binary(max_size=300))
def test_a_strangers_bytes_become_text_that_databases_take(data: bytes) -> None:
    text = clean(data)
    assert "\0" not in text
    text.encode()
    assert len(text) <= len(data)


def test_notes_beyond_the_space_of_a_seat_are_dropped_and_counted() -> None:
    seat = SeatReport()
    for step in range(100):
        seat.keep_note(step, "x" * 5000)
    assert sum(len(note) for note in seat.notes.values()) <= NOTES_KEPT
    assert len(seat.notes) == 64
    assert seat.notes_dropped == 36
