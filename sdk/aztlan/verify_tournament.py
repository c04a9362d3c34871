"""Checks the public export of a finished tournament: its seed, every pairing, every game, the ranking.

Nothing of the arena is believed: pairings are recomputed from the placements, seeds from the master seed, and
placements from the records, which are played again move by move.
"""

import base64
import binascii
import json
from typing import Any

from contests.formats.entities import Entrant, FormatError, Options
from contests.formats.fairness import commitment, game_seed
from contests.formats.ranking import ranking
from contests.formats.timeline import Timeline, recompute
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
    if data["version"] != 1:
        return [f"This export is of version {data['version']}, and only 1 is known."]
    if not data["master_seed"]:
        return ["The event is not over: its master seed is not shown yet."]
    master = bytes.fromhex(data["master_seed"])
    found = []
    if commitment(master) != data["seed_commitment"]:
        found.append("The master seed does not fit the commitment that was shown when versions were locked.")
    timeline = _timeline(data)
    found += _pairings(data, timeline)
    for game in data["games"]:
        found += [f"Pod {game['pod']}, game {game['number']}: {one}" for one in _game(data, game, master)]
    if timeline.is_over:
        order = ranking(data["format"], timeline.event, tuple(data["tie_breaks"]))
        if order != data["ranking"]:
            found.append("The ranking does not follow from the results.")
    return found


def _timeline(data: _Data) -> Timeline:
    counted = [one for one in data["entries"] if one["out_from"] != 0 and one["state"] != "invited"]
    ranked = sorted(counted, key=lambda one: one["seed"])
    entrants = [
        Entrant(one["id"], seed, one["rating"], one["out_from"]) for seed, one in enumerate(ranked, 1)
    ]
    results: dict[str, list[dict[int, int]]] = {}
    for game in sorted(data["games"], key=lambda one: one["number"]):
        if game["placements"]:
            placements = {int(entry): place for entry, place in game["placements"].items()}
            results.setdefault(game["pod"], []).append(placements)
    options = Options(**data["options"])
    length = data["best_of"] * (options.seats if data["duplicate"] else 1)
    return recompute(data["format"], options, entrants, results, length)


def _pairings(data: _Data, timeline: Timeline) -> list[str]:
    found = [] if timeline.is_over else ["The results do not bring the event to its end."]
    found += [f"Pod {key} does not follow from the results before it." for key in timeline.orphans]
    ours = [[pod.key for pod in played.round.pods] for played in timeline.event.played]
    theirs = [[pod["key"] for pod in one["pods"]] for one in data["rounds"]]
    for number, (own, shown) in enumerate(zip(ours, theirs, strict=False), 1):
        if sorted(own) != sorted(shown):
            found.append(f"Round {number} was not paired as the format pairs it.")
    if len(ours) != len(theirs):
        found.append(f"There are {len(theirs)} rounds, and {len(ours)} follow from the results.")
    return found


def _game(data: _Data, game: _Data, master: bytes) -> list[str]:
    """What is wrong with one game. A forfeit was not played: its placements are the order of the seeds."""
    seeds = {str(one["id"]): one["seed"] for one in data["entries"]}
    if game["forfeit"]:
        order = sorted(game["placements"], key=lambda entry: seeds[entry])
        fits = game["placements"] == {entry: place for place, entry in enumerate(order, 1)}
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
    by_name = {f"{one['bot']} {one['version']}": str(one["id"]) for one in data["entries"]}
    in_pod = set(game["placements"])
    failed = game["failed_at"]

    def key(seat: int) -> tuple[bool, int, int]:
        return (failed[seat] is not None, -(failed[seat] or 0), placements[seat])

    order = sorted(range(len(record.seats)), key=key)
    ranked = [by_name.get(record.seats[seat], "") for seat in order]
    return {entry: place for place, entry in enumerate([one for one in ranked if one in in_pod], 1)}
