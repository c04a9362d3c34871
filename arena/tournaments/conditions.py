"""The conditions that a bot must meet to enter a tournament."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.accounts.models import TeamMembership
from arena.bots.models import Bot
from arena.bots.selectors import people_behind
from arena.ladders.models import Standing
from arena.tournaments.models import EntryState, Tournament


@dataclass(frozen=True)
class Verdict:
    """One condition of entry, and whether a bot meets it."""

    condition: str
    is_met: bool
    text: str


def verdicts(tournament: Tournament, bot: Bot) -> list[Verdict]:
    """Return each condition of a tournament, and whether the bot meets it."""
    found = [
        Verdict("active", bot.active_version_id is not None and not bot.benched_at,
                _("It must have an active version and must not be benched.")),
        Verdict("allowed", not bot.disqualified_at, _("It must not be disqualified from the arena.")),
    ]  # fmt: skip
    text = _("At most %d bots per author.") % tournament.per_owner
    found.append(Verdict("owner", most_entered(tournament, bot) < tournament.per_owner, text))
    if tournament.invitation_only:
        invited = tournament.entries.filter(bot=bot, state=EntryState.INVITED).exists()
        found.append(Verdict("invitation", invited, _("The organiser must have invited it.")))
    if tournament.ladder_id and (tournament.min_rating is not None or tournament.min_games):
        found += _rating_verdicts(tournament, latest_standing(tournament, bot))
    return found


def most_entered(tournament: Tournament, bot: Bot) -> int:
    """Return how many other bots the busiest person behind this one has entered, alone or in teams."""
    people = people_behind([bot.owner_id])[bot.owner_id]
    teams = TeamMembership.objects.filter(person__in=people).values_list("person", "team")
    accounts: dict[int, set[int]] = {person: {person} for person in people}
    for person, team in teams:
        accounts[person].add(team)
    entered = tournament.entries.filter(state=EntryState.ENTERED).exclude(bot=bot)
    owners = Counter(
        entered.filter(bot__owner__in=set[int]().union(*accounts.values())).values_list(
            "bot__owner", flat=True
        )
    )
    return max(sum(owners[account] for account in some) for some in accounts.values())


def _rating_verdicts(tournament: Tournament, standing: Standing | None) -> list[Verdict]:
    found = []
    least = tournament.min_rating
    if least is not None:
        own = f"{standing.rating:.0f}" if standing else _("none")
        text = _("It needs a rating of %(least).0f and has %(own)s.") % {"least": least, "own": own}
        found.append(Verdict("rating", standing is not None and standing.rating >= least, text))
    if tournament.min_games:
        games = standing.games if standing else 0
        text = _("It needs %(least)d rated games and has %(own)d.") % {
            "least": tournament.min_games,
            "own": games,
        }
        found.append(Verdict("games", games >= tournament.min_games, text))
    return found


def latest_standing(tournament: Tournament, bot: Bot) -> Standing | None:
    """Return the bot's standing in the newest season of the tournament's ladder in which it played."""
    return (
        Standing.objects.filter(season__ladder=tournament.ladder_id, bot=bot)
        .order_by("-season__number")
        .first()
    )
