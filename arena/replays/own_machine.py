"""*Verify on your own machine*: what a match's page tells the engine in the reader's browser."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from arena.browser.browser_words import verify_words
from arena.browser.selectors import engine_page
from arena.matches.models import Match, MatchSeat


def verify_context(match: Match, seats: Sequence[MatchSeat], frames: str) -> dict[str, Any] | None:
    """Return what is compared, and where the record is; None if this arena has no engine for browsers."""
    if (engine := engine_page()) is None:
        return None
    in_order = sorted(seats, key=lambda one: one.seat)
    page = {
        "engine": engine,
        "record": reverse("match-record-json", args=[match.public_id]),
        "frames": frames.replace("VIEW", "open"),
        "expected": {
            "commitment": match.seed_commitment,
            "scores": [one.score for one in in_order],
            "placements": [one.placement for one in in_order],
            "faults": [bool(one.fault) for one in in_order],
        },
    }
    return {"page": page, "words": verify_words(), "megabytes": engine["sent"] / 1e6}
