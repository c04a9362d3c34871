"""What asks for matches and builds, and what staff does to them, inside the caller's transaction."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Coalesce, Now

from arena.accounts import audit
from arena.accounts.models import User
from arena.bots.models import Version
from arena.matches import relay, settling
from arena.matches.models import Attempt, DuplicateSet, Match, MatchSeat
from arena.matches.models.attempt import OPEN
from engine.boardfile import load_board
from engine.rulesets import Ruleset
from proto.messages import Clocks
from workers.match.spec import DEFAULT_CLOCKS

BOARD = "aztlan"


@dataclass(frozen=True)
class MatchRequest:
    """A match to be made: the versions in the order of their seats."""

    versions: Sequence[Version]
    ruleset: Ruleset
    purpose: str
    clocks: Clocks = DEFAULT_CLOCKS
    purpose_id: int | None = None
    seed: bytes | None = None
    rated: bool = False
    duplicate_set: DuplicateSet | None = None

    def match(self) -> Match:
        """Return the row to insert. The seed is committed to before anybody could play it."""
        seed = self.seed or secrets.token_bytes(32)
        board = load_board(BOARD)
        return Match(
            purpose=self.purpose,
            purpose_id=self.purpose_id,
            seats=len(self.versions),
            ruleset=self.ruleset.options(),
            board_id=board.id,
            board_hash=board.hash,
            clocks=asdict(self.clocks),
            seed=seed,
            seed_commitment=sha256(seed).hexdigest(),
            rated=self.rated,
            duplicate_set=self.duplicate_set,
            attempts_allowed=settings.ATTEMPTS_ALLOWED,
        )


def request_match(
    *,
    versions: Sequence[Version],
    ruleset: Ruleset,
    purpose: str,
    clocks: Clocks = DEFAULT_CLOCKS,
    purpose_id: int | None = None,
    seed: bytes | None = None,
    rated: bool = False,
) -> Match:
    """Make a match and its first attempt, and wake a match host once this is committed."""
    [match] = request_matches([MatchRequest(versions, ruleset, purpose, clocks, purpose_id, seed, rated)])
    return match


@transaction.atomic
def request_matches(requests: Iterable[MatchRequest]) -> list[Match]:
    """Make many matches with a handful of statements."""
    wanted = list(requests)
    matches = Match.objects.bulk_create(request.match() for request in wanted)
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, version=version, purpose=match.purpose)
        for match, request in zip(matches, wanted, strict=True)
        for seat, version in enumerate(request.versions)
    )
    Attempt.objects.bulk_create(Attempt(match=match, number=1) for match in matches)
    relay.nudge(relay.send_wake_ups)
    return matches


def request_duplicate_set(request: MatchRequest) -> list[Match]:
    """Make one match for each rotation of the seats, all from one seed, which count as one result."""
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
def request_build(version: Version) -> bool:
    """Have a version built on a match host; False where that is under way already."""
    Version.objects.select_for_update().get(pk=version.pk)
    if version.build_attempts.filter(state__in=OPEN).exists():
        return False
    last = version.build_attempts.aggregate(last=Max("number"))["last"] or 0
    Attempt.objects.create(build=version, number=last + 1)
    relay.nudge(relay.send_wake_ups)
    return True


@transaction.atomic
def rerun_match(match_id: int, staff: User | None = None) -> bool:
    """Let a match that was set aside be tried again, as often as a new one; on record where staff asks."""
    changed = Match.objects.filter(pk=match_id, state=Match.State.SET_ASIDE).update(state=Match.State.QUEUED)
    if not changed:
        return False
    last = Attempt.objects.filter(match_id=match_id).aggregate(last=Max("number"))["last"] or 0
    Match.objects.filter(pk=match_id).update(attempts_allowed=last + settings.ATTEMPTS_ALLOWED)
    Attempt.objects.create(match_id=match_id, number=last + 1)
    if staff:
        audit.record(staff, "rerun", Match.objects.get(pk=match_id))
    relay.nudge(relay.send_wake_ups)
    return True


@transaction.atomic
def void_match(match_id: int, reason: str, staff: User | None = None) -> bool:
    """Take a match out of all counting, and from the host that plays it; False if it was void already."""
    # Attempts before their match: the order in which reports lock them too.
    list(Attempt.objects.select_for_update().filter(match_id=match_id, state__in=OPEN).values("pk"))
    voided = (
        Match.objects.filter(pk=match_id)
        .exclude(state=Match.State.VOIDED)
        .update(state=Match.State.VOIDED, finished_at=Coalesce("finished_at", Now()))
    )
    if not voided:
        return False
    Attempt.objects.filter(match_id=match_id, state__in=OPEN).update(
        state=Attempt.State.REFUSED, ended_at=Now(), note=f"The match was voided: {reason}"
    )
    if staff:
        audit.record(staff, "void", Match.objects.get(pk=match_id), reason)
    settling.owe_settling(match_id)
    return True
