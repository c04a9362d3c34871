"""How much of the arena one author or team may use.

What a member does for a team counts towards the team's limits and towards their own, so that nobody gets more
by founding teams.
"""

from datetime import timedelta

from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Version

BOTS = 20
VERSIONS_A_DAY = 50
STORED_BYTES = 500 * 1024 * 1024
DAY = timedelta(days=1)


def check_bots(owner: User) -> None:
    if Bot.objects.filter(Q(owner=owner) | Q(created_by=owner)).count() >= BOTS:
        said = _("You have %d bots, which is the maximum.") % BOTS
        raise refusal("quota-bots", owner, said)


def check_versions(owner: User) -> None:
    now = timezone.now()
    own = Version.objects.filter(Q(bot__owner=owner) | Q(uploaded_by=owner))
    today = own.filter(created_at__gt=now - DAY).order_by("-created_at")
    # The version that must become older than a day before there is room again.
    blocking = today.values_list("created_at", flat=True)[VERSIONS_A_DAY - 1 : VERSIONS_A_DAY].first()
    if blocking:
        wait = int((blocking + DAY - now).total_seconds()) + 1
        raise refusal(
            "quota-versions",
            owner,
            _("You have uploaded %d versions in 24 hours, which is the maximum. Try again later.")
            % VERSIONS_A_DAY,
            wait,
        )
    kept = own.exclude(archive="").aggregate(total=Sum("size"))["total"]
    if (kept or 0) > STORED_BYTES:
        raise refusal(
            "quota-bytes",
            owner,
            _("Your versions use more than %d MiB. Ask the staff for more space.")
            % (STORED_BYTES // 1024**2),
        )


def refusal(code: str, account: User, to_person: str, wait_seconds: int | None = None) -> RefusedError:
    """Say whose limit is reached: the person's, or the one of their team."""
    if not account.is_team:
        return RefusedError(code, to_person, wait_seconds)
    sentence = _("The team %s has reached its limit of bots, uploads per day or space.") % account.username
    return RefusedError(code, sentence, wait_seconds)
