"""Writes: explanations, variations and continuations."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.analysis import continuing, host_continuations
from arena.analysis.explaining import explain
from arena.analysis.models import LONGEST_NAME, Continuation, Explanation, Variation
from arena.analysis.positions import MOST_ACTIONS, VariationError, why_not_from
from arena.bots.errors import RefusedError
from arena.matches.models import Match, MatchReport
from arena.matches.stored_records import read_record
from arena.offload import offload
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from arena.replays.selectors import report_of, why_not_replayable
from arena.replays.services import RARELY_WATCHED

CHEAP, THOROUGH = 8, 48
"""Worlds per decision: at first, and once somebody has looked."""
MOST_OWED = 50
"""With so many explanations waiting to be computed, readers must wait before they ask for more."""
KIND, CONTINUE = "explain", "continue"


def is_owed(match: Match) -> bool:
    return Outbox.objects.filter(kind=KIND, payload__match=match.pk).exists()


def owe_explanation(match: Match, worlds: int) -> bool:
    """Have the heavy worker explain a match; return False if its queue is too long."""
    if Outbox.objects.filter(kind=KIND).count() >= MOST_OWED:
        return False
    outbox.owe(KIND, {"match": match.pk, "worlds": worlds})
    return True


def owe_explanations(matches: Sequence[Match]) -> None:
    """Explain matches that will surely have readers, cheaply, when they are over; others wait for one."""
    for match in matches:
        will_be_read = match.state == Match.State.FINISHED and match.purpose not in RARELY_WATCHED
        if will_be_read and not is_owed(match) and not Explanation.objects.filter(match=match).exists():
            owe_explanation(match, CHEAP)


def deliver_explanation(payload: dict[str, Any]) -> None:
    work_out_explanation(int(payload["match"]), int(payload["worlds"]))


def work_out_explanation(match_id: int, worlds: int) -> None:
    """Explain a match and store it, unless it is explained as well already."""
    match = Match.objects.get(pk=match_id)
    report = report_of(match)
    known = Explanation.objects.filter(match=match).first()
    if report is None or (known and known.worlds >= worlds):
        return
    stored = bytes(report.record)
    if why_not_replayable(read_record(stored)):
        return
    packed = explain(stored, worlds, match.public_id)
    Explanation.objects.update_or_create(match=match, defaults={"worlds": worlds, "packed": packed})


@dataclass(frozen=True)
class BranchPoint:
    """Where somebody leaves a match, and what is played from there."""

    match: Match
    report: MatchReport
    number: int
    actions: list[int] = field(default_factory=list)

    @property
    def stored(self) -> bytes:
        return bytes(self.report.record)


def check_branch(branch: BranchPoint, seat: int | None = None) -> str:
    """Refuse a branch that the rules forbid, saying which action and rule; return why nobody can play on."""
    if len(branch.actions) > MOST_ACTIONS:
        raise RefusedError("invalid", _("A variation has at most {most} actions.").format(most=MOST_ACTIONS))
    try:
        return offload(why_not_from, branch.stored, branch.number, branch.actions, seat)
    except VariationError as error:
        raise RefusedError("invalid", str(error)) from None


def save_variation(branch: BranchPoint, name: str, person: Person) -> Variation:
    """Store a variation under a name, so that it has an address."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise RefusedError(
            "invalid",
            _("Give the variation a name of 1 to {most} printable characters.").format(most=LONGEST_NAME),
        )
    check_branch(branch)
    return Variation.objects.create(
        match=branch.match, number=branch.number, actions=branch.actions, name=name, author=_author(person)
    )


@dataclass(frozen=True)
class PlayOn:
    """Who plays on, how often, and which seat cannot tell the worlds apart."""

    seat: int
    bots: list[str]
    games: int
    seed: str = ""


def start_continuation(branch: BranchPoint, wanted: PlayOn, person: Person) -> Continuation:
    """Have bots play on: at once where they are quick, otherwise on the heavy queue or on match hosts."""
    is_on_hosts = not set(wanted.bots) & set(continuing.BOTS)
    _check_players(branch, wanted, is_on_hosts)
    if reason := check_branch(branch, wanted.seat):
        raise RefusedError(
            "invalid",
            _("The game is over here, so nobody can play on.")
            if reason == "over"
            else _("This seat may not know whose decision is open here. Choose another seat or step."),
        )
    found = Continuation(
        match=branch.match, number=branch.number, actions=branch.actions, author=_author(person),
        seat=wanted.seat, bots=wanted.bots, games=wanted.games, seed=wanted.seed or secrets.token_hex(8),
    )  # fmt: skip
    if is_on_hosts:
        return host_continuations.start_on_hosts(found, branch.stored, person)
    is_instant = continuing.is_instant(wanted.bots)
    if is_instant:
        found.result = offload(continuing.play_on, *_arguments(found, branch.stored))
    elif Outbox.objects.filter(kind=CONTINUE).count() >= MOST_OWED:
        raise RefusedError("busy", _("Too many continuations wait to be played. Try again in a minute."))
    found.save()
    if not is_instant:
        outbox.owe(CONTINUE, {"continuation": found.pk})
    return found


def deliver_continuation(payload: dict[str, Any]) -> None:
    """Play a continuation whose bots need time; a second call does nothing."""
    found = (
        Continuation.objects.select_related("match")
        .filter(pk=payload["continuation"], result__isnull=True)
        .first()
    )
    report = report_of(found.match) if found else None
    if found is None or report is None:
        return
    result = continuing.play_on(*_arguments(found, bytes(report.record)))
    Continuation.objects.filter(pk=found.pk, result__isnull=True).update(result=result)


def _arguments(found: Continuation, stored: bytes) -> tuple[Any, ...]:
    return stored, found.number, found.actions, found.seat, found.bots, found.games, found.seed


def _check_players(branch: BranchPoint, wanted: PlayOn, is_on_hosts: bool) -> None:
    seats = branch.match.seats
    if len(wanted.bots) != seats or not (is_on_hosts or set(wanted.bots) <= set(continuing.BOTS)):
        raise RefusedError(
            "invalid",
            _(
                "Name one bot for each of the {seats} seats: addresses of bots, or only of these: {bots}."
            ).format(seats=seats, bots=", ".join(continuing.BOTS)),
        )
    if continuing.QUICK in wanted.bots and len(set(wanted.bots)) > 1:
        raise RefusedError("invalid", _("“quick” plays for all seats or for none."))
    if not 0 <= wanted.seat < seats:
        raise RefusedError("invalid", _("There is no such seat."))
    if not 1 <= wanted.games <= continuing.MOST:
        raise RefusedError(
            "invalid", _("Between 1 and {most} games can be played.").format(most=continuing.MOST)
        )


def _author(person: Person) -> User | None:
    return person if isinstance(person, User) else None
