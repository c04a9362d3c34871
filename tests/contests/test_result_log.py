"""A log with void, repeated or impossible lines: what counts is folded, what cannot be is refused by number."""

import pytest

from contests.rating import Place
from contests.result_log import Line, ResultLogError, counted, tables_of
from contests.strength import estimate

WON = [Place(1, 1), Place(2, 2)]
LOST = [Place(1, 2), Place(2, 1)]


def test_a_voided_line_leaves_no_trace() -> None:
    lines = [Line(1, WON), Line(2, LOST), Line(3, voids=1)]
    assert counted(lines) == [Line(2, LOST)]
    assert estimate(lines).bots == estimate([Line(2, LOST)]).bots


def test_a_line_that_is_there_twice_counts_once() -> None:
    assert counted([Line(1, WON), Line(1, WON)]) == [Line(1, WON)]


def test_results_are_put_by_their_number_of_seats() -> None:
    three = [Place(1, 1), Place(2, 2), Place(3, 2)]
    assert [table.numbers.tolist() for table in tables_of([Line(1, three), Line(2, WON), Line(3, LOST)])] == [
        [2, 3],
        [1],
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (Line(7, []), "2 to 4 bots, this one has 0"),
        (Line(7, [Place(1, 1)]), "this one has 1"),
        (Line(7, [Place(bot, bot) for bot in range(1, 6)]), "this one has 5"),
        (Line(7, [Place(1, 1), Place(1, 2)]), "twice"),
        (Line(7, [Place(1, 1), Place(2, 3)]), "no ranking"),
        (Line(7, [Place(1, 0), Place(2, 1)]), "no ranking"),
        (Line(7, [Place(1, 2), Place(2, 2)]), "no ranking"),
        (Line(7, [Place(1, 1, float("nan")), Place(2, 2)]), "finite"),
        (Line(7, [Place(1, 1, float("inf")), Place(2, 2)]), "finite"),
        (Line(7, [Place(1, 1.5), Place(2, 2)]), "whole numbers"),  # type: ignore[arg-type]
        (Line(7, [Place("1", 1), Place(2, 2)]), "whole numbers"),  # type: ignore[arg-type]
        (Line(7, voids=9), "voids line 9, which is no earlier result"),
        (Line(7, voids=7), "no earlier result"),
        (Line(7, voids=4), "line 4, which is no earlier result"),
        (Line(7, voids=1), "void already"),
        (Line(2, LOST), "says otherwise"),
    ],
)
def test_an_impossible_line_is_refused_with_its_number(line: Line, why: str) -> None:
    with pytest.raises(ResultLogError, match=why) as refused:
        estimate([Line(1, WON), Line(2, WON), Line(4, voids=1), line])
    assert refused.value.number == line.number
    assert str(refused.value).startswith(f"line {line.number}: ")
