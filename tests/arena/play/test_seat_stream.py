"""All bytes of a table's stream, followed action by action: nothing in them depends on what others decided in secret."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.matches.models import Match
from arena.play.models import Table, TableSeat
from arena.play.table_feeds import SeatStream, TableFeed
from engine.position import CHOOSING, DEVELOPMENT
from engine.rulesets import ruleset
from tests.arena.play.test_seat_game import SEEDS, new_game


class Watched:
    """A table of people that is in no database, and all that one of them is sent."""

    def __init__(self, seats: int, seed: bytes, me: int) -> None:
        self.me = me
        rules = ruleset().options()
        match = Match(public_id="m", seats=seats, seed=seed, own_ruleset=rules, own_board_id="aztlan")
        self.table = Table(match=match, pace=120, edition="english", public_id="t")
        self.seats = [
            TableSeat(table=self.table, seat=seat, is_person=True, token_hash="x") for seat in range(seats)
        ]
        self.feed = TableFeed("t", self.table, self.seats)
        self.stream = SeatStream(self.feed, me)
        self.sent: list[bytes] = []
        self._look()

    def decide(self, seat: int, action: int) -> None:
        """Keep somebody's decision, as the arena does before the host has played it."""
        game = self.feed.game
        assert game
        self.seats[seat].answer_step, self.seats[seat].answer_action = game.step_of(seat), action
        self._look()

    def play(self, *actions: int) -> None:
        self.table.actions = [*self.table.actions, *actions]
        self._look()

    def _look(self) -> None:
        self.feed.take_in(self.table, self.seats)
        if part := self.stream.news():
            self.sent.append(part.encode())


@given(st.integers(2, 4), SEEDS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_what_others_choose_in_secret_changes_no_byte(seats: int, seed: bytes, chance: Any, age: int) -> None:
    """Not who has chosen already, nor what, as long as the cards are covered."""
    game, me = new_game(seats, seed), chance.randrange(seats)
    one, other = Watched(seats, seed, me), Watched(seats, seed, me)
    while game.state.age < age or game.state.phase != CHOOSING:
        action = chance.choice(game.state.legal_actions())
        game.play([action])
        one.play(action)
        other.play(action)
    mine = chance.choice(game.legal_actions(me)) if me in game.state.acting() else 0
    chosen: list[list[int]] = [[], []]
    asked = game.state.acting()
    for watched, cards in zip((one, other), chosen, strict=True):
        for seat in asked:
            cards.append(mine if seat == me else chance.choice(game.legal_actions(seat)))
        for seat in chance.sample(asked, len(asked)):
            if seat == me or chance.random() < 0.5:
                watched.decide(seat, cards[asked.index(seat)])
        watched.play(*cards)
    twin = new_game(seats, seed)
    twin.play(other.table.actions)
    game.play(chosen[0])
    assert one.sent == other.sent
    while game.state.phase == DEVELOPMENT == twin.state.phase:
        action = chance.choice([a for a in game.state.legal_actions() if a in twin.state.legal_actions()])
        game.play([action])
        twin.play([action])
        if game.state.phase != DEVELOPMENT:
            break  # the cards are revealed
        one.play(action)
        other.play(action)
        assert one.sent == other.sent


@given(st.integers(2, 4), SEEDS, SEEDS, st.randoms(use_true_random=False))
def test_the_deck_changes_no_byte_before_a_card_is_drawn(
    seats: int, seed: bytes, another: bytes, chance: Any
) -> None:
    game, twin = new_game(seats, seed), new_game(seats, another)
    if game.state.arrival != twin.state.arrival:
        return
    watched = [(Watched(seats, seed, me), Watched(seats, another, me)) for me in range(seats)]
    while game.state.phase in (CHOOSING, DEVELOPMENT):
        assert all(one.sent == other.sent for one, other in watched)
        action = chance.choice(game.state.legal_actions())
        game.play([action])
        for one, other in watched:
            one.play(action)
            other.play(action)
