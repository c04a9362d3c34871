from arena.matches.models.match import DuplicateSet, Match, MatchSeat
from arena.matches.models.report import MatchReport, SeatLog

__all__ = ["DuplicateSet", "Match", "MatchReport", "MatchSeat", "SeatLog"]
