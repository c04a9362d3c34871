"""Results in numbers, with an honest width. Pure: outcomes in, standings out.

The result of a player in a set of games is the share of its opponents that it placed before. Sets are
independent of each other, the games of a set are not: so the interval comes from the spread of the sets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from aztlan.local.match import Outcome

# Student's t, 97.5%, for 1 to 30 degrees of freedom.
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True)
class PlayerResult:
    """How one player did. `beaten` is the share of its opponents that it placed before; Elo says the same.

    The low and high ends are of the 95% interval, None where a single set cannot tell.
    """

    name: str
    games: int
    wins: int
    mean_place: float
    beaten: float
    beaten_low: float | None
    beaten_high: float | None
    troubles: int

    @property
    def win_share(self) -> float:
        """Of the games it sat in (a game with two of it counts twice)."""
        return self.wins / self.games

    @property
    def elo(self) -> float:
        """Elo difference to its opponents."""
        return elo(self.beaten)

    @property
    def elo_low(self) -> float | None:
        """Low end of the 95% interval."""
        return None if self.beaten_low is None else elo(self.beaten_low)

    @property
    def elo_high(self) -> float | None:
        """High end of the 95% interval."""
        return None if self.beaten_high is None else elo(self.beaten_high)


def elo(share: float) -> float:
    """The Elo difference at which this share is expected; certainty is given as infinity."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def interval(shares: Sequence[float]) -> tuple[float, float] | tuple[None, None]:
    """The 95% interval of the mean of independent shares."""
    count, mean = len(shares), fmean(shares)
    if count < 2:
        return None, None
    spread = stdev(shares)
    if (
        spread == 0
    ):  # all alike, as a winner's are: the spread says nothing, so each counts as one won or lost game
        z2 = 1.96**2
        middle = (mean + z2 / (2 * count)) / (1 + z2 / count)
        wide = 1.96 * math.sqrt(mean * (1 - mean) / count + z2 / (4 * count**2)) / (1 + z2 / count)
        return middle - wide, middle + wide
    freedom = count - 1
    wide = (_T[freedom - 1] if freedom <= len(_T) else 1.96 + 2.5 / freedom) * spread / math.sqrt(count)
    return max(0.0, mean - wide), min(1.0, mean + wide)


def standings(sets: Sequence[Sequence[Outcome]]) -> list[PlayerResult]:
    """The players from best to worst. Games of a player against itself alone say nothing and are left out."""
    names = dict.fromkeys(name for games in sets for game in games for name in game.names)
    return sorted((_standing(name, sets) for name in names), key=lambda one: -one.beaten)


def _standing(name: str, sets: Sequence[Sequence[Outcome]]) -> PlayerResult:
    places = [
        place
        for games in sets
        for game in games
        for place, who in zip(game.placements, game.names, strict=True)
        if who == name
    ]
    troubles = sum(
        bool(trouble)
        for games in sets
        for game in games
        for trouble, who in zip(game.troubles, game.names, strict=True)
        if who == name
    )
    shares = [share for games in sets if (share := _beaten(name, games)) is not None]
    low, high = interval(shares) if shares else (None, None)
    beaten = fmean(shares) if shares else 0.5
    return PlayerResult(name, len(places), places.count(1), fmean(places), beaten, low, high, troubles)


def _beaten(name: str, games: Sequence[Outcome]) -> float | None:
    """Of all pairs of a seat of this player and a seat of another, the share that it won."""
    pairs = [
        game.placements[mine] < game.placements[other]
        for game in games
        for mine in range(len(game.names))
        for other in range(len(game.names))
        if game.names[mine] == name != game.names[other]
    ]
    return fmean(pairs) if pairs else None
