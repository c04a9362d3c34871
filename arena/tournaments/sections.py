"""The parts of a tournament's page: each takes a fixed number of queries, and large ones are paginated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.db.models.fields.json import KT

from arena.tournaments.bracket import BracketDrawing, draw
from arena.tournaments.crosstable import MOST_ENTRANTS, CrosstableRow, crosstable
from arena.tournaments.models import OPEN_STATES, EntryState, Game, RoundOpening, Tournament, TournamentEntry
from arena.tournaments.round_titles import round_title
from arena.tournaments.selectors import Picture, by_seed, picture, read_ratings, results_of
from arena.tournaments.stored_rounds import paired
from contests.formats.entities import Entrant, Pod
from contests.formats.groups import group_tables
from contests.formats.points import WIN, as_it_counts, series_order, series_score
from contests.formats.ranking import BY_DISTANCE

LINES: Final = 100
PODS: Final = 50


def standings(tournament: Tournament, visible: int) -> QuerySet[TournamentEntry] | list[TournamentEntry]:
    """Return the entries in the order of the standings, each with its line; by seed before the first round.

    They are read as stored, or computed for those who may not see the results of all rounds.
    """
    entries = tournament.entries.select_related("bot__owner", "version")
    if not tournament.opened_rounds:
        entered = list(entries.exclude(state=EntryState.INVITED))
        read_ratings(tournament, entered)
        return sorted(entered, key=by_seed)
    if visible >= tournament.opened_rounds:
        return entries.filter(place__isnull=False).order_by("place")
    found = []
    for entry, line in picture(tournament, visible).lines_now:
        entry.place, entry.points, entry.pods, entry.byes = line.place, line.points, line.pods, line.byes
        entry.breaks = list(line.breaks)
        found.append(entry)
    return found


@dataclass(frozen=True)
class Player:
    """A player at a table, with its score in the series (in wins); None until the first game is over."""

    entry: TournamentEntry
    points: float | None


@dataclass(frozen=True)
class PodTable:
    """A pod with its players, the most successful first, and its games; `name` is its group or bracket."""

    name: str
    players: list[Player]
    games: list[Game]


@dataclass(frozen=True)
class ShownRound:
    """A round: one page of its tables, and the entrants who do not play."""

    number: int
    name: str
    page: "Page[Pod]"
    tables: list[PodTable]
    resting: list[TournamentEntry]

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def next(self) -> int:
        return self.number + 1


def known_openings(tournament: Tournament, visible: int) -> QuerySet[RoundOpening]:
    """Return the rounds whose pairings a person may know: one more than those whose results they see."""
    return tournament.openings.filter(number__lte=visible + 1).defer("known")


def round_names(tournament: Tournament, visible: int) -> list[tuple[int, str]]:
    """Return the numbers and names of those rounds."""
    openings = known_openings(tournament, visible)
    named = openings.annotate(name=KT("pairing__name")).values_list("number", "name")
    return [(number, round_title(name)) for number, name in named]


def chosen_round(
    tournament: Tournament, visible: int, rounds: Sequence[tuple[int, str]], query: Mapping[str, str]
) -> "ShownRound | None":
    """Return the round that the address names, or the latest, with its page of tables."""
    by_text = {str(number): number for number, _name in rounds}
    latest = rounds[-1][0] if rounds else 0
    return shown_round(tournament, by_text.get(query.get("round", ""), latest), visible, query.get("pods"))


def shown_round(tournament: Tournament, number: int, visible: int, page: str | None) -> ShownRound | None:
    """Return one round with one page of its tables; None where it was not opened."""
    opening = tournament.openings.filter(number=number).defer("known").first()
    if opening is None:
        return None
    found = paired(opening)
    pods = Paginator(found.pods, PODS).get_page(page)
    keys = [pod.key for pod in pods]
    by_pod: dict[str, list[Game]] = {key: [] for key in keys}
    if number <= visible:
        games = tournament.games.filter(round=number, pod__in=keys, voided_at=None)
        for game in games.select_related("match").order_by("number"):
            by_pod[game.pod].append(game)
    resting = [*found.byes, *found.walkovers]
    wanted = {*resting, *(one for pod in pods for one in pod.entrants)}
    entries = tournament.entries.filter(pk__in=wanted).select_related("bot").in_bulk()
    tables = [_table(pod, by_pod[pod.key], entries) for pod in pods]
    return ShownRound(number, round_title(found.name), pods, tables, [entries[one] for one in resting])


def _table(pod: Pod, games: list[Game], entries: dict[int, TournamentEntry]) -> PodTable:
    by_id = {
        one: Entrant(one, entries[one].seed or 0, out_from=entries[one].out_from) for one in pod.entrants
    }
    played = [as_it_counts(pod, game, by_id) for game in results_of(games).get(pod.key, [])]
    score = series_score(played)
    order = series_order(pod, played, by_id.__getitem__) if played else pod.entrants
    players = [Player(entries[one], score[one] / WIN if played else None) for one in order]
    return PodTable(round_title(pod.name), players, games)


@dataclass(frozen=True)
class GroupLine:
    """A line of a group's table, and whether this place goes on to the knockout."""

    place: int
    entry: TournamentEntry
    points: float
    pods: int
    goes_on: bool


@dataclass(frozen=True)
class Drawings:
    """What shows an event at one glance; each part is empty where the format has none or it is too large."""

    brackets: list[BracketDrawing]
    groups: list[tuple[str, list[GroupLine]]]
    crosstable: list[CrosstableRow]


def drawings(tournament: Tournament, visible: int, entrants: int) -> Drawings:
    """Return the brackets and group tables of a knockout, and the crosstable unless it would be too large."""
    if tournament.format not in BY_DISTANCE and entrants > MOST_ENTRANTS:
        return Drawings([], [], [])
    seen = picture(tournament, visible)
    return Drawings(draw(seen), groups(seen), crosstable(seen))


def groups(seen: Picture) -> list[tuple[str, list[GroupLine]]]:
    """Return the tables of the groups, with what is decided in the current round."""
    tournament, timeline = seen.tournament, seen.timeline
    if tournament.format != "groups" or timeline is None or tournament.state in OPEN_STATES:
        return []
    found = []
    for name, table in group_tables(timeline.so_far):
        lines = [
            GroupLine(
                line.place,
                seen.entries[line.entrant.id],
                line.points / WIN,
                line.pods,
                line.place <= tournament.from_group and line.entrant.out_from is None,
            )
            for line in table
        ]
        found.append((round_title(name), lines))
    return found
