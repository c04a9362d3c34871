"""The layout of actions and their notation, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import actions, load_board
from engine.actions import all_actions, from_text, to_text
from engine.errors import ActionTextError
from engine.state import State
from tests.engine.random_games import positions, some

BOARD = load_board()


def test_every_action_is_written_and_read_back() -> None:
    texts = [to_text(action, BOARD) for action in all_actions(BOARD)]
    assert len(set(texts)) == len(texts)
    assert [from_text(text, BOARD) for text in texts] == list(all_actions(BOARD))


@some
@given(positions())
def test_every_legal_action_is_written_and_read_back(state: State) -> None:
    for action in state.legal_actions():
        assert from_text(to_text(action, BOARD), BOARD) == action


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "pass"), (4, "card 4"), (9, "card 9"), (10, "name jungle"), (14, "name city"), (15, "games"),
        (16, "bless jungle"), (17, "bless mountains"), (18, "bless fields"), (19, "raft all"),
        (64, "place t01"), (93, "place t30"), (128, "eagle t01"), (192 + 7, "battle t08"),
        (256 + 7, "coexist t08"), (320 + 7, "tlatoani t08"), (1024 + 64 * 0 + 1, "move t01>t02"),
        (5120 + 64 * 1 + 8, "raft t02~t09"),
    ],
)  # fmt: skip
def test_the_documented_layout(action: int, text: str) -> None:
    assert to_text(action, BOARD) == text
    assert from_text(text, BOARD) == action


def test_all_actions_rise_and_stay_below_the_end() -> None:
    dense = all_actions(BOARD)
    assert list(dense) == sorted(set(dense))
    assert 0 <= dense[0] <= dense[-1] < actions.END


def test_spaces_around_the_parts_do_not_matter() -> None:
    assert from_text("  move  t01 > t02 ", BOARD) == from_text("move t01>t02", BOARD)


@pytest.mark.parametrize("action", [-1, 1, 3, 20, 63, 94, 127, 158, 350, 1023, 3000 + 64 * 40, 9216, 2**40])
def test_a_number_that_is_no_action_has_no_text(action: int) -> None:
    with pytest.raises(ActionTextError, match="is not an action"):
        to_text(action, BOARD)


@pytest.mark.parametrize(
    "text",
    ["", "pass now", "card", "card 3", "card 10", "name lake", "place", "place t31", "place t1", "move t01",
     "move t01>", "move t01>t99", "raft t01-t02", "bless city", "games t01", "fly t01", "raft"],
)  # fmt: skip
def test_a_text_that_is_no_action_is_refused_in_words(text: str) -> None:
    with pytest.raises(ActionTextError, match=r"not an action|no territory"):
        from_text(text, BOARD)


@given(st.text(max_size=30))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        action = from_text(text, BOARD)
    except ActionTextError:
        return
    assert 0 <= action < actions.END
