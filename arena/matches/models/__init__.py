from arena.matches.models.attempt import Attempt
from arena.matches.models.host import Host
from arena.matches.models.mail import OwedMail
from arena.matches.models.match import DuplicateSet, Match, MatchSeat
from arena.matches.models.outbox import Outbox
from arena.matches.models.report import HeldReport, MatchReport, SeatLog
from arena.matches.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "Attempt",
    "DuplicateSet",
    "HeldReport",
    "Host",
    "Match",
    "MatchReport",
    "MatchSeat",
    "Outbox",
    "OwedMail",
    "SeatLog",
    "Webhook",
    "WebhookDelivery",
]
