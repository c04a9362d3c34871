"""`aztlan status`: show how far a version has got, and how its test against the active version stands."""

import argparse
import time
from typing import Any

from aztlan.errors import SdkError
from aztlan.remote import Arena, RemoteError, plain
from aztlan.remote_account import known_arena

SETTLED = {"active", "validated", "rejected", "retired"}
PAUSE_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", help="the bot's address on the arena")
    parser.add_argument("version", nargs="?", type=int, help="the version's number (the latest)")
    parser.add_argument(
        "--watch", action="store_true", help="wait until it is active or rejected, and its test is over"
    )


def run(options: argparse.Namespace) -> int:
    """Show a version; return 1 if it is rejected."""
    arena = known_arena()
    number = options.version or latest(arena, options.bot)
    if options.watch:
        return follow(arena, options.bot, number)
    version = arena.get(f"bots/{options.bot}/versions/{number}")
    for event in version["events"]:
        show_event(event)
    code = show_version(version)
    if test := test_of(arena, options.bot, number):
        show_test(test)
    return code


def latest(arena: Arena, bot: str) -> int:
    found = arena.get(f"bots/{bot}/versions", page_size=1)["results"]
    if not found:
        raise SdkError(f"{bot} has no version yet: `aztlan upload` sends one")
    return int(found[0]["number"])


def follow(arena: Arena, bot: str, number: int) -> int:
    """Print each change of status as it happens, until the version waits for its author.

    A version that plays only when it is better is followed until its test is over.
    """
    shown, waiting = 0, ""
    while True:
        version = arena.get_patiently(f"bots/{bot}/versions/{number}")
        for event in version["events"][shown:]:
            show_event(event)
        shown = len(version["events"])
        if version["status"] in SETTLED:
            if version["status"] == "validated" and follow_test(arena, bot, number):
                continue  # the test may have activated it
            return show_version(version)
        # Without the waiting time in brackets, which changes with every poll.
        now_waiting = plain(version.get("waiting", "")).partition(" (")[0]
        if now_waiting != waiting:
            waiting = now_waiting
            print(waiting or "in progress", flush=True)
        time.sleep(PAUSE_SECONDS)


def test_of(arena: Arena, bot: str, number: int) -> dict[str, Any] | None:
    """Return the latest test of a version; None if there is none, or only its author may see it."""
    if not arena.token:
        return None
    try:
        return dict(arena.get_patiently(f"bots/{bot}/versions/{number}/test"))
    except RemoteError as error:
        if error.status in {401, 403, 404}:
            return None
        raise


def follow_test(arena: Arena, bot: str, number: int) -> bool:
    """Print how a running test stands whenever sets were counted, until it is over; False if none runs."""
    shown = None
    while (test := test_of(arena, bot, number)) and (test["state"] == "running" or shown is not None):
        if (test["state"], test["sets"]) != shown:
            shown = (test["state"], test["sets"])
            show_test(test)
        if test["state"] != "running":
            break
        time.sleep(PAUSE_SECONDS)
    return shown is not None


def show_test(test: dict[str, Any]) -> None:
    """Print how a test stands: one line with numbers, one that says what they mean."""
    plan = test["plan"]
    print(
        f"test of version {test['version']} against version {test['baseline']}: {test['state']}, "
        f"{test['sets']} of {test['most_sets']} sets, score {test['score']:.1%}, "
        f"Elo {elo_text(test['elo'])} [{elo_text(test['elo_low'])}, {elo_text(test['elo_high'])}], "
        f"e-value {test['e_better']:.3g} of {1 / plan['alpha']:g} (better), "
        f"{test['e_not_better']:.3g} of {1 / plan['beta']:g} (not better)",
        flush=True,
    )
    if said := plain(test["reason"] or test["waiting"]):
        print(f"  {said}", flush=True)


def elo_text(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.0f}"


def show_event(event: dict[str, Any]) -> None:
    reason = f"  {plain(event['reason'])}" if event["reason"] else ""
    print(f"{event['at'][:19].replace('T', ' ')}  {event['status']:10}{reason}", flush=True)


def show_version(version: dict[str, Any]) -> int:
    said = f": {plain(version['reason'])} ({version['code']})" if version["reason"] else ""
    said = said or (f", {plain(version['waiting'])}" if version.get("waiting") else "")
    print(f"{version['bot']} version {version['number']} is {version['status']}{said}")
    return int(version["status"] == "rejected")
