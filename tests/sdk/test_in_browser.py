"""What runs in a reader's browser, without one: every change of a record is found, and games keep to the rules."""

import json
import random
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.analysis.positions import tell_variation
from arena.matches.stored_records import pack_record
from arena.play.forms import OFFLINE_OPPONENTS
from aztlan.in_browser.door import Door
from aztlan.in_browser.offline_game import OPPONENTS, OfflineGame, new_game
from aztlan.in_browser.record_checks import NAMES, check_record
from engine.errors import EngineError
from engine.record import Record, Recorder, replay
from engine.replay.frames import Lens
from engine.replay.views import frames_of, lines
from engine.rulesets import EDITIONS, ruleset
from engine.state import State


@cache
def game(seats: int, edition: str = "english") -> Record:
    recorder = Recorder(State.new(seats, bytes([seats]) * 32, ruleset(edition)), tuple("abcd"[:seats]))
    chance = random.Random(seats)
    while not recorder.state.is_over():
        recorder.apply(chance.choice(recorder.state.legal_actions()))
    return recorder.record()


def told(record: Record) -> tuple[dict[str, Any], str]:
    """What an arena says of a match that was played like this."""
    *_, last = replay(record)
    frames = b"".join(lines({}, frames_of(record, "open"))).decode()
    return {
        "commitment": sha256(record.seed).hexdigest(),
        "scores": last.state.scores(),
        "placements": last.state.placements(),
        "faults": [False] * len(record.seats),
    }, frames


def states(text: str, expected: dict[str, Any], shown: str) -> dict[str, str]:
    return {check["name"]: check["state"] for check in check_record(text, expected, shown)}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_genuine_record_passes_every_check(seats: int, edition: str) -> None:
    record = game(seats, edition)
    assert states(record.to_json(), *told(record)) == dict.fromkeys(NAMES, "ok")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_change_of_a_record_goes_unnoticed(data: st.DataObject) -> None:
    record = game(data.draw(st.integers(2, 4)))
    expected, shown = told(record)
    at = data.draw(st.integers(0, len(record.actions) - 1))
    what = data.draw(st.sampled_from(["action", "check", "seed", "cut", "longer", "rules"]))
    actions, checks = list(record.actions), bytearray(record.checks)
    if what == "action":
        actions[at] = data.draw(st.integers(0, 400).filter(lambda action: action != record.actions[at]))
    elif what == "check":
        checks[2 * at] ^= data.draw(st.integers(1, 255))
    elif what == "cut":
        actions, checks = actions[:at], checks[: 2 * at]
    elif what == "longer":
        actions, checks = [*actions, 0], checks + b"xx"
    changed = replace(
        record,
        actions=tuple(actions),
        checks=bytes(checks),
        seed=bytes([9]) * 32 if what == "seed" else record.seed,
        rules=record.rules + 1 if what == "rules" else record.rules,
    )
    assert "bad" in states(changed.to_json(), expected, shown).values()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "AZTR", "\udcff"])
def test_what_is_no_record_is_a_failed_check_and_no_crash(text: str) -> None:
    found = states(text.encode(errors="replace").decode(), {}, "")
    assert found == {"record": "bad", **dict.fromkeys(NAMES[1:], "skipped")}


def test_a_seat_that_failed_is_last_whatever_the_game_says() -> None:
    record = game(3)
    expected, shown = told(record)
    winner = expected["placements"].index(1)
    expected["placements"] = [
        3 if seat == winner else place - 1 for seat, place in enumerate(expected["placements"])
    ]
    assert states(record.to_json(), expected, shown)["result"] == "bad"
    expected["faults"][winner] = True
    assert states(record.to_json(), expected, shown)["result"] == "ok"


def test_progress_is_told_up_to_the_last_action() -> None:
    heard: list[tuple[int, int]] = []
    record = game(2)
    check_record(record.to_json(), *told(record), lambda done, all_: heard.append((done, all_)))
    assert heard[-1] == (len(record.actions), len(record.actions))
    assert heard == sorted(heard)


def test_the_arena_offers_the_opponents_that_the_browser_has() -> None:
    assert OFFLINE_OPPONENTS == OPPONENTS


@settings(max_examples=15, deadline=None)
@given(
    seed=st.binary(min_size=32, max_size=32),
    seats=st.integers(2, 4),
    chance=st.randoms(use_true_random=False),
)
def test_a_person_sees_what_their_seat_may_see_and_taking_back_restores_it(
    seed: bytes, seats: int, chance: random.Random
) -> None:
    table = new_game([None, *["random"] * (seats - 1)], "english", seed.hex())
    before: list[Any] = []
    shown: list[Any] = table.news()["frames"]
    for _ in range(12):
        before = [list(shown), table.turn()]
        number, legal = len(table.decisions), table.turn()["legal"]
        table.decide(number, chance.choice(legal))
        shown += table.news()["frames"]
    assert shown == frames_seen(table)
    table.take_back()
    news = table.news()
    assert [news["frames"], news["turn"]] == before
    assert news["anew"]


