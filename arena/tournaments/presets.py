"""Where a new event starts from: a preset for a common kind of event, or the rules of an earlier one."""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.tournaments.forms import TournamentForm
from arena.tournaments.models import EntryState, State, Tournament, TournamentEntry


@dataclass(frozen=True)
class Preset:
    """A common kind of event, and the values with which its form is filled in."""

    key: str
    name: str | Promise
    text: str | Promise
    values: dict[str, Any]


PRESETS = (
    Preset("cup", _("Cup"), _("Knockout of two, best of three: an evening with a bracket."),
           {"format": "single_elimination", "seats": 2, "best_of": 3, "clock": "blitz"}),
    Preset("championship", _("Championship"), _("Double elimination, best of five: one loss is forgiven."),
           {"format": "double_elimination", "seats": 2, "best_of": 5}),
    Preset("open", _("Open Swiss"), _("Any number of bots at tables of four, five rounds."),
           {"format": "swiss", "seats": 4, "rounds": 5, "per_owner": 2}),
    Preset("league", _("League"), _("Everybody meets everybody at tables of two, twice."),
           {"format": "round_robin", "seats": 2, "cycles": 2}),
    Preset("world", _("Groups and finals"), _("Groups of four; the best two of each play a knockout."),
           {"format": "groups", "seats": 2, "group_size": 4, "from_group": 2, "best_of": 3}),
    Preset("fair", _("Fair test"), _("Tables of four in duplicate sets, which take the luck out."),
           {"format": "swiss", "seats": 4, "duplicate": True}),
    Preset("gauntlet", _("Gauntlet"), _("The first seed meets all others once."),
           {"format": "gauntlet", "seats": 2, "best_of": 3}),
)  # fmt: skip


def preset_values(key: str) -> dict[str, Any]:
    """Return the values of a preset; none for a key that is unknown."""
    return next((one.values for one in PRESETS if one.key == key), {})


def rules_of(former: Tournament) -> dict[str, Any]:
    """Return the rules of an event for the form of another, without its time, under a name that is free."""
    form = TournamentForm(instance=former)
    values = {name: form[name].value() for name in form.fields if name not in {"time_zone", "lock_at"}}
    return values | {"name": free_name(former.name)}


def free_name(name: str) -> str:
    """Return the name with the next number that no event has: Cup, Cup 2, Cup 3."""
    base = re.sub(r" \d{1,4}$", "", name)[:75]
    taken = Tournament.objects.exclude(state=State.CANCELLED).filter(name__startswith=base)
    names = set(taken.values_list("name", flat=True))
    return next(
        one for one in (base, *(f"{base} {number}" for number in range(2, 10_000))) if one not in names
    )


def invite_again(tournament: Tournament, former: Tournament) -> int:
    """Invite the bots that took part in an earlier event and still can; return how many."""
    bots = former.entries.filter(state__in=[EntryState.ENTERED, EntryState.WITHDRAWN])
    able = bots.filter(bot__active_version__isnull=False, bot__disqualified_at=None)
    invited = TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=tournament, bot_id=bot_id, state=EntryState.INVITED)
        for bot_id in able.order_by("seed", "pk").values_list("bot_id", flat=True)
    )
    return len(invited)
