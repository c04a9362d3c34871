"""What a match host is told about the work that it claimed."""

import json
from typing import Any

from django.conf import settings

from arena.bots.models import Version
from arena.hosts import queries
from arena.hosts.attempts import Claimed
from arena.hosts.models import WorldGames
from arena.hosts.queries import SeatedVersion
from arena.hosts.signing import archive_path
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks
from workers.match.spec import MatchSpec


def claim_answer(claimed: Claimed) -> dict[str, Any]:
    """Return the claimed work as JSON data: `workers.host.assignment.read_assignment` reads it."""
    spec: MatchSpec | None = None
    players: list[SeatedVersion] = []
    more: dict[str, Any] = {}
    if claimed.match_id:
        spec, players = read_match(claimed.match_id)
    elif claimed.build_id:
        players = [player_of(Version.objects.select_related("bot").get(pk=claimed.build_id))]
    elif claimed.worlds_id:
        more = {"worlds": world_data(WorldGames.objects.get(pk=claimed.worlds_id))}
    return {
        "lease_seconds": settings.LEASE_SECONDS,
        "beat_seconds": settings.BEAT_SECONDS,
        "match": spec and spec.to_data(),
        "bots": [bot_data(player) for player in players],
        **more,
    }


def world_data(games: WorldGames) -> dict[str, Any]:
    versions = Version.objects.select_related("bot").in_bulk(games.versions)
    *bots, stand_in = [bot_data(player_of(versions[pk])) for pk in games.versions]
    return {"task": games.task, "bots": bots, "stand_in": stand_in}


def read_match(match_id: int) -> tuple[MatchSpec, list[SeatedVersion]]:
    match = queries.read_match(match_id)
    spec = MatchSpec(
        match.public_id,
        tuple(f"{player.slug} {player.number}" for player in match.players),
        bytes(match.seed),
        ruleset_from_options(json.loads(match.ruleset)),
        match.board_id,
        match.board_hash,
        Clocks(**json.loads(match.clocks)),
    )
    return spec, match.players


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
