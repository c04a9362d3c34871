"""Match hosts that die, hang, are cut off, run full or are asked to stop."""

import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.utils import timezone

from arena.hosts import signing as tokens
from arena.hosts.models import Attempt, Host
from arena.hosts.services import set_paused
from arena.matches.models import Match
from tests.arena.cast import HOST_STATE, report_of
from tests.faults.harness import Contest, RunningArena, wait_for
from tests.faults.proxy import Proxy
from workers.host.arena_client import ArenaClient, ArenaRefusedError, AttemptClaim
from workers.host.config import HostConfig

FAKETIME = list(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


@pytest.fixture
def second_host(running_arena: RunningArena) -> Iterator[str]:
    running_arena.start_host("host-2")
    wait_for(lambda: running_arena.is_ready("host-2"), "the second host")
    yield "host-2"
    running_arena.stop("host-2")


@pytest.fixture
def proxy(running_arena: RunningArena) -> Iterator[Proxy]:
    proxy = Proxy(running_arena.port)
    yield proxy
    proxy.close()


@pytest.fixture
def only_others(running_arena: RunningArena) -> Iterator[None]:
    """Have the usual host pause."""
    set_paused("host-1", True)
    yield
    set_paused("host-1", False)


def client_of(arena: RunningArena, name: str) -> ArenaClient:
    config = HostConfig(
        f"http://127.0.0.1:{arena.port}",
        arena.environment["ARENA_HOST_KEY"],
        name,
        Path("/nowhere"),
        1,
        1,
        1,
        False,
    )
    client = ArenaClient(config)
    client.send_host_heartbeat(HOST_STATE)
    return client


def claim_of(attempt: Attempt) -> AttemptClaim:
    return AttemptClaim(attempt.pk, tokens.sign_attempt(attempt.pk), secrets.token_urlsafe(32))


def test_a_killed_host_leaves_no_process_and_its_match_is_played_again(running_arena: RunningArena) -> None:
    contest = Contest("slow")
    contest.ask()
    contest.wait_until_playing()
    family = psutil.Process(running_arena.processes["host-1"].pid).children(recursive=True)
    assert len(family) > 2
    running_arena.kill("host-1")
    wait_for(lambda: not any(is_alive(process) for process in family), "all that it started is gone")
    running_arena.start_host("host-1")
    contest.wait_until_settled()
    first, second = contest.attempts()
    assert (first.state, first.fault, second.state) == ("lost", "host", "done")


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_every_report_delivered_twice_counts_once(
    running_arena: RunningArena, proxy: Proxy, only_others: None
) -> None:
    proxy.repeats = 2
    running_arena.start_host("host-3", ARENA_URL=proxy.url)
    contest = Contest()
    contest.ask(3)
    contest.wait_until_settled()
    running_arena.stop("host-3")
    assert proxy.reports == 6
    assert len(contest.attempts()) == 3


def test_a_report_after_its_lease_passed_on_changes_nothing(
    running_arena: RunningArena, only_others: None
) -> None:
    contest = Contest()
    [match] = contest.ask()
    late, client = claim_of(contest.attempts()[0]), client_of(running_arena, "late-host")
    client.claim(late)
    wait_for(lambda: len(contest.attempts()) == 2, "the lease passes on")
    with pytest.raises(ArenaRefusedError, match="lost"):
        client.report(late, report_of(match))
    set_paused("host-1", False)
    contest.wait_until_settled()
    placements = list(match.seats_taken.values_list("placement", "score"))
    with pytest.raises(ArenaRefusedError, match="lost"):
        client.report(late, report_of(match))
    assert list(match.seats_taken.values_list("placement", "score")) == placements
    assert [attempt.state for attempt in contest.attempts()] == ["lost", "done"]


def test_of_many_hosts_given_the_same_attempt_one_gets_it(
    running_arena: RunningArena, only_others: None
) -> None:
    contest = Contest()
    [match] = contest.ask()
    attempt = contest.attempts()[0]
    won: list[tuple[ArenaClient, AttemptClaim]] = []
    together = threading.Barrier(6)

    def compete(number: int) -> None:
        client, claim = client_of(running_arena, f"rival-{number}"), claim_of(attempt)
        together.wait()
        try:
            client.claim(claim)
            client.claim(claim)  # an answer that was lost on the way may be asked for again
            won.append((client, claim))
        except ArenaRefusedError as error:
            assert "already running" in str(error)

    threads = [threading.Thread(target=compete, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    [(client, claim)] = won
    with pytest.raises(ArenaRefusedError):
        client.report(AttemptClaim(claim.attempt_id, claim.token, "x" * 40), report_of(match))
    client.report(claim, report_of(match))
    contest.wait_until_settled()


def test_wake_ups_sent_many_times_to_two_hosts_play_each_match_once(
    running_arena: RunningArena, second_host: str
) -> None:
    contest = Contest()
    contest.ask(6)
    for _ in range(4):
        Attempt.objects.filter(match__in=contest.matches, state="queued").update(sent_at=None)
    contest.wait_until_settled()
    assert [attempt.number for attempt in contest.attempts()] == [1] * 6


def test_a_host_that_is_cut_off_stops_at_the_end_of_its_lease(
    running_arena: RunningArena, proxy: Proxy, only_others: None
) -> None:
    running_arena.start_host("host-4", ARENA_URL=proxy.url)
    contest = Contest("slow")
    contest.ask()
    contest.wait_until_playing()
    proxy.is_cut = True
    set_paused("host-1", False)
    contest.wait_until_settled()
    assert [attempt.host for attempt in contest.attempts()] == ["host-4", "host-1"]
    wait_for(lambda: "is abandoned" in running_arena.log("host-4"), "it gives up by itself")
    proxy.is_cut = False
    running_arena.stop("host-4")
    assert [attempt.state for attempt in contest.attempts()] == ["lost", "done"]


@pytest.mark.skipif(not FAKETIME, reason="faketime is not installed")
@pytest.mark.parametrize("offset", ["-3600", "+3600"])
def test_a_host_whose_clock_is_an_hour_off_plays_like_any_other(
    running_arena: RunningArena, only_others: None, offset: str
) -> None:
    wrong = {"LD_PRELOAD": str(FAKETIME[0]), "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    running_arena.start_host("host-8", **wrong)
    contest, began = Contest("first"), timezone.now()
    contest.ask(3)
    contest.wait_until_settled()
    running_arena.stop("host-8")
    assert [(one.host, one.number, one.state) for one in contest.attempts()] == [("host-8", 1, "done")] * 3
    for match in Match.objects.filter(pk__in=[match.pk for match in contest.matches]):
        assert match.started_at is not None
        assert match.finished_at is not None
        assert began < match.started_at < match.finished_at < timezone.now()


def test_a_host_that_is_asked_to_stop_gives_back_what_it_cannot_finish(
    running_arena: RunningArena, only_others: None
) -> None:
    running_arena.start_host("host-5", MATCH_HOST_DRAIN_SECONDS="1")
    contest = Contest("slow")
    contest.ask()
    contest.wait_until_playing()
    host = running_arena.processes.pop("host-5")
    host.send_signal(signal.SIGTERM)
    set_paused("host-1", False)
    contest.wait_until_settled()
    assert host.wait(30) == 0
    first, second = contest.attempts()
    assert (first.state, first.fault, second.state) == ("given_back", "none", "done")


def test_a_paused_host_finishes_what_it_plays_and_takes_nothing_new(running_arena: RunningArena) -> None:
    contest = Contest("slow")
    contest.ask()
    contest.wait_until_playing()
    set_paused("host-1", True)
    contest.wait_until_settled()
    wait_for(
        lambda: "takes no matches: paused" in running_arena.log("host-1").rsplit("takes matches", 1)[-1],
        "it heard",
    )
    contest.ask(2)
    wait_for(lambda: all(attempt.sent_at for attempt in contest.attempts()), "hosts are woken")
    assert contest.states().count("queued") == 2
    set_paused("host-1", False)
    contest.wait_until_settled()


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")


@pytest.fixture
def small_disk(running_arena: RunningArena) -> Iterator[Path]:
    disk = running_arena.folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", disk], check=True)
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)
    disk.rmdir()


@needs_root
def test_a_host_whose_disk_is_full_takes_no_match(
    running_arena: RunningArena, only_others: None, small_disk: Path
) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(1_900_000))
    running_arena.start_host("host-6", MATCH_HOST_FOLDER=str(small_disk), MATCH_HOST_LEAST_FREE_MB="1")
    wait_for(lambda: Host.objects.filter(name="host-6", trouble__contains="full").exists(), "it says so")
    contest = Contest()
    contest.ask(2)
    wait_for(lambda: all(attempt.sent_at for attempt in contest.attempts()), "hosts are woken")
    filler.unlink()
    contest.wait_until_settled()
    assert [attempt.number for attempt in contest.attempts()] == [1, 1]
    assert {attempt.host for attempt in contest.attempts()} == {"host-6"}
    running_arena.stop("host-6")


@needs_root
def test_a_disk_that_fills_up_while_a_bot_is_fetched_is_never_charged_to_the_bot(
    running_arena: RunningArena, only_others: None, small_disk: Path
) -> None:
    running_arena.start_host("host-7", MATCH_HOST_FOLDER=str(small_disk), MATCH_HOST_LEAST_FREE_MB="0")
    wait_for(lambda: running_arena.is_ready("host-7"), "the host")
    (small_disk / "filler").write_bytes(bytes(small_disk_free(small_disk)))
    contest = Contest()
    contest.ask()
    wait_for(lambda: contest.attempts()[0].state == "given_back", "it gives the match back")
    assert contest.attempts()[0].fault == "host"
    running_arena.stop("host-7")
    set_paused("host-1", False)
    contest.wait_until_settled()


def small_disk_free(disk: Path) -> int:
    stat = os.statvfs(disk)
    return stat.f_bavail * stat.f_frsize
