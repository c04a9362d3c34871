"""`make soak`: thousands of short matches on two hosts while something is killed at random every few seconds.

Ends with three numbers that must be 0: matches lost, matches counted twice, ratings that are wrong.
"""

import argparse
import random
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.matches.models import Match
    from tests.faults.harness import RunningArena

PACE_SECONDS = 5.0
BATCH = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**31))
    parser.add_argument("--minutes", type=float, default=60, help="give up after so long")
    options = parser.parse_args()
    django.setup()
    from tests.faults.harness import RunningArena

    folder = Path(tempfile.mkdtemp(prefix="arena-soak-"))
    arena = RunningArena(folder)
    try:
        for server in arena.servers:
            arena.start_server(server)
        arena.migrate()
        for program in ("web", "arena", "calls", "heavy", "scheduler"):
            arena.start(program)
        for host in ("host-1", "host-2"):
            arena.start_host(host)
        with arena.database():
            Soak(arena, options.matches, options.seed, options.minutes).run()
    finally:
        arena.end()
        shutil.rmtree(folder, ignore_errors=True)


class Soak:
    """Asks for matches in batches, kills, supervises, and counts in the end."""

    def __init__(self, arena: "RunningArena", matches: int, seed: int, minutes: float) -> None:
        from tests.faults.harness import Contest

        self.arena = arena
        self.wanted = matches
        self.random = random.Random(seed)
        self.deadline = time.monotonic() + minutes * 60
        self.contest = Contest("first")
        self.kills: Counter[str] = Counter()
        print(f"{matches} matches on two hosts; seed {seed}", flush=True)

    def run(self) -> None:
        began = next_kill = time.monotonic()
        said = -1
        while not self.is_over():
            now = time.monotonic()
            if now > self.deadline:
                print("Time is up.", flush=True)
                break
            if now >= next_kill + PACE_SECONDS:
                self.kill_something()
                next_kill = now + self.random.uniform(-2, 2)
            self.arena.restart_dead()
            done = self.try_hard(self.ask_for_more) or 0
            if done // 100 > said:
                said = done // 100
                print(f"{now - began:5.0f} s  {done} finished, {sum(self.kills.values())} kills", flush=True)
            time.sleep(0.2)
        seconds = time.monotonic() - began
        self.try_hard(self.report, seconds)

    def is_over(self) -> bool:
        return self.try_hard(self.settled) == self.wanted

    def matches(self) -> "QuerySet[Match]":
        """All matches that were committed, whether or not the answer to that arrived."""
        from arena.matches.models import Match

        return Match.objects.filter(purpose=Match.Purpose.LADDER, purpose_id=self.contest.season.pk)

    def settled(self) -> int:
        from arena.ladders.models import Result

        return Result.objects.filter(season=self.contest.season).count()

    def ask_for_more(self) -> int:
        """Keep a batch waiting; return how many are finished."""
        total, done = self.matches().count(), self.matches().filter(state="finished").count()
        missing = min(BATCH - (total - done), self.wanted - total)
        if missing > 0:
            self.contest.ask(missing)
        return done

    def try_hard(self, act: Callable[..., object], *arguments: object) -> object:
        """The database may be away just now: then nothing, and later again."""
        from django.db import Error, connection

        try:
            return act(*arguments)
        except Error:
            connection.close()
            return None

    def kill_something(self) -> None:
        victim = self.random.choice(
            [
                "host-1",
                "host-2",
                "host-1",
                "host-2",
                "arena",
                "calls",
                "heavy",
                "scheduler",
                "web",
                "redis",
                "redis emptied",
                "postgres",
            ]
        )
        name = victim.split()[0]
        process = self.arena.processes[name]
        # One that has not come up since it was last killed would only show how slow this machine is.
        if process.poll() is not None or not self.arena.is_ready(name):
            return
        process.send_signal(signal.SIGQUIT if name == "postgres" else signal.SIGKILL)
        process.wait()
        if victim == "redis emptied":
            shutil.rmtree(self.arena.home.redis / "appendonlydir", ignore_errors=True)
        self.kills[victim] += 1

    def report(self, seconds: float) -> None:
        from django.db.models import Count, Q, Sum

        from arena.hosts.models import Attempt
        from arena.ladders.checking import check
        from arena.matches.models import MatchSeat

        total, settled = self.matches().count(), self.settled()
        twice = (
            self.matches()
            .annotate(done=Count("attempts", filter=Q(attempts__state="done")))
            .filter(done__gt=1)
        )
        games = self.contest.season.standings.aggregate(games=Sum("games"))["games"]
        blamed = MatchSeat.objects.filter(match__in=self.matches()).exclude(fault="").count()
        lost = total - settled
        duplicated = twice.count() + abs(games - 2 * settled)
        wrong = len(check(self.contest.season.pk)) + blamed
        ends = Counter(Attempt.objects.values_list("state", flat=True))
        aside = self.matches().filter(state="set_aside").count()
        print(f"\n{settled} of {total} matches finished in {seconds:.0f} s, {aside} set aside")
        print("killed: " + ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items())))
        print("attempts: " + ", ".join(f"{state} {count}" for state, count in sorted(ends.items())))
        print(f"lost {lost}, duplicated {duplicated}, wrong {wrong}", flush=True)
        sys.exit(1 if lost or duplicated or wrong else 0)


if __name__ == "__main__":
    main()
