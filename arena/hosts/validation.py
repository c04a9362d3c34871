"""From an upload to a version that may play: a build, then one clean match with 2, 3 and 4 seats."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.bots import services as bots
from arena.bots.models import Status, Version
from arena.bots.selectors import playable_bots
from arena.hosts.models import Attempt
from arena.matches.models import Match, MatchSeat
from arena.matches.models.match import SeatFault
from arena.matches.services import MatchRequest, request_matches, void_match
from arena.notices.services import notify
from arena.stored_sentences import BUILD_FAILED, FAILED_VALIDATION, HANGS, retold, stored
from engine.rulesets import ruleset

SEAT_COUNTS = (2, 3, 4)


def follow_build(version: Version, ok: bool, reason: str, log: str) -> None:
    """Start validation, or reject the version. Runs in the transaction that records the build."""
    if ok:
        if bots.set_status(version.pk, Status.BUILT, log=log):
            request_validation(version)
    else:
        reject(version, "build-failed", stored(BUILD_FAILED, reason), log)


def request_validation(version: Version, seat_counts: Sequence[int] = SEAT_COUNTS) -> None:
    """Request the matches in which a version shows that it can play, in a different seat each time."""
    house = [bot.active_version for bot in playable_bots().filter(is_house=True).order_by("pk")]
    # Without house bots, the version plays against itself.
    others = [one for one in house if one and one.bot_id != version.bot_id] or [version]
    requests = []
    for seats in seat_counts:
        turn = SEAT_COUNTS.index(seats)
        opponents = [others[(turn + place) % len(others)] for place in range(seats - 1)]
        seated = [*opponents[:turn], version, *opponents[turn:]]
        requests.append(
            MatchRequest(seated, ruleset("english"), Match.Purpose.VALIDATION, purpose_id=version.pk)
        )
    request_matches(requests)


def settle(matches: Sequence[Match]) -> None:
    """Judge versions once all their validation matches are over; safe to run twice."""
    for match in matches:
        judge(match)


@transaction.atomic
def judge(match: Match) -> None:
    version = (
        Version.objects.select_for_update(of=["self"]).select_related("bot").get(pk=match.purpose_id or 0)
    )
    if version.status != Status.BUILT:
        return  # judged already
    latest = latest_matches(version)
    own = MatchSeat.objects.filter(version=version, match__in=latest, match__state=Match.State.FINISHED)
    failed = own.exclude(fault="").select_related("match", "log").order_by("match_id").first()
    if failed:
        values = {
            "seats": failed.match.seats,
            "fault": SeatFault(failed.fault).label,
            "reason": failed.fault_reason,
        }
        reason = stored(FAILED_VALIDATION, values)
        reject(version, f"validation-{failed.fault}", reason, output_of(failed))
    elif hung := [match for match in latest if overran_twice(match)]:
        numbers = {"seats": hung[0].seats, "minutes": settings.ATTEMPT_SECONDS // 60}
        reject(version, "validation-hangs", stored(HANGS, numbers), "")
        for match in latest:  # otherwise those still queued would block a host for as long again
            if match.state != Match.State.FINISHED:
                void_match(match.pk, gettext_noop("The version was rejected."))
    elif all(match.state == Match.State.FINISHED for match in latest):
        bots.finish_validation(version.pk)
    elif voided := [match.seats for match in latest if match.state == Match.State.VOIDED]:
        request_validation(version, voided)  # a void match proves nothing about the version


def overran_twice(match: Match) -> bool:
    """Return whether a match was set aside because it took too long twice."""
    if match.state != Match.State.SET_ASIDE:
        return False
    return match.attempts.latest("number").state == Attempt.State.OVERRUN


def latest_matches(version: Version) -> list[Match]:
    """Return the latest validation match per number of seats: the one that counts."""
    matches = Match.objects.filter(purpose=Match.Purpose.VALIDATION, purpose_id=version.pk)
    return list(matches.order_by("seats", "-id").distinct("seats"))


def output_of(seat: MatchSeat) -> str:
    return seat.log.output if hasattr(seat, "log") else ""


def reject(version: Version, code: str, reason: str, log: str) -> None:
    if bots.set_status(version.pk, Status.REJECTED, reason, log, code):

        def text() -> str:
            values = {"number": version.number, "bot": version.bot.name, "reason": retold(reason)}
            return _("Version %(number)d of %(bot)s was rejected. %(reason)s") % values

        notify(version.bot.owner_id, text, version.get_absolute_url())
