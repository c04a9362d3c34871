"""What the arena remembers of its own care."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class CareRun(models.Model):
    """When a kind of scheduled care last ran, and when it last went well. One row per kind."""

    kind = models.CharField(_("kind"), max_length=20, unique=True)
    ran_at = models.DateTimeField(_("last run"))
    succeeded_at = models.DateTimeField(_("last success"), null=True, blank=True)
    note = models.TextField(_("note"), blank=True)

    class Meta:
        ordering = ["kind"]
        verbose_name = _("scheduled care")
        verbose_name_plural = _("scheduled care")

    def __str__(self) -> str:
        return self.kind
