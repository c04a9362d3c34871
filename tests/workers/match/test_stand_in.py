"""The default action: passes where it may, else follows from seed, seat and step alone."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.actions import PASS
from workers.match.stand_in import default_action

seeds = st.binary(min_size=32, max_size=32)
steps = st.integers(0, 10_000)
actions = st.lists(st.integers(1, 9215), min_size=1, max_size=50, unique=True)


@given(seeds, st.integers(0, 3), steps, actions, st.integers(0, 50))
def test_it_passes_where_passing_is_legal(
    seed: bytes, seat: int, step: int, legal: list[int], place: int
) -> None:
    legal.insert(place, PASS)
    assert default_action(seed, seat, step, legal) == PASS


@given(seeds, st.integers(0, 3), steps, actions, st.randoms())
def test_it_is_legal_and_does_not_depend_on_the_order_of_the_list(
    seed: bytes, seat: int, step: int, legal: list[int], chance: Random
) -> None:
    action = default_action(seed, seat, step, legal)
    assert action in legal
    chance.shuffle(legal)
    assert default_action(seed, seat, step, legal) == action


def test_it_is_as_documented() -> None:
    """The figures of docs/clocks-and-faults.md, so that other programs can check theirs."""
    legal = list(range(64, 94))
    assert [default_action(bytes(32), 1, step, legal) for step in range(5)] == [66, 84, 93, 71, 85]