def frames_seen(table: OfflineGame) -> list[Any]:
    """The frames of the person's lens, from a game that is played again by the recorder."""
    recorder = Recorder(
        State.new(len(table.names), table.seed, ruleset(table.edition)), ("x",) * len(table.names)
    )
    for action in table.actions:
        recorder.apply(action)
    lens = Lens(table.person)
    return [frame for step in replay(recorder.record()) for frame in lens.see(step.state, step.events)]


def test_bad_decisions_get_a_sentence_and_change_nothing() -> None:
    table = new_game([None, "random"], "english", "05" * 32)
    before = list(table.actions)
    with pytest.raises(EngineError, match="refused"):
        table.decide(0, 9999)
    with pytest.raises(EngineError, match="already"):
        table.decide(3, table.turn()["legal"][0])
    with pytest.raises(EngineError, match="no decision to take back"):
        table.take_back()
    assert table.actions == before


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"kind": "dance"}, "There is no message 'dance'."),
        ({"kind": "legal"}, "No game has begun."),
        ({"kind": "play", "seats": [None], "edition": "english"}, "A game has two to four seats, one of them for you."),
        ({"kind": "play", "seats": ["random", "random"], "edition": "english"}, "A game has two to four seats, one of them for you."),
        ({"kind": "play", "seats": [None, "champion"], "edition": "english"}, "There is no such opponent here: champion."),
        ({"kind": "play", "seats": [None, "random"], "edition": "klingon"}, "There is no edition 'klingon'."),
    ],
)  # fmt: skip
def test_a_message_that_makes_no_sense_is_answered_with_a_sentence(
    message: dict[str, Any], sentence: str
) -> None:
    assert json.loads(Door().answer(json.dumps(message))) == {"error": sentence}


def test_a_game_that_a_page_kept_goes_on_where_it_was() -> None:
    door = Door()
    door.answer(json.dumps({"kind": "play", "seats": [None, "greedy"], "edition": "english"}))
    for number in range(3):
        legal = json.loads(door.answer('{"kind": "legal"}'))["answer"]["legal"]
        answer = door.answer(json.dumps({"kind": "apply", "number": number, "action": legal[0]}))
    left = json.loads(answer)["answer"]
    opened = json.loads(Door().answer(json.dumps({"kind": "resume", **left["kept"]})))["answer"]
    assert opened["anew"]
    assert (opened["turn"], opened["kept"]) == (left["turn"], left["kept"])
    assert opened["frames"][-len(left["frames"]) :] == left["frames"]


@pytest.mark.parametrize(
    "changed",
    [{"seed": "xy"}, {"seed": None}, {"actions": [9000]}, {"actions": "x"}, {"decisions": [99]},
     {"seats": [None, "champion"]}, {"edition": "klingon"}],
)  # fmt: skip
def test_a_kept_game_that_was_changed_is_refused_with_a_sentence(changed: dict[str, Any]) -> None:
    kept = new_game([None, "random"], "english", "05" * 32).kept()
    answer = json.loads(Door().answer(json.dumps({"kind": "resume", **kept, **changed})))
    assert len(answer["error"]) > 10


def test_variations_are_the_same_here_as_in_the_arena() -> None:
    record, door = game(3), Door()
    question = {"kind": "try", "number": 20, "actions": list(record.actions[20:23])}
    assert json.loads(door.answer(json.dumps(question)))["error"] == "No match was opened."
    door.answer(json.dumps({"kind": "match", "record": record.to_json()}))
    told = json.loads(door.answer(json.dumps(question)))["answer"]
    assert told == json.loads(json.dumps(tell_variation(pack_record(record), 20, record.actions[20:23])))
    illegal = json.loads(door.answer(json.dumps({**question, "actions": [9000]})))
    assert illegal["error"].startswith("action 1: ")


def test_the_door_says_what_is_legal() -> None:
    door = Door()
    began = json.loads(
        door.answer(json.dumps({"kind": "play", "seats": [None, "random"], "edition": "english"}))
    )
    legal = json.loads(door.answer('{"kind": "legal"}'))["answer"]
    assert legal == began["answer"]["turn"]
    assert len(legal["legal"]) == 6  # the power cards
