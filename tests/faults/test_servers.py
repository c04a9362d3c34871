"""The arena's own parts that die or go away: its worker, Redis, PostgreSQL, the scheduler, the web server."""

import shutil
import signal

from django.db import transaction

from arena.ladders.models import Result, Season
from arena.outbox.models import Outbox
from tests.faults.harness import Contest, RunningArena, wait_for


def test_an_arena_worker_killed_in_the_middle_of_settling_settles_once(running_arena: RunningArena) -> None:
    contest = Contest()
    with transaction.atomic():
        Season.objects.select_for_update().get(
            pk=contest.season.pk
        )  # settling waits for this, in mid-transaction
        make_elsewhere(contest)
        wait_for(lambda: Outbox.objects.filter(kind="settle", tries__gt=0).exists(), "settling has begun")
        running_arena.kill("arena")
    assert not Result.objects.filter(season=contest.season).exists()
    running_arena.start("arena")
    contest.wait_until_settled()


def make_elsewhere(contest: Contest) -> None:
    """Ask for a match on a connection of its own: this one is inside a transaction."""
    from threading import Thread

    from django.db import connection

    def ask() -> None:
        contest.ask()
        connection.close()

    thread = Thread(target=ask)
    thread.start()
    thread.join()


def test_redis_restarted_empty_loses_nothing_that_was_queued_or_running(running_arena: RunningArena) -> None:
    contest = Contest("slow")
    contest.ask(3)
    contest.wait_until_playing()
    running_arena.kill("redis")
    shutil.rmtree(running_arena.home.redis / "appendonlydir")
    running_arena.start_server("redis")
    wait_until_healed(running_arena, contest)


def test_redis_restarted_with_its_data_goes_on_by_itself(running_arena: RunningArena) -> None:
    contest = Contest()
    contest.ask(4)
    running_arena.kill("redis")
    running_arena.start_server("redis")
    wait_until_healed(running_arena, contest)


def test_postgresql_restarted_keeps_a_finished_match_which_is_reported_later(
    running_arena: RunningArena,
) -> None:
    contest = Contest("slow")
    contest.ask(2)
    contest.wait_until_playing()
    running_arena.kill("postgres", signal.SIGQUIT)  # "immediate": as after a crash
    running_arena.start_server("postgres")
    wait_until_healed(running_arena, contest)


def test_the_web_server_killed_while_matches_are_played_loses_none(running_arena: RunningArena) -> None:
    contest = Contest("slow")
    contest.ask(2)
    contest.wait_until_playing()
    running_arena.kill("web")
    running_arena.start("web")
    wait_until_healed(running_arena, contest)


def test_matches_go_on_while_the_scheduler_is_stopped_and_what_it_owes_is_made_up(
    running_arena: RunningArena,
) -> None:
    running_arena.stop("scheduler")
    contest = Contest()
    contest.ask(2)
    contest.wait_until_settled()
    slow = Contest("slow")
    slow.ask()
    slow.wait_until_playing()
    running_arena.kill("host-1")
    running_arena.start_host("host-1")
    running_arena.start("scheduler")  # only now is anybody there to miss the beats
    slow.wait_until_settled()
    assert [attempt.state for attempt in slow.attempts()] == ["lost", "done"]


def wait_until_healed(arena: RunningArena, contest: Contest) -> None:
    """Wait for everything to be settled; a supervisor restarts meanwhile what exits for good."""

    def healed() -> bool:
        arena.restart_dead()
        return contest.is_settled()

    wait_for(healed, "everything is settled")
    contest.wait_until_settled()
