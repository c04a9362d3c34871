"""`State`: a game in progress, and the one door through which actions come in."""

from typing import Final

from engine import cards
from engine.board import Board
from engine.boardfile import load_board
from engine.errors import EngineError, IllegalActionError
from engine.phases import choosing, conflict, development, ending, scoring
from engine.position import (
    CHOOSING,
    CONFLICT,
    DEVELOPMENT,
    OVER,
    SCORING,
    STEP_MAIN,
    Position,
    holds,
    put,
)
from engine.randomness import SEED_BYTES, Stream
from engine.rulesets import Ruleset, ruleset

_WORD: Final = 0xFFFFFFFF


class State(Position):
    """A game of 2, 3 or 4 seats. Actions are the integers of `engine.actions`."""

    @staticmethod
    def new(seats: int, seed: bytes, rules: Ruleset | None = None, board: Board | None = None) -> "State":
        """A game before its first decision. The seed settles the score stack and the decks."""
        if seats < 2 or seats > 4:
            raise EngineError(f"a game has 2, 3 or 4 seats, not {seats}")
        if len(seed) != SEED_BYTES:
            raise EngineError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        state = State(board or load_board(), rules or ruleset(), seats, seed)
        for height, seat in enumerate(Stream(seed, "stack").shuffled(list(range(seats)))):
            state.arrival = put(state.arrival, seat, height)
        state.deck = tuple(Stream(seed, "deck").shuffled(cards.FULL_DECK))
        ending.begin_age(state)
        return state

    def log_events(self) -> None:
        """Collect raw events in `log` from now on; at the start of a game that includes the first age's."""
        self.log = []
        if self.age == 1 and self.phase == CHOOSING and not any(self.power):
            ending.begin_age(self)

    def to_act(self) -> int:
        """The seat whose action `apply` takes next; -1 when the game is over."""
        return self.actor

    def acting(self) -> tuple[int, ...]:
        """Every seat whose decision is open. More than one only while power cards are chosen, at once."""
        if self.phase == CHOOSING:
            return tuple([seat for seat in range(self.seats) if not self.power[seat]])
        return () if self.phase == OVER else (self.actor,)

    def is_over(self) -> bool:
        """Whether the fifth age is scored."""
        return self.phase == OVER

    def scores(self) -> list[int]:
        """Points by seat."""
        return list(self.score)

    def placements(self) -> list[int]:
        """By seat, 1 for the best. There are no shared places. Final when the game is over."""
        return ending.placements(self)

    def legal_actions(self, seat: int = -1) -> tuple[int, ...]:
        """All legal actions of a seat (by default the acting one); none for a seat that is not asked."""
        if self.phase == DEVELOPMENT and (seat == -1 or seat == self.actor):
            return development.legal(self)
        if seat == -1:
            seat = self.actor
        elif not 0 <= seat < self.seats:
            raise EngineError(f"there is no seat {seat}")
        if seat not in self.acting():
            return ()
        if self.phase == CHOOSING:
            return choosing.legal(self, seat)
        return conflict.legal(self) if self.phase == CONFLICT else scoring.legal(self)

    def apply(self, action: int, seat: int = -1) -> None:
        """Play an action for the acting seat, or while power cards are chosen for any seat that has yet to.

        An action that the rules forbid raises IllegalActionError, names the rule, and changes nothing.
        """
        if seat != -1 and not 0 <= seat < self.seats:
            raise IllegalActionError(f"there is no seat {seat}", action)
        phase = self.phase
        if phase == CHOOSING:
            choosing.apply(self, self.actor if seat < 0 else seat, action)
            return
        if phase == OVER:
            raise IllegalActionError("End of the Game: no more actions are taken", action)
        if seat >= 0 and seat != self.actor:
            raise IllegalActionError(f"it is seat {self.actor}'s decision, not seat {seat}'s", action)
        if action < 0:
            raise IllegalActionError("actions are not negative", action)
        if phase == DEVELOPMENT:
            development.apply(self, action)
        elif phase == CONFLICT:
            conflict.apply(self, action)
        else:
            scoring.apply(self, action)

    def clone(self) -> "State":
        """An independent copy, without the event log."""
        return State(self.board, self.rules, self.seats, self.seed, self)

    def playout(self, seed: int) -> list[int]:
        """Play uniformly random actions to the end and return the placements.

        The same as calling `apply` with a random one of `legal_actions`, without making the lists where
        their length is known. Chance is a 32-bit xorshift of `seed`, the same in every form of the engine.
        """
        x = (seed * 2654435761 + 1) & _WORD or 1
        while self.phase != OVER:
            x ^= (x << 13) & _WORD
            x ^= x >> 17
            x ^= (x << 5) & _WORD
            phase = self.phase
            if phase == DEVELOPMENT:
                development.apply(self, self._random_development(x))
                continue
            if phase == CONFLICT:
                legal = conflict.legal(self)
                conflict.apply(self, legal[x % len(legal)])
            elif phase == SCORING:
                legal = scoring.legal(self)
                scoring.apply(self, legal[x % len(legal)])
            else:
                legal = choosing.legal(self, self.actor)
                choosing.apply(self, self.actor, legal[x % len(legal)])
        return self.placements()

    def _random_development(self, x: int) -> int:
        if self.step == STEP_MAIN:
            return self.board.places[x % self.board.size]
        if holds(self, self.actor, cards.EAGLE_WARRIORS):
            legal = development.legal(self)
            return legal[x % len(legal)]
        return self.board.after_placing.pick(self.present[self.side_of[self.actor]], x)
