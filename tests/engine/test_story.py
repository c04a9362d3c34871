"""The story of a game: why conflicts were won, its key moments, and its highlights."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record import Record, Recorder, board_of, load_record
from engine.replay.frames import Frame, apply_frame
from engine.replay.highlights import MILLISECONDS, highlights, story
from engine.replay.moments import moments
from engine.replay.views import frames_of, told, views
from engine.rulesets import ruleset
from engine.state import State
from tests.engine.make_golden import FOLDER
from tests.engine.test_golden import GOLDEN

KINDS = {"swing", "domain_lost", "lead", "card", "power", "end"}
every_game = pytest.mark.parametrize("name", sorted(GOLDEN))


def golden(name: str) -> tuple[Record, list[Frame]]:
    record = load_record((FOLDER / f"{name}.aztr").read_bytes())
    return record, list(frames_of(record, "public"))


def test_a_conflict_says_who_had_which_power() -> None:
    seen = 0
    _, frames = golden("rules2-4-english")
    position: dict[str, Any] = {}
    for frame in frames:
        before, position = position, apply_frame(position, frame)
        for event in frame["events"]:
            if event["kind"] not in ("battle_declared", "coexistence"):
                continue
            powers = event["powers"]
            assert len(powers) > 1
            for seat, card, pawns in powers:
                at = str(before["side_of"][seat] * before["size"] + event["territory"])
                assert (card, pawns) == (before["power"][seat], before["pawns"][at])
            strengths = [card * pawns for _, card, pawns in powers]
            assert strengths == sorted(strengths, reverse=True)
            assert event["seat"] in [seat for seat, card, pawns in powers if card * pawns == strengths[0]]
            seen += 1
    assert seen > 10


@every_game
def test_a_tie_has_equal_powers_and_other_conflicts_only_with_great_tlatoani(name: str) -> None:
    _, frames = golden(name)
    claimed: set[int] = set()
    for frame in frames:
        for event in frame["events"]:
            if event["kind"] == "age_began":
                claimed = set()
            if event["kind"] == "tlatoani_played":
                claimed.add(event["territory"])
            if "powers" not in event:
                continue
            first, second = (card * pawns for _, card, pawns in event["powers"][:2])
            if event["kind"] == "conflict_tied":
                assert first == second
            elif event["kind"] != "tlatoani_played":
                assert first > second or event["territory"] in claimed


@every_game
def test_a_game_has_its_moments_in_order_and_the_numbers_are_those_of_the_game(name: str) -> None:
    record, frames = golden(name)
    found = moments(frames, board_of(record))
    kinds = [one["kind"] for one in found]
    assert set(kinds) <= KINDS
    assert kinds.count("end") == kinds.count("lead") == kinds.count("swing") == 1
    assert kinds.count("card") + kinds.count("power") == 1
    assert [one["step"] for one in found] == sorted(one["step"] for one in found)
    scores, placements = GOLDEN[name]["scores"], GOLDEN[name]["placements"]
    end = next(one for one in found if one["kind"] == "end")
    assert end["seat"] == placements.index(1)
    assert end["score"] == scores[end["seat"]] == max(scores)
    assert end["margin"] == max(scores) - sorted(scores)[-2]


@every_game
def test_a_lost_domain_was_one_and_is_broken(name: str) -> None:
    record, frames = golden(name)
    for one in moments(frames, board_of(record)):
        if one["kind"] == "domain_lost":
            frame = next(frame for frame in frames if frame["step"] == one["step"])
            removed = [event for event in frame["events"] if event["kind"] == "pawns_removed"]
            assert one["territory"] in [event["territory"] for event in removed]
            assert one["size"] - one["left"] >= 2


@every_game
def test_nobody_overtakes_the_winner_after_the_lead_for_good(name: str) -> None:
    record, frames = golden(name)
    lead = next(one for one in moments(frames, board_of(record)) if one["kind"] == "lead")
    position: dict[str, Any] = {}
    for frame in frames:
        position = apply_frame(position, frame)
        if frame["step"] >= lead["step"]:
            assert position["scores"][lead["seat"]] == max(position["scores"])


@every_game
def test_highlights_last_a_minute_end_with_the_end_and_show_every_reveal(name: str) -> None:
    record, frames = golden(name)
    told = story(frames, board_of(record))
    beats = told["highlights"]
    assert abs(sum(ms for _, ms in beats) - MILLISECONDS) < len(beats)
    assert all(ms >= 100 for _, ms in beats)
    assert all(one[0] < next_[0] for one, next_ in pairwise(beats))
    assert beats[-1][0] == frames[-1]["step"]
    steps = {step for step, _ in beats}
    assert {one["step"] for one in told["moments"]} <= steps
    assert {f["step"] for f in frames if any(e["kind"] == "power_revealed" for e in f["events"])} <= steps


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32).map(random.Random))
def test_every_view_tells_the_same_story_of_its_own_steps(seats: int, chance: random.Random) -> None:
    recorder = Recorder(State.new(seats, chance.randbytes(32), ruleset("english")), tuple("abcd"[:seats]))
    while not recorder.state.is_over():
        recorder.apply(chance.choice(recorder.state.legal_actions()))
    record = recorder.record()
    headers = [json.loads(next(told(record, view, {"match": "x"}))) for view in views(seats)]
    assert all(header == headers[0] for header in headers)
    assert headers[0]["story"]["moments"]


def test_a_game_that_is_not_over_has_no_story_yet() -> None:
    record, frames = golden("rules2-3-english")
    for part in (frames[:0], frames[:1], frames[:100]):
        assert moments(part, board_of(record)) == []
        assert highlights(part, []) == []
