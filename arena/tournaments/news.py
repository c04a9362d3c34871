"""Tells authors what happens to their bots in events: on the page, by mail, and through their webhooks.

What concerns one bot is told within the act. What concerns a whole event is owed (`owe_news`) and told by a
worker, as an event may have thousands of entrants; telling twice what was told changes nothing.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.languages import speaking_to
from arena.accounts.models import User
from arena.bots.models import Bot
from arena.notices.models import Notice
from arena.notices.services import notify
from arena.notices.webhooks import has_webhooks, owe_calls, webhooks_of
from arena.outbox import services as outbox
from arena.stored_sentences import retold
from arena.tournaments.models import EntryState, State, Tournament, TournamentEntry
from arena.tournaments.round_titles import round_title
from arena.tournaments.stored_rounds import paired
from arena.tournaments.visibility import seen_by_entrants

KNOWN_FROM_THE_START = {"round_robin", "gauntlet"}
"""Formats whose schedule follows from the entrants: only the first round is told to them."""

Text = Callable[[], str]
"""Called in the language of whoever is told."""


@transaction.atomic
def tell(entry: TournamentEntry, event: str, text: Text, link: str = "", **data: Any) -> None:
    """Tell a bot's author something of an event: a notice, a mail if wanted, calls to their webhooks."""
    tournament = entry.tournament
    link = link or tournament.get_absolute_url()
    owner = entry.bot.owner_id
    notice = notify(owner, text, link)
    if not has_webhooks():
        return
    body = {
        "event": event,
        "text": notice.text,
        "tournament": {
            "slug": tournament.slug,
            "name": tournament.name,
            "state": tournament.state,
            "url": settings.SITE_URL + link,
        },
        "bot": entry.bot.slug,
        **data,
    }
    # A subject is what is told once; the same words at another time are another subject.
    told = hashlib.sha256(f"{notice.text} {timezone.now().isoformat()}".encode()).hexdigest()[:12]
    owe_calls(webhooks_of(User.objects.filter(pk=owner)), event, f"{tournament.slug[:26]} {told}", body)


def tell_entered(entry: TournamentEntry) -> None:
    words = _words(entry)
    tell(entry, "tournament.entered", lambda: _("%(bot)s has entered %(event)s.") % words)


def tell_invited(entry: TournamentEntry) -> None:
    tell(entry, "tournament.invited", partial(_invitation, entry))


def tell_out(entry: TournamentEntry) -> None:
    """Tell that a bot was taken out by the organiser, and why."""
    words = _words(entry)

    def why() -> dict[str, Any]:
        return {**words, "why": retold(entry.reason) or "–"}

    if entry.state == EntryState.DISQUALIFIED:
        tell(
            entry,
            "tournament.disqualified",
            lambda: _("%(bot)s was disqualified from %(event)s. Reason: %(why)s") % why(),
            reason=entry.reason,
        )
    else:
        tell(
            entry,
            "tournament.withdrawn",
            lambda: _("The organiser withdrew %(bot)s from %(event)s. Reason: %(why)s") % why(),
            reason=entry.reason,
        )


def owe_news(tournament_id: int, news: str) -> None:
    """Owe everybody in an event some news: "opened", "started", "round", "over" or "cancelled"."""
    outbox.owe("event_news", {"tournament": tournament_id, "news": news, "at": timezone.now().isoformat()})


def deliver(payload: dict[str, Any]) -> None:
    """Tell everybody whom it concerns, except those who were told before."""
    tournament = Tournament.objects.filter(pk=payload["tournament"]).first()
    if tournament is None:
        return
    makers = {
        "opened": _invitations,
        "started": _start,
        "round": _round,
        "over": _podium,
        "cancelled": _cancellation,
    }
    items = [(item, _said(item)) for item in makers[payload["news"]](tournament)]
    told = Notice.objects.filter(text__in={text for _item, text in items})
    if payload["news"] == "cancelled":  # which may happen again after it was undone
        told = told.filter(created_at__gte=payload["at"])
    known = set(told.values_list("user", "text", "link"))
    for (entry, event, text, link, data), said in items:
        if (entry.bot.owner_id, said, link) not in known:
            tell(entry, event, text, link, **data)


_Item = tuple[TournamentEntry, str, Text, str, dict[str, Any]]


