"""A report is recorded once, and only if it can be true."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.hosts.attempts import HostRefusedError
from arena.hosts.models import Attempt
from arena.hosts.reports import record_report
from arena.matches.models import Match, MatchReport, SeatLog
from arena.outbox.models import Outbox
from tests.arena.cast import ask_for, claim, make_bot, report_of
from tests.workers.match.test_json_forms import changed, places
from workers.match.contradictions import replay_rounds
from workers.match.report import MatchReport as HostReport

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
    claimant, report = claim(match), report_of(match)
    record_report(claimant, report)
    record_report(claimant, report)
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
    "a made-up crash": lambda report: made_up(report, "crash", step=0),
    "a made-up crash half-way": lambda report: made_up(
        report, "crash", step=half_way(report), steps=lambda step: step < half_way(report)
    ),
    "no hello from a bot that played": lambda report: made_up(report, "no_hello", step=0),
    "a flood of nothing": lambda report: made_up(report, "flood", step=0, steps=lambda _: False),
    "a fault after the end": lambda report: made_up(report, "crash", step=len(report["record"]["actions"])),
    "a fault long after the end": lambda report: made_up(report, "crash", step=9_999),
    "a fault within a choice of all at once": lambda report: made_up(report, "crash", step=1),
    "three strikes without a fault": lambda report: report["seats"][0].update(strikes=strikes(report, 3)),
    "a strike for an action of the bot's own": lambda report: report["seats"][0].update(
        strikes=[{"step": own_choice(report), "kind": "time", "reason": "late"}]
    ),
    "a strike at another's decision": lambda report: report["seats"][0].update(
        strikes=[{"step": report["seats"][1]["steps"][0], "kind": "time", "reason": "x"}]
    ),
    "out by strikes with one": lambda report: made_up(report, "strikes", step=0, strikes=strikes(report, 1)),
    "a bot that played and never said hello": lambda report: report["seats"][0].update(startup_us=None),
    "a decision that nobody was asked for": lambda report: [
        report["seats"][0][name].pop() for name in ("steps", "wall_us", "charged_us")
    ],
    "a note with no answer": lambda report: report["seats"][0].update(notes=[[9_000, "x"]]),
    "more time charged than passed": lambda report: report["seats"][0]["charged_us"].__setitem__(0, 21),
    "a game longer than its match": lambda report: report.update(play_us=report["wall_us"] + 1),
    "times that no column holds": lambda report: [
        report["seats"][0][name].__setitem__(0, 2**53) for name in ("wall_us", "charged_us")
    ],
    "times that no column holds together": lambda report: [
        report["seats"][0].update({name: [86_400_000_000] * len(report["seats"][0]["steps"])})
        for name in ("wall_us", "charged_us")
    ],
    "a NUL": lambda report: report["seats"][0].update(output="a\0b"),
    "half of a surrogate pair": lambda report: report["seats"][0].update(exit="\ud800"),
    "a field whose name is a NUL": lambda report: report.update({"\0\ud800": 1}),
    "more seats": lambda report: report["seats"].append(dict(report["seats"][0])),
    "an unknown field": lambda report: report.update(extra=1),
    "no report at all": lambda report: report.clear(),
}


def made_up(
    report: dict[str, Any],
    kind: str,
    step: int,
    steps: Callable[[int], bool] = lambda _: True,
    strikes: list[Any] | None = None,
) -> None:
    """Say that the seat which came last failed, so that its placement need not change."""
    last = max(report["seats"], key=lambda seat: seat["placement"])
    last.update(fault={"kind": kind, "step": step, "reason": "it did"}, strikes=strikes or [])
    kept = [step for step in last["steps"] if steps(step)]
    last.update(steps=kept, **{name: last[name][: len(kept)] for name in ("wall_us", "charged_us")})


def half_way(report: dict[str, Any]) -> int:
    """A step at which the seat that came last decides alone."""
    last = max(report["seats"], key=lambda seat: seat["placement"])
    alone = [step for step in last["steps"] if step > len(report["seats"])]
    return int(alone[len(alone) // 2])


def strikes(report: dict[str, Any], count: int) -> list[dict[str, Any]]:
    return [{"step": step, "kind": "time", "reason": "late"} for step in report["seats"][0]["steps"][:count]]


def own_choice(report: dict[str, Any]) -> int:
    """A step at which seat 0 chose something else than the host would have played for it."""
    _, defaults = replay_rounds(HostReport.from_data(report))
    return int(next(step for step in report["seats"][0]["steps"] if step not in defaults))


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
    with pytest.raises(HostRefusedError, match="cannot be true"):
        record_report(claim(match), report)
    first, second = Attempt.objects.order_by("number")
    assert (first.state, first.fault, second.state) == ("refused", "host", "queued")
    assert not MatchReport.objects.exists()
    assert not match.seats_taken.exclude(fault="").exists()


@pytest.mark.parametrize("faulty", [[], [0], [0, 1]])
def test_seats_that_really_failed_are_recorded(match: Match, faulty: list[int]) -> None:
    record_report(claim(match), report_of(match, faulty))
    failed = match.seats_taken.exclude(fault="").values_list("seat", flat=True)
    assert sorted(failed) == faulty


ODD = ["a\0", "\ud800", 2**31, 2**63, 10**40, -1, 0.5, [], {}, None, True]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_whatever_stands_in_a_report_the_answer_is_definite(odd: object) -> None:
    versions = [make_bot("one"), make_bot("two")]
    match = ask_for(versions)
    for path in places(report_of(match, faulty=[0])):
        if not Attempt.objects.filter(match=match, state=Attempt.State.QUEUED).exists():
            match = ask_for(versions)  # the last one was fine, or had too many attempts
        claimant, report = claim(match), changed(report_of(match, faulty=[0]), path, odd)
        try:
            record_report(claimant, report)
        except HostRefusedError:
            assert Attempt.objects.get(pk=claimant.attempt_id).state == "refused"
        else:
            assert Attempt.objects.get(pk=claimant.attempt_id).state == "done"
