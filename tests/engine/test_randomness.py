"""The derivation of chance, done a second time from the text of docs/randomness.md alone."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import State
from engine.randomness import Stream
from tests.engine.table import in_conflict

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vectors.json").read_text())
THIRTY_CARDS = [kind for kind in range(8) for _ in range(9 if kind == 3 else 3)]
vectors = pytest.mark.parametrize("vector", VECTORS, ids=[one["seed"][:8] for one in VECTORS])


def words(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(seed + label.encode("ascii") + block.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4))
        block += 1


def below(n: int, stream: Iterator[int]) -> int:
    return next(word for word in stream if word < 2**32 // n * n) % n


def shuffled(seed: bytes, label: str, items: list[int]) -> list[int]:
    stream, items = words(seed, label), list(items)
    for i in reversed(range(1, len(items))):
        j = below(i + 1, stream)
        items[i], items[j] = items[j], items[i]
    return items


@vectors
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_score_stack(vector: dict[str, Any], seats: int) -> None:
    seed = bytes.fromhex(vector["seed"])
    state = State.new(seats, seed)
    lowest_first = sorted(range(seats), key=state.arrival.__getitem__)
    assert lowest_first == shuffled(seed, "stack", list(range(seats))) == vector["stack"][str(seats)]
    assert state.order == tuple(reversed(lowest_first))


@vectors
def test_the_deck(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert list(State.new(4, seed).deck) == shuffled(seed, "deck", THIRTY_CARDS) == vector["deck"]


@vectors
def test_reshuffled_decks(vector: dict[str, Any]) -> None:
    """Both cards are drawn from used-up decks; the first of each new deck goes to the hand."""
    seed, counts = bytes.fromhex(vector["seed"]), vector["discard"]
    discard = [kind for kind in range(8) for _ in range(counts[kind])]
    table = in_conflict("card 9, pawns t01 t02", "card 4, pawns t01 t02", "card 5", deck="only")
    state = table.state
    state.seed = seed
    for number, action in ((1, "coexist t01"), (2, "coexist t02")):
        state.deck, state.deck_at, state.discard = (), 0, tuple(counts)
        table.do(action)
        label = f"reshuffle-{number}"
        assert list(state.deck) == shuffled(seed, label, discard) == vector[label]
        assert state.deck_at == 1


def test_the_worked_example_of_the_page() -> None:
    seed = bytes(range(32))
    stream = words(seed, "stack")
    assert (next(stream), next(stream)) == (302405082, 2941302743)
    assert State.new(3, seed).order == (0, 1, 2)
    assert State.new(3, seed).deck[:10] == (6, 3, 0, 6, 3, 2, 1, 7, 4, 0)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32), st.integers(1, 40))
def test_numbers_below_n(seed: bytes, n: int, count: int) -> None:
    ours, stream = Stream(seed, "any"), words(seed, "any")
    assert [ours.below(n) for _ in range(count)] == [below(n, stream) for _ in range(count)]
