"""Where the five rulebooks differ: one class an option, then the editions as sets of options."""

from itertools import product

import pytest

from engine import ruleset
from engine.errors import RulesetError
from engine.phases.scoring import domains
from engine.rulesets import CHOICES, EDITIONS, Ruleset, ruleset_from_options
from tests.engine.table import in_conflict, in_development, in_scoring, new_state, territories

LAST = "card 9, used 5 6 7 8"


class TestTheEditions:
    @pytest.mark.parametrize(
        ("name", "different"),
        [
            ("english", {}),
            ("german", {"rafts": "all_lakes"}),
            ("german_quick", {"rafts": "all_lakes"}),
            ("italian", {"tie": "top", "eagle": "placed"}),
            ("french", {"landing": "next_free"}),
        ],
    )
    def test_differ_from_the_english_in_just_this(self, name: str, different: dict[str, str]) -> None:
        assert ruleset(name).options() == {**ruleset("english").options(), "name": name, **different}

    def test_english_is_the_default(self) -> None:
        assert new_state(4).rules == ruleset() == ruleset("english")
        assert set(EDITIONS) == {"english", "german", "german_quick", "italian", "french"}

    def test_no_edition_of_another_name(self) -> None:
        with pytest.raises(RulesetError, match="no edition 'klingon'"):
            ruleset("klingon")


class TestMixedOptions:
    def test_single_options_of_an_edition_can_be_changed(self) -> None:
        mixed = ruleset("italian", landing="next_free")
        assert (mixed.tie, mixed.eagle, mixed.landing) == ("top", "placed", "next_free")
        assert mixed.name == "italian+"

    def test_every_mixture_can_be_made_and_comes_back_from_its_options(self) -> None:
        for values in product(*CHOICES.values()):
            mixed = Ruleset("mixed", *values)
            assert ruleset_from_options(mixed.options()) == mixed

    @pytest.mark.parametrize(
        ("changes", "names"),
        [
            ({"tie": "bottom"}, "tie"),
            ({"rafts": ["pair"]}, "rafts"),
            ({"landing": None}, "landing"),
            ({"name": 7}, "name"),
            ({"name": "x" * 41}, "name"),
            ({"swap": "never"}, "options"),
        ],
    )
    def test_an_unknown_option_or_value_is_named(self, changes: dict[str, object], names: str) -> None:
        with pytest.raises(RulesetError, match=names):
            ruleset_from_options({**ruleset().options(), **changes})

    @pytest.mark.parametrize("options", [None, [], "english", 3, {}, {"name": "english"}])
    def test_options_that_are_not_all_there_are_refused(self, options: object) -> None:
        with pytest.raises(RulesetError, match="exactly these options"):
            ruleset_from_options(options)


class TestTieForVictory:
    def test_the_lowest_counter_wins_but_the_highest_in_the_italian_book(self) -> None:
        lines = [f"{LAST}, score 5"] * 3
        assert in_scoring(*lines, age=5).state.placements() == [1, 2, 3]
        assert in_scoring(*lines, age=5, rules=ruleset("italian")).state.placements() == [3, 2, 1]


class TestLanding:
    def test_on_an_occupied_space_goes_on_to_the_next_free_one_in_the_french_book(self) -> None:
        lines = ["card 9, pawns t01", "card 9, score 2", "card 9, score 3"]
        assert in_scoring(*lines).scores == [2, 2, 3]
        french = in_scoring(*lines, rules=ruleset("french"))
        assert french.scores == [4, 2, 3]
        assert french.told("age_scored")[2].data == {"seat": 0, "points": 2, "score": 4, "arrival": 3}

    def test_a_counter_that_gains_nothing_shares_its_space(self) -> None:
        table = in_scoring("card 9", "card 9", "card 9, pawns t01", rules=ruleset("french"))
        assert table.scores == [0, 0, 2]

    def test_goes_on_in_the_scoring_of_the_fifth_age_too(self) -> None:
        lines = [f"{LAST}, pawns t01", f"{LAST}, score 2", f"{LAST}, score 3"]
        table = in_scoring(*lines, age=5, rules=ruleset("french"))
        assert table.told("age_scored")[2].data["score"] == 4
        assert table.scores == [5, 3, 4]  # and each has one point for its unused 4

    def test_in_the_end_tally_counters_stack_in_the_french_book_too(self) -> None:
        """Seat 2 gains a point more than seat 1, lands on its counter, and lies on top: that loses the tie."""
        lines = [f"{LAST}, score 1", f"{LAST}, score 6", f"{LAST}, score 5, holds games"]
        table = in_scoring(*lines, age=5, rules=ruleset("french"))
        assert table.scores == [2, 7, 7]
        assert table.state.placements() == [3, 1, 2]

    def test_in_the_end_tally_counters_pass_through_spaces_that_others_are_about_to_leave(self) -> None:
        lines = [f"{LAST}, score 7", f"{LAST}, score 6", f"{LAST}, score 6"]
        table = in_scoring(*lines, age=5, rules=ruleset("french"))
        assert table.scores == [8, 7, 7]
        assert table.state.placements() == [1, 2, 3]


