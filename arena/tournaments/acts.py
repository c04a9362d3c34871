"""What an organiser can do on the desk: which acts there are now, and what a form asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.tournaments import services
from arena.tournaments.models import Release, State, Tournament


@dataclass(frozen=True)
class Act:
    """One act: its words, what carries it out, and whether its effect on the pairings is shown first."""

    name: str
    title: str
    run: Callable[[User], object]
    needs_preview: bool = False
    is_danger: bool = False


def available(tournament: Tournament) -> list[tuple[str, str, bool]]:
    """The acts of one click that fit the present state: name, words, and whether it is a danger."""
    by_state = {
        State.DRAFT: [("publish", _("Open for entries"), False)],
        State.REGISTRATION: [("lock", _("Close entries and lock versions"), False)],
        State.LOCKED: [("start", _("Start"), False)],
        State.RUNNING: [("pause", _("Pause"), False)],
        State.PAUSED: [("resume", _("Resume"), False)],
        State.CANCELLED: [("reinstate", _("Take the cancellation back"), False)],
    }
    found = by_state.get(State(tournament.state), [])
    if tournament.state == State.RUNNING and tournament.rounds_by_hand:
        found = [("open_next_round", _("Open the next round"), False), *found]
    if tournament.state not in {State.FINISHED, State.CANCELLED}:
        found = [*found, ("cancel", _("Cancel the tournament"), True)]
    return found


def read(tournament: Tournament, data: Mapping[str, str]) -> Act:
    """The act that a form asks for; raises RefusedError where it makes no sense."""
    name, key = data.get("act", ""), tournament.pk
    reason = data.get("reason", "").strip()[:200]
    simple: dict[str, tuple[str, Callable[[int, User], object]]] = {
        "publish": (_("open for entries"), services.publish),
        "lock": (_("close entries and lock versions"), services.lock),
        "start": (_("start"), services.start),
        "pause": (_("pause"), services.pause),
        "resume": (_("resume"), services.resume),
        "reinstate": (_("take the cancellation back"), services.reinstate),
    }
    if name in simple:
        title, service = simple[name]
        return Act(name, title, lambda actor: service(key, actor))
    if name == "open_next_round":
        number = _number(data["round"]) if data.get("round") else None
        return Act(name, _("open the next round"), lambda actor: services.open_next_round(key, actor, number))
    if name == "cancel":
        return Act(
            name, _("cancel the tournament"), lambda actor: services.cancel(key, actor, reason), True, True
        )
    if name == "void":
        game = _number(data.get("game", ""))
        return Act(name, _("void a game"), lambda actor: services.void(key, game, actor, reason), True, True)
    if name == "take_back":
        first = _number(data.get("round", ""))
        title = _("take back round %d and all after it") % first
        return Act(
            name, title, lambda actor: services.take_back_rounds(key, actor, first, reason), True, True
        )
    if name == "release":
        kind, up_to = data.get("release", ""), _number(data.get("round", ""))
        if kind not in Release.values:
            raise RefusedError("release", _("Choose who may see the results."))
        title = _("release results up to round %d") % up_to
        return Act(name, title, lambda actor: services.release_rounds(key, actor, kind, up_to))
    if name == "seed":
        slugs = data.get("slugs", "").replace(",", " ").split()
        return Act(name, _("seed by hand"), lambda actor: services.seed_by_hand(key, slugs, actor), True)
    return _on_bot(tournament, name, data, reason)


def _on_bot(tournament: Tournament, name: str, data: Mapping[str, str], reason: str) -> Act:
    key = tournament.pk
    bot = Bot.objects.filter(slug=data.get("bot", "").strip()).first()
    if bot is None:
        raise RefusedError("bot", _("There is no bot “%s”.") % data.get("bot", "")[:40])
    if name == "enter":
        return Act(name, _("enter %s") % bot.name, lambda actor: services.enter(key, bot, actor))
    if name == "invite":
        return Act(name, _("invite %s") % bot.name, lambda actor: services.invite(key, bot, actor))
    if name == "withdraw":
        title = _("withdraw %s") % bot.name
        return Act(name, title, lambda actor: services.withdraw(key, bot, actor, reason), True, True)
    if name == "disqualify":
        first = _number(data["from_round"]) if data.get("from_round") else None
        title = _("disqualify %s") % bot.name
        return Act(name, title, lambda actor: services.disqualify(key, bot, actor, reason, first), True, True)
    raise RefusedError("act", _("There is no such act."))


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise RefusedError("number", _("A number is missing."))
    return int(text)
