"""Writes: win chances."""

from collections.abc import Sequence
from typing import Any

from arena.matches.models import Match
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from arena.replays import selectors
from arena.replays.chances import chances
from arena.replays.models import WinChances

PLAYOUTS = 200
RARELY_WATCHED = {Match.Purpose.LADDER, Match.Purpose.VALIDATION, Match.Purpose.PROMOTION}
"""There are so many that computing all of them would cost more than playing them: these wait for a reader."""


MOST_OWED = 50
"""With so many win chances waiting to be computed, readers must wait before they ask for more."""


def lacks_chances(match: Match) -> bool:
    """Return whether a match is finished and its win chances are neither computed nor owed."""
    return (
        match.state == Match.State.FINISHED
        and not WinChances.objects.filter(match=match).exists()
        and not Outbox.objects.filter(kind="chances", payload__match=match.pk).exists()
    )


def owe_chances(match: Match) -> bool:
    """Have the heavy worker compute the win chances of a match; return False if its queue is too long."""
    if Outbox.objects.filter(kind="chances").count() >= MOST_OWED:
        return False
    outbox.owe("chances", {"match": match.pk})
    return True


def owe_chances_of_events(matches: Sequence[Match]) -> None:
    """Compute them ahead for matches that will surely have readers."""
    for match in matches:
        if match.purpose not in RARELY_WATCHED and lacks_chances(match):
            owe_chances(match)


def deliver_chances(payload: dict[str, Any]) -> None:
    work_out_chances(int(payload["match"]))


def work_out_chances(match_id: int, playouts: int = PLAYOUTS) -> None:
    """Play the match out from each phase and store each seat's share of wins; a second call does nothing."""
    match = Match.objects.select_related("report").get(pk=match_id)
    record = selectors.record_of(match)
    if (
        record is None
        or selectors.why_not_replayable(record)
        or WinChances.objects.filter(match=match).exists()
    ):
        return
    moments = [[moment.step, list(moment.shares)] for moment in chances(record, playouts)]
    WinChances.objects.get_or_create(match=match, defaults={"playouts": playouts, "moments": moments})
