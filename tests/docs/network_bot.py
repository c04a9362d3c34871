"""A network bot as *Learn from a million games* makes it, with a tiny budget."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from aztlan.cli import main
from tests.docs.commands import ROOT

PAGE = (ROOT / "docs" / "learning.md").read_text()
TINY = ["--rounds", "1", "--games", "4", "--every", "1", "--measured", "4"]


def follow_the_page(folder: Path) -> Path:
    """Type what the page shows in this folder, which is the current one; return the bot's folder."""
    new, train = re.findall(r"^\$ (.*)$", PAGE, re.MULTILINE)
    assert main(shlex.split(new)[1:]) in (0, None)
    subprocess.run([sys.executable, *shlex.split(train)[1:], *TINY], check=True)
    bot = folder / "my-bot"
    (folder / "value-4.npz").rename(bot / "value-4.npz")
    code = re.search(r"^```python\n(# my-bot/bot.py\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert code is not None
    (bot / "bot.py").write_text(code[1])
    return bot
