"""Key moments of a game, from its frames alone: what somebody who saw it would tell others.

A moment is plain data: the `step` at which it happened, its `kind`, the `seat` it is about, and numbers:

- `swing`: the scoring of one age that brought a seat most more than anybody else (`points`, `lead`);
- `domain_lost`: a domain of `size` territories of which at most `left` stay together, broken in `territory`;
- `lead`: the scoring after which the winner was never overtaken again (`score`);
- `card`: the last prosperity card without whose `points` the winner would not have won;
- `power`: where there is no such card, the power card with which the winner took the lead for good;
- `end`: the end, with the winner's `score` and its `margin`.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from engine.board import Board, count
from engine.replay.frames import Frame, TableData, apply_frame

Moment = dict[str, Any]
MOST_DOMAINS: Final = 3
SMALLEST_LOSS: Final = 2


def moments(frames: Sequence[Frame], board: Board) -> list[Moment]:
    """Return the key moments of a game that is over, in order; none of one that is not."""
    positions = list(_positions(frames))
    over = [event for event in frames[-1]["events"] if event["kind"] == "game_over"] if frames else []
    if not over:
        return []
    winner = over[0]["placements"].index(1)
    scores = positions[-1]["scores"]
    margin = scores[winner] - max(score for seat, score in enumerate(scores) if seat != winner)
    end = {
        "step": frames[-1]["step"], "kind": "end", "seat": winner,
        "score": scores[winner], "margin": margin,
    }  # fmt: skip
    lead = _lead(frames, positions, winner)
    found = [*_swing(frames), *_domains_lost(frames, positions, board), *lead, end]
    found += _decisive_card(frames, winner, margin) or _decisive_power(frames, winner, lead)
    return sorted(found, key=lambda one: int(one["step"]))


def _positions(frames: Sequence[Frame]) -> Iterator[TableData]:
    position: TableData = {}
    for frame in frames:
        position = apply_frame(position, frame)
        yield position


def events_of(frames: Sequence[Frame], kind: str) -> Iterator[tuple[Frame, dict[str, Any]]]:
    """All events of a kind, each with its frame."""
    for frame in frames:
        for event in frame["events"]:
            if event["kind"] == kind:
                yield frame, event


def _swing(frames: Sequence[Frame]) -> list[Moment]:
    """The greatest lead over everybody else's points of the same age."""
    ages: list[list[Moment]] = [[]]
    for frame in frames:
        for event in frame["events"]:
            if event["kind"] == "age_began":
                ages.append([])
            elif event["kind"] == "age_scored":
                ages[-1].append({"step": frame["step"], "kind": "swing", "seat": event["seat"],
                                 "points": event["points"]})  # fmt: skip
    swings = []
    for age in ages:
        ranked = sorted(age, key=lambda one: -int(one["points"]))
        swings += [
            {**first, "lead": first["points"] - next_["points"]} for first, next_ in [*pairwise(ranked)][:1]
        ]
    best = max(swings, key=lambda one: int(one["lead"]), default=None)
    return [best] if best and best["lead"] else []


def _domains_lost(frames: Sequence[Frame], positions: Sequence[TableData], board: Board) -> list[Moment]:
    """The domains of which most was lost with one territory."""
    found = []
    for frame, before in zip(frames[1:], positions, strict=False):
        pawns = dict(before["pawns"])
        for event in frame["events"]:
            if event["kind"] != "pawns_removed":
                continue
            side, territory = event["side"], event["territory"]
            held = [t for t in range(board.size) if pawns.get(str(side * board.size + t))]
            domain = _reach(board, territory, sum(1 << t for t in held))
            rest = domain & ~(1 << territory)
            left = max((count(_reach(board, t, rest)) for t in held if rest >> t & 1), default=0)
            del pawns[str(side * board.size + territory)]
            if count(domain) - left >= SMALLEST_LOSS:
                found.append({
                    "step": frame["step"], "kind": "domain_lost", "seat": before["side_of"].index(side),
                    "territory": territory, "size": count(domain), "left": left,
                })  # fmt: skip
    return sorted(found, key=lambda one: one["left"] - one["size"])[:MOST_DOMAINS]


def _reach(board: Board, start: int, within: int) -> int:
    """The connected territories around one, as a mask."""
    seen, edge = 0, 1 << start
    while edge:
        seen |= edge
        near = 0
        for t in range(board.size):
            if edge >> t & 1:
                near |= board.adjacent[t]
        edge = near & within & ~seen
    return seen


def _lead(frames: Sequence[Frame], positions: Sequence[TableData], winner: int) -> list[Moment]:
    """The scoring after which nobody had more points than the winner again."""
    found = None
    for frame, position in zip(frames, positions, strict=True):
        scored = any(event["kind"] in ("age_scored", "end_scored") for event in frame["events"])
        leads = position["scores"][winner] == max(position["scores"])
        if not leads:
            found = None
        elif found is None and scored and any(position["scores"]):
            found = {
                "step": frame["step"], "kind": "lead", "seat": winner, "score": position["scores"][winner],
            }  # fmt: skip
    return [found] if found else []


def _decisive_card(frames: Sequence[Frame], winner: int, margin: int) -> list[Moment]:
    """The winner's last Blessing that was worth more than the margin."""
    cards = [
        {"step": frame["step"], "kind": "card", "seat": winner, "card": event["card"],
         "points": event["points"]}
        for frame, event in events_of(frames, "blessing_played")
        if event["seat"] == winner and event["points"] > margin
    ]  # fmt: skip
    return cards[-1:]


def _decisive_power(frames: Sequence[Frame], winner: int, lead: list[Moment]) -> list[Moment]:
    """The power card of the age in which the winner took the lead for good."""
    last = lead[0]["step"] if lead else frames[-1]["step"]
    cards = [
        {"step": frame["step"], "kind": "power", "seat": winner, "card": event["card"]}
        for frame, event in events_of(frames, "power_revealed")
        if event["seat"] == winner and frame["step"] <= last
    ]
    return cards[-1:]
