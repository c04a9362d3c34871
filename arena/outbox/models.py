"""What is still to be done because something was committed."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Outbox(models.Model):
    """Owed work, written in the transaction that owes it and deleted once it is done.

    A message on the queue only says that a row is here; if it is lost, it is sent again when the row is due.
    """

    kind = models.CharField(max_length=20)
    """A key of `arena.listeners.HANDLERS`."""
    payload = models.JSONField()
    due_at = models.DateTimeField(db_default=Now())
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("work owed")
        verbose_name_plural = _("works owed")
        indexes = [models.Index(fields=["due_at"], name="outbox_outbox_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.payload}"
