"""What the pages for authors say of exit codes, commands and CI is so."""

import re
from pathlib import Path

import yaml

from aztlan.cli import COMMANDS, exits, main
from proto.observation_page import PAGE, page

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_the_observation_is_current() -> None:
    assert PAGE.read_text() == page(), "run `make docs`"


def test_every_command_has_a_row() -> None:
    rows = re.findall(r"^\| `aztlan ([a-z-]+)` \|", (DOCS / "commands.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(COMMANDS)


def test_every_exit_code_has_a_row() -> None:
    rows = re.findall(r"^\| (\d+) \|", (DOCS / "commands.md").read_text(), re.MULTILINE)
    codes = {value for name, value in vars(exits).items() if name.isupper()}
    assert {int(row) for row in rows} == codes


def test_the_options_that_the_pages_name_exist(capsys) -> None:  # type: ignore[no-untyped-def]
    """In the examples of the pages, each option is one of its command."""
    shown = "\n".join((DOCS / name).read_text() for name in ("debugging.md", "upload-from-ci.md"))
    commands = re.findall(r"(?:^\$ |run: |`|^\s+)aztlan ([a-z-]+)([^`\n]*)", shown, re.MULTILINE)
    assert len(commands) > 10
    for command, rest in commands:
        try:
            main([command, "--help"])
        except SystemExit as end:
            assert end.code == 0
        known = capsys.readouterr().out
        assert [option for option in re.findall(r"--[a-z-]+|-n\b", rest) if option not in known] == []


def test_the_template_for_ci_is_a_workflow() -> None:
    [block] = re.findall(
        r"^```yaml\n(.*?)^```", (DOCS / "upload-from-ci.md").read_text(), re.MULTILINE | re.DOTALL
    )
    steps = yaml.safe_load(block)["jobs"]["upload"]["steps"]
    assert [step["run"].split()[1] for step in steps if step.get("run", "").startswith("aztlan")] == [
        "check",
        "fuzz",
        "upload",
    ]
