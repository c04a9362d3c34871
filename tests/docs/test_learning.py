"""*Learn from a million games*, walked with a tiny budget: train, export, check.

tests/arena/api/test_network_upload.py uploads the same bot.
"""

import re
from pathlib import Path

import pytest

from aztlan.cli import main
from engine import encoding, load_board
from engine.kernel import native_form
from tests.docs.network_bot import PAGE, follow_the_page

pytestmark = pytest.mark.skipif(not native_form(), reason="the native kernel is not built here")


def test_a_stranger_trains_and_checks_a_network_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    follow_the_page(tmp_path)
    assert main(["check", "my-bot", "-n", "1"]) in (0, None), capsys.readouterr().out


def test_the_vector_of_the_page_runs() -> None:
    code = re.search(
        r"^```python\n(from aztlan.rl import VectorEnv\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    assert code is not None
    names: dict[str, object] = {}
    exec(code[1].replace("1000", "20"), names)
    assert names["number"] == 19


def test_the_single_game_of_the_page_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"^```python\n(from random import choice\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert code is not None
    exec(code[1], {})
    assert sorted(capsys.readouterr().out.strip("[]\n").split(", ")) == ["1", "2", "3", "4"]


def test_the_table_of_the_encoding_names_every_part_in_order() -> None:
    table = PAGE.split("## The numbers of an observation")[1].split("## Search")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert named == [name for name, _ in encoding.parts(load_board(), 4)]
    assert f"Version {encoding.VERSION} " in table
