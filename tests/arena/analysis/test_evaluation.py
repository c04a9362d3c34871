"""The formula that the analysis computes for many games at once is the kernel's own."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.evaluation import leads
from arena.analysis.knowledge import sample_worlds
from engine.kernel.foretell import prospects
from engine.kernel.judge import judge
from engine.rulesets import ruleset
from engine.state import State


@given(seats=st.integers(2, 4), seed=st.binary(min_size=32, max_size=32), steps=st.integers(0, 400))
def test_leads_are_those_of_the_readable_formula(seats: int, seed: bytes, steps: int) -> None:
    state, dice = State.new(seats, seed, ruleset("english")), Random(seed)
    for _ in range(steps):
        if state.is_over():
            return
        state.apply(dice.choice(state.legal_actions()))
    if state.is_over():
        return
    world = sample_worlds(state, state.to_act(), 1, dice)
    seen = [prospects(one) for one in judge(world.state(0))]
    expected = [own - (sum(seen) - own) / (seats - 1) for own in seen]
    assert leads(world)[0].tolist() == pytest.approx(expected)
