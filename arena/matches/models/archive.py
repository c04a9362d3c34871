"""Where the reports of old matches are, once they were moved out of the database."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.matches.models.match import Match, Purpose


class ReportArchive(models.Model):
    """A file in the storage with the reports of some matches of one contest. It never changes."""

    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    purpose_id = models.BigIntegerField()
    name = models.CharField(_("file"), max_length=200, unique=True)
    sha256 = models.CharField(max_length=64)
    matches = models.PositiveIntegerField(_("matches"))
    finished_to = models.DateTimeField(null=True)
    """When the last of its matches ended."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("archive of reports")
        verbose_name_plural = _("archives of reports")
        indexes = [models.Index(fields=["purpose", "purpose_id"], name="matches_archive_of_contest")]

    def __str__(self) -> str:
        return self.name


class ArchivedReport(models.Model):
    """Says in which archive the report of a match is."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="archived_report")
    archive = models.ForeignKey(ReportArchive, models.CASCADE, related_name="reports")

    class Meta:
        verbose_name = _("archived report")
        verbose_name_plural = _("archived reports")

    def __str__(self) -> str:
        return f"report of match {self.match_id}, archived"
