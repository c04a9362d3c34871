"""Rulebook section 3, Conflict Phase, with all its worked examples."""

from engine.phases.conflict import power
from engine.position import CONFLICT, SCORING
from tests.engine.table import Table, in_conflict

SERPENT, OCELOT, QUETZAL, COYOTE = range(4)


class TestDeterminingThePower:
    def test_example_two_pawns_with_a_5_beat_one_with_a_9(self) -> None:
        table = in_conflict("card 9, pawns t08", "card 5, pawns t08*2", "card 4")
        t = table.board.ids.index("t08")
        assert [power(table.state, seat, t) for seat in range(3)] == [9, 10, 0]
        assert table.asked == OCELOT
        assert table.options == {"battle t08", "coexist t08"}

    def test_a_seat_that_is_not_the_strongest_ignores_the_territory(self) -> None:
        table = in_conflict("card 4, pawns t08", "card 5, pawns t08", "card 6, pawns t09")
        assert table.asked == 1

    def test_no_conflict_no_question(self) -> None:
        table = in_conflict("card 4, pawns t08*3", "card 5, pawns t09", "card 4, pawns t10")
        assert table.state.phase == SCORING


class TestBattleOrCoexistence:
    def test_battle_removes_all_the_opponents_from_the_game(self) -> None:
        table = in_conflict("card 9, pawns t08 t09", "card 5, pawns t08", "card 6, pawns t08 t01")
        reserves = table.state.reserve
        table.do("battle t08")
        assert table.at("t08") == [1, 0, 0]
        assert table.state.removed == (0, 1, 1)
        assert table.state.reserve == reserves
        assert table.hand(0) == []

    def test_coexistence_keeps_everybody_and_draws_one_card(self) -> None:
        table = in_conflict("card 9, pawns t08", "card 5, pawns t08", "card 6, pawns t01", deck="offering")
        table.do("coexist t08")
        assert table.at("t08") == [1, 1, 0]
        assert table.hand(0) == ["offering"]

    def test_example_the_winner_over_two_removes_both(self) -> None:
        table = self.ocelot_with_10_against_8_and_4().do("battle t16")
        assert table.at("t16") == [0, 2, 0, 0]

    def test_example_the_winner_over_two_coexists_with_both_for_one_card(self) -> None:
        table = self.ocelot_with_10_against_8_and_4().do("coexist t16")
        assert table.at("t16") == [0, 2, 1, 1]
        assert len(table.hand(OCELOT)) == 1

    def ocelot_with_10_against_8_and_4(self) -> Table:
        table = in_conflict("card 9", "card 5, pawns t16*2", "card 8, pawns t16", "card 4, pawns t16")
        assert table.asked == OCELOT
        return table

    def test_example_a_tie_at_8_coexists_and_nobody_draws(self) -> None:
        table = in_conflict("card 9", "card 7", "card 8, pawns t16", "card 4, pawns t16*2")
        assert table.state.phase == SCORING  # after nobody was asked anything
        assert table.at("t16") == [0, 0, 1, 2]
        assert not any(table.state.hands)
        assert [one.data for one in table.told("conflict_tied")] == [{"territory": 15, "seats": [2, 3]}]

    def test_example_a_tie_at_8_removes_the_ocelot_with_5(self) -> None:
        table = in_conflict("card 9", "card 5, pawns t16", "card 8, pawns t16", "card 4, pawns t16*2")
        assert table.at("t16") == [0, 0, 1, 2]
        assert table.state.removed == (0, 1, 0, 0)
        assert not any(table.state.hands)

    def test_three_tied_seats_all_stay(self) -> None:
        table = in_conflict("card 6, pawns t16*2", "card 4, pawns t16*3", "card 9", "card 4, pawns t16*3")
        assert table.at("t16") == [2, 3, 0, 3]

    def test_example_five_conflicts(self) -> None:
        """A to E are t01, t05, t08, t20 and t30; scores fall from the Serpent to the Coyote."""
        table = in_conflict(
            "card 6, score 40, pawns t01*2 t08",
            "card 8, score 30, pawns t01 t05 t08",
            "card 5, score 20, pawns t05 t20*2 t30*4",
            "card 4, score 10, pawns t20 t30*5",
        )
        assert table.asked == SERPENT
        assert table.options == {"battle t01", "coexist t01"}
        table.do("battle t01")
        assert table.asked == OCELOT
        assert table.options == {"battle t05", "coexist t05", "battle t08", "coexist t08"}
        table.do("coexist t08", "battle t05")
        assert table.asked == QUETZAL
        assert table.options == {"battle t20", "coexist t20"}
        table.do("battle t20")
        assert COYOTE not in {one.data["seat"] for one in table.told("battle_declared")}
        assert table.at("t30") == [0, 0, 4, 5]
        assert table.at("t08") == [1, 1, 0, 0]
        assert [len(table.hand(seat)) for seat in range(4)] == [0, 1, 0, 0]
        assert table.state.phase != CONFLICT


class TestTheActiveSeat:
    def test_settles_its_conflicts_in_the_order_it_likes(self) -> None:
        table = in_conflict("card 9, pawns t01 t02 t03", "card 4, pawns t01 t02 t03", "card 5")
        table.do("battle t02", "coexist t01")
        assert table.options == {"battle t03", "coexist t03"}

    def test_settles_every_one_of_them(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01", "card 5")
        assert "every conflict" in table.refused("pass")

    def test_settles_each_once(self) -> None:
        table = in_conflict("card 9, pawns t01 t02", "card 4, pawns t01 t02", "card 5").do("coexist t01")
        assert "open conflict" in table.refused("battle t01")

    def test_settles_no_conflict_of_others(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01 t02", "card 5, pawns t02")
        assert "alone the strongest" in table.refused("battle t02")

    def test_settles_nothing_where_it_is_alone(self) -> None:
        table = in_conflict("card 9, pawns t01 t30", "card 4, pawns t01", "card 5")
        assert "alone the strongest" in table.refused("battle t30")

    def test_acts_in_the_order_fixed_at_the_start_of_the_age(self) -> None:
        table = in_conflict(
            "card 9, score 1, pawns t01", "card 4, pawns t01 t02*3", "card 5, score 8, pawns t02*3"
        )
        assert table.state.order == (2, 0, 1)
        assert table.asked == 2
        table.do("battle t02")
        assert table.asked == 0

    def test_chooses_battle_or_coexistence_and_nothing_else(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01", "card 5")
        for text in ("place t01", "move t01>t02", "games", "card 4", "raft t02~t09"):
            assert table.refused(text).startswith("Conflict, 2")


def test_pawns_of_earlier_ages_have_the_power_of_the_new_card() -> None:
    """Rulebook, Second to Fifth Age."""
    table = in_conflict("card 4, used 9, pawns t01*2", "card 9, used 4, pawns t01", "card 5", age=2)
    assert table.asked == 1
