# No pathlib: importing it would delay every bot.
# ruff: noqa: PTH100, PTH120, PTH123
"""Starts a Python program inside its sandbox; a copy of this file stands beside the packages that bots may
import.

`python boot.py /bot/main.py` on a cold start; on a warm one `run_and_leave` is called in the forked process.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from types import ModuleType, TracebackType


def run(argv: list[str]) -> None:
    """Run a Python file as the main program, as `python file arguments` would."""
    entry = argv[0]
    sys.argv = argv
    sys.path.insert(0, os.path.dirname(entry))
    main = ModuleType("__main__")
    main.__file__ = entry
    main.__builtins__ = __builtins__  # type: ignore[attr-defined]  # as runpy does
    sys.modules["__main__"] = main
    with open(entry, "rb") as file:
        code = compile(file.read(), entry, "exec", dont_inherit=True)
    sys.excepthook = show_from_bot
    exec(code, main.__dict__)  # noqa: S102  running a stranger's code is the purpose


def run_and_leave(argv: list[str], hidden: list[str]) -> None:
    """Run it and end the process as Python does, but without cleaning up all that was imported.

    In a forked process that would copy every page that is shared with the others, only to give it back. So
    the `hidden` modules too are only put out of the program's sight.
    """
    _kept = [sys.modules.pop(name) for name in hidden]
    code = 0
    try:
        run(argv)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:  # noqa: BLE001  whatever a stranger's code raises
        sys.excepthook(type(error), error, error.__traceback__)
        code = 1
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  waits for non-daemon threads
        atexit._run_exitfuncs()  # noqa: SLF001  as the interpreter does
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code & 0xFF)


def show_from_bot(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show an author where their bot failed, without our own stack frames."""
    while trace and trace.tb_frame.f_code.co_filename != sys.argv[0]:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    run(sys.argv[1:])
