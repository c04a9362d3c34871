"""Changes itself between matches."""

import os
from pathlib import Path

from cast import attempt


def set_time() -> float:
    before = os.stat("/bot/bot.py").st_mtime
    os.utime("/bot/bot.py", (1, 1))
    after = os.stat("/bot/bot.py").st_mtime
    if after == before:
        raise OSError("it was taken, and nothing changed")
    return after


attempt("write", lambda: Path("/bot/bot.py").write_text("x"))
attempt("new file", lambda: Path("/bot/notes.txt").write_text("x"))
attempt("remove", lambda: os.unlink("/bot/bot.py"))
attempt("mode", lambda: os.chmod("/bot/bot.py", 0o777))
attempt("time", set_time)
attempt("attribute", lambda: os.setxattr("/bot/bot.py", "user.note", b"x"))
attempt(
    "through its descriptor",
    lambda: os.open(f"/proc/self/fd/{os.open('/bot/bot.py', os.O_RDONLY)}", os.O_RDWR),
)
attempt("truncate", lambda: os.truncate("/bot/bot.py", 0))
