"""The documentation builds without a warning, and says nothing of the code that is not so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from arena.operations.figures import FIGURES
from engine.rulesets import CHOICES, EDITIONS, ruleset

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(tmp_path / "site"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Aztlán Arena" in (tmp_path / "site" / "index.html").read_text()


def test_the_page_of_the_protocol_is_current() -> None:
    from proto.reference import PAGE, reference

    assert PAGE.read_text() == reference(), "run `make docs`"


def test_every_path_on_the_map_exists() -> None:
    text = (DOCS / "contribute" / "map.md").read_text()
    rows = re.findall(r"^\| (`[^|]+) \|[^|]*\| ([^|]*) \|$", text, re.MULTILINE)
    assert len(rows) > 15
    for folders, first in rows:
        names = re.findall(r"`([^`]+)`", folders)
        assert [folder for folder in names if not (ROOT / folder).exists()] == []
        for file in re.findall(r"`([^`]+)`", first):
            assert any((ROOT / folder / file).exists() for folder in names), f"{folders}: {file}"


def test_every_figure_is_explained_to_operators() -> None:
    page = (DOCS / "operator" / "watch.md").read_text()
    for figures in FIGURES:
        for name, _ in figures.figures:
            short = re.sub(r"^arena_(host|outbox)", "", name)
            assert f"`{name}`" in page or f"`{short}`" in page, name
        assert all(f"`{label}`" in page for label in figures.labels)


@pytest.mark.parametrize("option", CHOICES)
def test_the_table_of_editions_is_what_the_engine_plays(option: str) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (DOCS / "rules.md").read_text().splitlines()
        if line.startswith((f"| `{option}`", "| option "))
    ]
    head, row = rows
    for title, cell in zip(head[1:], row[1:], strict=True):
        for edition in title.split(", "):
            assert f"`{getattr(ruleset(edition), option)}`" in cell, f"{edition}: {cell}"
    assert {edition for title in head[1:] for edition in title.split(", ")} == set(EDITIONS)


def test_every_page_is_in_the_table_of_contents_or_a_decision() -> None:
    contents = (ROOT / "mkdocs.yml").read_text()
    yaml.safe_load(contents)
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert {page for page in pages if f" {page}\n" not in contents and not page.startswith("adr/")} == set()


def test_pictures_are_small_and_described() -> None:
    for picture in [*DOCS.glob("*.png"), *DOCS.glob("*.svg")]:
        assert picture.stat().st_size < 200_000
    assert "<desc" in (DOCS / "architecture.svg").read_text()
