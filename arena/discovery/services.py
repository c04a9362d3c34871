"""Following, and what followers are told. Nothing here tells a result: a notice only says where to look."""

from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.bots.selectors import people_behind
from arena.discovery.models import Follow
from arena.notices.services import notify, say
from arena.outbox import services as outbox
from arena.tournaments.models import State, Tournament

MOST_FOLLOWS = 200
TOLD_STATES = (State.RUNNING, State.FINISHED, State.CANCELLED)


class FollowError(Exception):
    """Nothing more can be followed; the text says what to do."""


@transaction.atomic
def follow(user: User, thing: Bot | Tournament) -> None:
    """Follow a bot or an event; doing so twice is the same as once. Raises FollowError."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two requests are counted one by one
    wanted = _as_fields(thing)
    if user.follows.filter(**wanted).exists():
        return
    if user.follows.count() >= MOST_FOLLOWS:
        raise FollowError(
            _("You follow %d bots and events, which is the maximum. Stop following one first.") % MOST_FOLLOWS
        )
    Follow.objects.create(user=user, **wanted)


def unfollow(user: User, thing: Bot | Tournament) -> None:
    user.follows.filter(**_as_fields(thing)).delete()


def _as_fields(thing: Bot | Tournament) -> dict[str, Any]:
    return {"bot": thing} if isinstance(thing, Bot) else {"tournament": thing}


def bot_can_play(bot_id: int) -> None:
    """A version of a bot was activated: its followers are told soon."""
    if Follow.objects.filter(bot=bot_id).exists():
        outbox.owe("follows", {"bot": bot_id})


def event_moved(tournament_id: int, state: str) -> None:
    """An event started, ended or was cancelled: its followers are told soon."""
    if state in TOLD_STATES and Follow.objects.filter(tournament=tournament_id).exists():
        outbox.owe("follows", {"tournament": tournament_id, "state": state})


def tell_followers(payload: dict[str, Any]) -> None:
    """Write the notices that are owed. What has changed again meanwhile is told by its own."""
    if "bot" in payload:
        _tell_of_bot(Bot.objects.select_related("active_version").get(pk=payload["bot"]))
    else:
        _tell_of_event(Tournament.objects.get(pk=payload["tournament"]), payload["state"])


@transaction.atomic
def _tell_of_bot(bot: Bot) -> None:
    if bot.active_version is None:
        return
    values = {"bot": bot.name, "number": bot.active_version.number}
    for follower in bot.followers.exclude(user__in=people_behind([bot.owner_id])[bot.owner_id]):
        notify(
            follower.user_id,
            lambda: _("%(bot)s now plays with version %(number)s.") % values,
            bot.get_absolute_url(),
        )


@transaction.atomic
def _tell_of_event(event: Tournament, state: str) -> None:
    if event.state != state:
        return
    texts = {
        State.RUNNING: gettext_noop("%(event)s has started."),
        State.FINISHED: gettext_noop("%(event)s is over."),
        State.CANCELLED: gettext_noop("%(event)s was cancelled."),
    }
    text = partial(say, texts[State(state)], {"event": event.name})
    for follower in event.followers.all():
        notify(follower.user_id, text, event.get_absolute_url())
