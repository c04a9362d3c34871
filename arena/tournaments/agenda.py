"""What has happened in an event, what goes on now, and what happens next: the time line of the desk."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.tournaments.models import EntryState, Release, State
from arena.tournaments.round_titles import round_title
from arena.tournaments.selectors import Picture
from contests.formats.swiss import rounds_of


@dataclass(frozen=True)
class AgendaItem:
    """One line: `stage` is done, now or next; `when` is the time that goes with it, if there is one."""

    stage: str
    text: str
    when: datetime | None = None


def agenda(seen: Picture) -> list[AgendaItem]:
    """Return the time line of an event, earliest first."""
    return [*_past(seen), *_present(seen), *_future(seen)]


def _past(seen: Picture) -> Iterable[AgendaItem]:
    event = seen.tournament
    yield AgendaItem("done", _("Created"), event.created_at)
    if event.started_at:
        yield AgendaItem("done", _("Started"), event.started_at)
    is_over = event.state in {State.FINISHED, State.CANCELLED}
    over = event.opened_rounds if is_over else event.opened_rounds - 1
    if over > 0:
        text = ngettext("%d round played", "%d rounds played", over) % over
        yield AgendaItem("done", text)
    if event.state == State.FINISHED:
        yield AgendaItem("done", _("Finished"), event.finished_at)


def _present(seen: Picture) -> Iterable[AgendaItem]:
    event = seen.tournament
    entered = sum(one.state == EntryState.ENTERED for one in seen.entries.values())
    so_far = ngettext(
        "Open for entries: %d bot has entered.", "Open for entries: %d bots have entered.", entered
    )
    if event.state == State.DRAFT:
        yield AgendaItem(
            "now", _("A draft: only you and the staff see it. Open it for entries when the rules are right.")
        )
    elif event.state == State.REGISTRATION:
        yield AgendaItem("now", so_far % entered)
    elif event.state == State.LOCKED:
        yield AgendaItem("now", _("Versions are locked. Start it when you are ready."))
    elif event.state == State.PAUSED:
        yield AgendaItem(
            "now",
            _("Paused: games being played still count, but nothing new starts until you resume."),
            event.paused_at,
        )
    elif event.state == State.CANCELLED:
        yield AgendaItem("now", _("Cancelled. You can undo this."))
    if event.state in {State.RUNNING, State.PAUSED} and seen.openings:
        yield _current_round(seen)


def _current_round(seen: Picture) -> AgendaItem:
    opening = seen.openings[-1]
    games = [one for one in seen.games if one.round == opening.number and one.voided_at is None]
    over = sum(one.placements is not None for one in games)
    words = {"round": round_title(opening.pairing["name"]), "over": over, "count": len(games)}
    text = ngettext(
        "%(round)s: %(over)d of %(count)d game is over.",
        "%(round)s: %(over)d of %(count)d games are over.",
        len(games),
    )
    return AgendaItem("now", text % words)


def _future(seen: Picture) -> Iterable[AgendaItem]:
    event = seen.tournament
    if event.state in {State.DRAFT, State.REGISTRATION}:
        if event.lock_at:
            yield AgendaItem(
                "next",
                _("Entries close by themselves. With fewer than two bots, it is cancelled."),
                event.lock_at,
            )
        else:
            yield AgendaItem("next", _("Entries close when you lock the versions."))
        yield AgendaItem("next", _("You start the first round."))
    if event.state in {State.RUNNING, State.PAUSED}:
        yield from _coming_rounds(seen)
    if event.state not in {State.FINISHED, State.CANCELLED}:
        yield AgendaItem(
            "next", _("The podium and the master seed are shown, and anybody can verify the event.")
        )
    if event.state != State.CANCELLED and _held_back(seen):
        yield AgendaItem("next", _("You release the results that are held back."))


def _coming_rounds(seen: Picture) -> Iterable[AgendaItem]:
    event = seen.tournament
    if seen.openings and seen.openings[-1].deadline:
        yield AgendaItem(
            "next", _("Games that are not played by then are forfeited."), seen.openings[-1].deadline
        )
    left = None
    if event.format == "swiss" and seen.event:
        left = rounds_of(seen.event) - event.opened_rounds
    if left == 0 or event.format == "gauntlet":
        return
    if event.rounds_by_hand:
        yield AgendaItem("next", _("You open the next round when this one is over."))
    else:
        yield AgendaItem("next", _("The next round opens by itself when this one is over."))
    if left is not None:
        yield AgendaItem("next", ngettext("%d round is left.", "%d rounds are left.", left) % left)


def _held_back(seen: Picture) -> bool:
    if seen.openings:
        return any(one.release != Release.PUBLIC for one in seen.openings)
    return seen.tournament.release != Release.PUBLIC