class TestRaftsAndCanoes:
    LINE = "card 5, pawns t02 t09 t17 t18, holds rafts rafts"

    def test_join_one_pair_a_card(self) -> None:
        table = in_scoring(self.LINE, "card 9", "card 9")
        assert table.options == {"pass", "raft t02~t09", "raft t17~t18"}

    def test_join_all_shores_around_every_lake_in_the_german_book(self) -> None:
        table = in_scoring(self.LINE, "card 4", "card 9", rules=ruleset("german"))
        assert table.options == {"pass", "raft all"}
        assert table.refused("raft t02~t09")
        table.do("raft all")
        assert table.scores[0] == 4 + 1
        assert table.hand(0) == ["rafts"]  # a second card would join nothing more

    def test_join_only_own_territories_on_the_shore(self) -> None:
        """t01 lies on no lake; t12 and t25 lie on one lake, t08 on another."""
        table = in_scoring(
            "card 4, pawns t01 t08 t12 t25, holds rafts", "card 9", "card 9", rules=ruleset("german")
        )
        table.do("raft all")
        found = [territories(table.board, one) for one in domains(table.state, 0)]
        assert found == [{"t01"}, {"t08"}, {"t12", "t25"}]

    def test_are_not_offered_where_no_lake_joins_two_domains(self) -> None:
        table = in_scoring(
            "card 4, pawns t01 t08 t12, holds rafts", "card 9", "card 9", rules=ruleset("german")
        )
        assert "raft all" not in table.options
        assert "two domains" in table.refused("raft all")

    def test_all_lakes_chain_through_a_territory_on_two_of_them(self) -> None:
        """t18 lies on two lakes, so t17 and t12 become one domain with it."""
        table = in_scoring(
            "card 4, pawns t12 t17 t18, holds rafts", "card 9", "card 9", rules=ruleset("german")
        )
        table.do("raft all")
        assert len(domains(table.state, 0)) == 1


class TestEagleAndJaguarWarriors:
    def test_only_where_the_seat_has_placed_in_this_age_in_the_italian_book(self) -> None:
        table = in_development("pool 2, holds eagle, pawns t20, placed t05", "", "", rules=ruleset("italian"))
        table.do("place t01")
        assert {text for text in table.options if text.startswith("eagle")} == {"eagle t01", "eagle t05"}
        assert "placed a pawn in this age" in table.refused("eagle t20")

    def test_each_of_several_in_one_turn_only_where_the_seat_has_placed_in_the_italian_book(self) -> None:
        table = in_development("holds eagle*2, pawns t20", "", "", rules=ruleset("italian"))
        table.do("place t01", "eagle t01")
        assert {text for text in table.options if text.startswith("eagle")} == {"eagle t01"}
        assert "placed a pawn in this age" in table.refused("eagle t20")
        assert table.do("eagle t01").at("t01") == [3, 0, 0]

    def test_also_where_the_pawn_has_moved_away_again(self) -> None:
        table = in_development("pool 2, holds eagle", "", "", rules=ruleset("italian"))
        table.do("place t01", "move t01>t02", "place t30", "pass", "place t30", "pass", "place t20")
        assert {text for text in table.options if text.startswith("eagle")} == {"eagle t01", "eagle t20"}

    def test_the_territories_of_an_earlier_age_do_not_count(self) -> None:
        table = in_scoring("card 9, placed t01", "card 8", "card 7", rules=ruleset("italian"))
        assert table.state.placed == [0, 0, 0]


class TestTheUsedUpDeck:
    LINES = ("card 9, pawns t01", "card 4, pawns t01", "card 5")

    def test_is_made_anew_or_not(self) -> None:
        assert len(in_conflict(*self.LINES, deck="only").do("coexist t01").hand(0)) == 1
        no_draw = ruleset("english", empty_deck="no_draw")
        table = in_conflict(*self.LINES, deck="only", rules=no_draw).do("coexist t01")
        assert table.hand(0) == []
        assert len(table.discard()) == 30
