"""Two-seat Swiss pairing by the FIDE Dutch system, done by the engine of the py4swiss package.

The seat in the first game of a series takes the role of the colour: seat 0 is white.
"""

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Final

from contests.formats import trf
from contests.formats.entities import TournamentProgress

MOST_ENTRANTS: Final = 128
"""With more entrants the engine takes too long for a web page."""


def pair(event: TournamentProgress, rounds: int) -> tuple[list[tuple[int, int]], list[int]] | None:
    """Return the pairs of the next round, white first, and the bye; None if the system allows no pairing.

    That happens when everybody has met everybody, or when too many are out.
    """
    number = event.next_number
    text = trf.export(event, "event", {one.id: str(one.id) for one in event.entrants}, max(rounds, number))
    absent = {one.seed for one in event.entrants if one.is_out(number)}
    found = _pair_seeds(trf.with_absent(text, absent, number))
    if found is None:
        return None
    ids = {one.seed: one.id for one in event.entrants}
    pairs = [(ids[white], ids[black]) for white, black in found if black]
    return pairs, [ids[white] for white, black in found if not black]


@lru_cache(maxsize=512)
def _pair_seeds(report: str) -> tuple[tuple[int, int], ...] | None:
    """Return the pairs by seed, 0 for a bye. Cached, as events are recomputed round by round."""
    # Here, since the SDK checks events of other formats without the package.
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import TrfParser

    with tempfile.NamedTemporaryFile("w+", suffix=".trf") as file:
        file.write(report)
        file.flush()
        try:
            found = DutchEngine.generate_pairings(TrfParser.parse(Path(file.name)))
        except PairingError:
            return None
    return tuple((one.white, one.black) for one in found)
