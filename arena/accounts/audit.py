"""The audit log: every act that needs a privilege leaves an entry."""

from django.db.models import Model

from arena.accounts.models import AuditEntry, User


def record(actor: User, act: str, target: Model, reason: str = "") -> AuditEntry:
    """Record an act, such as `bench` or `read the source`, in the transaction of the act itself."""
    name = f"{target._meta.label_lower}:{target.pk} {target}"[:200]  # noqa: SLF001  Django's own name for it
    return AuditEntry.objects.create(actor=actor, act=act, target=name, reason=reason)
