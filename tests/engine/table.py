"""A tiny language to set up positions. A seat is a line of clauses:

    in_conflict("card 5, pawns t08*2, holds games, score 10", "card 9, pawns t08 t09")

Clauses: `card N` (this age's power card), `used N N` (earlier ones), `pawns` and `placed` (territories),
`holds` (prosperity cards), `score`, `pool`, `reserve`, `removed` (numbers). Everything has a plain default:
scores are 0 and stacked with seat 0 on top, pawns that are nowhere else are in the reserve, and cards that
nobody holds are in the deck, those named in `deck` on top.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypedDict, Unpack

import pytest

from engine import State, load_board, ruleset
from engine.actions import from_text, to_text
from engine.board import Board
from engine.cards import IN_DECK, KINDS
from engine.errors import IllegalActionError
from engine.events import Event, events
from engine.phases import conflict, development, ending, scoring
from engine.position import put, turn_order
from engine.record import fingerprint
from engine.rulesets import Ruleset

CARDS = ("jungle", "mountains", "fields", "offering", "games", "rafts", "tlatoani", "eagle")
SEED = bytes(range(32))


class Table:
    """A game set up for a test, spoken to in the notation of actions."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.board = state.board
        state.log = []

    @property
    def asked(self) -> int:
        return self.state.to_act()

    @property
    def scores(self) -> list[int]:
        return self.state.scores()

    @property
    def options(self) -> set[str]:
        """What the acting seat may do, in words."""
        return {to_text(action, self.board) for action in self.state.legal_actions()}

    def do(self, *texts: str) -> "Table":
        for text in texts:
            self.state.apply(from_text(text, self.board))
        return self

    def refused(self, text: str) -> str:
        """The rule that forbids this action; the state must not change."""
        before = fingerprint(self.state)
        with pytest.raises(IllegalActionError) as caught:
            self.state.apply(from_text(text, self.board))
        assert fingerprint(self.state) == before
        return caught.value.rule

    def at(self, territory: str) -> list[int]:
        """The pawns there, by side."""
        t, size = self.board.ids.index(territory), self.board.size
        return [self.state.pawns[side * size + t] for side in range(self.state.seats)]

    def hand(self, seat: int) -> list[str]:
        held = self.state.hands[seat * KINDS : (seat + 1) * KINDS]
        return [CARDS[kind] for kind in range(KINDS) for _ in range(held[kind])]

    def discard(self) -> list[str]:
        return [CARDS[kind] for kind in range(KINDS) for _ in range(self.state.discard[kind])]

    def told(self, kind: str) -> list[Event]:
        """The events of this kind since the set-up."""
        return [one for one in events(self.state.log or []) if one.kind == kind]


class Setting(TypedDict, total=False):
    """What holds for the whole table. `deck` names the top cards; after `only`, all others are discarded."""

    age: int
    rules: Ruleset
    deck: str
    board: Board


def in_choosing(*lines: str, **setting: Unpack[Setting]) -> Table:
    state = _set_up(lines, **setting)
    ending.begin_age(state)
    return Table(state)


def in_development(*lines: str, **setting: Unpack[Setting]) -> Table:
    """Each seat has a pool of 1 where its line does not say otherwise."""
    table = Table(_set_up([line if "pool" in line else f"{line}, pool 1" for line in lines], **setting))
    development.begin(table.state)
    return table


def in_conflict(*lines: str, **setting: Unpack[Setting]) -> Table:
    table = Table(_set_up(lines, **setting))
    conflict.begin(table.state)
    return table


def in_scoring(*lines: str, **setting: Unpack[Setting]) -> Table:
    table = Table(_set_up(lines, **setting))
    scoring.begin(table.state)
    return table


def _set_up(lines: Sequence[str], **setting: Unpack[Setting]) -> State:
    seats, age = len(lines), setting.get("age", 1)
    state = State.new(seats, SEED, setting.get("rules"), setting.get("board"))
    state.age = age
    if seats == 2 and age % 2 == 0:
        state.side_of = (1, 0)
    said = [_clauses(line) for line in lines]
    state.power = tuple(_number(one, "card", 4 + seat) for seat, one in enumerate(said))
    state.used = tuple(_used(one, state.power[seat]) for seat, one in enumerate(said))
    state.score = tuple(_number(one, "score", 0) for one in said)
    state.arrival = tuple(seats - 1 - seat for seat in range(seats))
    state.order = turn_order(state)
    for seat, one in enumerate(said):
        _lay_out(state, seat, one)
    _deal(state, [_words(one, "holds") for one in said], setting.get("deck", "").split())
    return state


def _clauses(line: str) -> dict[str, str]:
    found = dict(clause.strip().partition(" ")[::2] for clause in line.split(",") if clause.strip())
    unknown = set(found) - {"card", "used", "pawns", "placed", "holds", "score", "pool", "reserve", "removed"}
    assert not unknown, f"no such clause: {unknown}"
    return found


def _number(said: dict[str, str], name: str, default: int) -> int:
    return int(said.get(name, default))


def _words(said: dict[str, str], name: str) -> list[str]:
    """`t08*2 t09` as t08 t08 t09."""
    found: list[str] = []
    for word in said.get(name, "").split():
        one, _, times = word.partition("*")
        found += [one] * int(times or 1)
    return found


def _used(said: dict[str, str], card: int) -> int:
    return sum(1 << (int(one) - 4) for one in {*_words(said, "used"), str(card)})


def _lay_out(state: State, seat: int, said: dict[str, str]) -> None:
    side, ids = state.side_of[seat], state.board.ids
    for territory in _words(said, "pawns"):
        t = ids.index(territory)
        state.pawns[side * state.board.size + t] += 1
        state.present[side] |= 1 << t
    state.placed[seat] = sum(1 << ids.index(territory) for territory in set(_words(said, "placed")))
    state.pool[seat] = _number(said, "pool", 0)
    removed = _number(said, "removed", 0)
    owned = 60 if state.seats == 2 else 30
    left = owned - len(_words(said, "pawns")) - state.pool[seat] - removed
    # A test that only says how short the reserve is does not care where the other pawns went.
    state.reserve = put(state.reserve, side, _number(said, "reserve", left))
    state.removed = put(state.removed, side, removed)


def _deal(state: State, hands: list[list[str]], on_top: list[str]) -> None:
    """Hand out the cards named and stack the deck."""
    for seat, hand in enumerate(hands):
        for card in hand:
            state.hands[seat * KINDS + CARDS.index(card)] += 1
    left = Counter({kind: IN_DECK[kind] for kind in range(KINDS)})
    left.subtract(Counter(CARDS.index(card) for hand in hands for card in hand))
    top = [CARDS.index(card) for card in on_top if card != "only"]
    left.subtract(top)
    assert all(count >= 0 for count in left.values()), "more cards than the box holds"
    rest = sorted(left.elements())
    if "only" in on_top:
        state.discard = tuple(left[kind] for kind in range(KINDS))
        rest = []
    state.deck, state.deck_at = (*top, *rest), 0


def territories(board: Board, mask: int) -> set[str]:
    return {board.ids[t] for t in range(board.size) if mask >> t & 1}


def new_state(seats: int, seed: int = 0, rules: Ruleset | None = None, board: Board | None = None) -> State:
    return State.new(seats, seed.to_bytes(32, "big"), rules or ruleset(), board or load_board())


def choose(state: State, cards: Iterable[int]) -> State:
    for card in cards:
        state.apply(card)
    return state
