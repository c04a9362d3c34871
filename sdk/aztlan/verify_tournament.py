"""Checks the public export of a finished tournament: its seed, every pairing, every game, the ranking.

Nothing of the arena is believed: seeds are recomputed from the master seed, placements from the records,
which are played again move by move, and each round is paired again from what was known when it was opened:
the games that counted then, also those that were voided later, and who was out then.
"""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from contests.formats.entities import Entrant, FormatError, Options, Pod, Round
from contests.formats.fairness import commitment, game_seed
from contests.formats.ranking import ranking
from contests.formats.timeline import Timeline, follow
from engine.errors import EngineError
from engine.record import Record, verify

_Data = dict[str, Any]


def verify_tournament(text: str) -> list[str]:
    """What is wrong with an export, in sentences; nothing where everything follows."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ["This is not the export of a tournament: it is no JSON."]
    try:
        return _problems(data)
    except KeyError as error:
        return [f"This is not the export of a tournament: it has no {error.args[0]!r}."]
    except (ValueError, TypeError, AttributeError, FormatError, RecursionError) as error:
        return [f"This is not the export of a finished tournament: {type(error).__name__} {error}"]


def _problems(data: _Data) -> list[str]:
    if data["version"] != 2:
        return [f"This export is of version {data['version']}, and only 2 is known."]
    if not data["master_seed"]:
        return ["The event is not over: its master seed is not shown yet."]
    master = bytes.fromhex(data["master_seed"])
    found = []
    if commitment(master) != data["seed_commitment"]:
        found.append("The master seed does not fit the commitment that was shown when versions were locked.")
    if malformed := [game for game in data["games"] if not _places_its_pod(data, game)]:
        where = [f"Pod {game['pod']}, game {game['number']}" for game in malformed]
        return [
            *found,
            *(f"{one}: its placements are not those of the entrants of its pod." for one in where),
        ]
    found += _entries(data)
    found += _pairings(data)
    for game in data["games"]:
        found += [f"Pod {game['pod']}, game {game['number']}: {one}" for one in _game(data, game, master)]
    return found + _end(data)


def _places_its_pod(data: _Data, game: _Data) -> bool:
    """Whether a game places the entrants of its pod, 1, 2, 3 and so on; only who is out may be missing."""
    out = {one["id"] for one in data["entries"] if one["out_from"] is not None}
    in_pod, placed = set(Pod.from_key(game["pod"]).entrants), set(map(int, game["placements"]))
    places = sorted(game["placements"].values())
    return in_pod - out <= placed <= in_pod and places == list(range(1, len(placed) + 1))


def _entrants(data: _Data, out: Mapping[str, int]) -> list[Entrant]:
    """The entrants, of whom those were out from these rounds on."""
    counted = [one for one in data["entries"] if one["out_from"] != 0 and one["state"] != "invited"]
    ranked = sorted(counted, key=lambda one: one["seed"])
    return [
        Entrant(one["id"], seed, one["rating"], out.get(str(one["id"]))) for seed, one in enumerate(ranked, 1)
    ]


def _entries(data: _Data) -> list[str]:
    """Who was out when a round was paired is out for good, and a withdrawn bot is not paired any more."""
    found = []
    ends = {str(one["id"]): one["out_from"] for one in data["entries"]}
    gone = {one["id"]: one["out_from"] for one in data["entries"] if one["state"] == "withdrawn"}
    for one in data["rounds"]:
        number = one["number"]
        found += [
            f"Entry {entry} was out when round {number} was paired, and is not now."
            for entry, first in one["known"]["out"].items()
            if ends.get(entry) is None or ends[entry] > first
        ]
        found += [
            f"Entry {entry} had withdrawn and was paired in round {number}."
            for entry in sorted({entry for pod in one["pods"] for entry in pod["entries"]})
            if gone.get(entry) is not None and gone[entry] <= number
        ]
    return found


def _timeline(data: _Data, up_to: int, games: Iterable[_Data], out: Mapping[str, int]) -> Timeline:
    """The rounds up to this one, with these games and these entrants out."""
    results: dict[str, list[dict[int, int]]] = {}
    for game in sorted(games, key=lambda one: one["number"]):
        if game["placements"]:
            placements = {int(entry): place for entry, place in game["placements"].items()}
            results.setdefault(game["pod"], []).append(placements)
    options = Options(**data["options"])
    length = data["best_of"] * (options.seats if data["duplicate"] else 1)
    rounds = [_round(one) for one in data["rounds"][:up_to]]
    return follow(data["format"], options, _entrants(data, out), rounds, results, length)


def _round(one: _Data) -> Round:
    return Round(
        one["number"],
        one["name"],
        tuple(Pod(one["number"], tuple(pod["entries"]), pod["name"]) for pod in one["pods"]),
        tuple(one["byes"]),
        tuple(one["walkovers"]),
        tuple(map(tuple, one["tables"])),
    )


def _pairings(data: _Data) -> list[str]:
    """Pair each round again, from the games that counted when it opened and from who was out then."""
    games = {game["id"]: game for game in data["games"]}
    known: set[int] = set()
    found = []
    for number, one in enumerate(data["rounds"], 1):
        counted, voided = set(one["known"]["counted"]), set(one["known"]["voided"])
        missing = (counted | voided) - games.keys()
        found += [f"Game {key}, which round {number} was paired from, is missing." for key in sorted(missing)]
        found += [
            f"Game {key} did not count for round {number}, though it was never voided."
            for key in sorted(voided - missing)
            if games[key]["voided"] is None
        ]
        known = (known | counted) - voided
        then = [games[key] for key in known & games.keys()]
        found += _doubled(then, number)
        before = _timeline(data, number - 1, then, one["known"]["out"])
        if before.open_pods:
            found.append(f"Round {number} was opened before all of its past was played.")
        elif before.next_round() != _round(one):
            found.append(f"Round {number} was not paired as the format pairs it.")
    return found


def _doubled(games: Iterable[_Data], number: int) -> list[str]:
    seen = Counter((game["pod"], game["number"]) for game in games)
    return [
        f"Game {game} of pod {pod} counts {times} times in round {number}."
        for (pod, game), times in seen.items()
        if times > 1
    ]


def _end(data: _Data) -> list[str]:
    """What is wrong with the end: all is played, each game belongs to a pod, and the ranking follows."""
    counted = [game for game in data["games"] if game["voided"] is None]
    out = {str(one["id"]): one["out_from"] for one in data["entries"] if one["out_from"] is not None}
    timeline = _timeline(data, len(data["rounds"]), counted, out)
    found = _doubled(counted, len(data["rounds"]))
    pods = {pod.key for one in timeline.rounds for pod in one.pods}
    found += [f"Pod {key} was never paired." for key in sorted({one["pod"] for one in data["games"]} - pods)]
    if timeline.open_pods or timeline.next_round() is not None:
        return [*found, "The results do not bring the event to its end."]
    if ranking(data["format"], timeline.event, tuple(data["tie_breaks"])) != data["ranking"]:
        found.append("The ranking does not follow from the results.")
    return found


def _game(data: _Data, game: _Data, master: bytes) -> list[str]:
    """What is wrong with one game. A forfeit was not played: its placements are the order of the seeds."""
    if game["forfeit"]:
        seeds = {one["id"]: one["seed"] for one in data["entries"]}
        order = sorted(Pod.from_key(game["pod"]).entrants, key=lambda entry: seeds[entry])
        fits = game["placements"] == {str(entry): place for place, entry in enumerate(order, 1)}
        return [] if fits else ["a forfeit goes by the seeds, and this one does not"]
    try:
        record = Record.from_bytes(base64.b64decode(game["record"], validate=True))
        state = verify(record)
    except (EngineError, binascii.Error, TypeError) as error:
        return [f"its record does not replay: {error}"]
    found = []
    shared = data["options"]["seats"] if data["duplicate"] else 1
    if record.seed != game_seed(master, game["pod"], (game["number"] - 1) // shared + 1):
        found.append("its seed does not follow from the master seed")
    if record.ruleset.options() != data["ruleset"]:
        found.append("it was played by another ruleset")
    if _places(data, game, record, state.placements()) != game["placements"]:
        found.append("its placements are not those of its record")
    return found


def _places(data: _Data, game: dict[str, Any], record: Record, placements: list[int]) -> dict[str, int]:
    """The places among the entrants, by the names in the record; failed bots last, the later the better."""
    by_name = {f"{one['bot']} {one['version']}": one["id"] for one in data["entries"]}
    in_pod = Pod.from_key(game["pod"]).entrants
    failed = game["failed_at"]

    def key(seat: int) -> tuple[bool, int, int]:
        return (failed[seat] is not None, -(failed[seat] or 0), placements[seat])

    order = sorted(range(len(record.seats)), key=key)
    ranked = [entry for seat in order if (entry := by_name.get(record.seats[seat])) in in_pod]
    return {str(entry): place for place, entry in enumerate(ranked, 1)}
