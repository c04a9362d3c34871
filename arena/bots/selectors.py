"""What is asked about bots and their versions."""

from django.db.models import QuerySet

from arena.bots.models import Bot


def playable_bots() -> QuerySet[Bot]:
    """Return the bots that matchmakers may choose, with their active versions."""
    return Bot.objects.filter(
        active_version__isnull=False, benched_at=None, disqualified_at=None
    ).select_related("active_version")
