"""Rulebook section Prosperity Cards: one class a card, the deck last."""

from engine.phases.scoring import domains
from engine.position import CONFLICT, SCORING, STEP_MAIN
from tests.engine.table import Table, in_conflict, in_development, in_scoring, territories

ALL_CARDS = "jungle*3 mountains*3 fields*3 offering*9 games*3 rafts*3 tlatoani*3 eagle*3"


class TestBlessingOfTheGods:
    def test_gives_2_points_for_each_territory_of_its_type(self) -> None:
        for blessing, pawns in (("jungle", "t09 t11"), ("mountains", "t02 t06"), ("fields", "t03 t05")):
            table = in_scoring(f"card 9, pawns {pawns}, holds {blessing}", "card 9", "card 9")
            table.do(f"bless {blessing}")
            assert table.scores == [4, 0, 0]
            assert table.discard() == [blessing]

    def test_counts_in_whatever_domain_and_beside_a_matching_card(self) -> None:
        table = in_scoring("card 5, pawns t09 t30, holds jungle", "card 9", "card 9").do("bless jungle")
        assert table.scores[0] == 2 + 2 + 4

    def test_counts_territories_not_pawns(self) -> None:
        table = in_scoring("card 9, pawns t09*5, holds jungle", "card 9", "card 9").do("bless jungle")
        assert table.scores[0] == 2

    def test_any_number_may_be_played_of_the_same_kind_too(self) -> None:
        table = in_scoring("card 9, pawns t09 t02, holds jungle*2 mountains", "card 9", "card 9")
        table.do("bless jungle", "bless mountains", "bless jungle")
        assert table.scores[0] == 6

    def test_may_be_kept(self) -> None:
        table = in_scoring("card 9, pawns t09, holds jungle", "card 9", "card 9")
        assert table.options == {"pass", "bless jungle"}
        table.do("pass")
        assert table.hand(0) == ["jungle"]

    def test_may_be_wasted_where_the_seat_has_no_such_territory(self) -> None:
        table = in_scoring("card 9, pawns t01, holds jungle", "card 9", "card 9").do("bless jungle")
        assert table.scores[0] == 2

    def test_the_last_card_played_scores_at_once_unless_the_4_must_still_name(self) -> None:
        plain = in_scoring("card 9, pawns t09, holds jungle", "card 4", "card 9").do("bless jungle")
        assert plain.asked == 1
        wild = in_scoring("card 4, pawns t09, holds jungle", "card 4", "card 9").do("bless jungle")
        assert wild.asked == 0

    def test_must_be_in_hand(self) -> None:
        table = in_scoring("card 4, pawns t09, holds jungle", "card 9", "card 9")
        assert "does not hold" in table.refused("bless fields")

    def test_is_not_for_other_phases(self) -> None:
        assert in_development("holds jungle", "", "").refused("bless jungle")
        table = in_conflict("card 9, pawns t09, holds jungle", "card 4, pawns t09", "card 5")
        assert table.refused("bless jungle")

    def test_drawn_in_this_age_it_can_be_played_in_this_age(self) -> None:
        table = in_conflict("card 9, pawns t09", "card 5, pawns t09", "card 9", deck="jungle")
        table.do("coexist t09", "bless jungle")
        assert table.scores[0] == 2


