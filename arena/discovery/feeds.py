"""Atom feeds, as everybody may see things: readers of feeds do not sign in."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from arena.bots.models import Bot
from arena.ladders.models import Ladder
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.models import Match
from arena.matches.visibility import held_back
from arena.tournaments.models import Tournament
from arena.tournaments.visibility import find_tournament

ITEMS = 30
NOBODY = AnonymousUser()
LONG_AGO = datetime(2020, 1, 1, tzinfo=timezone.get_default_timezone())


class DatedAtom(Atom1Feed):
    """An empty feed would say that it has just changed, each time it is read."""

    def latest_post_date(self) -> Any:
        dates = [item["updateddate"] for item in self.items if item["updateddate"]]
        return max(dates, default=LONG_AGO)


class LatestMatches(Feed):
    """The latest results of the arena."""

    feed_type = DatedAtom

    def get_object(self, request: HttpRequest, **_kwargs: str) -> Any:
        return None

    def title(self, _about: Any) -> str:
        return _("Aztlán Arena: the latest matches")

    def link(self, _about: Any) -> str:
        return reverse("matches")

    def wanted(self, _about: Any) -> MatchFilter:
        return MatchFilter(state=Match.State.FINISHED)

    def items(self, about: Any) -> list[Match]:
        """Return the latest that everybody may see; few are held back."""
        found = list(list_matches(self.wanted(about), NOBODY)[: 2 * ITEMS])
        hidden = held_back(found, NOBODY)
        return [match for match in found if match.pk not in hidden][:ITEMS]

    def item_title(self, match: Any) -> str:
        return " · ".join(
            f"{seat.placement}. {seat.player} ({seat.score})" if seat.score is not None else seat.player
            for seat in match.by_placement
        )

    def item_description(self, match: Any) -> str:
        return str(match.get_purpose_display())

    def item_link(self, match: Any) -> str:
        return str(match.get_absolute_url())

    def item_pubdate(self, match: Any) -> datetime | None:
        finished: datetime | None = match.finished_at
        return finished

    item_updateddate = item_pubdate


class BotMatches(LatestMatches):
    """The latest results of a bot."""

    def get_object(self, request: HttpRequest, slug: str = "", **_kwargs: str) -> Bot:
        return get_object_or_404(Bot, slug=slug)

    def title(self, bot: Bot) -> str:
        return _("Matches of %(bot)s") % {"bot": bot.name}

    def link(self, bot: Bot) -> str:
        return bot.get_absolute_url()

    def wanted(self, bot: Bot) -> MatchFilter:
        return MatchFilter(bot=bot.slug, state=Match.State.FINISHED)


class ContestMatches(LatestMatches):
    """The latest results of one contest."""

    purpose: str

    def contests(self, about: Any) -> list[int]:
        return [about.pk]

    def items(self, about: Any) -> list[Match]:
        wanted = MatchFilter(state=Match.State.FINISHED, purpose=self.purpose)
        matches = list_matches(wanted, NOBODY)
        # Each by itself: the index has the matches of one contest in their order, not those of several.
        latest = [
            match for pk in self.contests(about) for match in matches.filter(purpose_id=pk)[: 2 * ITEMS]
        ]
        found = sorted(latest, key=lambda match: -match.pk)[: 2 * ITEMS]
        hidden = held_back(found, NOBODY)
        return [match for match in found if match.pk not in hidden][:ITEMS]

    def title(self, about: Any) -> str:
        return _("Matches of %(contest)s") % {"contest": about.name}

    def link(self, about: Any) -> str:
        return str(about.get_absolute_url())


class EventMatches(ContestMatches):
    purpose = Match.Purpose.TOURNAMENT

    def get_object(self, request: HttpRequest, slug: str = "", **_kwargs: str) -> Tournament:
        return find_tournament(slug, NOBODY)


class LadderMatches(ContestMatches):
    purpose = Match.Purpose.LADDER

    def get_object(self, request: HttpRequest, slug: str = "", **_kwargs: str) -> Ladder:
        return get_object_or_404(Ladder, slug=slug)

    def contests(self, about: Any) -> list[int]:
        return list(about.seasons.order_by("-number").values_list("pk", flat=True)[:2])


class LatestEvents(Feed):
    """The latest tournaments."""

    feed_type = DatedAtom

    def title(self) -> str:
        return _("Aztlán Arena: tournaments")

    def link(self) -> str:
        return reverse("tournaments")

    def items(self) -> list[Tournament]:
        return list(Tournament.objects.exclude(state="draft").order_by("-id")[:ITEMS])

    def item_title(self, event: Any) -> str:
        return str(event.name)

    def item_description(self, event: Any) -> str:
        return f"{event.get_format_display()}: {event.get_state_display()}"

    def item_pubdate(self, event: Any) -> datetime:
        created: datetime = event.created_at
        return created

    def item_updateddate(self, event: Any) -> datetime:
        latest: datetime = event.finished_at or event.started_at or event.created_at
        return latest
