"""Running matches for many spectators: one Redis reader per match and web process, however many watch.

A feed keeps the frames of its match in order, and each spectator has a position in them: a slow one lags, a
broken connection resumes where it was, and nobody misses a frame. If an event has a delay, the feed holds
frames back.
"""

import asyncio
import json
import logging
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from redis import RedisError
from redis.asyncio import Redis

from arena.hosts.live_frames import stream_key
from arena.matches.models import Match
from arena.matches.visibility import delay, may_see
from arena.replays import selectors

log = logging.getLogger(__name__)
T = TypeVar("T")

BLOCK_MS: Final = 2_000
LINGER_SECONDS: Final = 10
HEARTBEAT_SECONDS: Final = 15
RETRY_SECONDS: Final = 1
OVER_CHECKS: Final = 30
WATCHED: Final = (Match.State.QUEUED, Match.State.RUNNING)


@dataclass(frozen=True, slots=True)
class EncodedFrame:
    """A frame, encoded once for everybody."""

    at: tuple[int, int]
    message: str


@dataclass(slots=True, eq=False)
class Feed:
    """The frames of one match so far. `first` is where the attempt under way begins."""

    public_id: str
    header: str
    delay: float
    over: bool
    entries: list[EncodedFrame] = field(default_factory=list)
    first: int = 0
    watchers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    reader: asyncio.Task[None] | None = None

    def add(self, entry_id: str, frame: str) -> bool:
        """Take a frame in; return whether it is the game's last."""
        read = json.loads(frame)
        if read.get("step") == 0:
            self.first = len(self.entries)
        message = f'event: frame\ndata: {{"match":"{self.public_id}","frame":{frame}}}\n'
        self.entries.append(EncodedFrame(read_id(entry_id), message))
        return bool(read.get("set", {}).get("over"))

    def notify(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()

    def after(self, had: tuple[int, int]) -> list[EncodedFrame]:
        """What follows this entry, of the attempt under way."""
        return self.entries[max(self.first, bisect_right(self.entries, had, key=lambda entry: entry.at)) :]


def read_id(text: str) -> tuple[int, int]:
    """Return the id of a Redis entry as numbers that sort; (0, 0), before all, if it is invalid."""
    ms, _, number = text[:41].partition("-")  # two numbers of 64 bits
    return (int(ms), int(number)) if f"{ms}{number}".isdecimal() and ms and number else (0, 0)


class Hub:
    """The feeds of one event loop: opened when first watched, closed a while after the last spectator."""

    def __init__(self) -> None:
        self.feeds: dict[str, Feed] = {}
        self.opening = asyncio.Lock()

    async def open(self, public_id: str) -> Feed | None:
        """Return the feed of a match for one more spectator; None if there is no such match."""
        async with self.opening:
            feed = self.feeds.get(public_id)
            if feed is None:
                feed = await in_database(_new_feed, public_id)
                if feed is None:
                    return None
                self.feeds[public_id] = feed
                # In a context of its own, because the request's ends before the match does.
                feed.reader = asyncio.create_task(self._read(feed), context=Context())
            feed.watchers += 1
            return feed

    def leave(self, feed: Feed) -> None:
        feed.watchers -= 1

    async def _read(self, feed: Feed) -> None:
        """Follow the stream until the match is over, or nobody has watched for a while."""
        last, alone_since = "0", 0.0
        async with Redis.from_url(settings.REDIS_URL, socket_timeout=BLOCK_MS / 1000 + 5) as redis:
            while not feed.over:
                try:
                    last = await self._take(feed, redis, last)
                except (RedisError, OSError) as error:
                    log.warning("cannot read the live frames of %s: %s", feed.public_id, error)
                    await asyncio.sleep(RETRY_SECONDS)
                alone_since = (alone_since or time.monotonic()) if not feed.watchers else 0.0
                if alone_since and time.monotonic() - alone_since > LINGER_SECONDS:
                    break
        self.feeds.pop(feed.public_id, None)
        feed.notify()

    async def _take(self, feed: Feed, redis: "Redis", last: str) -> str:
        answer: Any = await redis.xread({stream_key(feed.public_id): last}, count=500, block=BLOCK_MS)
        if not answer:
            feed.over = await in_database(_is_over, feed.public_id)
        for raw_id, fields in answer[0][1] if answer else ():
            last = raw_id.decode()
            if feed.delay:
                feed.notify()
                await asyncio.sleep(int(last.partition("-")[0]) / 1000 + feed.delay - time.time())
            if feed.add(last, fields[b"frame"].decode()):
                feed.notify()
                await _wait_for_report(feed)
        feed.notify()
        return last


async def _wait_for_report(feed: Feed) -> None:
    """The last frame comes a moment before the report, which opens the other views."""
    for _ in range(OVER_CHECKS):
        if await in_database(_is_over, feed.public_id):
            feed.over = True
            return
        await asyncio.sleep(0.5)


async def in_database(ask: Callable[[str], T], public_id: str) -> T:
    """Query the database in a thread, and leave no connection open in it."""

    def asked() -> T:
        try:
            return ask(public_id)
        finally:
            connection.close()

    return await asyncio.to_thread(asked)


def _new_feed(public_id: str) -> Feed | None:
    match = selectors.matches_to_show().filter(public_id=public_id).first()
    if match is None or not may_see(match, AnonymousUser()):
        return None
    header = json.dumps(selectors.header_of(match), ensure_ascii=False, separators=(",", ":"))
    return Feed(public_id, header, delay(match.purpose, match.purpose_id), match.is_over)


def _is_over(public_id: str) -> bool:
    """Return whether there is nothing more to show: it is over, or an organiser now holds it back."""
    match = Match.objects.filter(public_id=public_id).first()
    return match is None or match.state not in WATCHED or not may_see(match, AnonymousUser())


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


def read_places(last_event_id: str) -> dict[str, str]:
    """Return what a spectator has received, from the id of its last event: `match=entry;match=entry`."""
    pairs = (part.partition("=") for part in last_event_id[:2000].split(";"))
    return {match: entry for match, _, entry in pairs if entry}


async def messages(feeds: list[Feed], had: dict[str, str]) -> AsyncIterator[str]:
    """Server-sent events of several matches over one connection, until all of them are over."""
    last = {feed: read_id(had.get(feed.public_id, "")) for feed in feeds}
    ended: set[Feed] = set()
    try:
        yield "retry: 1000\n\n" + "".join(f"event: match\ndata: {feed.header}\n\n" for feed in feeds)
        while len(ended) < len(feeds):
            part = "".join(_news(feed, last) for feed in feeds)
            for feed in feeds:
                if feed.over and feed not in ended:
                    ended.add(feed)
                    part += f'event: over\ndata: {{"match":"{feed.public_id}"}}\n\n'
            yield part or await _any([feed.changed for feed in feeds if feed not in ended])
        yield "event: end\ndata: {}\n\n"
    finally:
        for feed in feeds:
            hub().leave(feed)


def _news(feed: Feed, last: dict[Feed, tuple[int, int]]) -> str:
    parts = []
    for entry in feed.after(last[feed]):
        last[feed] = entry.at
        places = ";".join(f"{one.public_id}={at[0]}-{at[1]}" for one, at in last.items())
        parts.append(f"{entry.message}id: {places}\n\n")
    return "".join(parts)


async def _any(changes: list[asyncio.Event]) -> str:
    """Wait until something has changed; a comment now and then keeps proxies from closing the connection."""
    tasks = [asyncio.create_task(change.wait()) for change in changes]
    try:
        done, _ = await asyncio.wait(tasks, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
    return "" if done else ": still here\n\n"
