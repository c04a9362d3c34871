"""Positions that could have been, and games that bots play on from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.analysis.continuing import BOTS, LEARNED, WARLORD, choose_actions, play_on, wilson
from arena.analysis.knowledge import dice_for, sample_worlds
from arena.analysis.positions import VariationError, number_at, position_after, tell_variation, why_not_from
from arena.matches.stored_records import pack_record
from arena.replays.stored_frames import addresses, frames_of
from engine.record import fingerprint, replay
from engine.replay.frames import apply_frame
from tests.arena.replays.test_chances import random_record

RECORD = random_record(3)
STORED = pack_record(RECORD)


@pytest.mark.parametrize("number", [0, 1, 40, 111])
def test_a_variation_that_repeats_the_match_shows_what_the_match_shows(number: int) -> None:
    told = tell_variation(STORED, number, RECORD.actions[number : number + 12])
    shown: dict = {}
    for frame in told["frames"]:
        shown = apply_frame(shown, frame)
    last = (told["frames"][-1]["step"], told["frames"][-1].get("sub", 0))
    expected: dict = {}
    for frame in frames_of(RECORD, "open"):
        expected = apply_frame(expected, frame)
        if (frame["step"], frame.get("sub", 0)) == last:
            break
    assert shown == expected
    assert told["legal"] == list(position_after(STORED, number + 12, ()).legal_actions())


def test_a_step_of_the_viewer_is_the_position_that_it_shows() -> None:
    at = addresses(STORED, "open")
    for step in replay(RECORD):
        number = number_at(STORED, *at[step.number])
        assert number == step.number
        if step.number % 25 == 0:
            assert fingerprint(position_after(STORED, number, ())) == fingerprint(step.state)


def test_an_action_that_the_rules_forbid_names_its_number_and_the_rule() -> None:
    legal = tell_variation(STORED, 0, [])["legal"]
    with pytest.raises(VariationError, match=r"^action 2: .*refused"):
        tell_variation(STORED, 0, [legal[0], 9000])


def test_nobody_plays_on_when_the_game_is_over() -> None:
    assert why_not_from(STORED, len(RECORD.actions), []) == "over"
    assert why_not_from(STORED, 0, [], 1) == ""


@pytest.mark.parametrize("bots", [("quick",) * 3, ("random",) * 3, ("random", "warlord", "learned")])
def test_continuations_are_the_same_for_the_same_seed_and_every_game_has_its_places(
    bots: tuple[str, ...],
) -> None:
    first = play_on(STORED, 150, (), 1, bots, 12, "seed")
    assert first == play_on(STORED, 150, (), 1, bots, 12, "seed")
    assert first != play_on(STORED, 150, (), 1, bots, 12, "another")
    assert set(bots) <= set(BOTS)
    for place in range(3):
        assert sum(seat["places"][place] for seat in first["seats"]) == 12
    for seat in first["seats"]:
        assert sum(seat["places"]) == 12
        assert seat["wins_low"] <= seat["wins"] <= seat["wins_high"]


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_intervals_hold_the_share_and_stay_between_0_and_1(one: tuple[int, int]) -> None:
    wins, count = one
    low, high = wilson(wins, count)
    assert 0 <= low <= wins / count + 1e-9
    assert wins / count - 1e-9 <= high <= 1


@pytest.mark.parametrize("kind", [WARLORD, LEARNED])
def test_house_bots_decide_the_same_in_worlds_that_their_seat_cannot_tell_apart(kind: str) -> None:
    for number in (10, 40, 80, 120):
        state = position_after(STORED, number, ())
        seat = state.to_act()
        worlds = sample_worlds(state, seat, 8, dice_for("worlds", number))
        actors = [seat] * 8
        chosen = {choose_actions(worlds, [one], actors, kind, dice_for("bot"))[0] for one in range(8)}
        assert len(chosen) == 1
