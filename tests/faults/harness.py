"""The arena that fault tests break, which the measurements in `bench/` run too, and the bots that play in it."""

from pathlib import Path

from bench._running_arena import Contest as AnyContest
from bench._running_arena import RunningArena, bot_source, make_version, wait_for

__all__ = ["BOTS", "Contest", "RunningArena", "bot_source", "make_version", "wait_for"]
BOTS = Path(__file__).parent / "bots"


class Contest(AnyContest):
    """A contest of the bots beside this file."""

    def __init__(self, kind: str = "first", seats: int = 2, folder: Path = BOTS) -> None:
        super().__init__(kind, seats, folder)
