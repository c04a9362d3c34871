"""Uploaded bots play a finished match on, through the whole arena: web, queue, match host, sandboxes."""

from django.db.models.functions import Now

from arena.accounts.models import User
from arena.analysis import services
from arena.analysis.models import Continuation
from arena.analysis.services import BranchPoint, PlayOn
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from arena.replays.selectors import report_of
from engine.rulesets import ruleset
from tests.faults.harness import BOTS, RunningArena, bot_source, make_version, wait_for


def test_bots_play_a_match_on_and_one_that_cannot_is_replaced(running_arena: RunningArena) -> None:
    """`first` keeps nothing of what it was told, so it can go on; `cannot` ends at once and is replaced."""
    first = make_version("goes-on", bot_source(BOTS / "first.py"))
    make_version("cannot", "raise SystemExit('never')\n")
    stand_in = make_version("house-greedy", bot_source(BOTS / "first.py"))
    assert stand_in.bot.slug == "house-greedy"
    User.objects.update(email_confirmed_at=Now())
    [match] = request_matches([MatchRequest([first, first], ruleset("english"), Match.Purpose.CHALLENGE)])
    wait_for(lambda: Match.objects.get(pk=match.pk).state == Match.State.FINISHED, "the match is finished")
    match.refresh_from_db()
    report = report_of(match)
    assert report
    wanted = PlayOn(0, ["goes-on", "cannot"], 5, "seed")
    found = services.start_continuation(
        BranchPoint(match, report, 30), wanted, User.objects.get(pk=first.bot.owner_id)
    )
    wait_for(lambda: Continuation.objects.get(pk=found.pk).result, "the games are counted")
    found.refresh_from_db()
    assert found.result
    assert (found.ending, found.result["games"]) == ("", 5)
    assert (found.result["stood_in"], found.result["failed"]) == ([0, 5], [0, 0])
