"""A shell on a terminal of its own, to type into as a person does: prompts, hidden passwords and Ctrl-C are real."""

import fcntl
import os
import re
import select
import signal
import subprocess
import termios
import time
from contextlib import suppress
from pathlib import Path

PROMPT = re.compile(r"\[exit (\d+)\] $")


class Terminal:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.screen, theirs = os.openpty()
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**environment, "TERM": "dumb", "PS1": "[exit $?] "},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.wait_for(PROMPT, 30)

    def enter(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, pattern: str | re.Pattern[str], seconds: float) -> re.Match[str]:
        """Read until what was printed since the last time has the pattern."""
        printed = ""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, printed)):
            ready, _, _ = select.select([self.screen], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{pattern!r} was not printed in {seconds} s, but:\n{printed}"
            printed += os.read(self.screen, 65536).decode(errors="replace").replace("\r\n", "\n")
        return found

    def run(self, command: str, seconds: float) -> str:
        """Type a command, wait for its end, and return what it printed."""
        self.enter(f"{command}\n")
        found = self.wait_for(PROMPT, seconds)
        printed = found.string[: found.start()]
        assert found[1] == "0", f"{command} ended with {found[1]}:\n{printed}"
        return printed

    def close(self) -> None:
        """Close the window: whatever still runs in it is hung up on."""
        os.close(self.screen)
        with suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()
