"""A bot's side of the conversation with a host, whatever the transport."""

import sys

from aztlan.bot import Bot, Match
from engine.events import events
from engine.rulesets import ruleset_from_options
from proto.messages import (
    PROTOCOL_VERSION,
    BotMessage,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    HostMessage,
    MatchStart,
    Ping,
    Pong,
    Strike,
)

NO_ACTION = 2**32 - 1
"""Sent when `choose` returned something that is not an action: a strike is milder than a crash."""


class Conversation:
    """Calls a bot's methods as messages come in."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def hello(self) -> Hello:
        """Return the bot's first message."""
        return Hello(PROTOCOL_VERSION, self.bot.name or type(self.bot).__name__)

    def hear(self, message: HostMessage) -> BotMessage | None:
        """Handle a message; return the answer, if one is due."""
        match message:
            case DecisionRequest():
                return self._decide(message)
            case MatchStart():
                self._start(message)
            case Strike():
                self.bot.on_strike(message)
            case GameOver():
                self.bot.on_end(message)
            case Ping():
                return Pong(message.ping_id)
        return None

    def _start(self, start: MatchStart) -> None:
        rules = ruleset_from_options(dict(start.ruleset))
        self.bot.match = Match(
            start.match_id, start.seat, start.seats, start.board, rules, start.clocks, start.seed_commitment
        )
        self.bot.on_start(self.bot.match)

    def _decide(self, request: DecisionRequest) -> Decision:
        bot = self.bot
        bot.time_left, bot.time_limit = request.time_left_ms / 1000, request.time_limit_ms / 1000
        if request.events and type(bot).on_events is not Bot.on_events:
            # A host sends only what the seat may see; a game in this process passes everything on.
            bot.on_events([event.seen_by(bot.match.seat) for event in events(list(request.events))])
        action: object = bot.choose(request.observation, request.legal_actions)
        if not isinstance(action, int) or not 0 <= action <= NO_ACTION:
            print(f"choose() must return one of the legal actions, not {action!r:.60}", file=sys.stderr)
            action = NO_ACTION
        return Decision(request.request_id, int(action), bot.take_note())
