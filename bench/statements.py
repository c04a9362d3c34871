"""What SQL by hand saves: each operation with its statement, and with the plain ORM form in place of it.

The two take turns in one run, so that a busy machine slows both, and the medians count. A statement stays
only while the operation is at least 1.1 times as slow without it. `TURNS` is how often each is timed.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from types import ModuleType

from bench.arena import empty_arena
from bench.figures import figure

TURNS = int(os.environ.get("TURNS", "60"))
TARGET = 1.1

Setup = Callable[[], Callable[[], object]]
"""Prepares one run of an operation, untimed, and returns it."""


def main() -> None:
    """Print for each statement how many times as long its operation takes without it."""
    with empty_arena():
        from arena.hosts import queries as hosts
        from arena.matches import queries as matches
        from arena.outbox import queries as outbox

        claiming, reporting, asking, settling = operations()
        for name, setup, module in (
            ("claim", claiming, hosts),
            ("read_match", claiming, hosts),
            ("record_result", reporting, hosts),
            ("insert_seats", asking, matches),
            ("take_new", settling, outbox),
        ):
            compare(name, setup, module)


def compare(name: str, setup: Setup, module: ModuleType) -> None:
    by_hand, plain = [], []
    for _ in range(TURNS):
        by_hand.append(timed(setup()))
        run = setup()
        with plain_form(module, name):
            plain.append(timed(run))
    operation = setup.__name__.replace("_", " ")
    print(f"  {operation}: {1000 * median(by_hand):.2f} ms, {1000 * median(plain):.2f} ms without {name}")
    figure(
        f"{operation} without {module.__name__}.{name}", median(plain) / median(by_hand), "x", at_least=TARGET
    )


def timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


@contextmanager
def plain_form(module: ModuleType, name: str) -> Iterator[None]:
    """Put the plain form in place of a statement."""
    from bench import _plain_statements

    statement = getattr(module, name)
    setattr(module, name, getattr(_plain_statements, name))
    try:
        yield
    finally:
        setattr(module, name, statement)


def operations() -> tuple[Setup, Setup, Setup, Setup]:
    """Return what hosts and workers do for every match, on a small arena."""
    from arena.hosts import attempts, reports, specs
    from arena.hosts import services as hosts
    from arena.hosts.attempts import Claimant
    from arena.hosts.models import Attempt
    from arena.matches.models import Match
    from arena.matches.services import MatchRequest, request_matches
    from arena.outbox import services as outbox
    from arena.outbox.models import Outbox
    from bench._cast import HOST_STATE, KEY, ask_for, claim, finish, make_bot, make_season, report_of
    from engine.rulesets import ruleset

    versions = [make_bot(f"bot-{number}") for number in range(4)]
    season = make_season(4, is_open=False)
    hosts.beat("host", HOST_STATE)

    def claiming_a_match() -> Callable[[], object]:
        hold = Claimant(Attempt.objects.get(match=ask_for(versions)).pk, KEY)
        return lambda: specs.claim_answer(attempts.claim(hold, "host"))

    def recording_a_report() -> Callable[[], object]:
        match = ask_for(versions)
        hold, report = claim(match), report_of(match)
        return lambda: reports.record_report(hold, report)

    def asking_for_10_matches() -> Callable[[], object]:
        request = MatchRequest(versions, ruleset("english"), Match.Purpose.CHALLENGE)
        return lambda: request_matches([request] * 10)

    def settling_4_ladder_matches() -> Callable[[], object]:
        matches = [ask_for(versions, season) for _ in range(4)]
        Outbox.objects.all().delete()
        for match in matches:
            finish(match)
        first = Outbox.objects.earliest("pk").pk
        return lambda: outbox.deliver(first, 0)

    return claiming_a_match, recording_a_report, asking_for_10_matches, settling_4_ladder_matches
