"""The output of `aztlan play`, for people and for programs."""

from collections.abc import Mapping
from dataclasses import asdict

from aztlan.local.match import Outcome
from aztlan.local.player_results import PlayerResult
from aztlan.remote import plain

TROUBLES_SHOWN = 10


def as_data(one: PlayerResult) -> dict[str, object]:
    """Return a player's result as JSON data. An infinite Elo difference is null."""
    ends = {"elo": one.elo, "elo_low": one.elo_low, "elo_high": one.elo_high}
    finite = {
        key: None if value is None or abs(value) == float("inf") else value for key, value in ends.items()
    }
    return {**asdict(one), "win_share": one.win_share, **finite}


def failures_data(outcomes: Mapping[int, Outcome]) -> list[dict[str, object]]:
    """Return the failures as JSON data."""
    return [
        {"game": number + 1, "bot": game.names[seat], "why": why}
        for number, game in sorted(outcomes.items())
        for seat, why in game.failures.items()
    ]


def print_table(table: list[PlayerResult]) -> None:
    """Print the standings for people."""
    width = max(len(one.name) for one in table)
    print(f"{'bot':<{width}}  seats   won  win share  mean place  beats others   Elo difference [95%]")
    for one in table:
        print(
            f"{one.name:<{width}}  {one.games:5}  {one.wins:4}  {one.win_share:8.1%}  {one.mean_place:10.2f}"
            f"  {one.beaten:11.1%}   {elo_text(one)}"
        )


def elo_text(one: PlayerResult) -> str:
    """Return an Elo difference and its interval as text."""
    if one.elo_low is None or one.elo_high is None:
        return f"{one.elo:+.0f} [play more games]"
    return f"{one.elo:+.0f} [{one.elo_low:+.0f}, {one.elo_high:+.0f}]"


def print_troubles(outcomes: Mapping[int, Outcome]) -> None:
    """Print each kind of fault or strike once, and the full output of the first bot that failed."""
    shown: set[tuple[str, str]] = set()
    for number, game in sorted(outcomes.items()):
        for name, trouble in zip(game.names, game.troubles, strict=True):
            if trouble and (name, trouble) not in shown and len(shown) < TROUBLES_SHOWN:
                shown.add((name, trouble))
                print(f"game {number + 1}: {name}: {plain(trouble)}")
    for failure in failures_data(outcomes)[:1]:
        print(f"\n{failure['bot']} failed in game {failure['game']}: {plain(str(failure['why']))}")


def output_of(number: int, game: Outcome) -> str:
    """Return what the bots of a game printed and noted."""
    parts = []
    for seat in sorted({*game.outputs, *game.notes}):
        who = f"game {number + 1}, seat {seat}, {game.names[seat]}"
        if output := game.outputs.get(seat, ""):
            parts.append(f"--- {who} printed:\n{output.rstrip()}\n")
        if notes := game.notes.get(seat):
            lines = "".join(f"step {step}: {note}\n" for step, note in sorted(notes.items()))
            parts.append(f"--- {who} noted:\n{lines}")
    return plain("".join(parts))
