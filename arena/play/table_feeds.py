"""Running tables for their people: one game per table and web process, followed as the host plays it."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils import timezone
from redis import RedisError
from redis.asyncio import Redis

from arena.play import selectors
from arena.play.channels import table_channel
from arena.play.models import Table, TableSeat
from arena.play.seat_game import SeatGame
from arena.replays.live import in_database
from workers.match.person import LEAVE, RESIGN

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 5.0
"""How often the database is read even if nobody says that something is new, or a message was lost."""
HEARTBEAT_SECONDS: Final = 15


@dataclass(slots=True, eq=False)
class TableFeed:
    """What the people at one table are shown."""

    public_id: str
    table: Table
    seats: list[TableSeat]
    game: SeatGame | None = None
    about: str = ""
    watchers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    reader: asyncio.Task[None] | None = None

    def take_in(self, table: Table, seats: list[TableSeat]) -> None:
        """Catch up with the database. A host that plays from an older list of actions starts it again."""
        self.table, self.seats = table, seats
        if table.match:
            if self.game is None or self.game.step > len(table.actions):
                self.game = selectors.new_game(table, [seat.seat for seat in seats if seat.is_person])
            self.game.play(table.actions[self.game.step :])
        self.about = encode(selectors.describe_table(table, seats))
        self.changed.set()
        self.changed = asyncio.Event()

    def hear(self, message: dict[str, Any] | None) -> bool:
        """Take in what a message of `tell_people` says; return False if the database has to be read.

        It must be so where a message does not follow on from what is known here, or says nothing more.
        """
        match json.loads(message["data"] or "null") if message and message["type"] == "message" else None:
            case {"step": step, "actions": actions} if step == len(self.table.actions) and self.game:
                self.table.actions = [*self.table.actions, *actions]
                self.table.moved_at = timezone.now()
            case {"step": step, "actions": actions}:
                return bool(self.table.actions[step : step + len(actions)] == actions)  # read already
            case {"seat": number, "answer_step": step, "answer": action}:
                seat = self.seats[number]
                if step < (seat.answer_step or 0) or seat.answer_action in (RESIGN, LEAVE):
                    return False
                seat.answer_step, seat.answer_action = step, action
            case _:
                return False
        self.take_in(self.table, self.seats)
        return True

    def header(self, seat: int) -> str:
        names = selectors.names_at(self.seats)
        return encode(
            {"seat": seat, "seats": [{"name": name} for name in names], "edition": self.table.edition}
        )

    def turn(self, number: int) -> dict[str, Any]:
        """What one seat has to decide, and what it has decided."""
        seat = self.seats[number]
        if (
            self.game is None
            or selectors.state_of(seat) != "here"
            or (self.table.match and self.table.match.is_over)
        ):
            return {"number": 0, "legal": [], "answer": None}
        turn = self.game.turn(number)
        is_answered = bool(turn["legal"]) and seat.answer_step == self.game.step_of(number)
        return {**turn, "answer": seat.answer_action if is_answered else None}


def encode(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def read_table(public_id: str) -> tuple[Table, list[TableSeat]] | None:
    table = selectors.find_table(public_id)
    return (table, selectors.seats_at(table)) if table else None


class TableHub:
    """The feeds of one event loop, each for as long as somebody watches."""

    def __init__(self) -> None:
        self.feeds: dict[str, TableFeed] = {}
        self.opening = asyncio.Lock()

    async def open(self, public_id: str) -> TableFeed | None:
        async with self.opening:
            feed = self.feeds.get(public_id)
            if feed is None:
                found = await in_database(read_table, public_id)
                if found is None:
                    return None
                feed = self.feeds[public_id] = TableFeed(public_id, *found)
                feed.take_in(*found)
                # In a context of its own, because the request's ends before the match does.
                feed.reader = asyncio.create_task(self._follow(feed), context=Context())
            feed.watchers += 1
            return feed

    def leave(self, feed: TableFeed) -> None:
        feed.watchers -= 1
        if not feed.watchers:
            self.feeds.pop(feed.public_id, None)
            if feed.reader:
                feed.reader.cancel()

    async def _follow(self, feed: TableFeed) -> None:
        while True:
            try:
                async with Redis.from_url(settings.REDIS_URL) as redis, redis.pubsub() as news:
                    await news.subscribe(table_channel(feed.public_id))
                    while True:
                        await self._look(feed)
                        until = time.monotonic() + LOOK_SECONDS
                        # The first message only says that we listen: what happened before is read after it.
                        while feed.hear(await news.get_message(timeout=max(0, until - time.monotonic()))):
                            pass
            except (RedisError, OSError) as error:
                log.warning("cannot hear news of table %s: %s", feed.public_id, error)
                await asyncio.sleep(1)
                await self._look(feed)

    async def _look(self, feed: TableFeed) -> None:
        if found := await in_database(read_table, feed.public_id):
            feed.take_in(*found)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, TableHub] = WeakKeyDictionary()


def table_hub() -> TableHub:
    return _hubs.setdefault(asyncio.get_running_loop(), TableHub())


class SeatStream:
    """What one seat's browser is sent: about the table, what happens in the game, what to decide."""

    def __init__(self, feed: TableFeed, seat: int) -> None:
        self.feed, self.seat = feed, seat
        self.shown, self.about, self.turn = 0, "", ""
        self.game: SeatGame | bool | None = False  # none yet, not even that there is no game

    def news(self) -> str:
        """Return the server-sent events that are new since the last call."""
        part, feed, seat = "", self.feed, self.seat
        if feed.game is not self.game:
            self.game, self.shown = feed.game, 0
            part += event("header", feed.header(seat))
        if feed.about != self.about:
            self.about = feed.about
            part += event("table", self.about)
        if feed.game and self.shown < len(feed.game.frames[seat]):
            fresh = feed.game.frames[seat][self.shown :]
            self.shown += len(fresh)
            part += event("frames", f"[{','.join(fresh)}]")
        now = feed.turn(seat)
        if encode(now) != self.turn:
            self.turn = encode(now)
            limit = selectors.left_ms(feed.table) if now["legal"] else 0
            part += event("turn", encode({**now, "left_ms": limit}))
        return part


async def messages(feed: TableFeed, seat: int) -> AsyncIterator[str]:
    """Server-sent events for one seat, for as long as somebody reads them."""
    stream = SeatStream(feed, seat)
    try:
        yield "retry: 1000\n\n"
        while True:
            changed = feed.changed
            if part := stream.news():
                yield part
            try:
                await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        table_hub().leave(feed)
