"""Speak gRPC for a program that reads JSON lines on stdin and writes them to stdout.

`python -m aztlan.bridge PROGRAM ARGUMENT...` plays one match, as any bot does. What the program writes to
stderr is the bot's log. An invalid line ends the match for the program, and counts as its own fault.
"""

import subprocess
import sys
import threading
from typing import IO, cast

from aztlan.client import HostGoneError, HostStream, socket_path
from aztlan.jsonlines import LONGEST_LINE, LineError, read_line, write_line
from proto.messages import Decision, GameOver, Hello, HostMessage, Ping, Pong

FAREWELL = 0.3
"""Seconds that a program has to exit once the game is over; the host itself waits longer."""


def main(argv: list[str]) -> int:
    """Play one match with the program; return this process's exit code."""
    if not argv:
        print("usage: python -m aztlan.bridge PROGRAM [ARGUMENT...]", file=sys.stderr)
        return 2
    path = socket_path()
    try:
        program = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        print(f"bridge: {argv[0]} cannot be started: {error.strerror}", file=sys.stderr)
        return 1
    try:
        return Bridge(program).play(path)
    except LineError as error:
        print(f"bridge: {error}", file=sys.stderr)
        return 1
    finally:
        program.kill()
        program.wait()


class Bridge:
    """One program in one match."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        self._program = program
        self._input = cast("IO[bytes]", program.stdin)
        self._output = cast("IO[bytes]", program.stdout)
        self._over = False
        self._problem = ""

    def play(self, path: str) -> int:
        """Wait for the program's hello, then pass messages on both ways until the match is over."""
        hello = self._read()
        if not isinstance(hello, Hello):
            raise LineError("the first line must be a hello")
        with HostStream(path, hello) as stream:
            threading.Thread(target=self._pass_on, args=(stream,), daemon=True).start()
            try:
                stream.talk(self._hear)
            except HostGoneError as error:
                print(f"bridge: {self._problem or error}", file=sys.stderr)
                return 1
        self._input.close()
        try:
            self._program.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            print("bridge: the program did not end after the game", file=sys.stderr)
        return 0

    def _hear(self, message: HostMessage) -> Pong | None:
        if isinstance(message, Ping):
            return Pong(message.ping_id)
        self._over = self._over or isinstance(message, GameOver)
        try:
            self._input.write(write_line(message))
            self._input.flush()
        except BrokenPipeError:
            pass  # it has exited; the reader thread reports that
        return None

    def _pass_on(self, stream: HostStream) -> None:
        """Send the program's decisions, in a thread; close the stream on an invalid line or when it exits."""
        try:
            while True:
                decision = self._read()
                if not isinstance(decision, Decision):
                    raise LineError("a hello may only be sent once, as the first line")
                stream.say(decision)
        except LineError as error:
            if not self._over:
                self._problem = str(error)
                stream.close()

    def _read(self) -> Hello | Decision:
        line = self._output.readline(LONGEST_LINE + 1)
        if not line:
            raise LineError("the program ended, or closed its stdout, before the match was over")
        try:
            return read_line(line)
        except LineError as error:
            raise LineError(f"{error}; the program wrote {line[:100]!r}") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
