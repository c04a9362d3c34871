"""Python bots inside this process: no sockets, no clocks, no start-up, and a debugger that works.

A bot's file is run anew for each game, as a process of its own would run it. Its modules, its folder and its
path are its own: two bots may both have a `helpers.py`. What it raises is its fault, and the table plays on.
"""

import bdb
import contextlib
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from aztlan.bot import Bot
from aztlan.client import taking_bots
from aztlan.conversation import Conversation
from proto.messages import (
    PROTOCOL_VERSION,
    BotMessage,
    Decision,
    DecisionRequest,
    Hello,
    HostMessage,
    Strike,
    StrikeKind,
)
from workers.match.faults import STRIKES_ALLOWED, Fault, FaultKind
from workers.match.stand_in import default_action


class BotRun:
    """One run of a bot's Python file."""

    def __init__(self, entry: Path, folder: Path) -> None:
        self.entry, self.folder = entry, folder
        self.path = [str(entry.parent), *sys.path]
        self.modules: dict[str, ModuleType] = {}

    def load(self) -> Bot:
        """Run the file until it calls `aztlan.run`, and return the bot that it gave."""
        main = ModuleType("__main__")
        main.__file__ = str(self.entry)
        self.modules["__main__"] = main
        with taking_bots() as taken, self.at_work():
            code = compile(self.entry.read_bytes(), str(self.entry), "exec", dont_inherit=True)
            exec(code, main.__dict__)  # noqa: S102  the author's own bot
        if not taken:
            raise RuntimeError("the bot's file ended without calling aztlan.run(bot)")
        return taken[0]

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Let the program's code run: with its own modules and path, in its folder.

        Where a table is read by a program, what the bot prints goes to stderr.
        """
        modules, path, argv, folder = sys.modules.copy(), sys.path[:], sys.argv, Path.cwd()
        output = contextlib.nullcontext() if sys.stdout.isatty() else contextlib.redirect_stdout(sys.stderr)
        sys.modules.update(self.modules)
        sys.path[:], sys.argv = self.path, [str(self.entry)]
        os.chdir(self.folder)
        try:
            with output:
                yield
        finally:
            self.path = sys.path[:]
            sys.path[:], sys.argv = path, argv
            os.chdir(folder)
            self._take_modules(modules)

    def _take_modules(self, before: dict[str, ModuleType]) -> None:
        """Keep the modules that came out of the bot's folder, and leave the others as they were."""
        if len(sys.modules) > len(before) + len(self.modules) - sum(name in before for name in self.modules):
            for name in [name for name in sys.modules if name not in before and self._owns(name)]:
                self.modules[name] = sys.modules[name]
        for name in self.modules:
            if name in before:
                sys.modules[name] = before[name]
            else:
                sys.modules.pop(name, None)

    def _owns(self, name: str) -> bool:
        """Whether a module, or the package that it is in, lies directly beside the bot's file."""
        top = sys.modules.get(name.partition(".")[0])
        places = [*getattr(top, "__path__", ()), getattr(top, "__file__", None) or ""]
        return any(os.path.dirname(place) == str(self.entry.parent) for place in places if place)  # noqa: PTH120


class ProgramSeat:
    """A bot of this process at a table. Strikes and faults are as in the arena, but for the clock's."""

    def __init__(self, name: str, entry: Path, folder: Path, seat: int, seed: bytes) -> None:
        self.name, self.seat, self.seed, self.folder = name, seat, seed, folder
        self.fault: Fault | None = None
        self.printed = ""
        """The whole traceback of its fault."""
        self.where = ""
        """The bot's own file and line at which it failed."""
        self.strikes: list[str] = []
        self.notes: dict[int, str] = {}
        self._program = BotRun(entry, folder)
        self._conversation: Conversation | None = None
        with self._guard(0):
            self._conversation = Conversation(self._program.load())

    def hello(self) -> Hello:
        """Return a hello with the name that the command gave the bot."""
        return Hello(PROTOCOL_VERSION, self.name)

    def hear(self, message: HostMessage) -> BotMessage | None:
        """Take a message; a decision request is always answered, by the stand-in where the bot fails."""
        step = message.request_id if isinstance(message, DecisionRequest) else 0
        answer = self.tell(message, step)
        if not isinstance(message, DecisionRequest):
            return None
        legal = message.legal_actions
        if isinstance(answer, Decision) and answer.action in legal:
            if answer.note:
                self.notes[step] = answer.note
            return answer
        action = default_action(self.seed, self.seat, step, legal)
        if isinstance(answer, Decision):
            self._strike(f"action {answer.action} was not among the legal actions", step, action)
        return Decision(step, action, "")

    def tell(self, message: HostMessage, step: int) -> BotMessage | None:
        """Pass a message on to the bot and return its very answer; None once it has failed."""
        if self.fault is None and self._conversation:
            with self._guard(step), self._program.at_work():
                return self._conversation.hear(message)
        return None

    def _strike(self, reason: str, step: int, action: int) -> None:
        self.strikes.append(reason)
        count = len(self.strikes)
        self.tell(Strike(step, StrikeKind.ILLEGAL_ACTION, reason, action, count, STRIKES_ALLOWED), step)
        if count == STRIKES_ALLOWED and self.fault is None:
            self.fault = Fault(FaultKind.STRIKES, step, f"strike {count} of {STRIKES_ALLOWED}: {reason}")

    @contextlib.contextmanager
    def _guard(self, step: int) -> Iterator[None]:
        """Record what the bot raises as its fault. Leaving the debugger stops the command."""
        try:
            yield
        except bdb.BdbQuit:
            raise KeyboardInterrupt from None
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a bot's code raises
            self.fault = Fault(FaultKind.CRASH, step, f"it raised {type(error).__name__}")
            own = _from_bot(error, self._program.folder)
            self.where = _place_of(own, self._program.folder)
            self.printed = "".join(traceback.format_exception(own))


def _from_bot(error: BaseException, folder: Path) -> BaseException:
    """Drop the frames that lead into the bot's code."""
    trace = error.__traceback__
    while trace and not trace.tb_frame.f_code.co_filename.startswith(str(folder)):
        trace = trace.tb_next
    return error.with_traceback(trace) if trace else error


def _place_of(error: BaseException, folder: Path) -> str:
    """Return the innermost line of the bot's own, as `bot.py:12: it raised ValueError: text`."""
    if isinstance(error, SyntaxError) and error.filename:
        file, line = error.filename, error.lineno or 0
    else:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.filename.startswith(str(folder))]
        file, line = (own[-1].filename, own[-1].lineno or 0) if own else (str(folder), 0)
    text = str(error.msg if isinstance(error, SyntaxError) else error).partition("\n")[0][:200]
    return f"{file}:{line}: {type(error).__name__}" + (f": {text}" if text else "")
