"""Two-seat events in the FIDE tournament report format (TRF16), which other programs can read and pair.

White is the entrant who sits in seat 0 in the first game of a series. A pairing-allocated bye is a full
point; entrants who are out are absent with zero points.
"""

from collections.abc import Mapping

from contests.formats.entities import FormatError, PlayedRound, TournamentProgress
from contests.formats.points import WIN, series_points

_RESULTS_AT = 91
_RESULTS = {WIN: "1", WIN // 2: "=", 0: "0"}


def export(event: TournamentProgress, name: str, names: Mapping[int, str], rounds: int) -> str:
    """Return the event so far. Names are cut to the width of the format's columns."""
    if event.options.seats != 2:
        raise FormatError("Only two-seat events have a FIDE tournament report.")
    lines = [f"012 {_plain(name, 60)}", f"XXR {rounds}", "XXC white1"]
    for one in event.by_seed():
        cells = [_cell(event, one.id, played) for played in event.played]
        points = sum({"1": 2, "=": 1, "U": 2}.get(cell[-1], 0) for cell in cells)
        head = f"001 {one.seed:4} {'':4} {_plain(names[one.id], 33):33} {min(9999, int(one.rating)):4}"
        lines.append(f"{head:79} {points / 2:4.1f} {one.seed:4}  {'  '.join(cells)}".rstrip())
    return "\n".join(lines) + "\n"


def _plain(text: str, width: int) -> str:
    return "".join(sign if sign.isascii() and sign.isprintable() else "?" for sign in text)[:width]


def _cell(event: TournamentProgress, one: int, played: PlayedRound) -> str:
    """Return the opponent, colour and result of one entrant in one round."""
    for pod in played.round.pods:
        if one in pod.entrants:
            other = pod.entrants[1 - pod.entrants.index(one)]
            colour = "w" if pod.entrants[0] == one else "b"
            result = _RESULTS[series_points(played.games[pod.key])[one]]
            return f"{event.by_id[other].seed:4} {colour} {result}"
    return "0000 - U" if one in played.round.byes or one in played.round.walkovers else "0000 - Z"


def with_absent(report: str, seeds: set[int], number: int) -> str:
    """Return the report with a zero-point bye for these entrants, so that they are not paired next."""
    lines = []
    for line in report.splitlines():
        if line.startswith("001") and int(line[4:8]) in seeds:
            line = f"{line:{_RESULTS_AT + (number - 1) * 10}}0000 - Z"
        lines.append(line)
    return "\n".join(lines) + "\n"
