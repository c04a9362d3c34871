"""What an organiser can do: which acts fit the present state, and how a form or a request names one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.tournaments import entering, services
from arena.tournaments.models import Release, State, Tournament

ACTS = (
    "publish", "lock", "start", "pause", "resume", "open_next_round", "cancel", "reinstate", "void",
    "take_back", "release", "seed", "enter", "invite", "withdraw", "disqualify", "uninvite",
)  # fmt: skip


@dataclass(frozen=True)
class Act:
    """One act: the question to confirm, what to say once it is done, and what carries it out.

    Where it may change pairings, its effect is shown before it is done.
    """

    name: str
    title: str
    done: str
    run: Callable[[User], object]
    needs_preview: bool = False

    @property
    def is_danger(self) -> bool:
        """Whether it takes something away."""
        return self.name in {"withdraw", "disqualify", "uninvite", "void", "take_back", "cancel"}


SIMPLE: Final[dict[str, tuple[Promise, Promise, Callable[[int, User], object]]]] = {
    "publish": (_l("Open it for entries?"), _l("The tournament is open for entries."), services.publish),
    "lock": (
        _l("Close entries and lock versions?"),
        _l("Entries are closed and versions are locked."),
        services.lock,
    ),
    "start": (_l("Start the tournament?"), _l("The tournament has started."), services.start),
    "pause": (_l("Pause the tournament?"), _l("The tournament is paused."), services.pause),
    "resume": (_l("Resume the tournament?"), _l("The tournament goes on."), services.resume),
    "reinstate": (_l("Undo the cancellation?"), _l("The cancellation is undone."), services.reinstate),
}
"""Acts that need nothing but the tournament: the question, what to say once it is done, and the service."""


class Button(NamedTuple):
    act: str
    label: str
    is_danger: bool = False


def available(tournament: Tournament) -> list[Button]:
    """Return the acts of one click that fit the present state."""
    by_state = {
        State.DRAFT: [Button("publish", _("Open for entries"))],
        State.REGISTRATION: [Button("lock", _("Close entries and lock versions"))],
        State.LOCKED: [Button("start", _("Start"))],
        State.RUNNING: [Button("pause", _("Pause"))],
        State.PAUSED: [Button("resume", _("Resume"))],
        State.CANCELLED: [Button("reinstate", _("Undo the cancellation"))],
    }
    found = by_state.get(State(tournament.state), [])
    if tournament.state == State.RUNNING and tournament.rounds_by_hand:
        found = [Button("open_next_round", _("Open the next round")), *found]
    if tournament.state not in {State.FINISHED, State.CANCELLED}:
        found = [*found, Button("cancel", _("Cancel the tournament"), is_danger=True)]
    return found


def read(tournament: Tournament, data: Mapping[str, str]) -> Act:
    """Return the act that a form names; raise RefusedError where something in it is missing or wrong."""
    name, key = data.get("act", ""), tournament.pk
    if name in SIMPLE:
        title, done, service = SIMPLE[name]
        return Act(name, str(title), str(done), lambda actor: service(key, actor))
    if name == "seed":
        slugs = _seed_order(data.get("slugs", ""))
        return Act(
            name,
            _("Set the seeds?"),
            _("Seeds set."),
            lambda actor: entering.seed_by_hand(key, slugs, actor),
            needs_preview=True,
        )
    if name in {"enter", "invite", "uninvite", "withdraw", "disqualify"}:
        return _on_bot(key, name, data)
    return _on_rounds(key, name, data)


def _on_rounds(key: int, name: str, data: Mapping[str, str]) -> Act:
    reason = _reason(data)
    if name == "open_next_round":
        number = _number(data["round"]) if data.get("round") else None
        title = _("Open the next round?")
        return Act(
            name, title, _("Round opened."), lambda actor: services.open_next_round(key, actor, number)
        )
    if name == "cancel":
        return Act(
            name,
            _("Cancel the tournament?"),
            _("The tournament is cancelled."),
            lambda actor: services.cancel(key, actor, reason),
            needs_preview=True,
        )
    if name == "void":
        game = _number(data.get("game", ""))
        return Act(
            name,
            _("Void this game?"),
            _("Game voided. It will be played again."),
            lambda actor: services.void(key, game, actor, reason),
            needs_preview=True,
        )
    if name == "take_back":
        first = _number(data.get("round", ""))
        return Act(
            name,
            _("Take back round %d and all later rounds?") % first,
            _("Round %d and all later rounds are taken back.") % first,
            lambda actor: services.take_back_rounds(key, actor, first, reason),
            needs_preview=True,
        )
    if name == "release":
        kind, up_to = data.get("release", ""), _number(data.get("round", ""))
        if kind not in Release.values:
            raise RefusedError("release", _("Choose who may see the results."))
        done = _("Results released up to round %d.") % up_to
        title = _("Release the results up to round %d?") % up_to
        return Act(name, title, done, lambda actor: services.release_rounds(key, actor, kind, up_to))
    raise RefusedError("act", _("There is no such act."))


def _on_bot(key: int, name: str, data: Mapping[str, str]) -> Act:
    bot = find_bot(data.get("bot", ""))
    reason = _reason(data)
    if name == "enter":
        title, done = _("Enter %s?") % bot.name, _("%s entered.") % bot.name
        return Act(name, title, done, lambda actor: entering.enter(key, bot, actor))
    if name == "invite":
        title, done = _("Invite %s?") % bot.name, _("%s invited.") % bot.name
        return Act(name, title, done, lambda actor: entering.invite(key, bot, actor))
    if name == "uninvite":
        title, done = (
            _("Take back the invitation of %s?") % bot.name,
            _("%s is no longer invited.") % bot.name,
        )
        return Act(name, title, done, lambda actor: entering.uninvite(key, bot, actor))
    if name == "withdraw":
        return Act(
            name,
            _("Withdraw %s?") % bot.name,
            _("%s withdrawn.") % bot.name,
            lambda actor: entering.withdraw(key, bot, actor, reason),
            needs_preview=True,
        )
    first = _number(data["from_round"]) if data.get("from_round") else None
    return Act(
        name,
        _("Disqualify %s?") % bot.name,
        _("%s disqualified.") % bot.name,
        lambda actor: entering.disqualify(key, bot, actor, reason, first),
        needs_preview=True,
    )


def _seed_order(text: str) -> list[str]:
    """Return the addresses of bots: one name or address per line, or addresses separated by spaces."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    by_name = Bot.objects.annotate(lower=Lower("name")).filter(lower__in=[line.lower() for line in lines])
    slugs = dict(by_name.values_list("lower", "slug"))
    known = set(Bot.objects.filter(slug__in=lines).values_list("slug", flat=True))
    found: list[str] = []
    for line in lines:
        name = slugs.get(line.lower())
        found += [line] if line in known else [name] if name else line.replace(",", " ").split()
    return found


def find_bot(text: str) -> Bot:
    """Return the bot of this address or, where no bot has it, of this name; no two have the same name."""
    wanted = text.strip()
    if not wanted:
        raise RefusedError("bot", _("Name a bot."))
    named = Bot.objects.annotate(lower=Lower("name"))
    found = named.filter(Q(slug=wanted) | Q(lower=wanted.lower()))
    bot = min(found, key=lambda one: one.slug != wanted, default=None)
    if bot is None:
        raise RefusedError("bot", _("There is no bot “%s”. Check how it is written.") % wanted[:60])
    return bot


def _reason(data: Mapping[str, str]) -> str:
    return data.get("reason", "").strip()[:200]


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise RefusedError("number", _("A number is missing."))
    return int(text)
