"""A whole arena of real processes with quick clocks: servers, web, arena worker, scheduler, match hosts."""

import http.client
import io
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import django.db
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import connections
from django.db.models import F

from arena.accounts.models import User
from arena.arena_env import database
from arena.bots.models import Bot, Status, Version
from arena.celery import app
from arena.embedded.home import PROJECT, Home
from arena.embedded.postgres import postgres_server
from arena.embedded.process import Program, end_group, spawn, start
from arena.embedded.redis import redis_server
from arena.hosts.models import Attempt, Host
from arena.ladders.checking import check
from arena.ladders.models import Result
from arena.ladders.services import create_ladder
from arena.matches.models import Match, MatchReport, MatchSeat
from arena.matches.services import MatchRequest, request_matches
from arena.up.programs import ARENA_WORKER, CALLS_WORKER, HEAVY_WORKER, WORKER
from engine.rulesets import ruleset
from workers.match.spec import DEFAULT_CLOCKS
from workers.settings import broker_url

CLOCKS = {
    "ARENA_LEASE_SECONDS": "6",
    "ARENA_BEAT_SECONDS": "1",
    "ARENA_REAP_SECONDS": "1",
    "ARENA_RESEND_SECONDS": "2",
    "ARENA_OUTBOX_LEASE_SECONDS": "3",
    "ARENA_WEBHOOKS_TO_PRIVATE": "true",
    "ARENA_LOG_LEVEL": "INFO",
    "MATCH_HOST_LEAST_FREE_MB": "1",
}
PATIENCE = 240.0  # only a machine that is busy with other things needs it