class TestSacredGames:
    def battle_at_t16(self, **more: str) -> Table:
        return in_conflict(
            "card 9, pawns t16",
            f"card 5, pawns t16, holds {more.get('second', 'games')}",
            f"card 6, pawns t16, holds {more.get('third', 'offering')}",
            deck="eagle",
        ).do("battle t16")

    def test_keeps_the_pawns_removes_the_others_and_the_winner_draws(self) -> None:
        table = self.battle_at_t16()
        assert table.asked == 1
        assert table.options == {"pass", "games"}
        table.do("games")
        assert table.at("t16") == [1, 1, 0]
        assert table.hand(0) == ["eagle"]
        assert table.discard() == ["games"]
        assert table.state.removed == (0, 0, 1)

    def test_may_be_declined(self) -> None:
        table = self.battle_at_t16().do("pass")
        assert table.at("t16") == [1, 0, 0]
        assert table.hand(0) == []
        assert table.hand(1) == ["games"]

    def test_two_cards_give_the_winner_only_one_card(self) -> None:
        table = self.battle_at_t16(third="games")
        assert table.asked == 1
        table.do("games")
        assert table.asked == 2
        table.do("games")
        assert table.at("t16") == [1, 1, 1]
        assert table.hand(0) == ["eagle"]

    def test_is_asked_in_turn_order_not_seat_order(self) -> None:
        table = in_conflict(
            "card 5, pawns t16, holds games",
            "card 9, pawns t16, score 1",
            "card 6, pawns t16, holds games, score 9",
        ).do("battle t16")
        assert table.state.order == (2, 1, 0)
        assert table.asked == 2
        table.do("pass")
        assert table.asked == 0
        table.do("games")
        assert table.at("t16") == [1, 1, 0]

    def test_the_one_asked_later_knows_the_answers_before(self) -> None:
        table = self.battle_at_t16(third="games").do("games")
        assert table.state.spared == 0b010

    def test_is_not_asked_of_a_seat_that_is_not_there(self) -> None:
        table = in_conflict("card 9, pawns t16", "card 5, pawns t16", "card 6, holds games").do("battle t16")
        assert table.state.phase != CONFLICT

    def test_is_not_asked_when_the_winner_coexists(self) -> None:
        table = in_conflict("card 9, pawns t16", "card 5, pawns t16, holds games", "card 6").do("coexist t16")
        assert table.state.phase != CONFLICT
        assert table.hand(1) == ["games"]

    def test_a_seat_saves_itself_once_with_one_card_even_if_it_has_two(self) -> None:
        table = self.battle_at_t16(second="games*2").do("games")
        assert table.hand(1) == ["games"]

    def test_does_not_help_against_tied_strongest_opponents(self) -> None:
        table = in_conflict("card 8, pawns t16", "card 4, pawns t16*2", "card 5, pawns t16, holds games")
        assert table.state.phase != CONFLICT
        assert table.at("t16") == [1, 2, 0]
        assert table.hand(2) == ["games"]

    def test_helps_against_a_winner_by_great_tlatoani_the_tied_too(self) -> None:
        table = in_conflict(
            "card 8, pawns t16, holds tlatoani",
            "card 4, pawns t16*2, holds games",
            "card 5, pawns t16, holds games",
        ).do("tlatoani t16", "battle t16")
        assert table.asked == 1
        table.do("games", "games")
        assert table.at("t16") == [1, 2, 1]

    def test_is_answered_with_the_card_or_a_pass(self) -> None:
        table = self.battle_at_t16()
        for text in ("battle t16", "coexist t16", "tlatoani t16", "place t01"):
            assert "play the card or pass" in table.refused(text)

    def test_the_winner_goes_on_with_its_other_conflicts(self) -> None:
        table = in_conflict("card 9, pawns t16 t01", "card 5, pawns t16 t01, holds games", "card 6")
        table.do("battle t16", "games")
        assert table.asked == 0
        assert table.options == {"battle t01", "coexist t01"}

    def test_the_card_can_be_the_one_drawn_from_the_reshuffled_discard(self) -> None:
        """The card played lies on the discard before the winner draws."""
        table = in_conflict(
            "card 9, pawns t16",
            "card 5, pawns t16, holds games",
            f"card 6, holds {ALL_CARDS.replace('games*3', 'games*2')}",
        ).do("battle t16", "games")
        assert table.hand(0) == ["games"]
        assert table.discard() == []


