"""The match hosts that have shown themselves."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class Host(models.Model):
    """A match host, as it last described itself. It knows no row: it is told what to do when it beats."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    sandbox = models.CharField(_("sandbox"), max_length=20, blank=True)
    limits = models.TextField(_("limits"), blank=True)
    degraded = models.BooleanField(_("degraded"), default=False)
    slots = models.PositiveSmallIntegerField(_("matches at a time"), default=0)
    busy = models.PositiveSmallIntegerField(_("matches now"), default=0)
    load = models.FloatField(_("load"), default=0)
    free_bytes = models.BigIntegerField(_("free disk space in bytes"), default=0)
    trouble = models.TextField(_("trouble"), blank=True)
    """Why it takes no matches by its own decision, such as a full disk."""
    languages = models.JSONField(_("languages"), default=dict)
    """By language, what it proved: `works`, `missing` where it lacks the tools, and the `trouble` it has."""
    cannot_run = ArrayField(models.CharField(max_length=20), verbose_name=_("cannot run"), default=list)
    """The languages whose bots it cannot even run; built programs need nothing there."""
    paused = models.BooleanField(_("paused"), default=False)
    first_beat = models.DateTimeField(_("first seen"), auto_now_add=True)
    last_beat = models.DateTimeField(_("last beat"))

    class Meta:
        ordering = ["name"]
        verbose_name = _("match host")
        verbose_name_plural = _("match hosts")

    def __str__(self) -> str:
        return self.name
