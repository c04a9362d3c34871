"""The documentation builds without a warning, and says nothing of the code that is not so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from arena.operations.figures import FIGURES
from engine.rulesets import CHOICES, EDITIONS, ruleset

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]
CODE = re.compile(r"^```[a-z]*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)


def code_lines() -> list[tuple[str, str]]:
    """Return every line of code that a page shows, with the page's name."""
    return [
        (page.name, line.removeprefix("$ ").split("#")[0].strip())
        for page in PAGES
        for block, inline in CODE.findall(page.read_text())
        for line in (block or inline).splitlines()
    ]


def named(pattern: str) -> set[tuple[str, str]]:
    return {(page, found[1]) for page, line in code_lines() if (found := re.search(pattern, line))}


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


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    found = named(r"^make ([a-z]+)\b")
    assert len(found) > 10
    assert {(page, target) for page, target in found if target not in targets} == set()


def test_every_management_command_that_is_named_exists() -> None:
    found = named(r"manage\.py ([a-z_]+)")
    assert len(found) > 8
    assert {(page, command) for page, command in found if command not in get_commands()} == set()


def test_every_python_module_that_is_run_exists() -> None:
    for page, module in named(r"python3? -m ([a-z_.]+)"):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), f"{page}: {module}"


def test_every_aztlan_command_and_option_that_is_shown_exists() -> None:
    helps: dict[str, str] = {}
    for page, line in code_lines():
        if not (found := re.match(r"aztlan ([a-z-]+)(.*)", line)):
            continue
        command, rest = found.groups()
        if command not in helps:
            done = subprocess.run(
                [sys.executable, "-m", "aztlan.cli", command, "--help"],
                cwd=ROOT / "sdk",
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, f"{page}: {line}: {done.stderr}"
            helps[command] = done.stdout
        for option in re.findall(r"(?<!\S)(--?[a-z][a-z-]*)", rest):
            assert re.search(rf"{option}\b", helps[command]), f"{page}: {line}: no {option}"
    assert len(helps) > 5


def test_every_path_on_the_map_exists() -> None:
    text = (DOCS / "contribute" / "map.md").read_text()
    rows = re.findall(r"^\| (`[^|]+) \|[^|]*\| ([^|]*) \|$", text, re.MULTILINE)
    assert len(rows) > 15
    for folders, first in rows:
        names = re.findall(r"`([^`]+)`", folders)
        assert [folder for folder in names if not (ROOT / folder).is_dir()] == []
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
