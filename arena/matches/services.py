"""Requests matches, and voids and reruns them, inside the caller's transaction."""

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext as _

from arena.accounts import audit
from arena.accounts.models import User
from arena.bots.models import Bot, Version
from arena.listeners import Happening, publish
from arena.matches import queries, settling
from arena.matches.models import DuplicateSet, Match, MatchTerms
from arena.notices.services import notify
from engine.boardfile import load_board
from engine.rulesets import Ruleset, ruleset_from_options
from proto.messages import Clocks
from workers import tracing
from workers.match.spec import DEFAULT_CLOCKS

BOARD = "aztlan"


@dataclass(frozen=True)
class MatchRequest:
    """A match to create, with the versions in the order of their seats."""

    versions: Sequence[Version]
    ruleset: Ruleset
    purpose: str
    clocks: Clocks = DEFAULT_CLOCKS
    purpose_id: int | None = None
    seed: bytes | None = None
    rated: bool = False
    duplicate_set: DuplicateSet | None = None

    def match(self, terms: MatchTerms) -> Match:
        """Return the row to insert, with the commitment to its seed."""
        seed = self.seed or secrets.token_bytes(32)
        return Match(
            purpose=self.purpose,
            purpose_id=self.purpose_id,
            seats=len(self.versions),
            terms=terms,
            seed=seed,
            seed_commitment=sha256(seed).hexdigest(),
            rated=self.rated,
            duplicate_set=self.duplicate_set,
            attempts_allowed=settings.ATTEMPTS_ALLOWED,
        )


@transaction.atomic
def request_matches(requests: Iterable[MatchRequest]) -> list[Match]:
    """Create any number of matches with a handful of statements."""
    wanted = list(requests)
    terms = {pair: find_terms(*pair) for pair in {(one.ruleset, one.clocks) for one in wanted}}
    matches = Match.objects.bulk_create(one.match(terms[one.ruleset, one.clocks]) for one in wanted)
    if matches:
        seats = [
            queries.NewSeat(match.pk, seat, version.pk, match.purpose)
            for match, request in zip(matches, wanted, strict=True)
            for seat, version in enumerate(request.versions)
        ]
        queries.insert_seats(seats)
        publish(Happening.MATCHES_REQUESTED, [match.pk for match in matches])
    for match in matches:
        tracing.begin_trace(match.public_id, purpose=match.purpose)
    return matches


def find_terms(rules: Ruleset, clocks: Clocks) -> MatchTerms:
    """Return the terms of matches by these rules and clocks, which are stored once."""
    board = load_board(BOARD)
    values = {
        "ruleset": rules.options(),
        "clocks": asdict(clocks),
        "board_id": board.id,
        "board_hash": board.hash,
    }
    digest = sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
    return MatchTerms.objects.get_or_create(digest=digest, defaults=values)[0]


def request_duplicate_set(request: MatchRequest) -> list[Match]:
    """Create one match per rotation of the seats, all from one seed, which count as one result."""
    common = DuplicateSet.objects.create()
    seed = request.seed or secrets.token_bytes(32)
    versions = list(request.versions)
    return request_matches(
        MatchRequest(
            versions[turn:] + versions[:turn],
            request.ruleset,
            request.purpose,
            request.clocks,
            request.purpose_id,
            seed,
            request.rated,
            common,
        )
        for turn in range(len(versions))
    )


@transaction.atomic
def rerun_match(match_id: int, staff: User, reason: str = "") -> bool:
    """Try a match again that was set aside, or void one that was played and play it again."""
    match = Match.objects.select_related("duplicate_set").get(pk=match_id)
    done = try_again(match) if match.state == Match.State.SET_ASIDE else play_anew(match, reason, staff)
    if done:
        audit.record(staff, "rerun", match, reason)
    return done


def try_again(match: Match) -> bool:
    """Try a match that was set aside as often as a new one; return False if it is no longer set aside."""
    waiting = Match.objects.filter(pk=match.pk, state=Match.State.SET_ASIDE)
    if not waiting.update(state=Match.State.QUEUED):
        return False
    publish(Happening.MATCH_REQUESTED_AGAIN, match)
    return True


def play_anew(match: Match, reason: str, staff: User) -> bool:
    """Void a finished match, with its whole duplicate set, and request it again; return False for any other.

    Validations, tournaments and promotion tests request a replacement themselves once one of their matches is
    void.
    """
    if match.state != Match.State.FINISHED or not take_out(match, reason, staff):
        return False
    old = list(match.duplicate_set.matches.order_by("pk")) if match.duplicate_set else [match]
    for other in old:
        take_out(other, reason, staff)
    new: list[Match] = []
    if match.purpose in {Match.Purpose.LADDER, Match.Purpose.CHALLENGE}:
        wanted = request_like(old[0])
        new = request_duplicate_set(wanted) if match.duplicate_set else request_matches([wanted])
    names = ", ".join(one.public_id for one in new)

    def whole_reason() -> str:
        again = _("It will be played again as %s.") % names if new else _("It will be played again.")
        return f"{reason} {again}"

    tell_authors(match, whole_reason)
    return True


def request_like(match: Match) -> MatchRequest:
    """Return a request for the same bots in the same seats under the same rules, with another seed."""
    seats = match.seats_taken.select_related("version").order_by("seat")
    return MatchRequest(
        [seat.version for seat in seats],
        ruleset_from_options(match.ruleset),
        match.purpose,
        Clocks(**match.clocks),
        match.purpose_id,
        rated=match.rated,
    )


@transaction.atomic
def void_match(match_id: int, reason: str, staff: User | None = None) -> bool:
    """Void a match and take it from the host that plays it; return False if it was already void."""
    match = Match.objects.get(pk=match_id)
    if not take_out(match, reason, staff):
        return False
    if staff:
        tell_authors(match, lambda: reason)
    return True


def take_out(match: Match, reason: str, staff: User | None) -> bool:
    publish(Happening.MATCH_WITHDRAWN, match, reason)
    voided = (
        Match.objects.filter(pk=match.pk)
        .exclude(state=Match.State.VOIDED)
        .update(state=Match.State.VOIDED, finished_at=Coalesce("finished_at", Now()))
    )
    if not voided:
        return False
    if staff:
        audit.record(staff, "void", match, reason)
    settling.owe_settling(match.pk)
    return True


def tell_authors(match: Match, reason: Callable[[], str]) -> None:
    """Tell the authors of its bots that a match is void, and why."""

    def text() -> str:
        return _("Match %(match)s is void: %(reason)s") % {"match": match.public_id, "reason": reason()}

    bots = Bot.objects.filter(versions__seats__match=match, is_house=False)
    for owner in bots.order_by("owner").values_list("owner", flat=True).distinct():
        notify(owner, text, match.get_absolute_url())
