"""A report is recorded once, and only if it can be true."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.matches.attempts import RefusedError
from arena.matches.models import Attempt, Match, MatchReport, Outbox, SeatLog
from arena.matches.reports import record_report
from tests.arena.cast import ask_for, claim, make_bot, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return ask_for([make_bot("one"), make_bot("two"), make_bot("three")])


def test_a_report_is_recorded_whole(match: Match) -> None:
    record_report(claim(match), report_of(match, faulty=[1]))
    match.refresh_from_db()
    seats = list(match.seats_taken.order_by("seat"))
    assert (match.state, seats[1].fault, seats[1].placement) == ("finished", "crash", 3)
    assert sorted(seat.placement or 0 for seat in seats) == [1, 2, 3]
    assert Attempt.objects.get().fault == "bot"
    assert SeatLog.objects.filter(output="hello\n").count() == 3
    assert Outbox.objects.get().payload == {"match": match.pk}


def test_the_same_report_again_is_answered_alike_and_changes_nothing(match: Match) -> None:
    hold, report = claim(match), report_of(match)
    record_report(hold, report)
    record_report(hold, report)
    assert MatchReport.objects.count() == Outbox.objects.count() == 1


LIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another match": lambda report: report.update(match_id="elsewhere"),
    "another seed": lambda report: report["record"].update(seed="00" * 32),
    "an action too few": lambda report: report["record"]["actions"].pop(),
    "an action changed": lambda report: report["record"]["actions"].__setitem__(3, 9000),
    "scores": lambda report: report["seats"][0].update(score=report["seats"][0]["score"] + 1),
    "two winners": lambda report: [seat.update(placement=1) for seat in report["seats"]],
    "a swapped result": lambda report: swap(report, "placement"),
    "a fault that changes nothing": lambda report: report["seats"][winner(report)].update(
        fault={"kind": "crash", "step": 3, "reason": "it crashed"}
    ),
    "more seats": lambda report: report["seats"].append(dict(report["seats"][0])),
    "an unknown field": lambda report: report.update(extra=1),
    "no report at all": lambda report: report.clear(),
}


def swap(report: dict[str, Any], name: str) -> None:
    one, other, *_ = report["seats"]
    one[name], other[name] = other[name], one[name]


def winner(report: dict[str, Any]) -> int:
    return next(number for number, seat in enumerate(report["seats"]) if seat["placement"] == 1)


@pytest.mark.parametrize("lie", LIES)
def test_a_report_that_cannot_be_true_is_the_hosts_fault_and_the_match_is_played_again(
    match: Match, lie: str
) -> None:
    report = report_of(match)
    LIES[lie](report)
    with pytest.raises(RefusedError, match="cannot be true"):
        record_report(claim(match), report)
    first, second = Attempt.objects.order_by("number")
    assert (first.state, first.fault, second.state) == ("refused", "host", "queued")
    assert not MatchReport.objects.exists()
    assert not match.seats_taken.exclude(fault="").exists()
