"""What is worked out about matches for those who watch them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.matches.models import Match


class WinChances(models.Model):
    """Each seat's chance to win, phase by phase, worked out once a match is over."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="chances")
    playouts = models.PositiveIntegerField(_("playouts a moment"))
    moments = models.JSONField(_("moments"))
    """[step, [share by seat]] for each beginning of a phase."""
    created_at = models.DateTimeField(_("worked out"), auto_now_add=True)

    class Meta:
        verbose_name = _("chances to win")
        verbose_name_plural = _("chances to win")

    def __str__(self) -> str:
        return f"chances of match {self.match_id}"
