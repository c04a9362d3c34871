"""Who may see what of a tournament, and when. For its matches, `arena.matches.visibility` asks here."""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db.models import Case, Count, Exists, OuterRef, Q, Subquery, When
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import (
    Person,
    accounts_of,
    is_staff,
    may_create_tournaments,
    may_organise,
)
from arena.tournaments.models import Game, Release, RoundOpening, State, Tournament, TournamentEntry
from arena.tournaments.selectors import COUNTED, EVERY_ROUND


def find_tournament(slug: str, person: Person) -> Tournament:
    """Return the tournament at this address; a draft is there for those who run it alone."""
    tournament = get_object_or_404(Tournament.objects.select_related("organiser", "ladder"), slug=slug)
    if tournament.state == State.DRAFT and not may_organise(person, tournament):
        raise Http404
    return tournament


def organised(slug: str, person: Person) -> Tournament:
    """Return the tournament at this address for those who run it; others are refused."""
    tournament = find_tournament(slug, person)
    if not may_organise(person, tournament):
        raise PermissionDenied(_("Only its organiser and staff may do this."))
    return tournament


def visible_rounds(tournament: Tournament, person: Person) -> int:
    """Return the last round whose results this person may see; all rounds before it are visible too."""
    if may_organise(person, tournament):
        return EVERY_ROUND
    if isinstance(person, User) and tournament.entries.filter(bot__owner__in=accounts_of(person)).exists():
        return seen_by_entrants(tournament)
    return _last_released(tournament, {Release.PUBLIC})


def seen_by_entrants(tournament: Tournament) -> int:
    """Return the last round whose results the authors of its bots may see."""
    return _last_released(tournament, {Release.PUBLIC, Release.ENTRANTS})


def _last_released(tournament: Tournament, allowed: set[Release]) -> int:
    last = 0
    # Without the pairings, which are large.
    for number, release in tournament.openings.values_list("number", "release"):
        if release not in allowed:
            return last
        last = number
    return EVERY_ROUND


def seed_is_told(tournament: Tournament, visible: int) -> bool:
    """Return whether the master seed, from which all games follow, is shown to those who see these rounds."""
    return tournament.state == State.FINISHED and visible >= tournament.opened_rounds


def held_back(match_ids: Sequence[int], person: Person) -> set[int]:
    """Return the matches whose course and result a person may not see yet, as their round is not released."""
    games = list(Game.objects.select_related("tournament").filter(match__in=match_ids))
    events = {game.tournament_id: game.tournament for game in games}
    visible = {pk: visible_rounds(event, person) for pk, event in events.items()}
    return {game.match_id for game in games if game.match_id and game.round > visible[game.tournament_id]}


def unknown_pairings(person: Person) -> Exists:
    """Return a condition: the match is of a round that follows from results which a person may not see."""
    games = Game.objects.filter(match=OuterRef("pk"))
    hidden = RoundOpening.objects.filter(tournament=OuterRef("tournament"), number__lt=OuterRef("round"))
    hidden = hidden.exclude(release=Release.PUBLIC)
    if is_staff(person):
        games = games.none()
    elif may_create_tournaments(person):
        games = games.exclude(tournament__organiser=person.pk)
    if isinstance(person, User):
        entered = TournamentEntry.objects.filter(
            tournament=OuterRef("tournament"), bot__owner__in=accounts_of(person)
        )
        hidden = hidden.exclude(Exists(entered), release=Release.ENTRANTS)
    return Exists(games.filter(Exists(hidden)))


def live_delays(tournament_ids: Sequence[int]) -> dict[int, int]:
    """Return by tournament by how many seconds spectators are kept behind its matches."""
    return dict(Tournament.objects.filter(pk__in=tournament_ids).values_list("pk", "live_delay"))


def listed(person: Person) -> "list[Tournament]":
    """Return the latest tournaments that a person may know of, with how many bots entered, and the winner.

    The winner is told once all results are released to everybody, and before that to those who run it.
    """
    found = Tournament.objects.select_related("organiser")
    hidden = RoundOpening.objects.filter(tournament=OuterRef("pk")).exclude(release=Release.PUBLIC)
    runs = Q() if is_staff(person) else Q(organiser=person.pk)
    told = Q(state=State.FINISHED) & (Q(~Exists(hidden)) | runs) if runs else Q(state=State.FINISHED)
    if runs:
        found = found.filter(~Q(state=State.DRAFT) | runs)
    entrants = Count("entries", filter=Q(entries__state__in=COUNTED))
    first = TournamentEntry.objects.filter(tournament=OuterRef("pk"), place=1)
    return list(
        found.annotate(
            entrants=entrants,
            winner=Case(When(told, then=Subquery(first.values("bot__name")[:1]))),
            winner_slug=Case(When(told, then=Subquery(first.values("bot__slug")[:1]))),
        ).order_by("-id")[:200]
    )
