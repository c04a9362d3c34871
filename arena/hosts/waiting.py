"""Why a version waits to be built or validated, as its author is told."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from arena.bots.models import Status, Version
from arena.hosts import services as hosts
from arena.hosts.attempts import failures
from arena.hosts.models import OPEN, Attempt
from arena.matches.models import Match
from workers.runtimes.registry import SCRIPTS


def why_it_waits(version: Version) -> str:
    """Return what a version waits for and since when; an empty text if it does not wait."""
    if version.status not in {Status.CHECKED, Status.BUILT}:
        return ""
    attempt = queued(version).order_by("pk").first()
    if attempt:
        reason = reason_of(version, attempt)
    else:
        is_stuck = (
            version.status == Status.CHECKED and not version.build_attempts.filter(state__in=OPEN).exists()
        )
        reason = _("waiting for somebody to request another build") if is_stuck else ""
    if not reason:
        return ""
    since = version.events.filter(status=version.status).latest("pk").at
    return _("%(reason)s (for %(time)s)") % {"reason": reason, "time": timesince(since, timezone.now())}


def queued(version: Version) -> QuerySet[Attempt]:
    """Return the queued attempts at a version's build or at its validation matches."""
    waiting = Attempt.objects.filter(state=Attempt.State.QUEUED)
    if version.status == Status.CHECKED:
        return waiting.filter(build=version)
    return waiting.filter(match__purpose=Match.Purpose.VALIDATION, match__purpose_id=version.pk)


def reason_of(version: Version, attempt: Attempt) -> str:
    builds = attempt.build_id is not None
    if not hosts.live().exists():
        return _("waiting for a host: none is online")
    if version.language in hosts.unable() and (builds or version.language in SCRIPTS):
        sentence = (
            _("waiting for a host that can build %s") if builds else _("waiting for a host that can run %s")
        )
        return sentence % version.language
    if failures(attempt).count() >= settings.ATTEMPTS_ALLOWED:
        return _("waiting for another try: hosts failed, through no fault of the bot")
    return ""
