"""What a match host is told of the work it claimed."""

import json
from typing import Any, NamedTuple

from django.conf import settings

from arena.bots.models import Version
from arena.hosts.attempts import Claimed
from arena.hosts.signing import archive_path
from arena.sql import ask
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks
from workers.match.spec import MatchSpec

SEATED = """
    select match.public_id, match.seed, match.ruleset, match.board_id, match.board_hash, match.clocks,
        bot.slug, version.number, version.id, version.sha256, coalesce(version.built_archive, ''),
        version.runtime, version.manifest ->> 'entry'
    from matches_match match
    join matches_matchseat seat on seat.match_id = match.id
    join bots_version version on version.id = seat.version_id
    join bots_bot bot on bot.id = version.bot_id
    where match.id = %s order by seat.seat
"""
OF_MATCH = 6


class SeatedVersion(NamedTuple):
    """A version, as far as a match host needs to know it."""

    slug: str
    number: int
    version_id: int
    sha256: str
    built: str
    runtime: str
    entry: str


def claim_answer(claimed: Claimed) -> dict[str, Any]:
    """Return the claimed work as JSON data: `workers.host.assignment.read_assignment` reads it."""
    spec: MatchSpec | None = None
    players: list[SeatedVersion] = []
    if claimed.match_id:
        spec, players = read_match(claimed.match_id)
    elif claimed.build_id:
        players = [player_of(Version.objects.select_related("bot").get(pk=claimed.build_id))]
    return {
        "lease_seconds": settings.LEASE_SECONDS,
        "beat_seconds": settings.BEAT_SECONDS,
        "match": spec and spec.to_data(),
        "bots": [bot_data(player) for player in players],
    }


def read_match(match_id: int) -> tuple[MatchSpec, list[SeatedVersion]]:
    rows = ask(SEATED, [match_id])
    players = [SeatedVersion(*row[OF_MATCH:]) for row in rows]
    public_id, seed, ruleset, board_id, board_hash, clocks = rows[0][:OF_MATCH]
    spec = MatchSpec(
        public_id,
        tuple(f"{player.slug} {player.number}" for player in players),
        bytes(seed),
        ruleset_from_options(json.loads(ruleset)),
        board_id,
        board_hash,
        Clocks(**json.loads(clocks)),
    )
    return spec, players


def player_of(version: Version) -> SeatedVersion:
    return SeatedVersion(
        version.bot.slug,
        version.number,
        version.pk,
        version.sha256,
        version.built_archive.name or "",
        version.runtime,
        version.manifest["entry"],
    )


def bot_data(player: SeatedVersion) -> dict[str, Any]:
    return {
        "name": player.slug,
        "sha256": player.sha256,
        "source": archive_path(player.version_id, "source"),
        "built": archive_path(player.version_id, "built") if player.built else None,
        "built_key": f"{player.sha256}-{player.version_id}" if player.built else None,
        "runtime": player.runtime,
        "entry": player.entry,
    }
