"""A shell on a terminal of its own, to type into as a person does: prompts, hidden passwords and Ctrl-C are real."""

import fcntl
import os
import re
import signal
import subprocess
import termios
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread

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
        self.unread = ""
        self.news = Condition()
        # A screen that nobody reads would hold up whatever prints to it.
        self.reader = Thread(target=self.read, daemon=True)
        self.reader.start()
        self.wait_for(PROMPT, 120)

    def read(self) -> None:
        with suppress(OSError):  # the shell and all that it started have gone
            while data := os.read(self.screen, 65536):
                with self.news:
                    self.unread += data.decode(errors="replace").replace("\r\n", "\n")
                    self.news.notify()

    def enter(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, pattern: str | re.Pattern[str], seconds: float) -> re.Match[str]:
        """Wait until what was printed since the last time has the pattern."""
        with self.news:
            self.news.wait_for(lambda: re.search(pattern, self.unread), seconds)
            found = re.search(pattern, self.unread)
            assert found, f"{pattern!r} was not printed in {seconds} s, but:\n{self.unread}"
            self.unread = ""
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
        with suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()
        self.reader.join(5)
        os.close(self.screen)
