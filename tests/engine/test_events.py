"""Events: folding them gives the visible board, their points add up, and each hides what it must."""

from random import Random

from hypothesis import given

from engine import observe
from engine.events import Event, events
from engine.observation import FIELDS as OBSERVED
from engine.replay.visible_table import FIELDS, VisibleTable
from engine.rulesets import Ruleset
from engine.state import State
from tests.engine.random_games import few, pick, rulesets, seat_counts, seeds, start
from tests.engine.table import in_conflict, in_scoring, new_state


def take(state: State) -> list[Event]:
    raw, state.log = state.log or [], []
    return events(raw)


@few
@given(seat_counts, seeds, rulesets)
def test_the_events_alone_give_the_table_that_each_seat_and_a_spectator_see(
    seats: int, seed: int, rules: Ruleset
) -> None:
    state, rng = start(seats, seed, rules), Random(seed)
    state.log_events()
    tables = [VisibleTable(state.board, seats, seat) for seat in range(-1, seats)]
    while True:
        for event in take(state):
            for table in tables:
                table.apply(event.seen_by(table.seat))
        for table in tables:
            seen = observe(state, table.seat)
            assert {name: getattr(table, name) for name in FIELDS} == {
                name: getattr(seen, name) for name in FIELDS
            }
        if state.is_over():
            break
        state.apply(pick(state, rng))


def test_a_visible_table_has_all_of_an_observation_but_whose_decision_it_is() -> None:
    assert set(OBSERVED) - set(FIELDS) == {"seat", "seats", "step", "to_act"}


@few
@given(seat_counts, seeds, rulesets)
def test_the_points_told_add_up_to_the_scores(seats: int, seed: int, rules: Ruleset) -> None:
    state, rng = start(seats, seed, rules), Random(seed)
    state.log_events()
    scores, parts = [0] * seats, [0] * seats
    while not state.is_over():
        state.apply(pick(state, rng))
        for event in take(state):
            data = event.data
            if event.kind == "blessing_played":
                parts[data["seat"]] += data["points"]
                assert data["points"] == 2 * data["territories"]
            elif event.kind == "domain_scored":
                parts[data["seat"]] += data["points"]
                assert len(data["territories"]) == data["size"]
                assert data["points"] == (data["size"] + data["matches"] ** 2 if data["matches"] else 0)
            elif event.kind in ("age_scored", "end_scored"):
                if event.kind == "end_scored":
                    parts[data["seat"]] = data["card_points"] + data["hand_points"] + data["offering_points"]
                else:
                    assert data["points"] == parts[data["seat"]]
                space = scores[data["seat"]] + parts[data["seat"]]
                if event.kind == "age_scored" and parts[data["seat"]]:
                    space = landing(rules, scores, data["seat"], space)
                assert data["score"] == space
                scores[data["seat"]] = data["score"]
                parts[data["seat"]] = 0
        assert scores == state.scores()
    assert parts == [0] * seats


def landing(rules: Ruleset, scores: list[int], seat: int, space: int) -> int:
    """In an age's Scoring the counter stands where its points lead, or by ruleset on the next free space."""
    others = {scores[other] for other in range(len(scores)) if other != seat}
    while rules.landing == "next_free" and space in others:
        space += 1
    return space


def test_the_first_events_of_a_game_are_there_only_when_asked_for_at_its_start() -> None:
    state = new_state(3)
    assert state.log is None
    state.log_events()
    assert [one.kind for one in take(state)] == ["age_began", "turn_order"]
    state.apply(5)
    state.log_events()
    assert state.log == []


def test_a_domain_names_its_territories_size_and_matches() -> None:
    table = in_scoring("card 9, pawns t01 t06 t14", "card 5", "card 5")
    assert table.told("domain_scored")[0].data == {
        "seat": 0, "size": 3, "matches": 2, "points": 7, "territories": [0, 5, 13],
    }  # fmt: skip


def test_a_battle_tells_its_declaration_its_losses_and_its_end() -> None:
    table = in_conflict(
        "card 9, pawns t16", "card 5, pawns t16, holds games", "card 4, pawns t16*2", deck="eagle"
    )
    table.do("battle t16", "games")
    told = [one.kind for one in events(table.state.log or [])]
    battle = told[told.index("battle_declared") : told.index("phase_began", 1)]
    assert battle == ["battle_declared", "games_played", "pawns_removed", "battle_won", "card_drawn"]


class TestWhoSeesWhat:
    def test_a_drawn_card_is_for_its_seat_alone(self) -> None:
        drawn = Event("card_drawn", {"seat": 1, "card": 4})
        assert drawn.seen_by(1) is drawn
        assert drawn.seen_by(0).data == drawn.seen_by(-1).data == {"seat": 1, "card": -1}

    def test_a_chosen_power_card_is_for_its_seat_alone_and_a_revealed_one_for_all(self) -> None:
        chosen = Event("power_chosen", {"seat": 1, "card": 9})
        assert chosen.seen_by(0).data == {"seat": 1, "card": -1}
        assert chosen.seen_by(1).data == {"seat": 1, "card": 9}
        revealed = Event("power_revealed", {"seat": 1, "card": 9})
        assert revealed.seen_by(-1) is revealed

    def test_a_declined_card_leaves_no_event(self) -> None:
        games = in_conflict("card 9, pawns t16", "card 5, pawns t16, holds games", "card 4").do("battle t16")
        games.state.log = []
        games.do("pass")
        assert games.told("pawns_removed")
        assert not [
            one for one in events(games.state.log or []) if one.data.get("seat") == 1 and "game" in one.kind
        ]
        tlatoani = in_conflict("card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5")
        before = [one.kind for one in events(tlatoani.state.log or [])]
        tlatoani.do("pass")
        assert [one.kind for one in events(tlatoani.state.log or [])][len(before)] == "conflict_tied"