class RunningArena:
    """Start it, break it, look at its database. Programs have names: web, arena, scheduler, host-1, ..."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.folder = folder
        self.home = Home(folder / "home")
        self.home.create()
        self.port = free_port()
        self.servers = {
            "postgres": postgres_server(self.home, durable=False),
            "redis": redis_server(self.home),
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.log_starts: dict[str, int] = {}
        self.host_environments: dict[str, dict[str, str]] = {}
        self.environment = {
            **os.environ,
            **CLOCKS,
            "DATABASE_URL": self.home.database_url,
            "REDIS_URL": self.home.redis_url,
            "ARENA_HOME": str(self.home.path),
            "SECRET_KEY": settings.SECRET_KEY,
            "ARENA_HOST_KEY": settings.HOST_KEY,
            "ALLOWED_HOSTS": "127.0.0.1,localhost,10.213.7.1",
            "PYTHONUNBUFFERED": "1",
            "PYTHONWARNINGS": "ignore",
        }

    # Programs

    def start_server(self, name: str) -> None:
        self.processes[name] = start(self.servers[name])

    def start(self, name: str) -> None:
        words = {
            "web": f"uvicorn arena.asgi:application --no-proxy-headers --port {self.port} --no-access-log --lifespan off",
            "arena": ARENA_WORKER,
            "calls": CALLS_WORKER,
            "heavy": HEAVY_WORKER,
            "scheduler": f"celery --quiet -A arena.celery beat --pidfile= -s {self.home.path}/schedule",
        }
        self.run(name, ["-m", *words[name].split()], self.environment)
        if name == "web":
            wait_for(self.web_answers, "the web server")

    def start_host(self, name: str, namespace: str = "", processes: int = 1, **more: str) -> None:
        """Start a match host, which knows neither the database nor the arena's own secret."""
        known = {
            key: value for key, value in self.environment.items() if key not in ("DATABASE_URL", "SECRET_KEY")
        }
        known |= {
            "ARENA_URL": f"http://127.0.0.1:{self.port}",
            "MATCH_HOST_NAME": name,
            "MATCH_HOST_FOLDER": str(self.folder / name),
            "ARENA_HOME": str(self.folder / "no-home-of-a-host"),
            **more,
        }
        self.host_environments[name] = more
        words = f"celery --quiet -A workers.app {WORKER} -n {name}@%h -Q matches -c {processes}"
        self.run(name, ["-m", *words.split()], known, namespace)

    def run(self, name: str, words: Sequence[str], environment: dict[str, str], namespace: str = "") -> None:
        log = self.home.logs / f"{name}.log"
        self.log_starts[name] = log.stat().st_size if log.exists() else 0
        inside = ["ip", "netns", "exec", namespace] if namespace else []
        command = [*inside, sys.executable, *words]
        self.processes[name] = spawn(Program(name, command, environment, PROJECT, log=log))

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """Kill a program as `kill -9` of its process does: what it forked must die by itself."""
        process = self.processes.pop(name)
        process.send_signal(number)
        process.wait()

    def stop(self, name: str) -> None:
        """End a program and whatever is left of its group."""
        process = self.processes.pop(name)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        end_group(process)

    def restart_dead(self) -> None:
        """Do what a supervisor does."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                if name in self.servers:
                    self.start_server(name)
                elif name in self.host_environments:
                    self.start_host(name, namespace="", processes=1, **self.host_environments[name])
                else:
                    self.start(name)

    def end(self) -> None:
        for name in [name for name in self.processes if name not in self.servers]:
            end_group(self.processes.pop(name))
        for name in list(self.processes):
            self.processes[name].send_signal(signal.SIGINT)
            end_group(self.processes.pop(name))

    def web_answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def log(self, name: str) -> str:
        return (self.home.logs / f"{name}.log").read_text(errors="replace")

    def is_ready(self, name: str) -> bool:
        """Return whether a program has come up since it was last started."""
        if name in self.servers or name == "web":
            return True  # these are waited for
        return "ready" in self.log(name)[self.log_starts[name] :]

    def has_beaten(self, host: str) -> bool:
        """Return whether a host has shown itself to the arena since it was started."""
        return Host.objects.filter(name=host).exists()

    # Database

    def migrate(self) -> None:
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"], env=self.environment, cwd=PROJECT, check=True
        )

    @contextmanager
    def database(self) -> Iterator[None]:
        """Have this process's Django use the arena's database and files."""
        before = connections.settings["default"], settings.MEDIA_ROOT, settings.REDIS_URL
        connections["default"].close()
        ours = connections.configure_settings(
            {"default": {**settings.DATABASES["default"], **database("-", self.home.database_url)}}
        )
        connections.settings["default"] = ours["default"]
        del connections["default"]
        settings.MEDIA_ROOT, settings.REDIS_URL = self.home.path / "media", self.home.redis_url
        use_broker(settings.REDIS_URL)
        try:
            yield
        finally:
            connections["default"].close()
            del connections["default"]
            connections.settings["default"], settings.MEDIA_ROOT, settings.REDIS_URL = before
            use_broker(settings.REDIS_URL)


def use_broker(redis_url: str) -> None:
    """Have this process's Celery send to another Redis from now on."""
    app.close()
    app.conf.broker_url = app.conf.broker_write_url = broker_url(redis_url)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(true: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something is true; fail with its name where it never is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if true():
                return
        except django.db.Error:
            connections["default"].close()  # the database was away; ask again
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {seconds:.0f} s")


def make_archive(source: str, name: str = "bot") -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bot.toml", f'name = "{name}"\nruntime = "python"\nentry = "main.py"\n')
        file.writestr("main.py", source)
    return archive.getvalue()


def make_version(slug: str, source: str, owner: str | None = None, status: str = Status.ACTIVE) -> Version:
    """Make a bot with one version, without the checks of an upload."""
    user, _ = User.objects.get_or_create(
        username=owner or slug, defaults={"email": f"{owner or slug}@example.org"}
    )
    bot = Bot.objects.create(owner=user, slug=slug, name=slug)
    data = make_archive(source, slug)
    version = Version(
        bot=bot, number=1, sha256=sha256(data).hexdigest(), size=len(data), runtime="python", status=status
    )
    version.manifest = {"name": slug, "runtime": "python", "entry": "main.py"}
    version.archive.save("", ContentFile(data), save=False)
    version.save()
    if status == Status.ACTIVE:
        Bot.objects.filter(pk=bot.pk).update(active_version=version)
    return version


def bot_source(file: Path) -> str:
    """A bot's program, as nobody has sent it yet."""
    return file.read_text() + f"# {secrets.token_hex(4)}\n"


class Contest:
    """A ladder of its own with one bot per seat; it pairs nobody by itself."""

    def __init__(self, kind: str, seats: int, folder: Path) -> None:
        name = f"{kind.strip('_')}-{secrets.token_hex(3)}".replace("_", "-")
        bot = folder / f"{kind}.py"
        self.versions = [make_version(f"{name}-{seat}", bot_source(bot)) for seat in range(seats)]
        self.ladder = create_ladder(
            slug=name,
            name=name,
            seats=seats,
            ruleset=ruleset("english"),
            clocks=DEFAULT_CLOCKS,
            is_open=False,
        )
        self.season = self.ladder.seasons.get()
        self.matches: list[Match] = []

    def ask(self, count: int = 1) -> list[Match]:
        request = MatchRequest(
            self.versions, ruleset("english"), Match.Purpose.LADDER, purpose_id=self.season.pk, rated=True
        )
        made = request_matches([request] * count)
        self.matches += made
        return made

    def states(self) -> list[str]:
        return list(
            Match.objects.filter(pk__in=[match.pk for match in self.matches]).values_list("state", flat=True)
        )

    def attempts(self) -> list[Attempt]:
        return list(Attempt.objects.filter(match__in=self.matches).order_by("pk"))

    def wait_until_playing(self) -> None:
        """Wait until a host is in the middle of one of the matches: it has beaten for it."""
        lease = timedelta(seconds=int(CLOCKS["ARENA_LEASE_SECONDS"]))
        beaten = Attempt.objects.filter(
            match__in=self.matches, state=Attempt.State.RUNNING, lease_until__gt=F("started_at") + lease * 1.1
        )
        wait_for(beaten.exists, "a match is played")

    def is_settled(self) -> bool:
        return set(self.states()) == {"finished"} and Result.objects.filter(
            match__in=self.matches
        ).count() == len(self.matches)

    def wait_until_settled(self, seconds: float = PATIENCE) -> None:
        """Wait until every match is finished and counted; check that each is so once, and the fold."""
        wait_for(self.is_settled, "every match is finished and counted", seconds)
        assert MatchReport.objects.filter(match__in=self.matches).count() == len(self.matches)
        done = [attempt.match_id for attempt in self.attempts() if attempt.state == Attempt.State.DONE]
        assert Counter(done) == Counter(match.pk for match in self.matches)
        assert sum(standing.games for standing in self.season.standings.all()) == 2 * len(self.matches)
        assert not MatchSeat.objects.filter(match__in=self.matches).exclude(fault="").exists()
        assert check(self.season.pk) == []
