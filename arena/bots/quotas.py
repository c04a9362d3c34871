"""How much of the arena one author may use."""

from datetime import timedelta

from django.db.models import Sum
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
    if Bot.objects.filter(owner=owner).count() >= BOTS:
        raise RefusedError("quota-bots", _("You have %d bots, which is the maximum.") % BOTS)


def check_versions(owner: User) -> None:
    now = timezone.now()
    today = Version.objects.filter(bot__owner=owner, created_at__gt=now - DAY).order_by("-created_at")
    # The version that must become older than a day before there is room again.
    blocking = today.values_list("created_at", flat=True)[VERSIONS_A_DAY - 1 : VERSIONS_A_DAY].first()
    if blocking:
        wait = int((blocking + DAY - now).total_seconds()) + 1
        raise RefusedError(
            "quota-versions",
            _("You have uploaded %d versions in 24 hours, which is the maximum. Try again later.")
            % VERSIONS_A_DAY,
            wait,
        )
    kept = Version.objects.filter(bot__owner=owner).exclude(archive="").aggregate(total=Sum("size"))["total"]
    if (kept or 0) > STORED_BYTES:
        raise RefusedError(
            "quota-bytes",
            _("Your versions use more than %d MiB. Ask the staff for more space.")
            % (STORED_BYTES // 1024**2),
        )
