"""What an act would do: it is done, compared with before, and undone."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.tournaments.models import EntryState, Game, Tournament, TournamentEntry
from arena.tournaments.selectors import Picture, by_seed, picture
from contests.formats.timeline import Change, compare

MOST_SEEDS = 8


class _UndoError(Exception):
    """Raised to end a preview and undo it."""


@dataclass(frozen=True)
class Preview:
    """What changes in pairings and results, and what else, in sentences."""

    change: Change
    effects: tuple[str, ...] = ()

    @property
    def basis(self) -> str:
        """What identifies this preview: whoever confirms it means this, and nothing else."""
        return hashlib.sha256(repr((self.change, self.effects)).encode()).hexdigest()[:16]


def look_ahead(act: Callable[[], object], tournament_id: int) -> Preview:
    """Return what an act would change. Refusals are raised as they would be."""
    before = picture(Tournament.objects.get(pk=tournament_id))
    found = Preview(Change())
    try:
        with transaction.atomic():
            act()
            after = picture(Tournament.objects.get(pk=tournament_id))
            if before.timeline and after.timeline:
                found = Preview(compare(before.timeline, after.timeline), tuple(_effects(before, after)))
            else:
                found = Preview(Change(), tuple(_effects(before, after)))
            raise _UndoError
    except _UndoError:
        return found


def _effects(before: Picture, after: Picture) -> Iterable[str]:
    states = before.tournament.get_state_display(), after.tournament.get_state_display()
    if states[0] != states[1]:
        yield _("The tournament changes from “%(before)s” to “%(after)s”.") % {
            "before": states[0],
            "after": states[1],
        }
    yield from _on_entries(before, after)
    yield from _on_games(before, after)
    yield from _on_visibility(before, after)
    yield from _on_order(before, after)


def _on_entries(before: Picture, after: Picture) -> Iterable[str]:
    for entry in after.entries.values():
        former = before.entries.get(entry.pk)
        if former is None or former.state != entry.state:
            words = {"bot": entry.bot.name, "state": entry.get_state_display()}
            yield _("%(bot)s is then %(state)s.") % words
    for pk, entry in before.entries.items():
        if pk not in after.entries:
            yield _("%s is no longer on the list of entrants.") % entry.bot.name
    frozen = sum(one.version_id is not None for one in after.entries.values())
    if frozen and not any(one.version_id for one in before.entries.values()):
        yield (
            ngettext(
                "%d bot takes part; its version can no longer change.",
                "%d bots take part; their versions can no longer change.",
                frozen,
            )
            % frozen
        )


def _on_games(before: Picture, after: Picture) -> Iterable[str]:
    had = {one.pk: one for one in before.games}
    voided = [one for one in after.games if one.voided_at and had[one.pk].voided_at is None]
    played = sum(one.placements is not None for one in voided)
    if played:
        yield (
            ngettext(
                "%d played game stays on record, but no longer counts.",
                "%d played games stay on record, but no longer count.",
                played,
            )
            % played
        )
    if len(voided) > played:
        count = len(voided) - played
        yield ngettext("%d game is called off.", "%d games are called off.", count) % count
    requested = sum(one.pk not in had and one.match_id is not None for one in after.games)
    if requested:
        yield ngettext("%d game is to be played.", "%d games are to be played.", requested) % requested
    given = sum(one.forfeit and not _was_forfeit(had.get(one.pk)) for one in after.games)
    if given:
        yield ngettext("%d game is forfeited.", "%d games are forfeited.", given) % given


def _was_forfeit(game: Game | None) -> bool:
    return game is not None and game.forfeit


def _on_visibility(before: Picture, after: Picture) -> Iterable[str]:
    had = {one.number: one.release for one in before.openings}
    for one in after.openings:
        if one.number in had and had[one.number] != one.release:
            words = {"number": one.number, "people": one.get_release_display()}
            yield _("Results of round %(number)d are then shown to: %(people)s.") % words


def _on_order(before: Picture, after: Picture) -> Iterable[str]:
    order = [_names(_seeded(one)) for one in (before, after)]
    if order[0] != order[1] and before.entries.keys() == after.entries.keys():
        yield _("Seeds, strongest first: %s") % ", ".join(order[1][:MOST_SEEDS])
    leaders = [_names(one.ranked()[:1]) if one.openings else [] for one in (before, after)]
    if all(leaders) and leaders[0] != leaders[1]:
        yield _("%(new)s then leads instead of %(old)s.") % {"new": leaders[1][0], "old": leaders[0][0]}


def _seeded(seen: Picture) -> list[TournamentEntry]:
    entered = [one for one in seen.entries.values() if one.state == EntryState.ENTERED]
    return sorted(entered, key=by_seed)


def _names(entries: Iterable[TournamentEntry]) -> list[str]:
    return [entry.bot.name for entry in entries]