class TestRaftsAndCanoes:
    def test_join_two_separate_territories_on_the_shore_of_one_lake(self) -> None:
        table = in_scoring("card 5, pawns t02 t09, holds rafts", "card 9", "card 9")
        assert table.options == {"pass", "raft t02~t09"}
        table.do("raft t02~t09")
        assert table.scores[0] == 2 + 1
        assert table.discard() == ["rafts"]

    def test_join_the_whole_domains_of_the_two(self) -> None:
        table = in_scoring("card 5, pawns t01 t02 t09 t17, holds rafts", "card 9", "card 9")
        table.do("raft t02~t09")
        assert table.told("domain_scored")[0].data["size"] == 4

    def test_do_not_join_what_is_one_domain_already(self) -> None:
        table = in_scoring("card 4, pawns t02 t03 t09, holds rafts", "card 9", "card 9")
        assert not any(text.startswith("raft") for text in table.options)
        assert "two domains" in table.refused("raft t02~t09")

    def test_do_not_join_shores_of_different_lakes_or_empty_ones(self) -> None:
        table = in_scoring("card 4, pawns t02 t12 t24, holds rafts", "card 9", "card 9")
        for text in ("raft t02~t12", "raft t02~t09", "raft t12~t24", "raft all"):
            assert "two domains" in table.refused(text)

    def test_each_further_card_joins_another_pair(self) -> None:
        table = in_scoring("card 4, pawns t02 t08 t09 t17 t24, holds rafts*2", "card 9", "card 9")
        table.do("raft t02~t08", "raft t17~t24")
        assert [len(territories(table.board, one)) for one in domains(table.state, 0)] == [5]

    def test_last_for_this_scoring_only(self) -> None:
        table = in_scoring("card 5, pawns t02 t09, holds rafts", "card 5, pawns t02 t09", "card 9")
        table.do("raft t02~t09")
        assert table.scores[:2] == [3, 2]
        assert table.state.rafts == ()

    def test_must_be_in_hand(self) -> None:
        assert "does not hold" in in_scoring("card 4, pawns t02 t09", "", "").refused("raft t02~t09")

    def test_and_blessings_mix_in_any_order(self) -> None:
        table = in_scoring("card 5, pawns t02 t09, holds rafts jungle", "card 9", "card 9")
        table.do("bless jungle")
        assert table.options == {"pass", "raft t02~t09"}
        table.do("raft t02~t09")
        assert table.scores[0] == 2 + 3


class TestGreatTlatoani:
    def test_makes_a_tied_seat_the_winner_who_then_fights(self) -> None:
        table = in_conflict("card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5, pawns t16")
        assert table.asked == 0
        assert table.options == {"pass", "tlatoani t16"}
        table.do("tlatoani t16")
        assert table.options == {"battle t16", "coexist t16"}
        assert table.discard() == ["tlatoani"]
        table.do("battle t16")
        assert table.at("t16") == [1, 0, 0]

    def test_or_coexists_with_all_for_one_card(self) -> None:
        table = in_conflict(
            "card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5, pawns t16", deck="offering"
        ).do("tlatoani t16", "coexist t16")
        assert table.at("t16") == [1, 2, 1]
        assert table.hand(0) == ["offering"]

    def test_may_be_declined_and_the_tie_stays_a_tie(self) -> None:
        table = in_conflict("card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5, pawns t16")
        table.do("pass")
        assert table.at("t16") == [1, 2, 0]
        assert table.hand(0) == ["tlatoani"]

    def test_the_claimed_conflict_must_be_settled(self) -> None:
        table = in_conflict("card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5")
        assert "every conflict" in table.do("tlatoani t16").refused("pass")

    def test_the_first_in_turn_order_takes_it_and_the_other_is_not_asked(self) -> None:
        table = in_conflict(
            "card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2, holds tlatoani", "card 5"
        ).do("tlatoani t16", "coexist t16")
        assert table.state.phase != CONFLICT
        assert table.hand(1) == ["tlatoani"]

    def test_is_asked_of_the_next_tied_seat_when_the_first_declines(self) -> None:
        table = in_conflict(
            "card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2, holds tlatoani", "card 5"
        ).do("pass")
        assert table.asked == 1
        assert table.options == {"pass", "tlatoani t16"}

    def test_can_come_before_between_and_after_the_other_conflicts(self) -> None:
        table = in_conflict("card 8, pawns t16 t01, holds tlatoani", "card 4, pawns t16*2 t01", "card 5")
        assert table.options == {"battle t01", "coexist t01", "tlatoani t16"}
        table.do("battle t01")
        assert table.options == {"pass", "tlatoani t16"}

    def test_one_card_for_each_tie(self) -> None:
        table = in_conflict("card 8, pawns t16 t01, holds tlatoani*2", "card 4, pawns t16*2 t01*2", "card 5")
        table.do("tlatoani t16", "tlatoani t01")
        assert table.options == {"battle t01", "coexist t01", "battle t16", "coexist t16"}

    def test_drawn_in_this_phase_it_can_be_played_in_this_phase(self) -> None:
        table = in_conflict("card 8, pawns t16 t01", "card 4, pawns t16*2 t01", "card 5", deck="tlatoani")
        table.do("coexist t01")
        assert table.options == {"pass", "tlatoani t16"}

    def test_does_not_turn_a_lost_conflict(self) -> None:
        table = in_conflict("card 8, pawns t16 t01, holds tlatoani", "card 9, pawns t16", "card 4, pawns t01")
        assert "not tied" in table.refused("tlatoani t16")
        assert "not tied" in table.refused("tlatoani t01")
        assert "not tied" in table.refused("tlatoani t30")

    def test_must_be_in_hand(self) -> None:
        table = in_conflict("card 8, pawns t16 t01", "card 4, pawns t16*2", "card 5, pawns t01")
        assert "does not hold" in table.refused("tlatoani t16")


