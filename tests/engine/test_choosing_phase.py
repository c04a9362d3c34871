"""Rulebook section 1, Choosing Phase."""

import pytest

from engine import observe
from engine.errors import EngineError, IllegalActionError
from engine.position import CHOOSING, DEVELOPMENT
from tests.engine.table import in_choosing, new_state


@pytest.mark.parametrize(
    ("seats", "pawns"), [(2, [10, 9, 8, 7, 6]), (3, [8, 7, 6, 5, 4]), (4, [7, 6, 5, 4, 3])]
)
def test_each_age_brings_its_number_of_pawns_into_the_pool(seats: int, pawns: list[int]) -> None:
    for age, count in enumerate(pawns, 1):
        table = in_choosing(*["used 9, card 9"] * seats, age=age)
        before = table.state.reserve
        table.do(*["card 7"] * seats)
        assert table.state.pool == [count] * seats
        assert table.state.reserve == tuple(left - count for left in before)


def test_the_choice_is_among_the_cards_not_used_in_earlier_ages() -> None:
    table = in_choosing("card 9, used 4 6", "card 4", "card 5", age=4)
    assert table.options == {"card 5", "card 7", "card 8"}
    assert "used in an earlier age" in table.refused("card 6")


def test_all_seats_choose_at_once_and_development_begins_with_the_last() -> None:
    state = new_state(4)
    assert state.acting() == (0, 1, 2, 3)
    for seat in (2, 0, 3):
        assert state.phase == CHOOSING
        state.apply(9, seat)
    assert state.acting() == (1,)
    assert state.to_act() == 1
    state.apply(4)
    assert state.phase == DEVELOPMENT


def test_the_order_in_which_seats_choose_makes_no_difference() -> None:
    one, other = new_state(3), new_state(3)
    for seat in (0, 1, 2):
        one.apply(5 + seat, seat)
    for seat in (2, 1, 0):
        other.apply(5 + seat, seat)
    assert all(observe(one, seat) == observe(other, seat) for seat in range(3))


def test_a_card_once_chosen_stays() -> None:
    state = new_state(3)
    state.apply(5, 1)
    with pytest.raises(IllegalActionError, match="chosen already"):
        state.apply(6, 1)
    with pytest.raises(IllegalActionError, match="chosen already"):
        state.apply(5, 1)
    assert state.legal_actions(1) == ()


def test_only_power_cards_can_be_chosen() -> None:
    table = in_choosing("", "", "")
    for text in ("pass", "place t01", "name desert", "games"):
        assert "power card, 4 to 9" in table.refused(text)


@pytest.mark.parametrize("seat", [-2, 3, 99])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    state = new_state(3)
    with pytest.raises(IllegalActionError, match="no seat"):
        state.apply(4, seat)
    with pytest.raises(EngineError, match="no seat"):
        state.legal_actions(seat)
    assert state.acting() == (0, 1, 2)


class TestAShortReserve:
    """Eagle and Jaguar Warriors may have used up pawns that the last ages count on."""

    def test_is_filled_up_from_the_removed_pawns(self) -> None:
        table = in_choosing("reserve 2, removed 9", "", "", age=4).do("card 9", "card 9", "card 9")
        assert table.state.pool == [5, 5, 5]
        assert table.state.reserve[0] == 0
        assert table.state.removed[0] == 6

    def test_gives_what_there_is_when_nothing_was_removed(self) -> None:
        table = in_choosing("reserve 2, removed 1", "", "", age=4).do("card 9", "card 9", "card 9")
        assert table.state.pool == [3, 5, 5]
        assert (table.state.reserve[0], table.state.removed[0]) == (0, 0)

    def test_may_leave_a_seat_with_no_turn_at_all(self) -> None:
        table = in_choosing("reserve 0", "", "", age=5).do("card 9", "card 9", "card 9")
        assert table.state.pool == [0, 4, 4]
        assert table.state.order[0] == 0
        assert table.asked == 1

    def test_may_leave_nobody_a_turn(self) -> None:
        table = in_choosing("reserve 0", "reserve 0", "reserve 0", age=2).do("card 9", "card 8", "card 7")
        assert table.state.age == 3
        assert table.state.phase == CHOOSING
