"""Rulebook section 4, Scoring Phase, with its two worked examples and the Scoring Bonus Table."""

import pytest

from engine.phases.scoring import domain_points, domains
from engine.position import CHOOSING, SCORING
from tests.engine.table import in_scoring, territories


def test_example_a_9_scores_its_four_domains_14() -> None:
    table = in_scoring("card 9, pawns t09 t10 t18 t23 t01 t06 t14*3 t19 t27", "card 5", "card 5")
    assert table.scores == [14, 0, 0]
    scored = {
        (one.data["size"], one.data["matches"], one.data["points"]) for one in table.told("domain_scored")
    }
    assert scored == {(4, 1, 5), (3, 2, 7), (1, 1, 2), (1, 0, 0)}


def test_example_a_4_names_desert_for_three_domains_and_scores_22() -> None:
    table = in_scoring("card 4, pawns t05 t12 t01 t02 t07 t16 t17 t22 t23 t28 t29", "card 5", "card 5")
    assert table.asked == 0
    assert table.options == {"name jungle", "name desert", "name mountains", "name fields", "name city"}
    table.do("name desert")
    assert table.scores == [22, 0, 0]
    assert sorted(one.data["points"] for one in table.told("domain_scored")) == [3, 4, 15]


@pytest.mark.parametrize(("matches", "bonus"), [(1, 1), (2, 4), (3, 9), (4, 16), (5, 25), (6, 36)])
def test_the_scoring_bonus_table(matches: int, bonus: int) -> None:
    assert domain_points(10, matches) == 10 + bonus


def test_a_domain_without_a_match_scores_nothing() -> None:
    assert in_scoring("card 9, pawns t02 t03", "card 5", "card 5").scores == [0, 0, 0]


def test_the_named_type_holds_for_all_domains() -> None:
    table = in_scoring("card 4, pawns t01 t30", "card 5", "card 5").do("name city")
    assert table.scores[0] == 2  # the city t01; the jungle t30 has no match


def test_the_wild_card_must_name_a_type_and_no_other_may() -> None:
    assert "names a territory type" in in_scoring("card 4, pawns t01", "", "").refused("pass")
    blessed = in_scoring("card 9, pawns t01, holds jungle", "", "")
    assert "only the wild card" in blessed.refused("name city")


def test_naming_a_type_that_matches_nothing_is_allowed_and_scores_nothing() -> None:
    assert in_scoring("card 4, pawns t01", "card 5", "card 5").do("name desert").scores == [0, 0, 0]


def test_a_territory_counts_alone_or_in_coexistence_even_in_minority() -> None:
    table = in_scoring("card 9, pawns t01", "card 9, pawns t01*7", "card 9")
    assert table.scores == [2, 2, 0]


def test_pawns_in_one_territory_count_once() -> None:
    assert in_scoring("card 9, pawns t01*5", "card 5", "card 5").scores == [2, 0, 0]


def test_a_lake_separates() -> None:
    table = in_scoring("card 4, pawns t02 t09", "card 5", "card 5")
    found = [territories(table.board, one) for one in domains(table.state, 0)]
    assert found == [{"t02"}, {"t09"}]


def test_seats_score_in_turn_order_and_land_on_top() -> None:
    """Both reach 2 points; the seat that scores later lies on top and goes first in the next age."""
    table = in_scoring("card 9, pawns t01", "card 9, pawns t04", "card 9")
    assert table.scores == [2, 2, 0]
    assert table.state.phase == CHOOSING
    assert table.state.order == (1, 0, 2)


def test_a_counter_that_gains_nothing_stays_where_it_lies() -> None:
    table = in_scoring("card 9, pawns t01, score 3", "card 9, score 5", "card 9, score 5")
    assert table.scores == [5, 5, 5]
    assert table.state.order == (0, 1, 2)  # seats 1 and 2 as they lay, seat 0 arrived on top of them


def test_points_are_added_in_one_step() -> None:
    """A Blessing's 2 points do not make the counter stop on the way."""
    table = in_scoring("card 9, pawns t01 t09, holds jungle", "card 9, score 2", "card 9, score 4")
    assert table.scores == [0, 2, 4]
    assert table.asked == 0
    table.do("bless jungle")
    assert table.scores == [4, 2, 4]
    assert table.state.order == (0, 2, 1)


def test_whoever_has_nothing_to_decide_scores_without_being_asked() -> None:
    table = in_scoring(
        "card 9, pawns t01, holds offering games tlatoani eagle", "card 4, pawns t02", "card 9"
    )
    assert table.scores == [2, 0, 0]
    assert table.asked == 1
    assert table.state.phase == SCORING


def test_anything_but_a_card_or_the_score_is_refused() -> None:
    table = in_scoring("card 4, pawns t01", "", "")
    for text in ("place t01", "battle t01", "card 5", "games", "move t01>t02", "eagle t01"):
        assert "play a Blessing or Rafts and Canoes, or score" in table.refused(text)
