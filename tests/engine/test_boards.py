"""Boards are data: other files can be dropped in, and what breaks a constraint is named."""

import copy
import shutil
from pathlib import Path
from random import Random

import pytest

from engine import Recorder, load_board, observe, verify
from engine.actions import all_actions, from_text, to_text
from engine.board import MOST_TERRITORIES
from engine.boardfile import BOARDS, board_from_data
from engine.errors import RecordError
from engine.phases.scoring import domains
from engine.rulesets import EDITIONS, ruleset
from tests.engine.small_boards import ISLET, ring
from tests.engine.table import in_conflict, in_scoring, new_state, territories


class TestTheBoardThatComesWithTheEngine:
    def test_shows_neighbours_both_ways_and_hangs_together(self) -> None:
        board = load_board()
        assert all(a in board.neighbours[b] for a in range(30) for b in board.neighbours[a])
        assert sum(map(len, board.neighbours)) == 2 * 62

    def test_has_four_lakes_with_one_shore_of_each_type(self) -> None:
        board = load_board()
        assert [sorted(board.type_of[t] for t in shores) for shores in board.lakes] == [[0, 1, 2, 3, 4]] * 4

    def test_no_lake_shore_borders_all_others_so_rafts_are_of_use_on_each(self) -> None:
        board = load_board()
        for shores in board.lakes:
            assert any(b not in board.neighbours[a] for a in shores for b in shores if a != b)

    def test_keeps_its_hash_when_only_the_drawing_changes(self) -> None:
        raw = copy.deepcopy(load_board().raw)
        raw["viewBox"] = [0, 0, 1, 1]
        for one in raw["territories"]:
            one["polygon"], one["name"] = [], "elsewhere"
        assert board_from_data("aztlan", raw).hash == load_board().hash

    def test_changes_its_hash_with_anything_the_rules_read(self) -> None:
        for spoil in (
            lambda raw: raw["powerCards"][0].update(vp=2),
            lambda raw: raw["territories"][0].update(type="desert"),
            lambda raw: raw["territories"].reverse(),
        ):
            raw = copy.deepcopy(load_board().raw)
            spoil(raw)
            assert board_from_data("aztlan", raw).hash != load_board().hash


class TestASecondBoard:
    def test_is_loaded_by_its_path(self) -> None:
        board = load_board(str(ISLET))
        assert (board.id, board.size) == ("islet", 6)
        assert board.names[2] == "South Harbour"

    @pytest.mark.parametrize("seats", [2, 3, 4])
    @pytest.mark.parametrize("edition", EDITIONS)
    def test_is_played_through_recorded_and_verified(self, seats: int, edition: str) -> None:
        board, rng = load_board(str(ISLET)), Random(seats)
        recorder = Recorder(new_state(seats, rules=ruleset(edition), board=board), ("x",) * seats)
        while not recorder.state.is_over():
            recorder.apply(rng.choice(recorder.state.legal_actions()))
        assert verify(recorder.record(), board).scores() == recorder.state.scores()
        observe(recorder.state, 0)

    def test_has_its_own_wild_card_types_and_values(self) -> None:
        board = load_board(str(ISLET))
        table = in_scoring("card 6, pawns south", "card 4, pawns south", "card 8", board=board)
        assert table.options == {
            f"name {kind}" for kind in ("city", "jungle", "fields", "desert", "mountains")
        }
        table.do("name city")
        assert table.scores == [2, 2, 0]

    def test_has_its_own_lakes(self) -> None:
        board = load_board(str(ISLET))
        table = in_scoring("card 9, pawns north south marsh, holds rafts*2", "card 4", "card 4", board=board)
        assert table.options == {"pass", "raft north~south", "raft south~marsh"}
        table.do("raft north~south")
        assert {frozenset(territories(board, one)) for one in domains(table.state, 0)} == {
            frozenset({"north", "south"}), frozenset({"marsh"}),
        }  # fmt: skip

    def test_has_its_own_notation(self) -> None:
        board = load_board(str(ISLET))
        for action in all_actions(board):
            assert from_text(to_text(action, board), board) == action
        table = in_conflict("card 9, pawns marsh", "card 4, pawns marsh", "card 5", board=board)
        assert table.options == {"battle marsh", "coexist marsh"}

    def test_dropped_into_the_folder_of_boards_is_known_by_its_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shutil.copy(ISLET, tmp_path / "dropped.json")
        monkeypatch.setattr("engine.boardfile.BOARDS", tmp_path)
        recorder = Recorder(new_state(3, board=load_board("dropped")), ("a", "b", "c"))
        while not recorder.state.is_over():
            recorder.apply(recorder.state.legal_actions()[-1])
        assert verify(recorder.record()).placements() == recorder.state.placements()

    def test_of_another_hash_does_not_replay_a_record(self) -> None:
        recorder = Recorder(new_state(3, board=load_board(str(ISLET))), ("a", "b", "c"))
        with pytest.raises(RecordError, match="board"):
            verify(recorder.record())
        with pytest.raises(RecordError, match="board_hash"):
            verify(recorder.record(), load_board())


@pytest.mark.parametrize("size", [5, 10, 11, 20, 31, MOST_TERRITORIES])
def test_boards_of_every_size_up_to_the_largest_are_played(size: int) -> None:
    board = board_from_data("ring", ring(size))
    for seats in (2, 3, 4):
        state = new_state(seats, board=board)
        dense = set(all_actions(board))
        rng = Random(size)
        while not state.is_over():
            legal = state.legal_actions()
            assert dense.issuperset(legal)
            state.apply(rng.choice(legal))
        new_state(seats, board=board).playout(size)


def test_every_board_in_the_engine_s_folder_is_valid() -> None:
    assert [load_board(path.stem).id for path in sorted(BOARDS.glob("*.json"))] == ["aztlan"]
