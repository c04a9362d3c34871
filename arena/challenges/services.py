"""Requests for unrated matches, within a quota."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import is_owner
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from arena.bots.services import check_may_take_part
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_duplicate_set, request_matches
from engine.rulesets import ruleset

MATCHES_A_DAY = 40
OPEN_AT_ONCE = 12
DAY = timedelta(days=1)
OPEN_STATES = (Match.State.QUEUED, Match.State.RUNNING)


@dataclass(frozen=True)
class Challenge:
    """Which bots meet, the challenger's own first. A duplicate set plays one seed in every rotation."""

    bot: Bot
    opponents: Sequence[Bot]
    version_number: int | None = None
    """Of the challenger's bot; None for its active version."""
    edition: str = "english"
    duplicate: bool = False

    @property
    def matches(self) -> int:
        return len(self.opponents) + 1 if self.duplicate else 1


@dataclass(frozen=True)
class Quota:
    """How many more matches an author may request."""

    a_day: int
    left: int
    open_now: int
    wait_seconds: int | None
    """How long until enough matches are left, if there are too few now."""


@transaction.atomic
def challenge(user: User, wanted: Challenge, maker: User | None = None) -> list[Match]:
    """Request the matches; raise RefusedError if they are not possible.

    They count towards the maker's quota, who made the token if the user is a team.
    """
    maker = maker or user
    check_may_take_part(maker)
    User.objects.select_for_update().get(
        pk=maker.pk
    )  # two challenges at once must not both use the last match left
    check_quota(maker, wanted.matches)
    versions = [own_version(user, wanted), *(opponent_version(bot) for bot in wanted.opponents)]
    if len({version.bot_id for version in versions}) < len(versions):
        raise RefusedError("bot-twice", _("Each bot can take part only once."))
    if not 2 <= len(versions) <= 4:
        raise RefusedError("seats", _("Choose one to three opponents."))
    request = MatchRequest(
        versions, ruleset(wanted.edition), Match.Purpose.CHALLENGE, purpose_id=maker.pk, rated=False
    )
    return request_duplicate_set(request) if wanted.duplicate else request_matches([request])


def own_version(user: User, wanted: Challenge) -> Version:
    bot = wanted.bot
    if not is_owner(user, bot):
        raise RefusedError("not-yours", _("%s is not your bot.") % bot.name)
    if bot.disqualified_at:
        raise RefusedError("disqualified", _("This bot is disqualified: %s") % bot.disqualified_reason)
    versions = Version.objects.filter(bot=bot, status__in=[Status.VALIDATED, Status.ACTIVE])
    chosen = {"number": wanted.version_number} if wanted.version_number else {"status": Status.ACTIVE}
    version = versions.filter(**chosen).first()
    if version is None:
        raise RefusedError("no-version", _("%s has no such version that has passed validation.") % bot.name)
    return version


def opponent_version(bot: Bot) -> Version:
    if not bot.can_play or bot.active_version is None:
        raise RefusedError("cannot-play", _("%s cannot play at the moment.") % bot.name)
    return bot.active_version


def quota_of(user: User, wanted: int = 1) -> Quota:
    now = timezone.now()
    own = Match.objects.filter(purpose=Match.Purpose.CHALLENGE, purpose_id=user.pk)
    asked = list(
        own.filter(created_at__gt=now - DAY).order_by("created_at").values_list("created_at", flat=True)
    )
    left = max(0, MATCHES_A_DAY - len(asked))
    # The match that must become older than a day before there is room for all that are wanted.
    blocking = None if left >= wanted else asked[len(asked) - MATCHES_A_DAY + wanted - 1]
    wait = int((blocking + DAY - now).total_seconds()) + 1 if blocking else None
    return Quota(MATCHES_A_DAY, left, own.filter(state__in=OPEN_STATES).count(), wait)


def check_quota(user: User, matches: int) -> None:
    quota = quota_of(user, matches)
    if quota.left < matches:
        raise RefusedError(
            "quota-challenges",
            _("You may request %(day)d matches per day. You have %(left)d left, and this needs %(needed)d.")
            % {"day": quota.a_day, "left": quota.left, "needed": matches},
            quota.wait_seconds,
        )
    if quota.open_now + matches > OPEN_AT_ONCE:
        raise RefusedError(
            "quota-open",
            _("Wait until some of your matches are over. You may have %d in progress at a time.")
            % OPEN_AT_ONCE,
            30,
        )
