"""Tables with people: how soon the board follows a decision, how many tables a host carries, and its death.

One web process, one match host with one slot, everything on this machine. `BENCH_TABLES` and `BENCH_SECONDS`
make it smaller, to try it.
"""

import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from bench._person_at_table import PersonAtTable
from bench.figures import figure

QUICK_TABLES: Final = 20
MANY_TABLES: Final = int(os.environ.get("BENCH_TABLES", "50"))
SECONDS: Final = int(os.environ.get("BENCH_SECONDS", "60"))
IDLE_SECONDS: Final = 10
LADDER_MATCHES: Final = 10


def main() -> None:
    """Measure on an arena of its own."""
    figure("load of this machine before", os.getloadavg()[0], "processes")
    with tempfile.TemporaryDirectory(prefix="aztlan-tables-") as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "arena.settings", "ARENA_HOME": f"{folder}/unused"}
        import django

        django.setup()
        from bench._running_arena import RunningArena

        arena = RunningArena(Path(folder))
        arena.environment["BENCH_OF"] = str(os.getpid())
        try:
            for server in arena.servers:
                arena.start_server(server)
            arena.migrate()
            with arena.database():
                measure(arena)
        finally:
            arena.end()
    figure("load of this machine after", os.getloadavg()[0], "processes")


def measure(arena: Any) -> None:
    from bench._running_arena import wait_for

    for name in ("web", "arena", "scheduler"):
        arena.start(name)
    arena.start_host("host-1", processes=1)
    wait_for(lambda: arena.has_beaten("host-1"), "the host has shown itself")
    prepare_house_bot()
    first = open_tables(arena, min(QUICK_TABLES, MANY_TABLES), 0)
    measure_decisions(first, "")
    measure_waiting(len(first))
    rest = open_tables(arena, MANY_TABLES - len(first), len(first))
    measure_beside_ladder(rest)
    measure_death(arena)


def prepare_house_bot() -> None:
    from arena.bots.house import load_house_bot
    from arena.bots.models import Bot, Status, Version

    version = load_house_bot("greedy")
    if version is None:
        raise SystemExit("The house bot greedy cannot be loaded.")
    Version.objects.filter(pk=version.pk).update(status=Status.ACTIVE)
    Bot.objects.filter(pk=version.bot_id).update(active_version=version)


def running_tables(**more: Any) -> int:
    from arena.hosts.models import Attempt

    return Attempt.objects.filter(match__purpose="play", state=Attempt.State.RUNNING, **more).count()


def open_tables(arena: Any, count: int, begun: int) -> list[PersonAtTable]:
    """Seat so many people, each at a table of their own, and wait until all tables are played."""
    from bench._running_arena import wait_for

    people = [PersonAtTable(arena.port, begun + number) for number in range(count)]
    for person in people:
        person.sit_down()
    wait_for(lambda: running_tables() == begun + count, "every table is played")
    for person in people:
        person.start()
    wait_for(lambda: all(person.asked.is_set() for person in people), "everybody was asked")
    return people


def measure_decisions(people: list[PersonAtTable], what: str) -> None:
    """Let everybody play for a while, and say how long the board took to follow."""
    until = time.monotonic() + SECONDS
    for person in people:
        person.play_until(until)
    for person in people:
        person.join(SECONDS + 60)
    took = sorted(one for person in people for one in person.took)
    refused = [one for person in people for one in person.refused]
    if refused:
        print(refused[:3], file=sys.stderr)
    figure(f"tables at once{what}", len(people))
    figure(f"decisions{what}", len(took), at_least=len(people))
    figure(f"refused{what}", len(refused), at_most=0)
    if took:
        figure(f"decision to updated board{what}, median", 1000 * took[len(took) // 2], "ms")
        limit = None if what else 150.0
        figure(
            f"decision to updated board{what}, p95", 1000 * took[len(took) * 95 // 100], "ms", at_most=limit
        )


def measure_waiting(tables: int) -> None:
    """While nobody decides, the bots must not use the processor."""
    time.sleep(2)
    before = table_tree_cpu()
    time.sleep(IDLE_SECONDS)
    after = table_tree_cpu()
    bots = [pid for pid in before if pid in after]
    used = sum(after[pid] - before[pid] for pid in bots)
    figure("processes of waiting bots", len(bots), at_least=tables)
    figure("CPU of a waiting bot", 1000 * used / IDLE_SECONDS / max(1, tables), "ms per second", at_most=1)


def table_tree_cpu() -> dict[int, float]:
    """Return the CPU seconds of each process below those that play tables, by its id."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            used[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    roots = set(table_processes())

    def is_below(pid: int) -> bool:
        while pid in parents and pid not in roots:
            pid = parents[pid]
        return pid in roots

    return {pid: used[pid] for pid in used if pid not in roots and is_below(pid)}


def table_processes() -> list[int]:
    """Return the processes of this bench that play tables."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            mine = f"BENCH_OF={os.getpid()}".encode() in (folder / "environ").read_bytes().split(b"\0")
            if mine and b"workers.host.table_host" in words:
                found.append(int(folder.name))
    return found


def measure_beside_ladder(people: list[PersonAtTable]) -> None:
    """With all tables open, and ladder matches on the same host: both go on."""
    from bench._running_arena import Contest, wait_for

    contest = Contest("_trivial_bot", 2, Path(__file__).parent)
    contest.ask(LADDER_MATCHES)
    measure_decisions(people, " beside ladder matches")
    wait_for(lambda: "finished" in contest.states(), "a ladder match is finished")
    finished = contest.states().count("finished")
    figure("tables open on one host", running_tables(host="host-1") + count_over(), at_least=MANY_TABLES)
    figure("ladder matches finished beside them", finished, at_least=1)


def count_over() -> int:
    from arena.matches.models import Match

    return Match.objects.filter(purpose="play", state=Match.State.FINISHED).count()


def measure_death(arena: Any) -> None:
    """Kill the host with all its tables, so that nothing of it says goodbye; another one takes them over."""
    from bench._running_arena import wait_for

    old = table_processes()
    arena.start_host("host-2", processes=1)
    wait_for(lambda: arena.has_beaten("host-2"), "the other host has shown itself")
    wait_for(lambda: len(table_processes()) == 2, "the other host can play tables")
    tables = running_tables()
    began = time.monotonic()
    for pid in old:
        os.kill(pid, signal.SIGKILL)
    arena.kill("host-1")
    wait_for(lambda: running_tables(host="host-2") >= tables, "the other host plays all tables")
    figure("tables of a killed host", tables, at_least=1)
    figure("killed host: all its tables are set up again", time.monotonic() - began, "s", at_most=30)


if __name__ == "__main__":
    main()
