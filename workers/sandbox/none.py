"""No isolation: a bot runs with the match host's own rights. For an author's own machine only."""

from __future__ import annotations

from workers.runtimes.base import BotCommand
from workers.sandbox.base import SOCKET_VARIABLE, Launch
from workers.sandbox.layout import ARTIFACT, BOT_FOLDER
from workers.sandbox.program import SandboxProgram


class NoIsolation:
    own_processes = 0
    own_memory = 0
    socket_mode = 0o600
    host_processes = True

    def program(
        self,
        launch: Launch,
        command: BotCommand,
        env: dict[str, str],
        uid: int | None,  # noqa: ARG002  the other kinds of isolation need it
    ) -> SandboxProgram:
        argv = [self.outside(part, launch) for part in command.argv]
        if launch.socket:
            env = {**env, SOCKET_VARIABLE: str(launch.socket)}
        return SandboxProgram(argv, env)

    def outside(self, part: str, launch: Launch) -> str:
        """Translate a path of the sandbox into the host's."""
        if part == ARTIFACT and launch.artifact:
            return str(launch.artifact)
        if part == BOT_FOLDER or part.startswith(BOT_FOLDER + "/"):
            return str(launch.folder) + part.removeprefix(BOT_FOLDER)
        return part
