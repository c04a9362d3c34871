"""Answers that nobody waits for are counted and ignored; odd but harmless bots play to the end."""

from proto.messages import Clocks
from workers.match.faults import FaultKind
from workers.match.report import SeatReport

from .conftest import Friend, play, villain


async def play_against_friend(mode: str, clocks: Clocks | None = None) -> SeatReport:
    bots = [villain(mode), Friend()]
    report = await (play(bots, clocks) if clocks else play(bots))
    assert report.placements == list(report.game_placements)
    assert report.seats[0].fault is None
    return report.seats[0]


async def test_an_answer_that_comes_after_its_time_is_counted_as_late() -> None:
    seat = await play_against_friend("answer_late", Clocks(30_000, 60_000, 0, 1500))
    assert (seat.late, seat.repeated, seat.unknown) == (1, 0, 0)
    assert len(seat.strikes) == 1


async def test_an_answer_given_three_times_counts_once() -> None:
    seat = await play_against_friend("answer_thrice")
    assert (seat.late, seat.repeated, seat.unknown) == (0, 2, 0)
    assert seat.strikes == []


async def test_answers_to_no_question_and_unknown_messages_are_counted() -> None:
    seat = await play_against_friend("answer_unasked")
    assert (seat.late, seat.repeated, seat.unknown) == (0, 0, 6)
    assert seat.bot_name == "villain"


async def test_fields_of_a_later_version_do_no_harm() -> None:
    seat = await play_against_friend("unknown_fields")
    assert (seat.late, seat.repeated, seat.unknown) == (0, 0, 0)


async def test_a_second_client_on_the_socket_is_refused_and_the_first_plays_on() -> None:
    seat = await play_against_friend("second_client")
    assert seat.refused_clients == 1
    assert "second client: ALREADY_EXISTS this seat already has its bot" in seat.output


async def test_a_name_is_cut_and_its_control_characters_are_dropped() -> None:
    seat = await play_against_friend("long_name")
    assert seat.bot_name == "[31m" + "n" * 76


async def test_notes_are_kept_by_step_and_cut_to_their_limit() -> None:
    seat = await play_against_friend("take_notes")
    assert list(seat.notes) == seat.steps
    assert seat.notes[seat.steps[0]] == "x" * 2048
    assert seat.notes[seat.steps[1]] == "note 2\ufffd"  # databases take no NUL


async def test_a_bot_that_fails_after_the_game_is_over_has_no_fault() -> None:
    seat = await play_against_friend("honest")
    assert seat.fault is not FaultKind.CLOSED
    assert seat.exit == "it exited with code 0"
