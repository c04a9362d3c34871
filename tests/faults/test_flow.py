"""A match through the whole arena, with nothing broken."""

from arena.hosts.models import Attempt
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from engine.rulesets import ruleset
from tests.faults.harness import BOTS, RunningArena, bot_source, make_version, wait_for


def test_a_match_is_asked_for_played_and_recorded(running_arena: RunningArena) -> None:
    versions = [make_version(f"flow-{seat}", bot_source(BOTS / "first.py")) for seat in range(4)]
    [match] = request_matches([MatchRequest(versions, ruleset("english"), Match.Purpose.CHALLENGE)])
    wait_for(lambda: Match.objects.get(pk=match.pk).state == Match.State.FINISHED, "the match is finished")
    seats = list(match.seats_taken.all())
    assert sorted(seat.placement for seat in seats) == [1, 2, 3, 4]
    assert not any(seat.fault for seat in seats)
    [attempt] = Attempt.objects.filter(match=match)
    assert (attempt.state, attempt.host, attempt.fault) == ("done", "host-1", "none")
