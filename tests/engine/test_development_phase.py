"""Rulebook section 2, Development Phase."""

from engine.position import CONFLICT, DEVELOPMENT
from tests.engine.table import in_choosing, in_development


def test_the_example_places_in_a_city_and_moves_from_desert_to_adjacent_fields() -> None:
    coyote = in_development("card 9, pawns t07", "", "", "pawns t20")
    coyote.do("place t30", "pass", "place t30", "pass", "place t30", "pass")
    assert coyote.asked == 3
    coyote.do("place t14", "move t20>t21")
    assert coyote.at("t14") == [0, 0, 0, 1]
    assert coyote.at("t20") == [0, 0, 0, 0]
    assert coyote.at("t21") == [0, 0, 0, 1]


def test_turns_go_from_the_highest_score_to_the_lowest() -> None:
    table = in_choosing("score 5", "score 20", "score 0", "score 9")
    table.do("card 9", "card 9", "card 9", "card 9")
    assert table.state.order == (1, 3, 0, 2)
    assert table.asked == 1


def test_equal_scores_go_from_the_top_of_the_stack_down() -> None:
    table = in_development("score 7", "score 3", "score 7", "score 3")
    assert table.state.order == (0, 2, 1, 3)  # the helper stacks seat 0 on top


def test_turns_go_round_until_every_pool_is_empty() -> None:
    table = in_development("pool 2", "pool 2", "pool 2")
    turns = []
    while table.state.phase == DEVELOPMENT:
        turns.append(table.asked)
        table.do("place t01", "pass")
    assert turns == [0, 1, 2, 0, 1, 2]


def test_a_seat_with_an_empty_pool_is_passed_over() -> None:
    table = in_development("pool 1", "pool 3", "pool 0")
    turns = []
    while table.state.phase == DEVELOPMENT:
        turns.append(table.asked)
        table.do("place t01", "pass")
    assert turns == [0, 1, 1, 1]


def test_a_pawn_can_be_placed_in_every_territory_empty_or_not() -> None:
    table = in_development("pawns t01", "pawns t02 t03*5", "")
    assert table.options == {f"place {territory}" for territory in table.board.ids}


def test_placing_comes_first_and_is_no_option() -> None:
    table = in_development("pawns t01", "", "")
    for text in ("pass", "move t01>t02", "eagle t01", "battle t01", "card 5"):
        assert "begins by placing" in table.refused(text)


def test_one_pawn_a_turn_is_placed() -> None:
    table = in_development("pool 2", "", "").do("place t01")
    assert "after placing" in table.refused("place t02")


def test_any_own_pawn_may_then_move_to_a_neighbour_the_one_just_placed_too() -> None:
    table = in_development("pawns t19", "pawns t30", "").do("place t26")
    assert table.options == {"pass", "move t19>t12", "move t19>t25", "move t26>t20", "move t26>t21"}


def test_a_move_ends_the_turn() -> None:
    table = in_development("", "", "").do("place t01", "move t01>t02")
    assert table.asked == 1


def test_a_pawn_does_not_cross_a_lake() -> None:
    table = in_development("pawns t02", "", "").do("place t01")
    assert "adjacent" in table.refused("move t02>t09")  # both on the shore of the same lake


def test_only_an_own_pawn_moves() -> None:
    table = in_development("", "pawns t07", "").do("place t01")
    assert "own pawn" in table.refused("move t07>t06")


def test_the_seat_after_is_asked_not_another() -> None:
    table = in_development("", "", "")
    assert table.state.legal_actions(1) == ()
    assert table.state.acting() == (0,)


def test_the_power_cards_are_revealed_when_all_pawns_are_placed() -> None:
    table = in_development("card 4", "card 7", "card 9, pawns t01")
    table.do("place t01", "pass", "place t02", "pass", "place t03")
    assert not table.told("power_revealed")
    table.do("pass")
    assert [one.data["card"] for one in table.told("power_revealed")] == [4, 7, 9]
    assert table.state.phase == CONFLICT
