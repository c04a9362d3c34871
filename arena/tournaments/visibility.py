"""Who may see what of a tournament, and when. For its matches, `arena.matches.visibility` asks here."""

from collections.abc import Sequence

from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from arena.accounts.models import User
from arena.accounts.permissions import Person, is_staff, may_create_tournaments, may_organise
from arena.tournaments.models import Game, Release, RoundOpening, State, Tournament, TournamentEntry
from arena.tournaments.selectors import COUNTED, EVERY_ROUND


def find_tournament(slug: str, person: Person) -> Tournament:
    """Return the tournament at this address; a draft is there for those who run it alone."""
    tournament = get_object_or_404(Tournament.objects.select_related("organiser", "ladder"), slug=slug)
    if tournament.state == State.DRAFT and not may_organise(person, tournament):
        raise Http404
    return tournament


def visible_rounds(tournament: Tournament, person: Person) -> int:
    """Return the last round whose results this person may see; all rounds before it are visible too."""
    if may_organise(person, tournament):
        return EVERY_ROUND
    entered = isinstance(person, User) and tournament.entries.filter(bot__owner=person).exists()
    allowed = {Release.PUBLIC, Release.ENTRANTS} if entered else {Release.PUBLIC}
    last = 0
    for opening in tournament.openings.all():
        if opening.release not in allowed:
            return last
        last = opening.number
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
        entered = TournamentEntry.objects.filter(tournament=OuterRef("tournament"), bot__owner=person)
        hidden = hidden.exclude(Exists(entered), release=Release.ENTRANTS)
    return Exists(games.filter(Exists(hidden)))


def live_delays(tournament_ids: Sequence[int]) -> dict[int, int]:
    """Return by tournament by how many seconds spectators are kept behind its matches."""
    return dict(Tournament.objects.filter(pk__in=tournament_ids).values_list("pk", "live_delay"))


def listed(person: Person) -> "list[Tournament]":
    """Return the latest tournaments that a person may know of, with how many bots entered."""
    found = Tournament.objects.select_related("organiser")
    if not is_staff(person):
        found = found.filter(~Q(state=State.DRAFT) | Q(organiser=person.pk))
    entrants = Count("entries", filter=Q(entries__state__in=COUNTED))
    return list(found.annotate(entrants=entrants).order_by("-id")[:200])
