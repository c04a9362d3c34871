from arena.matches.models.match import STILL_TO_PLAY, DuplicateSet, Match, MatchSeat
from arena.matches.models.report import MatchReport, SeatLog

__all__ = ["STILL_TO_PLAY", "DuplicateSet", "Match", "MatchReport", "MatchSeat", "SeatLog"]