class TestEagleAndJaguarWarriors:
    def test_add_a_pawn_from_the_reserve_in_any_territory(self) -> None:
        table = in_development("holds eagle", "", "").do("place t01")
        assert {f"eagle {territory}" for territory in table.board.ids} < table.options
        left = table.state.reserve[0]
        table.do("eagle t30")
        assert table.at("t30") == [1, 0, 0]
        assert table.state.reserve[0] == left - 1
        assert table.discard() == ["eagle"]

    def test_do_not_end_the_turn_and_any_pawn_may_still_move(self) -> None:
        table = in_development("holds eagle", "", "").do("place t01", "eagle t26")
        assert table.asked == 0
        assert {"pass", "move t26>t20", "move t01>t02"} < table.options
        table.do("move t26>t20")
        assert table.asked == 1

    def test_as_many_as_the_seat_holds_may_be_played_in_one_turn(self) -> None:
        table = in_development("holds eagle*3", "", "").do("place t01")
        left = table.state.reserve[0]
        table.do("eagle t01", "eagle t20", "eagle t01")
        assert (table.at("t01"), table.at("t20")) == ([3, 0, 0], [1, 0, 0])
        assert table.state.reserve[0] == left - 3
        assert table.hand(0) == []
        assert table.discard() == ["eagle"] * 3
        assert table.asked == 0  # and one pawn may still move
        assert "does not hold" in table.refused("eagle t01")
        assert table.do("move t20>t26").asked == 1

    def test_may_be_kept_for_a_later_turn_after_one_was_played(self) -> None:
        table = in_development("pool 2, holds eagle*2", "", "").do("place t01", "eagle t01", "pass")
        table.do("place t02", "pass", "place t02", "pass", "place t01", "eagle t01")
        assert table.at("t01") == [4, 0, 0]

    def test_end_with_the_last_pawn_that_is_left_anywhere(self) -> None:
        table = in_development("holds eagle*3, reserve 1, removed 1", "", "")
        table.do("place t01", "eagle t01", "eagle t01")
        assert [one.data["from_removed"] for one in table.told("eagle_placed")] == [0, 1]
        assert not any(text.startswith("eagle") for text in table.options)
        assert "no pawn is left" in table.refused("eagle t01")
        assert table.hand(0) == ["eagle"]

    def test_come_after_placing_and_before_moving(self) -> None:
        table = in_development("pool 2, holds eagle", "", "")
        assert "begins by placing" in table.refused("eagle t01")
        table.do("place t01", "move t01>t02")
        assert table.asked == 1

    def test_take_a_removed_pawn_when_the_reserve_is_empty(self) -> None:
        table = in_development("holds eagle, reserve 0, removed 2", "", "").do("place t01", "eagle t01")
        assert table.state.removed[0] == 1
        assert table.told("eagle_placed")[0].data["from_removed"] == 1

    def test_prefer_the_reserve(self) -> None:
        table = in_development("holds eagle, reserve 1, removed 2", "", "").do("place t01", "eagle t01")
        assert (table.state.reserve[0], table.state.removed[0]) == (0, 2)

    def test_cannot_be_played_when_no_pawn_is_left_anywhere(self) -> None:
        table = in_development("holds eagle, reserve 0", "", "").do("place t01")
        assert not any(text.startswith("eagle") for text in table.options)
        assert "no pawn is left" in table.refused("eagle t01")

    def test_must_be_in_hand(self) -> None:
        assert "does not hold" in in_development("", "holds eagle", "").do("place t01").refused("eagle t01")


