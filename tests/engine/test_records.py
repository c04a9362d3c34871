"""Records: round trips, replay, and tampering that shows at the step where it happens."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Record, Recorder, load_record, ruleset, verify
from engine.errors import IllegalActionError, RecordError
from engine.record import fingerprint, replay
from engine.rulesets import Ruleset
from tests.engine.random_games import few, pick, recorded, rulesets, seat_counts, seeds, some, start
from tests.engine.table import new_state

GAME = recorded(4, 7, ruleset("english")).record()


@few
@given(seat_counts, seeds, rulesets, st.integers(0, 400))
def test_a_record_comes_back_the_same_from_both_forms(
    seats: int, seed: int, rules: Ruleset, most: int
) -> None:
    record = recorded(seats, seed, rules, most).record()
    assert Record.from_json(record.to_json()) == record
    assert Record.from_bytes(record.to_bytes()) == record
    assert load_record(record.to_json().encode()) == load_record(record.to_bytes()) == record


@few
@given(seat_counts, seeds, rulesets)
def test_a_replay_passes_through_every_state(seats: int, seed: int, rules: Ruleset) -> None:
    recorder = recorded(seats, seed, rules)
    again, rng = start(seats, seed, rules), Random(seed)
    for step in replay(recorder.record()):
        if step.number:
            assert (step.seat, step.action) == (again.to_act(), pick(again, rng))
            again.apply(step.action)
        assert fingerprint(step.state) == fingerprint(again)
        assert step.events or step.number
    assert again.is_over()
    assert verify(recorder.record()).scores() == recorder.state.scores()


def test_the_compact_form_is_small() -> None:
    assert len(GAME.to_bytes()) < 0.6 * len(GAME.to_json())
    assert len(GAME.to_bytes()) < 2000


def failing_step(record: Record) -> int:
    with pytest.raises(RecordError) as caught:
        verify(record)
    word, _, number = caught.value.where.partition(" ")
    assert word == "step", caught.value
    return int(number)


class TestTampering:
    @some
    @given(st.data())
    def test_with_an_action_shows_at_its_step_or_the_next(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(1, len(GAME.actions)))
        other = data.draw(st.integers(0, 9215).filter(lambda action: action != GAME.actions[number - 1]))
        changed = (*GAME.actions[: number - 1], other, *GAME.actions[number:])
        assert number <= failing_step(replace(GAME, actions=changed)) <= number + 1

    def test_with_an_action_for_another_legal_one_shows_too(self) -> None:
        state, found = start(4, 7, ruleset("english")), []
        for number, action in enumerate(GAME.actions, 1):
            others = [one for one in state.legal_actions() if one != action]
            state.apply(action)
            if number % 10 == 0 and others:
                changed = (*GAME.actions[: number - 1], others[-1], *GAME.actions[number:])
                found.append(failing_step(replace(GAME, actions=changed)) - number)
        assert len(found) > 20
        assert set(found) <= {0, 1}

    @some
    @given(st.integers(0, len(GAME.checks) - 1), st.integers(1, 255))
    def test_with_a_check_shows_at_its_step(self, at: int, change: int) -> None:
        checks = bytearray(GAME.checks)
        checks[at] ^= change
        assert failing_step(replace(GAME, checks=bytes(checks))) == at // 2 + 1

    @pytest.mark.parametrize(
        "changes",
        [
            {"seed": bytes(32)},
            {"seats": ("someone else", *GAME.seats[1:])},
            {"seats": GAME.seats[:3]},
            {"ruleset": ruleset("italian")},
            {"ruleset": replace(GAME.ruleset, name="english2")},
        ],
    )
    def test_with_the_header_shows_at_the_first_steps(self, changes: dict[str, object]) -> None:
        assert failing_step(replace(GAME, **changes)) <= 2  # type: ignore[arg-type]  # of any field

    def test_with_the_order_of_actions_shows(self) -> None:
        actions = list(GAME.actions)
        actions[0], actions[1] = actions[1], actions[0]
        if tuple(actions) != GAME.actions:
            assert failing_step(replace(GAME, actions=tuple(actions))) <= 2

    def test_cutting_the_end_off_shows(self) -> None:
        short = replace(GAME, actions=GAME.actions[:-1], checks=GAME.checks[:-2])
        assert failing_step(short) == len(GAME.actions) - 1
        empty = replace(GAME, actions=(), checks=b"")
        with pytest.raises(RecordError, match="before the game is over"):
            verify(empty)

    def test_adding_to_the_end_shows(self) -> None:
        longer = replace(GAME, actions=(*GAME.actions, 0), checks=GAME.checks + b"\0\0")
        assert failing_step(longer) == len(GAME.actions) + 1

    def test_with_the_board_shows_before_the_first_step(self) -> None:
        with pytest.raises(RecordError, match="board_hash"):
            verify(replace(GAME, board_hash="0" * 64))
        with pytest.raises(RecordError, match="no board"):
            verify(replace(GAME, board_id="atlantis"))


@pytest.mark.parametrize("board", ["../secrets", "/etc/passwd", "aztlan.json", "", "a b", "-", "x\0y"])
def test_a_record_cannot_name_a_file_as_its_board(board: str) -> None:
    with pytest.raises(RecordError, match="board"):
        verify(replace(GAME, board_id=board))


class TestTheRecorder:
    def test_does_not_record_what_was_refused(self) -> None:
        recorder = Recorder(new_state(3), ("a", "b", "c"))
        with pytest.raises(IllegalActionError):
            recorder.apply(64)
        assert recorder.record().actions == ()
        recorder.apply(9)
        assert recorder.record().actions == (9,)

    def test_wants_a_name_for_each_seat(self) -> None:
        with pytest.raises(RecordError, match="2 names for 3 seats"):
            Recorder(new_state(3), ("a", "b"))

    @pytest.mark.parametrize("name", ["x" * 101, "\ud800", 7])
    def test_wants_names_that_a_record_can_hold(self, name: str) -> None:
        with pytest.raises(RecordError, match="seats"):
            Recorder(new_state(2), ("a", name))

    def test_begins_with_the_game(self) -> None:
        state = new_state(3)
        state.apply(4)
        with pytest.raises(RecordError, match="new game"):
            Recorder(state, ("a", "b", "c"))
