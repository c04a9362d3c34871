"""*Learn from a million games*, walked with a tiny budget: train, export, check."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from aztlan.cli import main
from engine import encoding, load_board
from engine.kernel import native_form
from tests.docs.commands import ROOT

PAGE = (ROOT / "docs" / "learning.md").read_text()
TINY = ["--rounds", "1", "--games", "4", "--every", "1", "--measured", "4"]

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


def test_a_stranger_trains_and_checks_a_network_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    new, train = re.findall(r"^\$ (.*)$", PAGE, re.MULTILINE)
    assert main(shlex.split(new)[1:]) in (0, None)
    subprocess.run([sys.executable, *shlex.split(train)[1:], *TINY], check=True)
    (tmp_path / "value-4.npz").rename(tmp_path / "my-bot" / "value-4.npz")
    code = re.search(r"^```python\n(# my-bot/bot.py\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert code is not None
    (tmp_path / "my-bot" / "bot.py").write_text(code[1])
    assert main(["check", "my-bot", "-n", "1"]) in (0, None), capsys.readouterr().out


def test_the_vector_of_the_page_runs() -> None:
    code = re.search(
        r"^```python\n(from aztlan.rl import VectorEnv\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    assert code is not None
    names: dict[str, object] = {}
    exec(code[1].replace("1000", "20"), names)
    assert names["number"] == 19


def test_the_table_of_the_encoding_names_every_part_in_order() -> None:
    table = PAGE.split("## The numbers of an observation")[1].split("## Search")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == [name for name, _ in encoding.parts(load_board(), 4)]
    assert f"Version {encoding.VERSION} " in table