def _said(item: _Item) -> str:
    entry, _event, text, _link, _data = item
    with speaking_to(entry.bot.owner):
        return text()


def _words(entry: TournamentEntry) -> dict[str, Any]:
    return {"bot": entry.bot.name, "event": entry.tournament.name}


def _entries(tournament: Tournament, *states: str) -> Iterable[TournamentEntry]:
    return tournament.entries.filter(state__in=states).select_related("bot__owner", "tournament")


def _invitation(entry: TournamentEntry) -> str:
    return _("%(bot)s is invited to %(event)s. Enter it on its page.") % _words(entry)


def _invitations(tournament: Tournament) -> Iterable[_Item]:
    link = tournament.get_absolute_url()
    for entry in _entries(tournament, EntryState.INVITED):
        yield entry, "tournament.invited", partial(_invitation, entry), link, {}


def _start(tournament: Tournament) -> Iterable[_Item]:
    entries = list(_entries(tournament, EntryState.ENTERED))
    for entry in entries:
        text = partial(_started, entry, len(entries))
        yield entry, "tournament.started", text, tournament.get_absolute_url(), {"seed": entry.seed}


def _started(entry: TournamentEntry, count: int) -> str:
    text = ngettext(
        "%(event)s has started with %(count)d bot. %(bot)s has seed %(seed)s.",
        "%(event)s has started with %(count)d bots. %(bot)s has seed %(seed)s.",
        count,
    )
    return text % {**_words(entry), "seed": entry.seed, "count": count}


def _round(tournament: Tournament) -> Iterable[_Item]:
    """Tell who meets whom in the latest round, if entrants may know that."""
    opening = tournament.openings.last()
    if opening is None or opening.number > seen_by_entrants(tournament) + 1:
        return
    if tournament.format in KNOWN_FROM_THE_START and opening.number > 1:
        return
    found = paired(opening)
    entries = {one.pk: one for one in tournament.entries.select_related("bot__owner", "tournament")}
    link = f"{tournament.get_absolute_url()}?round={opening.number}#schedule"
    for pod in found.pods:
        for one in pod.entrants:
            others = [entries[other].bot for other in pod.entrants if other != one]
            data = {"round": pod.round, "opponents": [bot.slug for bot in others]}
            text = partial(_meeting, entries[one], others, found.name)
            yield entries[one], "tournament.match", text, link, data


def _meeting(entry: TournamentEntry, others: Sequence[Bot], name: str) -> str:
    words = {**_words(entry), "round": round_title(name), "others": ", ".join(bot.name for bot in others)}
    return _("%(event)s, %(round)s: %(bot)s meets %(others)s.") % words


def _podium(tournament: Tournament) -> Iterable[_Item]:
    """Tell everybody their place, once entrants may see all results."""
    if tournament.state != State.FINISHED or seen_by_entrants(tournament) < tournament.opened_rounds:
        return
    entries = [one for one in _entries(tournament, *EntryState.values) if one.place is not None]
    for entry in entries:
        text = partial(_placed, entry, len(entries))
        yield entry, "tournament.podium", text, tournament.get_absolute_url(), {"place": entry.place}


def _placed(entry: TournamentEntry, count: int) -> str:
    words = {**_words(entry), "place": entry.place, "count": count}
    if entry.place == 1:
        return _("%(bot)s has won %(event)s!") % words
    if entry.place in {2, 3}:
        return _("%(bot)s is on the podium of %(event)s: place %(place)d of %(count)d.") % words
    return _("%(event)s is over: %(bot)s finished in place %(place)d of %(count)d.") % words


def _cancellation(tournament: Tournament) -> Iterable[_Item]:
    if tournament.state != State.CANCELLED:
        return
    for entry in _entries(tournament, EntryState.ENTERED, EntryState.INVITED, EntryState.WITHDRAWN):
        text = partial(_cancelled, tournament)
        yield entry, "tournament.cancelled", text, tournament.get_absolute_url(), {}


def _cancelled(tournament: Tournament) -> str:
    if not tournament.cancel_reason:
        return _("%s was cancelled.") % tournament.name
    words = {"event": tournament.name, "why": retold(tournament.cancel_reason)}
    return _("%(event)s was cancelled. Reason: %(why)s") % words
