"""Reads: who may have a match explained and continued, and what cost an author's bot most."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.accounts.permissions import Person
from arena.analysis.explaining import unpack
from arena.analysis.models import Explanation
from arena.analysis.services import CHEAP, is_owed, owe_explanation
from arena.bots.models import Bot
from arena.matches.models import STILL_TO_PLAY, Match, MatchReport, MatchSeat
from arena.matches.visibility import held_back, seed_is_secret
from arena.replays.selectors import find_match, record_to_replay, report_of
from engine.actions import to_text
from engine.boardfile import load_board

LOSSES = 20
"""How many of a bot's latest losses are read for the decisions that cost it most."""
COSTLIEST = 10


def open_match(person: Person, public_id: str) -> tuple[Match, MatchReport]:
    """Return a match that this person may see whole: it is over, and its seed is no secret."""
    match = find_match(person, public_id)
    report = report_of(match)
    if report is None or match.state != Match.State.FINISHED:
        raise Http404(_("A match can be analysed once it is over."))
    if seed_is_secret(match):
        raise Http404(_("This match can be analysed once all matches with the same seed are over."))
    record_to_replay(match)  # 404 where this release cannot play it again
    return match, report


@dataclass(frozen=True)
class CostlyDecision:
    """A decision of a bot that gave points away."""

    match: Match
    seat: int
    points: float
    played: str
    better: str
    address: str
    command: str


def latest_losses(bot: Bot, person: Person) -> list[MatchSeat]:
    """Return the bot's seats in its latest matches that it did not win and that may be seen whole."""
    to_play = Match.objects.filter(
        seed_commitment=OuterRef("match__seed_commitment"), state__in=STILL_TO_PLAY
    )
    seats = (
        MatchSeat.objects.filter(
            version__in=list(bot.versions.values_list("pk", flat=True)),
            placement__gt=1,
            match__state=Match.State.FINISHED,
        )
        .exclude(Exists(to_play))
        .select_related("match")
        .order_by("-match_id")[:LOSSES]
    )
    found = list(seats)
    hidden = held_back([one.match for one in found], person)
    return [one for one in found if one.match_id not in hidden]


def costly_decisions(bot: Bot, person: Person) -> tuple[list[CostlyDecision], int]:
    """Return the ten decisions that cost a bot most in its latest losses, and how many are not explained yet.

    Those are owed to the heavy worker, as far as its queue has room.
    """
    losses = latest_losses(bot, person)
    matches = [one.match_id for one in losses]
    known = {one.match_id: one for one in Explanation.objects.filter(match__in=matches)}
    found, missing = [], 0
    for loss in losses:
        if loss.match_id not in known:
            missing += 1
            if not is_owed(loss.match):
                owe_explanation(loss.match, CHEAP)
            continue
        decisions = unpack(bytes(known[loss.match_id].packed))["decisions"]
        found += [
            _costly(bot, loss, one) for one in decisions if one["seat"] == loss.seat and one["loss"] > 0
        ]
    found.sort(key=lambda one: -one.points)
    return found[:COSTLIEST], missing


def _costly(bot: Bot, loss: MatchSeat, one: dict[str, Any]) -> CostlyDecision:
    board = load_board(loss.match.board_id)
    step, sub = one["at"]
    shown = f"{step}.{sub}" if sub else str(step)
    return CostlyDecision(
        loss.match,
        loss.seat,
        one["loss"] / 10,
        to_text(one["chosen"], board),
        to_text(one["best"], board),
        f"{reverse('match', args=[loss.match.public_id])}#step={shown}",
        f"aztlan debug {loss.match.public_id} {bot.slug} --step {one['number'] + 1}",
    )
