"""Strengths: a posterior on the scale of Elo that is finite, exact to the last bit, and covers the truth."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contests.posterior import UNIT, Curvature, Field, exponential
from contests.rating import Place
from contests.result_log import Line, tables_of
from contests.strength import PRIOR, Strength, estimate, estimate_tables, find_mode


def line(number: int, *order: int, fixed: dict[int, float] | None = None) -> Line:
    return Line(number, [Place(bot, place, (fixed or {}).get(bot)) for place, bot in enumerate(order, 1)])


def played(count: int, seats: int, strengths: list[float], seed: int) -> list[Line]:
    chance = random.Random(seed)
    lines = []
    for number in range(1, count + 1):
        bots = chance.sample(range(len(strengths)), seats)
        form = {bot: strengths[bot] - UNIT * math.log(chance.expovariate(1.0)) for bot in bots}
        lines.append(line(number, *sorted(bots, key=lambda bot: -form[bot])))
    return lines


@st.composite
def logs(draw: st.DrawFn) -> list[Line]:
    lines = []
    for number in range(1, draw(st.integers(1, 12)) + 1):
        bots = draw(st.lists(st.integers(1, 7), min_size=2, max_size=4, unique=True))
        sums = draw(st.lists(st.integers(1, 4), min_size=len(bots), max_size=len(bots)))
        places = [1 + sum(other < own for other in sums) for own in sums]
        fixed = [draw(st.sampled_from([None, None, 1234.5])) for _ in bots]
        lines.append(Line(number, [Place(*row) for row in zip(bots, places, fixed, strict=True)]))
    return lines


def test_two_bots_that_won_as_often_are_equal_and_one_that_won_more_is_above() -> None:
    even = estimate([line(1, 1, 2), line(2, 2, 1)])
    assert math.isclose(even.bots[1].mean, 1500)
    assert math.isclose(even.bots[2].mean, 1500)
    assert math.isclose(even.chance_above(1, 2), 0.5)
    ahead = estimate([line(1, 1, 2), line(2, 1, 2), line(3, 2, 1)])
    assert ahead.bots[1].mean > 1500 > ahead.bots[2].mean
    assert 0.5 < ahead.chance_above(1, 2) < 0.95
    assert math.isclose(ahead.chance_above(1, 2) + ahead.chance_above(2, 1), 1)


def test_against_a_fixed_point_the_mode_is_where_the_score_meets_the_prior() -> None:
    lines = [line(n, 1, 2, fixed={2: 1700.0}) for n in range(1, 31)]
    lines += [line(n, 2, 1, fixed={2: 1700.0}) for n in range(31, 41)]
    found = estimate(lines)
    assert found.bots[2] == Strength(1700.0, 0.0, 40, 0.0)
    mean = found.bots[1].mean
    expected = 40 / (1 + math.exp((1700 - mean) / UNIT))
    assert math.isclose((30 - expected) / UNIT, (mean - 1500) / PRIOR**2, rel_tol=1e-4)
    chance = expected / 40
    information = 40 * chance * (1 - chance) / UNIT**2 + 1 / PRIOR**2
    assert math.isclose(found.bots[1].sigma, information**-0.5, rel_tol=1e-4)


def test_a_bot_that_always_wins_is_rated_finitely_and_its_interval_stays_wide() -> None:
    found = estimate([line(n, 1, 2, fixed={2: 1500.0}) for n in range(1, 1001)])
    assert 1900 < found.bots[1].mean < 3000
    assert 100 < found.bots[1].sigma < PRIOR


def test_all_pairs_of_a_table_are_one_ranking_and_not_independent_games() -> None:
    table = estimate([line(1, 1, 2, 3, 4)])
    pairs = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
    apart = estimate([line(n, *pair) for n, pair in enumerate(pairs, 1)])
    assert table.bots[1].mean < apart.bots[1].mean
    assert table.bots[1].results == 1
    assert table.bots[4].sigma > apart.bots[4].sigma


def test_a_draw_lies_between_winning_and_losing_and_pulls_together() -> None:
    before = [line(n, 1, 2) for n in range(1, 6)]
    drawn = Line(6, [Place(1, 1), Place(2, 1)])
    won, lost = estimate([*before, line(6, 1, 2)]), estimate([*before, line(6, 2, 1)])
    assert lost.bots[1].mean < estimate([*before, drawn]).bots[1].mean < won.bots[1].mean
    even = estimate([Line(1, [Place(bot, 1) for bot in (1, 2, 3, 4)])])
    assert all(math.isclose(even.bots[bot].mean, 1500) for bot in (1, 2, 3, 4))


def test_without_fixed_points_1500_is_the_mean_of_all_bots() -> None:
    found = estimate(played(200, 3, [1500 + 60 * n for n in range(8)], 3))
    assert math.isclose(sum(one.mean for one in found.bots.values()) / 8, 1500, abs_tol=1e-3)


def test_no_results_say_nothing() -> None:
    found = estimate([])
    assert found.bots == {}
    assert found.known(7) == Strength(1500.0, PRIOR, 0, PRIOR)
    assert found.chance_above(7, 8) == 0.5


@settings(deadline=None)
@given(logs())
def test_any_log_has_a_finite_mode_where_the_gradient_is_zero(lines: list[Line]) -> None:
    field = Field(tables_of(lines), PRIOR)
    assert np.abs(Curvature(field, find_mode(field)).gradient).max(initial=0) < 1e-6
    for one in estimate(lines).bots.values():
        assert math.isfinite(one.mean)
        assert 0 <= one.sigma <= PRIOR


@settings(deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_estimating_again_gives_the_same_bits_however_lines_arrive(
    lines: list[Line], chance: random.Random
) -> None:
    shuffled = lines + lines[:1]
    chance.shuffle(shuffled)
    assert estimate(shuffled).bots == estimate(lines).bots


@settings(deadline=None, max_examples=30)
@given(logs())
def test_the_curvature_as_a_product_is_the_curvature_of_the_gradient(lines: list[Line]) -> None:
    field = Field(tables_of(lines), PRIOR)
    at = np.linspace(-1, 1, field.free)
    for node in range(field.free):
        unit = np.zeros(field.free)
        unit[node] = 1e-6
        slope = Curvature(field, at - unit).gradient - Curvature(field, at + unit).gradient
        assert np.allclose(slope / 2e-6, Curvature(field, at).times(unit * 1e6), atol=1e-5)


def test_the_exponential_is_right_to_the_last_places() -> None:
    values = np.linspace(-40, 40, 2001)
    assert np.allclose(exponential(values), [math.exp(value) for value in values], rtol=1e-15, atol=0)


@pytest.mark.parametrize("seats", [2, 4])
def test_variances_from_probes_are_those_of_the_whole_inverse(seats: int) -> None:
    tables = tables_of(played(3000, seats, [1300 + n for n in range(300)], 5))
    exact, probed = estimate_tables(tables), estimate_tables(tables, most_exact=0)
    assert probed.covariance is None
    ratios = [probed.bots[bot].sigma / exact.bots[bot].sigma for bot in exact.bots]
    assert 0.97 < sum(ratios) / len(ratios) < 1.03
    assert min(ratios) > 0.8
    assert max(ratios) < 1.25
    assert all(math.isclose(probed.bots[bot].mean, exact.bots[bot].mean) for bot in exact.bots)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    held = total = 0
    for seed in range(12):
        chance = random.Random(100 + seed)
        truth = [chance.gauss(1500, 250) for _ in range(20)]
        shift = 1500 - sum(truth) / 20
        for bot, one in estimate(played(500, 2, truth, seed)).bots.items():
            held += one.low <= truth[bot] + shift <= one.high
            total += 1
    assert 0.9 <= held / total <= 0.99
