"""The ten-minute guide does what it says: its files are written and its commands run, in order."""

import re
import shlex
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "write-a-bot.md"
BLOCKS = re.findall(r"```(console|python)\n(.*?)```", GUIDE.read_text(), re.DOTALL)


@pytest.mark.slow
def test_every_command_of_the_guide_succeeds(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = 0
    for language, text in BLOCKS:
        if language == "python":
            first = text.splitlines()[0]
            assert first.startswith("# ")
            (tmp_path / first.removeprefix("# ")).write_text(text)
            continue
        for line in text.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "aztlan"
            code, printed, told = command(*arguments)
            assert (code, told) == (0, ""), f"{line}: {printed}"
            ran += 1
    assert ran >= 7


def test_the_guide_links_only_to_pages_that_are_there():
    for link in re.findall(r"\]\(([^)#]+)\)", GUIDE.read_text()):
        assert (GUIDE.parent / link).exists(), link
