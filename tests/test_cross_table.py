"""The page of the house bots says what the bench stored, and nothing else."""

import json

from bench import _cross_table as cross
from bench._bot_sources import digests, sources
from bench._house_ladder_log import STORED as LOGS
from bench._house_ladder_log import HouseLadders, next_tables
from bench._steady_bots import NAMES

NONE = HouseLadders(["weak", "strong"], {})


def test_the_page_is_the_one_that_the_stored_results_give() -> None:
    data, logs = json.loads(cross.STORED.read_text()), json.loads(LOGS.read_text())
    assert data["names"] == NAMES
    assert cross.PAGE.read_text() == cross.page(cross.CrossTable(**data), HouseLadders(**logs))


def test_a_pair_is_shown_from_both_sides_with_its_interval() -> None:
    table = cross.CrossTable(["weak", "strong"], {}, {"strong weak 4": [0.75, 0.75, 0.5, 1.0]})
    shown = cross.page(table, NONE).split("## 4 seats")[1]
    assert "| `weak` |  | 25 (0 to 57; 4) |" in shown
    assert "| `strong` | 75 (43 to 100; 4) |  |" in shown
    assert (
        "| `strong` above `weak` | not measured | not measured | not shown, Elo +191, at least -52 |" in shown
    )


def test_a_single_set_says_that_it_is_one() -> None:
    table = cross.CrossTable(["weak", "strong"], {}, {"strong weak 3": [1.0]})
    shown = cross.page(table, NONE).split("## 3 seats")[1]
    assert "| `strong` | 100 (one set) |  |" in shown
    assert "| `strong` above `weak` | not measured | not measured | not measured |" in shown


def test_a_rung_is_shown_to_be_above_only_by_its_whole_interval() -> None:
    table = cross.CrossTable(["weak", "strong"], {}, {"strong weak 2": [0.75, 0.75, 0.8, 0.7]})
    assert "| yes, Elo +191, at least " in cross.page(table, NONE)


def test_only_the_pairs_of_bots_that_have_not_changed_are_kept(tmp_path) -> None:
    stored = tmp_path / "stored.json"
    names, now = ["greedy", "settler", "warlord"], digests(["greedy", "settler", "warlord"])
    shares = {"settler greedy 2": [1.0], "warlord settler 2": [0.5]}
    stored.write_text(json.dumps({"names": names, "digests": {**now, "warlord": "before"}, "shares": shares}))
    assert cross.CrossTable.load(names, stored).shares == {"settler greedy 2": [1.0]}


def test_what_decides_how_a_bot_plays_is_found_however_far_away() -> None:
    assert {path.name for path in sources("warlord")} == {"warlord.py", "settler.py", "one_step.py"}
    assert {"tree.py", "worlds.py", "network.py", "value-4.npz", "tree.c", "foretell.c"} <= {
        path.name for path in sources("champion")
    }


def test_the_ladder_of_house_bots_is_rated_from_its_log_and_says_where_the_order_is_wrong() -> None:
    log = [[[2, 1], [1, 2]], [[2, 1], [0, 2]]]
    page = cross.page(cross.CrossTable(["a", "b", "c"], {}), HouseLadders(["a", "b", "c"], {}, {"2": log}))
    assert "### 2 seats, 2 matches" in page
    assert "| `c` | 2 | 1539 |" in page
    assert "| `b` | 1 | **1480** |" in page


def test_after_the_same_log_the_ladder_pairs_the_same_bots() -> None:
    first = next_tables(8, 3, [], 2)
    assert first == next_tables(8, 3, [], 2)
    assert len({bot for table in first for bot in table}) == 6
