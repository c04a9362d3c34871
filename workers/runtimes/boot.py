# pathlib need not be imported before every bot.
# ruff: noqa: PTH100, PTH120, PTH123
"""Starts a Python program inside its sandbox; a copy of this file stands beside the packages that bots may
import.

`python boot.py /bot/main.py` on a cold start; on a warm one `run` is called in the forked process.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType, TracebackType


def run(argv: list[str]) -> None:
    """Run a Python file as the main program, as `python file arguments` would."""
    entry = argv[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == "workers"]:
        del sys.modules[name]
    sys.argv = argv
    sys.path.insert(0, os.path.dirname(entry))
    main = ModuleType("__main__")
    main.__file__ = entry
    main.__builtins__ = __builtins__  # type: ignore[attr-defined]
    sys.modules["__main__"] = main
    with open(entry, "rb") as file:
        code = compile(file.read(), entry, "exec", dont_inherit=True)
    sys.excepthook = show_from_bot
    exec(code, main.__dict__)  # noqa: S102  to run a stranger's code is what we are here for


def show_from_bot(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show an author where their bot failed, without the steps that led into it."""
    while trace and trace.tb_frame.f_code.co_filename != sys.argv[0]:
        trace = trace.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    run(sys.argv[1:])
