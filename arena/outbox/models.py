"""What must yet be done because something was committed."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Outbox(models.Model):
    """Work owed, written in the transaction that owes it and deleted once it is done.

    A message on the queue only says that a row is here; a lost one is sent again when the row is due again.
    """

    kind = models.CharField(max_length=20)
    """A name given to `outbox.handler`."""
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
