"""How lucky each seat of a ladder match was, for its page."""

import json
from dataclasses import dataclass

from arena.ladders.models import Season
from arena.matches.models import Match, MatchReport
from arena.matches.visibility import seed_is_secret
from arena.offload import offload
from arena.replays.stored_frames import luck_as_json
from arena.shared_cache import get_or_build
from engine.replay.luck import value_function

KEPT_SECONDS = 3600


@dataclass(frozen=True)
class MatchLuck:
    """The luck of each seat, in shares of a result, and the value function that says so."""

    seats: list[float]
    sha256: str


def luck_of_match(match: Match, report: MatchReport | None) -> MatchLuck | None:
    """Return the luck of a rated ladder match; None if unmeasured, or if it would reveal a seed."""
    if report is None or match.purpose != Match.Purpose.LADDER or match.state != Match.State.FINISHED:
        return None
    if match.purpose_id is None:
        return None
    sha256 = Season.objects.filter(pk=match.purpose_id).values_list("luck_sha256", flat=True).first()
    if not sha256 or value_function(sha256) is None or seed_is_secret(match):
        return None
    stored = bytes(report.record)
    found = get_or_build(
        f"luck:{match.public_id}:{sha256}", lambda: offload(luck_as_json, stored, sha256), KEPT_SECONDS
    )
    seats = json.loads(found)
    return MatchLuck(seats, sha256) if seats else None