class TestTheDeck:
    def test_is_made_anew_from_the_discard_when_it_is_used_up(self) -> None:
        table = in_conflict("card 9, pawns t01 t02", "card 4, pawns t01 t02", "card 5", deck="only offering")
        table.do("coexist t01")
        assert table.hand(0) == ["offering"]
        assert len(table.discard()) == 29
        table.do("coexist t02")
        assert len(table.hand(0)) == 2
        assert table.discard() == []
        assert [one.data["cards"] for one in table.told("deck_reshuffled")] == [29]
        assert len(table.state.deck) - table.state.deck_at == 28

    def test_of_one_card_is_not_made_anew_before_the_next_card_is_to_be_drawn(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01", "card 5, pawns t30", deck="only eagle")
        table.do("coexist t01")
        assert table.hand(0) == ["eagle"]
        assert table.state.deck_at == len(table.state.deck) == 1
        assert len(table.discard()) == 29
        assert table.told("deck_reshuffled") == []

    def test_of_one_card_has_the_played_great_tlatoani_in_the_discard_before_the_draw(self) -> None:
        """Two ties are claimed: the first draw takes the one card, the second what was played meanwhile."""
        table = in_conflict(
            "card 8, pawns t16 t01, holds tlatoani*2",
            "card 4, pawns t16*2 t01*2",
            f"card 5, holds {ALL_CARDS.replace('tlatoani*3', '').replace('offering*9', 'offering*8')} tlatoani",
            deck="offering",
        ).do("tlatoani t16", "coexist t16")
        assert table.hand(0) == ["offering", "tlatoani"]
        assert table.discard() == ["tlatoani"]
        table.do("tlatoani t01")
        assert table.discard() == ["tlatoani"] * 2
        table.do("coexist t01")
        assert table.hand(0) == ["offering", "tlatoani"]
        assert [one.data["cards"] for one in table.told("deck_reshuffled")] == [2]

    def test_of_one_card_has_the_played_sacred_games_in_the_discard_before_the_draw(self) -> None:
        table = in_conflict(
            "card 9, pawns t16 t01",
            "card 5, pawns t16 t01, holds games*2",
            f"card 6, holds {ALL_CARDS.replace('games*3', 'games').replace('offering*9', 'offering*8')}",
            deck="offering",
        ).do("battle t16", "games")
        assert (table.hand(0), table.discard()) == (["offering"], ["games"])
        table.do("battle t01", "games")
        assert sorted(table.hand(0)) == ["games", "offering"]
        assert table.discard() == []
        assert [one.data["cards"] for one in table.told("deck_reshuffled")] == [2]

    def test_gives_nothing_when_the_discard_is_empty_too(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01", f"card 5, holds {ALL_CARDS}")
        table.do("coexist t01")
        assert table.hand(0) == []
        assert [one.data for one in table.told("no_card_left")] == [{"seat": 0}]

    def test_a_card_is_drawn_from_the_top(self) -> None:
        table = in_conflict(
            "card 9, pawns t01 t02", "card 4, pawns t01 t02", "card 5, pawns t05", deck="games rafts"
        ).do("coexist t02", "coexist t01")
        assert table.hand(0) == ["games", "rafts"]


def test_offerings_are_never_played() -> None:
    table = in_scoring("card 4, pawns t01, holds offering*5", "card 9", "card 9")
    assert table.options == {f"name {kind}" for kind in table.board.types}
    assert table.state.phase == SCORING
    assert table.state.step == STEP_MAIN
