"""One game of a bot under observation: its time, its memory, and what it leaves behind."""

import asyncio
import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from aztlan.local.match import Job, bot_environment, play_real
from aztlan.local.players import ProgramPlayer
from proto.messages import StrikeKind
from workers.match.plain_process import plain_launcher
from workers.match.report import SeatReport
from workers.sandbox.base import SOCKET_VARIABLE, Running

LOOK_EVERY = 0.1


@dataclass(frozen=True)
class Trial:
    """What a game has shown of the bot. Times are microseconds, memory is bytes."""

    startup: int | None
    times: Sequence[int]
    illegal: Sequence[str]
    late: Sequence[str]
    fault: str
    memory: int
    exited: bool
    left_behind: Sequence[str]


@dataclass
class Watch:
    """Launches the bot of one game and keeps an eye on its processes."""

    player: ProgramPlayer
    memory: int = 0
    socket: Path | None = None
    _looking: "list[asyncio.Task[None]]" = field(default_factory=list)

    async def launch(self, socket: Path) -> Running:
        """Start the bot; from now on look at its memory now and then."""
        self.socket = socket
        running = await plain_launcher(self.player.argv, self.player.folder, bot_environment(self.player))(
            socket
        )
        self._looking.append(asyncio.create_task(self._look(running.pid)))
        return running

    async def _look(self, pid: int) -> None:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            while True:
                family = [process, *process.children(recursive=True)]
                self.memory = max(self.memory, sum(one.memory_info().rss for one in family))
                await asyncio.sleep(LOOK_EVERY)

    def left_behind(self) -> list[str]:
        """End the processes that still know this match's socket, and return their names."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid != os.getpid() and process.environ().get(SOCKET_VARIABLE) == str(self.socket):
                    found.append(process.name())
                    process.kill()
        return found


def fault_text(mine: SeatReport) -> str:
    """Why a seat was taken from its bot, with what the bot printed last; empty where it was not."""
    if mine.fault is None:
        return ""
    printed = mine.output.strip()[-1500:]
    return f"{mine.fault.reason}, at step {mine.fault.step}" + (
        f"; it printed:\n{printed}" if printed else ""
    )


def run_trial(job: Job, bot: ProgramPlayer) -> Trial:
    """Play a game in which the bot has a seat and tell what it showed."""
    seat = job.players.index(bot)
    watch = Watch(bot)
    report = asyncio.run(play_real(job, {seat: watch.launch}))
    mine = report.seats[seat]
    strikes = {kind: [one.reason for one in mine.strikes if one.kind is kind] for kind in StrikeKind}
    return Trial(
        startup=mine.startup_us,
        times=mine.charged_us,
        illegal=strikes[StrikeKind.ILLEGAL_ACTION],
        late=strikes[StrikeKind.TIME],
        fault=fault_text(mine),
        memory=watch.memory,
        exited=mine.exit.startswith("it exited"),
        left_behind=watch.left_behind(),
    )
