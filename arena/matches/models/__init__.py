from arena.matches.models.archive import ArchivedReport, ReportArchive
from arena.matches.models.match import STILL_TO_PLAY, DuplicateSet, Match, MatchSeat, MatchTerms
from arena.matches.models.report import MatchReport, SeatLog

__all__ = [
    "STILL_TO_PLAY",
    "ArchivedReport",
    "DuplicateSet",
    "Match",
    "MatchReport",
    "MatchSeat",
    "MatchTerms",
    "ReportArchive",
    "SeatLog",
]
