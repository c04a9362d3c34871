"""Statements about the order of two bots: never from little, in time from much, and not one way and the other."""

from math import log

from hypothesis import given
from hypothesis import strategies as st

from contests.rating import Place
from contests.result_log import Line
from contests.statements import enough, log_evidence, sure_above
from contests.strength import estimate


def wins(first: int, second: int, extra: int = 0) -> list[Line]:
    """Bot 1 against bot 2, and other bots that only draw."""
    results = [(1, 2)] * first + [(2, 1)] * second
    lines = [Line(n, [Place(a, 1), Place(b, 2)]) for n, (a, b) in enumerate(results, 1)]
    return lines + [Line(len(lines) + n, [Place(2 + n, 1), Place(1, 1)]) for n in range(1, extra + 1)]


def test_nothing_is_said_after_a_few_wins_and_something_after_many() -> None:
    assert not sure_above(estimate(wins(4, 0)), 1, 2)
    assert sure_above(estimate(wins(60, 10)), 1, 2)
    assert not sure_above(estimate(wins(60, 10)), 2, 1)
    assert not sure_above(estimate(wins(35, 35)), 1, 2)


def test_the_more_bots_the_more_evidence_a_statement_needs() -> None:
    assert enough(2) == log(1 / 0.05)
    assert enough(30) == log(435 / 0.05)
    assert sure_above(estimate(wins(16, 2)), 1, 2)
    assert not sure_above(estimate(wins(16, 2, extra=60)), 1, 2)


def test_fixed_points_are_above_each_other_by_definition() -> None:
    lines = [Line(1, [Place(1, 1, 1600.0), Place(2, 2, 1500.0)])]
    assert sure_above(estimate(lines), 1, 2)
    assert not sure_above(estimate(lines), 2, 1)


@given(st.floats(-2000, 2000), st.floats(1, 495))
def test_evidence_never_speaks_for_both_orders(difference: float, spread: float) -> None:
    assert min(log_evidence(difference, spread), log_evidence(-difference, spread)) <= 0
