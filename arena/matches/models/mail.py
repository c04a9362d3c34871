"""Mails that are yet to be sent."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class OwedMail(models.Model):
    """A mail, kept until a mail server has taken it.

    Neither on the queue, which match hosts can read, nor in the administration: its links let people in.
    """

    subject = models.TextField()
    body = models.TextField()
    from_email = models.TextField()
    to = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("mail owed")
        verbose_name_plural = _("mails owed")

    def __str__(self) -> str:
        return f"mail {self.pk}"
