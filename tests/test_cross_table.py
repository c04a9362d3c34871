"""The page of the house bots says what the bench stored, and nothing else."""

import json

from bench import _cross_table as cross
from bench.bots import NAMES


def test_the_page_is_the_one_that_the_stored_results_give() -> None:
    data = json.loads(cross.STORED.read_text())
    assert data["names"] == NAMES
    assert cross.PAGE.read_text() == cross.page(cross.CrossTable(**data))


def test_a_pair_is_shown_from_both_sides_with_its_interval() -> None:
    table = cross.CrossTable(["weak", "strong"], "", {"strong weak 4": [0.75, 0.75, 0.5, 1.0]})
    shown = cross.page(table).split("## 4 seats")[1]
    assert "| `weak` |  | 25 (0 to 57; 4) |" in shown
    assert "| `strong` | 75 (43 to 100; 4) |  |" in shown
    assert (
        "| `strong` above `weak` | not measured | not measured | not shown, Elo +191, at least -52 |" in shown
    )


def test_a_single_set_says_that_it_is_one() -> None:
    table = cross.CrossTable(["weak", "strong"], "", {"strong weak 3": [1.0]})
    shown = cross.page(table).split("## 3 seats")[1]
    assert "| `strong` | 100 (one set) |  |" in shown
    assert "| `strong` above `weak` | not measured | not measured | not measured |" in shown


def test_a_rung_is_shown_to_be_above_only_by_its_whole_interval() -> None:
    table = cross.CrossTable(["weak", "strong"], "", {"strong weak 2": [0.75, 0.75, 0.8, 0.7]})
    assert "| yes, Elo +191, at least " in cross.page(table)


def test_results_of_bots_that_have_changed_are_left(tmp_path) -> None:
    stored = tmp_path / "stored.json"
    for digest, kept in ((cross.digest_of_bots(), {"a b 2": [1.0]}), ("of another time", {})):
        stored.write_text(json.dumps({"names": ["b", "a"], "digest": digest, "shares": {"a b 2": [1.0]}}))
        assert cross.CrossTable.load(["b", "a"], stored).shares == kept
