"""Rulebook sections Second to Fifth Age, End of the Game, Offerings to the Gods."""

from functools import partial

import pytest

from engine import ruleset
from engine.cards import offering_points
from engine.errors import IllegalActionError
from engine.position import CHOOSING, OVER
from tests.engine.table import in_scoring

FOUR_LEFT = "card 9, used 5 6 7 8"  # the 4, worth 1
NINE_LEFT = "card 8, used 4 5 6 7"  # the 9, worth 21


last_scoring = partial(in_scoring, age=5)


class TestSecondToFifthAge:
    def test_a_new_age_begins_after_scoring(self) -> None:
        table = in_scoring("card 9", "card 8", "card 7", age=1)
        assert (table.state.age, table.state.phase) == (2, CHOOSING)
        assert table.state.acting() == (0, 1, 2)

    def test_used_power_cards_stay_used(self) -> None:
        table = in_scoring("card 9, used 5", "card 8", "card 7", age=2)
        assert table.options == {"card 4", "card 6", "card 7", "card 8"}

    def test_pawns_cards_and_points_stay(self) -> None:
        table = in_scoring("card 9, pawns t01 t02, holds games, score 3", "card 8", "card 7", age=1)
        assert table.at("t02") == [1, 0, 0]
        assert table.hand(0) == ["games"]
        assert table.scores[0] == 3 + 3


class TestEndOfTheGame:
    def test_it_ends_after_the_fifth_scoring(self) -> None:
        table = last_scoring(FOUR_LEFT, FOUR_LEFT, FOUR_LEFT)
        assert table.state.is_over()
        assert table.state.phase == OVER
        assert table.asked == -1
        assert table.state.acting() == ()
        assert table.state.legal_actions() == ()

    def test_no_action_is_taken_any_more(self) -> None:
        table = last_scoring(FOUR_LEFT, FOUR_LEFT, FOUR_LEFT)
        assert "End of the Game" in table.refused("pass")
        with pytest.raises(IllegalActionError, match="End of the Game"):
            table.state.apply(0, 2)

    def test_the_unused_power_card_gives_its_value(self) -> None:
        assert last_scoring(FOUR_LEFT, NINE_LEFT, "card 9, used 4 5 6 8").scores == [1, 21, 10]

    def test_each_prosperity_card_in_hand_gives_a_point(self) -> None:
        table = last_scoring(f"{FOUR_LEFT}, holds games*2 eagle", FOUR_LEFT, FOUR_LEFT)
        assert table.scores[0] == 1 + 3

    def test_offerings_count_besides_their_point_as_cards(self) -> None:
        table = last_scoring(f"{FOUR_LEFT}, holds offering*3 games", FOUR_LEFT, FOUR_LEFT)
        assert table.scores[0] == 1 + 4 + 9

    def test_the_fifth_age_is_scored_before(self) -> None:
        assert last_scoring(f"{FOUR_LEFT}, pawns t01", FOUR_LEFT, FOUR_LEFT).scores[0] == 2 + 1

    def test_a_blessing_kept_in_the_last_scoring_is_a_point(self) -> None:
        table = last_scoring(f"{FOUR_LEFT}, pawns t01, holds jungle", FOUR_LEFT, FOUR_LEFT).do("pass")
        assert table.scores[0] == 2 + 1 + 1

    def test_the_breakdown_is_told(self) -> None:
        table = last_scoring(f"{NINE_LEFT}, holds offering*2", FOUR_LEFT, FOUR_LEFT)
        told = table.told("end_scored")[0].data
        assert (told["unused_card"], told["card_points"], told["hand_points"], told["offering_points"]) == (
            9, 21, 2, 4,
        )  # fmt: skip
        assert told["score"] == table.scores[0] == 27

    def test_the_highest_score_wins(self) -> None:
        table = last_scoring(f"{FOUR_LEFT}, score 5", f"{FOUR_LEFT}, score 9", f"{FOUR_LEFT}, score 7")
        assert table.state.placements() == [3, 1, 2]
        assert table.told("game_over")[0].data == {"placements": [3, 1, 2]}


class TestATieForVictory:
    def test_the_counter_furthest_down_wins(self) -> None:
        """The last points are added in turn order: who was ahead arrives first and lies below."""
        table = last_scoring(f"{FOUR_LEFT}, score 5", f"{FOUR_LEFT}, score 5", f"{FOUR_LEFT}, score 5")
        assert table.scores == [6, 6, 6]
        assert table.state.order == (0, 1, 2)
        assert table.state.placements() == [1, 2, 3]

    def test_who_was_ahead_and_is_caught_up_wins(self) -> None:
        table = last_scoring(f"{FOUR_LEFT}, score 20", f"{NINE_LEFT}, score 0", FOUR_LEFT)
        assert table.scores[:2] == [21, 21]
        assert table.state.placements() == [1, 2, 3]

    def test_the_turn_order_of_the_end_is_that_of_the_age_not_that_of_its_scoring(self) -> None:
        """Seat 1 overtakes in the fifth scoring; seat 0 still adds its last points first, and lies below."""
        table = last_scoring(
            f"{NINE_LEFT}, score 1", f"{FOUR_LEFT}, pawns t01 t04 t08 t14 t19 t23 t09 t24", FOUR_LEFT
        )
        assert table.state.order == (0, 1, 2)
        arrivals = [one.data["arrival"] for one in table.told("end_scored")]
        assert arrivals == sorted(arrivals)
        assert [one.data["seat"] for one in table.told("end_scored")] == [0, 1, 2]

    def test_every_place_is_given_once(self) -> None:
        table = last_scoring(*[f"{FOUR_LEFT}, score 5"] * 4)
        assert sorted(table.state.placements()) == [1, 2, 3, 4]


class TestOfferingsToTheGods:
    @pytest.mark.parametrize(("cards", "points"), [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 25)])
    def test_one_to_five_give_their_square(self, cards: int, points: int) -> None:
        assert offering_points(cards, new_sets=True) == offering_points(cards, new_sets=False) == points

    @pytest.mark.parametrize(("cards", "points"), [(6, 26), (7, 29), (8, 34), (9, 41)])
    def test_a_sixth_begins_a_new_set(self, cards: int, points: int) -> None:
        table = last_scoring(f"{FOUR_LEFT}, holds offering*{cards}", FOUR_LEFT, FOUR_LEFT)
        assert table.scores[0] == 1 + cards + points

    def test_by_ruleset_more_than_five_give_no_more_than_five(self) -> None:
        one_set = ruleset("english", offerings="one_set")
        table = last_scoring(f"{FOUR_LEFT}, holds offering*8", FOUR_LEFT, FOUR_LEFT, rules=one_set)
        assert table.scores[0] == 1 + 8 + 25
