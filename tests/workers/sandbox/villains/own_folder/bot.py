"""Changes itself between matches."""

import os
from pathlib import Path

from cast import attempt

attempt("write", lambda: Path("/bot/bot.py").write_text("x"))
attempt("new file", lambda: Path("/bot/notes.txt").write_text("x"))
attempt("remove", lambda: os.unlink("/bot/bot.py"))
attempt("mode", lambda: os.chmod("/bot/bot.py", 0o777))
attempt("time", lambda: os.utime("/bot/bot.py"))
attempt("attribute", lambda: os.setxattr("/bot/bot.py", "user.note", b"x"))
attempt(
    "through its descriptor",
    lambda: os.open(f"/proc/self/fd/{os.open('/bot/bot.py', os.O_RDONLY)}", os.O_RDWR),
)
attempt("truncate", lambda: os.truncate("/bot/bot.py", 0))
