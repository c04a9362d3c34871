"""Frames: what each view is shown, and above all what it is not."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import actions, cards
from engine.events import events
from engine.observation import HIDDEN, observe
from engine.position import CHOOSING
from engine.record import Recorder, replay
from engine.replay.frames import OPEN, SPECTATOR, Frame, Lens, apply_frame, position
from engine.rulesets import ruleset
from engine.state import State

SEATS = st.integers(2, 4)
CHANCE = st.integers(0, 2**32).map(random.Random)
EDITIONS = st.sampled_from(["english", "german", "italian", "french"])


def random_game(seats: int, chance: random.Random, edition: str = "english") -> Recorder:
    recorder = Recorder(State.new(seats, chance.randbytes(32), ruleset(edition)), tuple("abcd"[:seats]))
    while not recorder.state.is_over():
        recorder.apply(chance.choice(recorder.state.legal_actions()))
    return recorder


def watch(recorder: Recorder, view: int) -> list[Frame]:
    lens = Lens(view)
    return [frame for step in replay(recorder.record()) for frame in lens.see(step.state, step.events)]


def as_bytes(frames: list[Frame]) -> bytes:
    return json.dumps(frames, sort_keys=True).encode()


@settings(max_examples=12, deadline=None)
@given(SEATS, CHANCE, EDITIONS)
def test_folded_frames_give_what_the_seat_may_observe_at_every_step(
    seats: int, chance: random.Random, edition: str
) -> None:
    recorder = random_game(seats, chance, edition)
    for view in (SPECTATOR, *range(seats)):
        lens, table = Lens(view), {}
        for step in replay(recorder.record()):
            for frame in lens.see(step.state, step.events):
                table = apply_frame(table, frame)
            if lens.seen["to_act"] == observe(step.state, view).to_act:
                assert table == position(observe(step.state, view))


@settings(max_examples=8, deadline=None)
@given(SEATS, CHANCE, EDITIONS)
def test_the_open_view_puts_together_what_each_seat_observes(
    seats: int, chance: random.Random, edition: str
) -> None:
    recorder = random_game(seats, chance, edition)
    lens = Lens(OPEN)
    for step in replay(recorder.record()):
        lens.see(step.state, step.events)
        seen = [observe(step.state, seat) for seat in range(seats)]
        assert lens.seen == {
            **position(observe(step.state, SPECTATOR)),
            "to_act": step.state.to_act(),
            "used": [one.used[seat] for seat, one in enumerate(seen)],
            "power": [one.own_power for one in seen],
            "hands": [one.hand for one in seen],
        }


@settings(max_examples=10, deadline=None)
@given(SEATS, CHANCE)
def test_a_step_number_means_the_same_moment_in_every_view(seats: int, chance: random.Random) -> None:
    recorder = random_game(seats, chance)
    public = {frame["step"]: frame for frame in watch(recorder, SPECTATOR)}
    assert sorted(public) == list(range(len(public)))
    table: dict[str, object] = {}
    shared = ("age", "phase", "scores", "pool", "pawns", "hand_sizes", "deck_size")
    at_step: dict[int, dict[str, object]] = {}
    for frame in watch(recorder, SPECTATOR):
        table = apply_frame(table, frame)
        at_step[frame["step"]] = table
    for view in (OPEN, *range(seats)):
        table = {}
        for frame in watch(recorder, view):
            table = apply_frame(table, frame)
            if not frame.get("sub"):
                assert {name: table[name] for name in shared} == {
                    name: at_step[frame["step"]][name] for name in shared
                }


@settings(max_examples=10, deadline=None)
@given(SEATS, CHANCE)
def test_nothing_hidden_from_a_seat_is_in_the_bytes_of_its_view(seats: int, chance: random.Random) -> None:
    recorder = random_game(seats, chance)
    for view in (SPECTATOR, *range(seats)):
        frames = watch(recorder, view)
        assert recorder.state.seed.hex().encode() not in as_bytes(frames)
        table: dict[str, list[object]] = {}
        for frame in frames:
            table = apply_frame(table, frame)
            others = [seat for seat in range(seats) if seat != view]
            assert all(table["hands"][seat] is None or not table["hand_sizes"][seat] for seat in others)
            assert table["revealed"] or all(table["power"][seat] in (0, HIDDEN) for seat in others)
            private = [one for one in frame["events"] if one["kind"] in ("power_chosen", "card_drawn")]
            assert all(one["card"] == HIDDEN for one in private if one["seat"] != view)
            # Who is asked about a card in hand is for that seat alone: others get no frame of it.
            assert not frame.get("sub") or (view >= 0 and table["to_act"] in (view, HIDDEN))


def timed(recorder: Recorder, view: int, seen_us: int, hidden_us: int) -> list[Frame]:
    """Frames with clocks, where decisions that the view cannot know of take another time."""
    lens, frames, known = Lens(view, timed=True), [], True
    for step in replay(recorder.record()):
        if step.seat >= 0:
            lens.charge(step.seat, seen_us if known else hidden_us)
        frames += lens.see(step.state, step.events)
        known = observe(step.state, view).to_act != HIDDEN
    return frames


@settings(max_examples=10, deadline=None)
@given(SEATS, CHANCE)
def test_clocks_say_nothing_of_decisions_that_the_view_cannot_know_of(
    seats: int, chance: random.Random
) -> None:
    recorder = random_game(seats, chance)
    for view in (SPECTATOR, *range(seats)):
        quick = timed(recorder, view, 1000, 0)
        assert as_bytes(quick) == as_bytes(timed(recorder, view, 1000, 10**6))
        end: dict[str, Any] = {}
        for frame in quick:
            end = apply_frame(end, frame)
        assert 0 < sum(end["clocks"]) <= len(recorder.actions)


class World:
    """One of two games that look alike to the viewer."""

    def __init__(self, state: State, view: int) -> None:
        self.state = state
        self.lens = Lens(view)
        self.frames: list[Frame] = []
        self.told = 0
        state.log_events()
        self.look()

    def look(self) -> None:
        raw, self.state.log = self.state.log or [], []
        self.frames += self.lens.see(self.state, events(raw))

    def apply(self, action: int) -> None:
        self.state.apply(action)
        self.look()

    def news(self) -> list[Frame]:
        """The frames since this was last asked."""
        told, self.told = self.told, len(self.frames)
        return self.frames[told:]

    def decline_in_secret(self) -> None:
        """Seats that others may not know to be asked keep their cards."""
        while not self.state.is_over() and observe(self.state, self.lens.view).to_act == HIDDEN:
            self.apply(actions.PASS)


# Cards that others cannot know of until they are played; one for the scoring shows, as its seat is asked.
SECRET_KINDS = (cards.OFFERING, cards.SACRED_GAMES, cards.GREAT_TLATOANI, cards.EAGLE_WARRIORS)


def alike(seats: int, view: int, chance: random.Random) -> tuple[World, World]:
    """Two fresh games with the same stack on the score track and different decks."""
    states = []
    seed = chance.randbytes(32)
    for _ in range(2):
        state = State.new(seats, seed)
        state.deck = tuple(chance.choices(SECRET_KINDS, k=30))
        states.append(state)
    return World(states[0], view), World(states[1], view)


@settings(max_examples=25, deadline=None)
@given(SEATS, CHANCE)
def test_cards_chosen_by_others_leave_no_trace_before_they_are_revealed(
    seats: int, chance: random.Random
) -> None:
    view = chance.randrange(-1, seats)
    one, other = alike(seats, view, chance)
    for seat in range(seats):
        mine, theirs = chance.randrange(4, 10), chance.randrange(4, 10)
        one.apply(mine)
        other.apply(mine if seat == view else theirs)
    while sum(one.state.pool) or one.state.step:
        shared = [a for a in one.state.legal_actions() if a in other.state.legal_actions()]
        action = chance.choice(shared)
        if sum(one.state.pool) == 0:
            break  # the next action may reveal the cards
        one.apply(action)
        other.apply(action)
    assert as_bytes(one.frames) == as_bytes(other.frames)


@settings(max_examples=25, deadline=None)
@given(SEATS, CHANCE)
def test_two_games_that_look_alike_to_a_viewer_give_the_same_bytes(seats: int, chance: random.Random) -> None:
    """The decks differ, so others hold other cards, and are or are not asked about them: nobody can tell."""
    view = chance.randrange(-1, seats)
    one, other = alike(seats, view, chance)
    while True:
        one.decline_in_secret()
        other.decline_in_secret()
        if one.state.is_over():
            break
        assert one.state.to_act() == other.state.to_act()
        assert as_bytes(one.news()) == as_bytes(other.news())
        legal = other.state.legal_actions()
        shared = [action for action in one.state.legal_actions() if action in legal and plays_no_card(action)]
        if one.state.to_act() == view:
            give_same_card(one.state, other.state)
        action = chance.choice(shared)
        one.apply(action)
        other.apply(action)
    assert one.frames[-1]["step"] == other.frames[-1]["step"] > 150


def plays_no_card(action: int) -> bool:
    return (
        action < actions.PLAY_GAMES
        or actions.PLACE <= action < actions.EAGLE
        or (actions.BATTLE <= action < actions.TLATOANI or actions.MOVE <= action < actions.RAFT)
    )


def give_same_card(one: State, other: State) -> None:
    """What the viewer itself draws next is the same in both games."""
    if one.deck_at < len(one.deck):
        deck = list(other.deck)
        deck[other.deck_at] = one.deck[one.deck_at]
        other.deck = tuple(deck)


def test_choosing_makes_the_same_frames_whether_the_seats_are_seen_one_by_one_or_at_once() -> None:
    """A match host applies all choices before it shows a frame; a replay sees each."""
    recorder = random_game(3, random.Random(4))
    lens, state = Lens(), State.new(3, recorder.state.seed)
    state.log_events()
    live: list[Frame] = []
    for action in [None, *recorder.actions]:
        if action is not None:
            state.apply(action)
        if state.phase == CHOOSING and any(state.power):
            continue
        raw, state.log = state.log or [], []
        live += lens.see(state, events(raw))
    replayed = watch(recorder, SPECTATOR)
    assert [(one["step"], one["events"]) for one in live] == [
        (one["step"], one["events"]) for one in replayed
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_open_view_shows_every_hand_and_every_choice(seats: int) -> None:
    recorder = random_game(seats, random.Random(seats))
    table: dict[str, list[object]] = {}
    for frame in watch(recorder, OPEN):
        table = apply_frame(table, frame)
        assert all(sum(hand) == size for hand, size in zip(table["hands"], table["hand_sizes"], strict=True))
        assert HIDDEN not in table["power"]
    assert frame["events"][-1]["kind"] == "game_over"
