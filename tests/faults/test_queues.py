"""Each queue is flooded in turn, with all of its workers held, while the work of the others goes on."""

import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from django.db import connection, transaction

from arena.accounts.models import User
from arena.celery import app
from arena.matches.models import Match
from arena.notices.models import Webhook, WebhookDelivery
from arena.notices.webhooks import send_calls
from arena.outbox.models import Outbox
from arena.queues import queue_depth
from arena.replays.models import WinChances
from arena.replays.services import owe_chances
from tests.faults.harness import Contest, RunningArena, wait_for

CALL_THREADS = 8


class Receiver:
    """A server that answers well, or drips an answer that never ends, and counts whom it holds."""

    def __init__(self) -> None:
        self.drips = False
        self.held = 0
        self.calls = 0
        self.over = threading.Event()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}/"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                caller, _ = self.server.accept()
                threading.Thread(target=self.answer, args=[caller], daemon=True).start()

    def answer(self, caller: socket.socket) -> None:
        with caller, suppress(OSError):
            caller.recv(65536)
            self.calls += 1
            caller.sendall(b"HTTP/1.1 204 No Content\r\n")
            if self.drips:
                self.held += 1
                try:
                    while not self.over.wait(0.05):
                        caller.sendall(b"x")
                finally:
                    self.held -= 1
            caller.sendall(b"\r\n\r\n")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.over.set()
    receiver.server.close()
    Webhook.objects.all().delete()


def elsewhere(act: Callable[[], object]) -> None:
    """Act on a connection of its own: this one is inside a transaction that holds a lock."""

    def run() -> None:
        act()
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def seen_elsewhere(look: Callable[[], object]) -> Callable[[], object]:
    def looked() -> object:
        found: list[object] = []
        elsewhere(lambda: found.append(look()))
        return found[0]

    return looked


def owe_calls(receiver: Receiver, owners: int, count: int = 1) -> list[WebhookDelivery]:
    made = []
    for _ in range(owners):
        name = f"caller-{secrets.token_hex(4)}"
        owner = User.objects.create(username=name, email=f"{name}@example.org")
        webhook = Webhook.objects.create(owner=owner, url=receiver.url + name)
        made += [
            WebhookDelivery.objects.create(webhook=webhook, event="test", subject=str(number), body="{}")
            for number in range(count)
        ]
    send_calls()
    return made


def is_delivered(delivery: WebhookDelivery) -> bool:
    return WebhookDelivery.objects.filter(pk=delivery.pk, delivered_at__isnull=False).exists()


@contextmanager
def held(statement: str) -> Iterator[None]:
    """Hold a lock of the database, for which whoever computes or settles must wait."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set local idle_in_transaction_session_timeout = 0")
        cursor.execute(statement)
        yield


def played(count: int) -> list[Match]:
    contest = Contest()
    contest.ask(count)
    contest.wait_until_settled()
    return contest.matches


def test_receivers_that_drip_their_answers_hold_up_neither_settling_nor_computing(
    running_arena: RunningArena, receiver: Receiver
) -> None:
    [match] = played(1)
    receiver.drips = True
    owe_calls(receiver, owners=4 * CALL_THREADS, count=3)
    wait_for(lambda: receiver.held >= CALL_THREADS, "every thread for calls is held")
    owe_chances(match)
    played(2)
    wait_for(lambda: WinChances.objects.filter(match=match).exists(), "chances are worked out")
    assert WebhookDelivery.objects.due().exists(), "the flood goes on"


def test_a_dripping_owner_holds_one_thread_and_others_are_called(
    running_arena: RunningArena, receiver: Receiver
) -> None:
    receiver.drips = True
    owe_calls(receiver, owners=1, count=20)
    wait_for(lambda: receiver.held, "a thread is held")
    good = Receiver()
    for delivery in owe_calls(good, owners=3):
        wait_for(lambda delivery=delivery: is_delivered(delivery), "others are called")  # type: ignore[misc]
    assert receiver.held <= 1
    good.server.close()


def test_a_flood_of_computing_holds_up_neither_settling_nor_calls(
    running_arena: RunningArena, receiver: Receiver
) -> None:
    matches = played(6)
    with held("lock table replays_winchances in access exclusive mode"):
        elsewhere(lambda: [owe_chances(match) for match in matches])
        wait_for(
            seen_elsewhere(lambda: Outbox.objects.filter(kind="chances", tries__gt=0).exists()),
            "the heavy worker is held",
        )
        contest = contest_elsewhere()
        wait_for(seen_elsewhere(contest.is_settled), "a match is settled")
        made: list[WebhookDelivery] = []
        elsewhere(lambda: made.extend(owe_calls(receiver, owners=1)))
        wait_for(seen_elsewhere(lambda: is_delivered(made[0])), "a webhook is called")
        assert seen_elsewhere(lambda: Outbox.objects.filter(kind="chances").exists())(), "the flood goes on"
    wait_for(lambda: WinChances.objects.filter(match__in=matches).count() == 6, "and then it is done")


def contest_elsewhere() -> Contest:
    found: list[Contest] = []

    def ask() -> None:
        found.append(Contest())
        found[0].ask()

    elsewhere(ask)
    return found[0]


def test_a_flood_of_settling_holds_up_neither_calls_nor_computing(
    running_arena: RunningArena, receiver: Receiver
) -> None:
    [match] = played(1)
    contest = Contest()
    with held(f"select from ladders_season where id = {contest.season.pk} for update"):
        elsewhere(lambda: contest.ask(3))
        wait_for(
            seen_elsewhere(lambda: Outbox.objects.filter(kind="settle", tries__gt=0).exists()),
            "settling is held",
        )
        for _ in range(300):
            app.send_task("arena.tasks.note_consumption", queue="arena")
        elsewhere(lambda: owe_chances(match))
        made: list[WebhookDelivery] = []
        elsewhere(lambda: made.extend(owe_calls(receiver, owners=1)))
        wait_for(seen_elsewhere(lambda: is_delivered(made[0])), "a webhook is called")
        wait_for(
            seen_elsewhere(lambda: WinChances.objects.filter(match=match).exists()), "chances are worked out"
        )
    contest.wait_until_settled()
    wait_for(lambda: not queue_depth("arena"), "the queue is empty again")
