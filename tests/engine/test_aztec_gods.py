"""Rulebook section Aztec Gods: two seats, two factions, swapped after every age."""

from engine.phases.conflict import power
from engine.position import CONFLICT
from tests.engine.table import choose, in_choosing, in_conflict, in_development, in_scoring, new_state


def test_seat_0_begins_with_the_first_faction_of_sixty_pawns() -> None:
    state = new_state(2)
    assert state.side_of == (0, 1)
    assert state.reserve == (60, 60)


def test_the_pawns_of_an_age_come_from_the_faction_of_that_age() -> None:
    state = choose(new_state(2), (9, 9))
    assert state.pool == [10, 10]
    assert state.reserve == (50, 50)


def test_the_factions_are_swapped_after_every_scoring_and_seat_0_leads_the_first_three_times() -> None:
    state, led = new_state(2), []
    while not state.is_over():
        if len(state.acting()) == 2:
            led.append(state.side_of[0])
        state.apply(state.legal_actions()[0])
    assert led == [0, 1, 0, 1, 0]


def test_cards_and_points_stay_with_the_seat_and_pawns_with_the_faction() -> None:
    table = in_scoring(
        "card 9, pawns t01, holds games, score 3, removed 4", "card 8, pawns t02, score 1, removed 2"
    )
    assert table.state.side_of == (1, 0)
    assert table.scores == [5, 1]
    assert table.hand(0) == ["games"]
    assert table.state.used == (1 << 5, 1 << 4)
    assert table.at("t01") == [1, 0]
    assert table.state.removed == (4, 2)


def test_a_swapped_seat_takes_its_pawns_from_the_faction_it_leads_now() -> None:
    table = in_choosing("reserve 3, removed 1", "reserve 40", age=2).do("card 9", "card 9")
    assert table.state.pool == [4, 9]
    assert table.state.reserve == (31, 0)
    assert table.state.removed == (0, 0)


def test_a_swapped_seat_places_and_moves_the_pawns_of_its_new_faction() -> None:
    table = in_development("pawns t07", "pawns t20", age=2)
    assert table.state.side_of == (1, 0)
    table.do("place t01")
    assert table.at("t01") == [0, 1]
    assert "own pawn" in table.refused("move t20>t21")
    table.do("move t07>t06")
    assert table.at("t06") == [0, 1]


def test_a_swapped_seat_fights_with_the_power_of_its_own_card() -> None:
    table = in_conflict("card 4, pawns t16*2", "card 9, pawns t16", age=2)
    t = table.board.ids.index("t16")
    assert table.at("t16") == [1, 2]
    assert [power(table.state, seat, t) for seat in (0, 1)] == [8, 9]
    assert table.asked == 1
    table.do("battle t16")
    assert table.at("t16") == [1, 0]
    assert table.state.removed == (0, 2)


def test_a_swapped_seat_scores_the_domains_of_its_new_faction() -> None:
    table = in_scoring("card 9, pawns t01", "card 9, pawns t02", age=4)
    assert table.scores == [2, 0]


def test_sacred_games_save_the_faction_that_the_seat_leads_now() -> None:
    table = in_conflict("card 9, pawns t16", "card 4, pawns t16, holds games", age=2).do("battle t16")
    assert table.asked == 1
    table.do("games")
    assert table.at("t16") == [1, 1]
    assert len(table.hand(0)) == 1


def test_great_tlatoani_breaks_a_tie_of_two() -> None:
    table = in_conflict("card 8, pawns t16", "card 4, pawns t16*2, holds tlatoani", age=2)
    assert table.asked == 1
    table.do("tlatoani t16", "battle t16")
    assert table.at("t16") == [2, 0]


def test_eagle_takes_from_the_reserve_of_the_faction_led_now() -> None:
    table = in_development("holds eagle, reserve 0, removed 3", "reserve 20, removed 0", age=2)
    table.do("place t01", "eagle t01")
    assert table.state.removed == (0, 2)
    assert table.state.reserve[0] == 20


def test_after_the_fifth_age_the_seats_score_what_they_hold() -> None:
    table = in_scoring("card 9, used 5 6 7 8, holds games", "card 8, used 4 5 6 7", age=5)
    assert table.state.is_over()
    assert table.scores == [2, 21]
    assert table.state.placements() == [2, 1]


def test_a_tie_coexists() -> None:
    table = in_conflict("card 8, pawns t16", "card 4, pawns t16*2")
    assert table.state.phase != CONFLICT
    assert table.at("t16") == [1, 2]
