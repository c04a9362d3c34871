"""When something happens, who is told: the only way for an app to call one that it must not import.

The apps stand in an order (`[tool.importlinter]` in pyproject.toml): a higher one calls a lower one directly.
Where a lower one must call upwards, it publishes what happened, and these tables say who listens. Listeners
are called immediately, in the order of the table, inside the caller's transaction.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

from django.utils.module_loading import import_string


class Happening(Enum):
    PASSWORD_CHANGED = auto()
    """(user id, function that returns the text of the notice, link)"""
    ACCOUNT_EXPORTED = auto()
    """(user): listeners return what they know about the person, by section."""
    ACCOUNT_LEAVES = auto()
    """(user): the person deletes their account."""
    VERSION_CHECKED = auto()
    """(version): it is ready to be built and validated."""
    VERSION_TO_BE_TESTED = auto()
    """(version id): it may take the active one's place once it has proved better."""
    BOT_CAN_PLAY = auto()
    """(bot id): a version of it was activated."""
    VERSION_WAITS = auto()
    """(version): listeners return why it waits, or an empty text."""
    MATCHES_REQUESTED = auto()
    """(match ids): they are to be played."""
    MATCH_REQUESTED_AGAIN = auto()
    """(match): it was set aside and is to be tried again."""
    MATCH_WITHDRAWN = auto()
    """(match, reason): it is about to be voided, so it need not be played."""
    MATCHES_OVER = auto()
    """(matches of one purpose): they are finished, void or set aside; may be published twice."""
    WORLDS_PLAYED = auto()
    """(key of who asked): a host has reported some of the games that bots played on for them."""
    WORLDS_SET_ASIDE = auto()
    """(key of who asked): hosts have failed too often at some of these games."""
    RESULTS_HELD_BACK = auto()
    """(match ids of one purpose, person): listeners return those that the person may not see yet."""
    PAIRINGS_HELD_BACK = auto()
    """(person): listeners return a condition for matches whose pairing the person may not know."""
    RESULTS_DELAYED = auto()
    """(contest ids of one purpose): listeners return each one's spectators' delay in seconds."""
    EVENT_MOVED = auto()
    """(tournament id, state): it started, ended or was cancelled."""
    CORRECTIONS_SHOWN = auto()
    """(most): listeners return up to this many seasons that are being corrected."""


@dataclass(frozen=True)
class Listener:
    """A function, named by its path. With a purpose, it is told only of matches of that purpose."""

    function: str
    purpose: str = ""


LISTENERS: Final[dict[Happening, tuple[Listener, ...]]] = {
    Happening.PASSWORD_CHANGED: (Listener("arena.notices.services.notify"),),
    Happening.ACCOUNT_EXPORTED: (
        Listener("arena.notices.services.export_of"),
        Listener("arena.bots.selectors.export_of"),
        Listener("arena.teams.selectors.export_of"),
        Listener("arena.play.people_results.export_of"),
    ),
    Happening.ACCOUNT_LEAVES: (
        Listener("arena.teams.services.leave_all"),
        Listener("arena.bots.services.stop_bots_of"),
        Listener("arena.notices.services.forget"),
        Listener("arena.play.people_results.forget"),
    ),
    Happening.VERSION_CHECKED: (Listener("arena.hosts.queueing.request_build"),),
    Happening.VERSION_TO_BE_TESTED: (Listener("arena.promotions.services.start"),),
    Happening.BOT_CAN_PLAY: (
        Listener("arena.ladders.matchmaking.enter_everywhere"),
        Listener("arena.promotions.services.follow_activation"),
        Listener("arena.discovery.services.bot_can_play"),
    ),
    Happening.EVENT_MOVED: (Listener("arena.discovery.services.event_moved"),),
    Happening.VERSION_WAITS: (Listener("arena.hosts.waiting.why_it_waits"),),
    Happening.MATCHES_REQUESTED: (Listener("arena.hosts.queueing.queue_first_attempts"),),
    Happening.MATCH_REQUESTED_AGAIN: (Listener("arena.hosts.queueing.queue_next_attempt"),),
    Happening.MATCH_WITHDRAWN: (Listener("arena.hosts.queueing.withdraw_attempts"),),
    Happening.MATCHES_OVER: (
        Listener("arena.hosts.validation.settle", "validation"),
        Listener("arena.ladders.services.settle", "ladder"),
        Listener("arena.tournaments.running.settle", "tournament"),
        Listener("arena.play.services.tell_over", "play"),
        Listener("arena.promotions.services.settle", "promotion"),
        Listener("arena.matches.announcing.announce"),
        Listener("arena.replays.services.owe_chances_of_events"),
        Listener("arena.analysis.services.owe_explanations"),
    ),
    Happening.WORLDS_PLAYED: (Listener("arena.analysis.host_continuations.count_games"),),
    Happening.WORLDS_SET_ASIDE: (Listener("arena.analysis.host_continuations.give_up"),),
    Happening.RESULTS_HELD_BACK: (
        Listener("arena.tournaments.visibility.held_back", "tournament"),
        Listener("arena.promotions.selectors.held_back", "promotion"),
        Listener("arena.play.daily_challenge.held_back", "play"),
    ),
    Happening.PAIRINGS_HELD_BACK: (
        Listener("arena.tournaments.visibility.unknown_pairings", "tournament"),
        Listener("arena.promotions.selectors.unknown_pairings", "promotion"),
    ),
    Happening.RESULTS_DELAYED: (
        Listener("arena.ladders.selectors.live_delays", "ladder"),
        Listener("arena.tournaments.visibility.live_delays", "tournament"),
    ),
    Happening.CORRECTIONS_SHOWN: (Listener("arena.ladders.selectors.corrections"),),
}


def publish(happening: Happening, *about: Any, purpose: str = "") -> list[Any]:
    """Call all listeners and return their answers."""
    return [
        import_string(listener.function)(*about)
        for listener in LISTENERS[happening]
        if listener.purpose in ("", str(purpose))
    ]


@dataclass(frozen=True)
class WorkHandler:
    """Who does owed work of one kind, on which queue; `together` means one call for all that is owed."""

    function: str
    queue: str = "arena"
    together: bool = False

    def __call__(self, work: Any) -> None:
        import_string(self.function)(work)


HANDLERS: Final[dict[str, WorkHandler]] = {
    "settle": WorkHandler("arena.matches.settling.settle", together=True),
    "correct": WorkHandler("arena.ladders.correcting.go_on", queue="heavy"),
    "publish": WorkHandler("arena.hosts.reports.publish"),
    "announce": WorkHandler("arena.matches.announcing.announce_contest"),
    "follows": WorkHandler("arena.discovery.services.tell_followers"),
    "mail": WorkHandler("arena.notices.mail.send", queue="calls"),
    "event_news": WorkHandler("arena.tournaments.news.deliver", queue="calls"),
    "chances": WorkHandler("arena.replays.services.deliver_chances", queue="heavy"),
    "explain": WorkHandler("arena.analysis.services.deliver_explanation", queue="heavy"),
    "continue": WorkHandler("arena.analysis.services.deliver_continuation", queue="heavy"),
}
