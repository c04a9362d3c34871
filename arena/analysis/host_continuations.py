"""Continuations by uploaded bots: played on match hosts, within a quota, counted when all games are over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final

import numpy as np
from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import is_owner
from arena.analysis.continuing import summary
from arena.analysis.models import Continuation
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from arena.bots.services import check_may_take_part
from arena.hosts import world_games
from arena.hosts.models import WorldGames
from arena.matches.models import Match
from arena.matches.stored_records import read_record
from arena.play.selectors import house_version
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks
from workers.match.sampled_worlds import WorldTask
from workers.match.spec import MatchSpec

MOST_ON_HOSTS: Final = 100
FEW_GAMES: Final = 20
"""As many as the page suggests."""
GAMES_A_DAY: Final = 300
OPEN_AT_ONCE: Final = 2
SUGGESTED: Final = 20
DAY = timedelta(days=1)


@dataclass(frozen=True)
class GamesQuota:
    """How many games somebody may still have played on match hosts today."""

    a_day: int
    left: int
    open_now: int


def quota_of(user: User) -> GamesQuota:
    own = Continuation.objects.filter(author=user, is_on_hosts=True)
    asked = own.filter(created_at__gt=timezone.now() - DAY).aggregate(games=Sum("games"))["games"] or 0
    return GamesQuota(GAMES_A_DAY, max(0, GAMES_A_DAY - asked), own.filter(result__isnull=True).count())


def find_version(name: str, person: User) -> Version:
    """Return the version that somebody names by a bot's address and, if it is not the active one, a number.

    One's own bots play with any version that has passed validation, others' with those that were active.
    """
    slug, _space, text = name.replace("@", " ").strip().partition(" ")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
    bot = Bot.objects.select_related("active_version").filter(slug=slug, disqualified_at=None).first()
    if bot is not None and (number or not text):
        versions = Version.objects.select_related("bot").filter(bot=bot)
        versions = versions.filter(status__in=[Status.VALIDATED, Status.ACTIVE])
        if not is_owner(person, bot):
            was_active = Q(status=Status.ACTIVE) | Q(events__status=Status.ACTIVE)
            versions = versions.filter(was_active).distinct()
        wanted = {"number": number} if number else {"status": Status.ACTIVE}
        if version := versions.filter(**wanted).first():
            return version
    raise RefusedError(
        "no-version", _("There is no bot or version “{name}” that can play.").format(name=name)
    )


@transaction.atomic
def start_on_hosts(continuation: Continuation, stored: bytes, person: Any) -> Continuation:
    """Store a continuation and have hosts play its games; RefusedError if that is not possible."""
    if not isinstance(person, User):
        raise RefusedError(
            "sign-in",
            _("Sign in to have uploaded bots play on; “quick” and the others in the list need no account."),
        )
    check_may_take_part(person)
    User.objects.select_for_update().get(pk=person.pk)  # two requests must not both use what is left
    check_quota(person, continuation.games)
    versions = [find_version(name, person) for name in continuation.bots]
    continuation.bots = [f"{version.bot.slug} {version.number}" for version in versions]
    continuation.is_on_hosts = True
    continuation.save()
    world_games.request_games(continuation.key, task_of(continuation, stored), versions, house_version())
    return continuation


def check_quota(person: User, games: int) -> None:
    if games > MOST_ON_HOSTS:
        raise RefusedError(
            "invalid", _("Uploaded bots play at most {most} games at a time.").format(most=MOST_ON_HOSTS)
        )
    quota = quota_of(person)
    if quota.open_now >= OPEN_AT_ONCE:
        raise RefusedError(
            "quota-open", _("Two of your continuations are still being played. Wait, or stop one of them.")
        )
    if games > quota.left:
        raise RefusedError(
            "quota-games",
            _("You may have {day} games played on per day. You have {left} left.").format(
                day=quota.a_day, left=quota.left
            ),
        )


def task_of(continuation: Continuation, stored: bytes) -> WorldTask:
    """Return what hosts have to play. Each game's seed follows from the continuation's and its number."""
    match, record = continuation.match, read_record(stored)
    spec = MatchSpec(
        match.public_id,
        tuple(continuation.bots),
        record.seed,
        ruleset_from_options(record.ruleset.options()),
        record.board_id,
        record.board_hash,
        Clocks(**match.clocks),
    )
    seeds = tuple(sha256(f"{continuation.seed} {at}".encode()).digest() for at in range(continuation.games))
    actions = (*record.actions[: continuation.number], *continuation.actions)
    return WorldTask(spec, actions, continuation.seat, seeds)


@transaction.atomic
def count_games(key: str) -> None:
    """Write the result once all games are over. Reports that come at the same time wait for each other."""
    continuation = Continuation.objects.select_for_update().filter(key=key, result__isnull=True).first()
    if continuation and not WorldGames.objects.filter(asked_by=key, results__isnull=True).exists():
        end(continuation, "")


@transaction.atomic
def give_up(key: str) -> None:
    """End a continuation at whose games hosts have failed too often, with what was played."""
    continuation = Continuation.objects.select_for_update().filter(key=key, result__isnull=True).first()
    if continuation:
        end(continuation, Continuation.Ending.FAILED)


@transaction.atomic
def stop(continuation: Continuation, person: Any) -> None:
    """Stop a continuation of one's own; what was played until then is its result."""
    if not isinstance(person, User) or continuation.author_id != person.pk:
        raise RefusedError("not-yours", _("Only whoever began this continuation can stop it."))
    if (
        held := Continuation.objects.select_for_update()
        .filter(pk=continuation.pk, result__isnull=True)
        .first()
    ):
        end(held, Continuation.Ending.STOPPED)


def end(continuation: Continuation, ending: str) -> None:
    games = world_games.games_played(continuation.key)
    world_games.withdraw_games(continuation.key)
    WorldGames.objects.filter(asked_by=continuation.key).delete()
    Continuation.objects.filter(pk=continuation.pk).update(
        result=summary_of(games, continuation.match.seats), ending=ending
    )


def summary_of(games: Sequence[dict[str, Any]], seats: int) -> dict[str, Any]:
    """Return how the games ended, seat by seat, and in how many of them a seat failed or was replaced."""
    places = np.array([game["placements"] for game in games]).reshape(-1, seats)
    scores = np.array([game["scores"] for game in games]).reshape(-1, seats)
    return {
        "games": len(games),
        "seats": [summary(places[:, seat], scores[:, seat], seats) for seat in range(seats)] if games else [],
        "failed": [sum(seat in game["failed"] for game in games) for seat in range(seats)],
        "stood_in": [sum(seat in game["stood_in"] for game in games) for seat in range(seats)],
    }


def suggestions(match: Match, person: Any) -> list[str]:
    """Return addresses to choose from: those who played the match, one's own bots, the house bots."""
    seated = match.seats_taken.filter(person="").order_by("seat").values_list("version__bot__slug", flat=True)
    playable = Bot.objects.filter(active_version__isnull=False, disqualified_at=None)
    own = playable.filter(owner=person) if isinstance(person, User) else Bot.objects.none()
    house = playable.filter(is_house=True)
    return list(
        dict.fromkeys(
            [*seated, *(bot.slug for bot in [*own.order_by("slug")[:20], *house.order_by("slug")[:20]])]
        )
    )
