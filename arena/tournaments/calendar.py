"""What happens in tournaments by the clock: entries close, and rounds reach their deadline."""

import logging

from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.bots.errors import RefusedError
from arena.notices.services import notify
from arena.stored_sentences import ENTRIES_CLOSED, retold, stored
from arena.tournaments import running
from arena.tournaments.entering import lock_entries
from arena.tournaments.models import State, Tournament
from arena.tournaments.news import owe_news

log = logging.getLogger(__name__)


def keep_time() -> None:
    """Lock tournaments that are due and tick those that run. An error in one does not stop the others."""
    due = Tournament.objects.filter(state=State.REGISTRATION, lock_at__lte=Now())
    for tournament_id in due.values_list("pk", flat=True):
        _lock_due(tournament_id)
    for tournament_id in Tournament.objects.filter(state=State.RUNNING).values_list("pk", flat=True):
        try:
            running.tick(tournament_id)
        except Exception:
            log.exception("tournament %s could not go on", tournament_id)


@transaction.atomic
def _lock_due(tournament_id: int) -> None:
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.state != State.REGISTRATION:
        return
    try:
        lock_entries(tournament)
        tournament.state = State.LOCKED
    except RefusedError as error:
        tournament.cancelled_from, tournament.state = tournament.state, State.CANCELLED
        tournament.cancel_reason = stored(ENTRIES_CLOSED, error.sentence)

        def text() -> str:
            values = {"name": tournament.name, "why": retold(tournament.cancel_reason)}
            return _("%(name)s was cancelled: %(why)s You can undo this on its desk.") % values

        notify(tournament.organiser_id, text, reverse("tournament-desk", args=[tournament.slug]))
        owe_news(tournament.pk, "cancelled")
    tournament.save(update_fields=["state", "cancelled_from", "cancel_reason"])
