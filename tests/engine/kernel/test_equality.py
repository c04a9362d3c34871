"""The kernel plays by the same rules as the engine. This is the short form of `make prove`."""

import pytest

from engine import load_record
from engine.kernel import Batch, native_form
from engine.record import board_of
from tests.engine.kernel.prove import compare_game, compare_record, golden_records
from tests.engine.make_golden import FOLDER
from tests.engine.test_golden import GOLDEN

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


def test_random_games_of_all_seats_rules_and_boards_are_the_same_at_every_decision():
    met = sum(
        (compare_game(number, often=0.05) for number in range(10_000_000, 10_000_120)), start=compare_game(0)
    )
    assert met["games"] == 121
    # The proof is worth something only if the rare things happen.
    assert met["cards"] > 1000
    assert met["reshuffles"] > 10
    assert met["without_deck"] > 5
    assert met["close"] > 500


@pytest.mark.parametrize("name", golden_records())
def test_every_golden_record_is_the_same_game(name):
    compare_record(name)
    record = load_record((FOLDER / f"{name}.aztr").read_bytes())
    batch = Batch(len(record.seats), [record.seed], record.ruleset, board_of(record))
    for action in record.actions:
        batch.step([action])
    assert batch.scores(0) == GOLDEN[name]["scores"]
    assert batch.placements(0) == GOLDEN[name]["placements"]
