"""Games that bots play on from a position, in sampled worlds: asked of hosts, withdrawn, and recorded."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from arena.bots.models import Version
from arena.hosts.attempts import HostRefusedError
from arena.hosts.models import OPEN, Attempt, WorldGames
from arena.hosts.wakeups import send_wake_ups
from arena.listeners import Happening, publish
from arena.queues import nudge
from workers.match.faults import Fault, FaultKind, final_placements
from workers.match.sampled_worlds import WorldTask, play_through
from workers.match.strict import DataError, choice, fields, items, number

GAMES_AT_ONCE: Final = 4
"""Games per attempt: few, so that several hosts share them and a slow bot does not take too long."""
MOST_ACTIONS: Final = 10_000


def request_games(asked_by: str, task: WorldTask, versions: Sequence[Version], stand_in: Version) -> None:
    """Have hosts play the games of a task, a few per attempt. Runs in the caller's transaction."""
    players = [*versions, stand_in]
    games = WorldGames.objects.bulk_create(
        WorldGames(
            asked_by=asked_by,
            task=replace(task, seeds=task.seeds[at : at + GAMES_AT_ONCE]).to_data(),
            versions=[version.pk for version in players],
            languages=[version.language for version in players],
        )
        for at in range(0, len(task.seeds), GAMES_AT_ONCE)
    )
    Attempt.objects.bulk_create(Attempt(worlds=one, number=1) for one in games)
    nudge(send_wake_ups)


def withdraw_games(asked_by: str) -> None:
    """Take what is not played yet from the hosts; their next heartbeat tells them."""
    Attempt.objects.filter(worlds__asked_by=asked_by, state__in=OPEN).update(
        state=Attempt.State.REFUSED, ended_at=Now(), note="The games are no longer wanted."
    )


def games_played(asked_by: str) -> list[dict[str, Any]]:
    """Return the games that are over, in the order of their seeds."""
    done = WorldGames.objects.filter(asked_by=asked_by, results__isnull=False).order_by("pk")
    return [game for one in done for game in one.results or []]


@transaction.atomic(durable=True)
def record_games(attempt_id: int, worlds_id: int, data: Any) -> None:
    """Record what a host reports of its games, once; the rules decide how they ended."""
    task = WorldTask.from_data(WorldGames.objects.values_list("task", flat=True).get(pk=worlds_id))
    results = read_games(task, data)
    done = Attempt.objects.filter(pk=attempt_id, state=Attempt.State.RUNNING)
    if not done.update(state=Attempt.State.DONE, ended_at=Now()):
        raise HostRefusedError("This attempt has ended: another report came first, or its lease ran out.")
    WorldGames.objects.filter(pk=worlds_id).update(results=results)
    publish(Happening.WORLDS_PLAYED, WorldGames.objects.values_list("asked_by", flat=True).get(pk=worlds_id))


def read_games(task: WorldTask, data: Any) -> list[dict[str, Any]]:
    """Return per game the placements and scores, and the seats that failed or were replaced."""
    [games] = fields(data, "report", ("games",))
    if not isinstance(games, list) or len(games) != len(task.seeds):
        raise DataError(f"report.games must be {len(task.seeds)} games")
    return [read_game(task, seed, game) for seed, game in zip(task.seeds, games, strict=True)]


def read_game(task: WorldTask, seed: bytes, data: Any) -> dict[str, Any]:
    actions, faults, stood_in = fields(data, "game", ("actions", "faults", "stood_in"))
    end = play_through(task, seed, items(actions, "game.actions", number, MOST_ACTIONS))
    failed = dict(items(faults, "game.faults", read_fault, task.spec.seats))
    replaced = items(stood_in, "game.stood_in", number, task.spec.seats)
    if not all(seat < task.spec.seats for seat in [*failed, *replaced]):
        raise DataError("game: there is no such seat")
    return {
        "placements": final_placements(end.placements(), failed),
        "scores": end.scores(),
        "failed": sorted(failed),
        "stood_in": sorted(set(replaced)),
    }


def read_fault(data: Any, where: str) -> tuple[int, Fault]:
    if not isinstance(data, list) or len(data) != 3:
        raise DataError(f"{where} must be a seat, a step and a kind")
    step = number(data[1], where, 0, MOST_ACTIONS)
    return number(data[0], where, 0, 3), Fault(choice(data[2], where, FaultKind), step, "")
