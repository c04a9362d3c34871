"""What a match host reported: for everybody, and for the authors only."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.matches.models.match import Match, MatchSeat
from arena.matches.timings import SeatTimes, unpack


class MatchReport(models.Model):
    """The result of a match as reported. The database refuses a second one."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="report")
    host = models.CharField(_("match host"), max_length=100)
    record = models.BinaryField()
    """The compact record (engine.record), packed by `matches.stored_records`."""
    wall_us = models.BigIntegerField(null=True)
    play_us = models.BigIntegerField(null=True)
    stalled_us = models.BigIntegerField(null=True)
    startup_us = ArrayField(models.IntegerField(null=True), null=True)
    """By seat, as are the next two; empty for seats that never came so far."""
    ping_us = ArrayField(models.IntegerField(null=True), null=True)
    decision_us = ArrayField(models.IntegerField(null=True), null=True)
    """The mean time until an answer came."""
    times = models.BinaryField(null=True)
    """What each decision was charged, packed by `matches.timings`."""
    timings = models.JSONField(_("timings"), null=True)
    """Only in reports from before times were packed: all of it, with `steps` and `charged_us` by seat."""
    faults = models.JSONField(_("faults"))
    """By seat: fault, strikes, late, repeated, unknown answers, how its process ended; what did not happen
    is left out."""
    created_at = models.DateTimeField(_("recorded"), auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")

    def __str__(self) -> str:
        return f"report of match {self.match_id}"

    @property
    def seat_times(self) -> list[SeatTimes]:
        """What each decision was charged, by seat, however old the report is."""
        if self.times is not None:
            return unpack(bytes(self.times))
        return [
            SeatTimes(seat["steps"], seat["charged_us"]) for seat in (self.timings or {"seats": []})["seats"]
        ]


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
