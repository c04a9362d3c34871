"""Our update of one-bot teams is the library's, to the last bit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from contests.plackett_luce import KAPPA, update
from contests.rating import BETA, SIGMA, START, TAU

MODEL = PlackettLuce(mu=START, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)
ESTIMATE = st.tuples(st.floats(0, 3000), st.floats(0.5, 600))


@settings(max_examples=400)
@given(game=st.lists(st.tuples(ESTIMATE, st.integers(1, 4)), min_size=2, max_size=4))
def test_it_computes_what_openskill_computes(game: list[tuple[tuple[float, float], int]]) -> None:
    estimates, places = [estimate for estimate, _ in game], [place for _, place in game]
    teams = MODEL.rate([[MODEL.create_rating(list(one))] for one in estimates], ranks=[*map(float, places)])
    assert update(estimates, places, BETA, TAU) == [(team[0].mu, team[0].sigma) for team in teams]


def test_a_draw_between_equals_moves_no_mean() -> None:
    after = update([(START, SIGMA)] * 2, [1, 1], BETA, TAU)
    assert [mean for mean, _ in after] == pytest.approx([START, START])
    assert all(deviation < SIGMA for _, deviation in after)
