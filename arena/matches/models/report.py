"""What a match host reported: for everybody, and for the authors only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.matches.models.match import Match, MatchSeat


class MatchReport(models.Model):
    """The result of a match as reported. The database refuses a second one."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="report")
    host = models.CharField(_("match host"), max_length=100)
    record = models.BinaryField()
    """The compact record (engine.record), compressed with zlib."""
    timings = models.JSONField(_("timings"))
    """Of it: wall_us, play_us, stalled_us; by seat: startup_us, ping_us, steps, wall_us, charged_us."""
    faults = models.JSONField(_("faults"))
    """By seat: fault, strikes, late, repeated, unknown answers, and how its process ended."""
    created_at = models.DateTimeField(_("recorded"), auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")

    def __str__(self) -> str:
        return f"report of match {self.match_id}"


class SeatLog(models.Model):
    """A bot's own output and notes, for its author; when staff read them, it is recorded."""

    seat = models.OneToOneField(MatchSeat, models.CASCADE, related_name="log")
    output = models.TextField(_("output"), blank=True)
    notes = models.JSONField(_("notes"), default=dict)
    """By step, the note that came with the answer."""

    class Meta:
        verbose_name = _("log of a seat")
        verbose_name_plural = _("logs of seats")

    def __str__(self) -> str:
        return f"log of seat {self.seat_id}"
