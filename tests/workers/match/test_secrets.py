"""Two worlds that differ only in what a seat cannot see send it the same bytes.

Seat 0 sits in both worlds with the same cards; the others' cards are dealt anew among them and what is left of
the deck. They do the same in public and keep their cards, so that only the questions put to *them* differ.
"""

import random
from collections import Counter
from typing import Any

import pytest

from engine.events import DREW
from engine.rulesets import EDITIONS
from engine.state import State
from proto.messages import DecisionRequest, GameOver
from workers.match.clock import Countdown
from workers.match.game import MatchGame
from workers.match.runner import play_match

from .conftest import Friend, make_spec

PASS = 0
# Sacred Games, Blessings, Rafts and Canoes on all lakes; Eagle, Great Tlatoani, Rafts and Canoes.
CARD_ACTIONS = [range(15, 20), range(128, 192), range(320, 384), range(5120, 9216)]


class Discreet:
    """Chooses the same in both worlds: never a card, and by chance only where there is a choice without cards."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.asked = 0

    def __call__(self, request: DecisionRequest) -> int:
        self.asked += 1
        public = [one for one in request.legal_actions if not any(one in cards for cards in CARD_ACTIONS)]
        return self.chance.choice(public) if len(public) > 1 else public[0]


class World:
    """What came of one match: what seat 0 was sent, how often the others were asked, who drew which card."""

    def __init__(self, seats: int, edition: str, seed: int) -> None:
        self.spec = make_spec(seats, edition=edition, seed=seed)
        self.states: list[State] = []
        self.others = [Discreet(seat) for seat in range(1, seats)]
        self.friend = Friend(seed=seed)

    async def play(self, monkeypatch: pytest.MonkeyPatch, deck: tuple[int, ...] | None) -> "World":
        begin = MatchGame.__init__

        def deal(game: MatchGame, *given: Any) -> None:
            begin(game, *given)
            game.state.deck = deck or game.state.deck
            self.deck = game.state.deck
            self.states.append(game.state)

        with monkeypatch.context() as patch:
            patch.setattr(MatchGame, "__init__", deal)
            patch.setattr(Countdown, "_read", lambda _: (0, 0))  # the bank tells the time, which is no secret
            await play_match(self.spec, [self.friend, *(Friend(answer) for answer in self.others)])
        assert isinstance(self.friend.heard[-1], GameOver)
        return self

    def drawn_by_0(self) -> list[int]:
        """The places in the deck from which seat 0 drew."""
        draws = [raw[1] for raw in self.states[0].log or [] if raw[0] == DREW]
        return [place for place, seat in enumerate(draws) if seat == 0]

    def questions(self) -> list[bytes]:
        """All that seat 0 was sent but the end, where hands are shown."""
        return self.friend.bytes[:-1]


def deal_anew(deck: tuple[int, ...], kept: list[int], chance: random.Random) -> tuple[int, ...]:
    """Shuffle a deck but for the places that are kept."""
    places = [place for place in range(len(deck)) if place not in kept]
    cards = [deck[place] for place in places]
    chance.shuffle(cards)
    dealt = list(deck)
    for place, card in zip(places, cards, strict=True):
        dealt[place] = card
    assert Counter(dealt) == Counter(deck)
    return tuple(dealt)


@pytest.mark.parametrize("edition", EDITIONS)
async def test_no_byte_sent_to_a_seat_depends_on_what_it_cannot_see(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_otherwise = 0
    for seed in range(6):
        seats = 2 + seed % 3
        one = await World(seats, edition, seed).play(monkeypatch, None)
        anew = deal_anew(one.deck, one.drawn_by_0(), random.Random(seed))
        other = await World(seats, edition, seed).play(monkeypatch, anew)
        assert one.questions() == other.questions()
        asked_otherwise += [bot.asked for bot in one.others] != [bot.asked for bot in other.others]
    assert asked_otherwise >= 3  # else the worlds would not differ in what others are asked
