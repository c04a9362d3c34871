"""Came with links to the host's files in its folder, and makes more."""

import os
from pathlib import Path

from cast import attempt

attempt("link that came along", lambda: Path("/bot/passwd").read_text())
attempt("link to the stage", lambda: Path("/bot/secret").read_text())
attempt("hard link out", lambda: os.link("/bot/bot.py", "/tmp/bot.py"))
attempt("hard link in", lambda: os.link("/bot/bot.py", "/bot/copy.py"))
attempt("symbolic link in", lambda: os.symlink("/tmp", "/bot/tmp"))
attempt("rename", lambda: os.rename("/bot/bot.py", "/bot/other.py"))
os.symlink("/proc/1/root", "/tmp/root")
attempt("through the first's root", lambda: Path("/tmp/root" + os.environ["HOST_SECRET"]).read_text())
os.symlink(os.environ["HOST_SECRET"], "/tmp/secret")
attempt("through tmp", lambda: Path("/tmp/secret").read_text())
