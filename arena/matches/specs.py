"""What a match host is told of the work it claimed."""

from typing import Any

from django.conf import settings

from arena.bots.models import Version
from arena.matches.models import Attempt, Match
from arena.matches.tokens import archive_path
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks
from workers.match.spec import MatchSpec


def claim_answer(attempt: Attempt) -> dict[str, Any]:
    """Return the work of a claimed attempt as JSON data: `workers.host.orders.read_orders` reads it."""
    versions: list[Version]
    if attempt.match:
        seats = attempt.match.seats_taken.select_related("version__bot").order_by("seat")
        versions = [seat.version for seat in seats]
    else:
        versions = [attempt.build] if attempt.build else []
    return {
        "lease_seconds": settings.LEASE_SECONDS,
        "beat_seconds": settings.BEAT_SECONDS,
        "match": match_spec(attempt.match, versions).to_data() if attempt.match else None,
        "bots": [bot_data(version) for version in versions],
    }


def match_spec(match: Match, versions: list[Version]) -> MatchSpec:
    return MatchSpec(
        match.public_id,
        tuple(f"{version.bot.slug} {version.number}" for version in versions),
        bytes(match.seed),
        ruleset_from_options(match.ruleset),
        match.board_id,
        match.board_hash,
        Clocks(**match.clocks),
    )


def bot_data(version: Version) -> dict[str, Any]:
    return {
        "name": version.bot.slug,
        "sha256": version.sha256,
        "source": archive_path(version.pk, "source"),
        "built": archive_path(version.pk, "built") if version.built_archive else None,
        "built_key": f"{version.sha256}-{version.pk}" if version.built_archive else None,
        "runtime": version.runtime,
        "entry": version.manifest["entry"],
    }
