"""The map of the code names modules that exist, and the way of a match is short enough to walk."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "contribute" / "map.md").read_text()
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
STEPS = re.findall(r"^\| (\d+) \| `([\w.]+)` \|", MAP, re.MULTILINE)
MODULES = sorted(set(re.findall(r"`((?:engine|contests|proto|workers|arena)(?:\.\w+)+)`", MAP)))
FOLDERS = re.findall(r"^\| ((?:`[\w/.]+`(?:, )?)+) \|.*\| (.+) \|$", MAP, re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_of_the_map_exists(module: str) -> None:
    path = ROOT / module.replace(".", "/")
    assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def test_a_match_passes_at_most_30_modules_and_each_once() -> None:
    assert [int(number) for number, _ in STEPS] == list(range(1, len(STEPS) + 1))
    assert 25 <= len(STEPS) <= 30
    assert len({module for _, module in STEPS}) == len(STEPS)


@pytest.mark.parametrize(("folders", "first"), FOLDERS)
def test_the_folders_exist_and_have_the_files_to_read_first(folders: str, first: str) -> None:
    paths = [ROOT / name for name in re.findall(r"`([\w/.]+)`", folders)]
    assert all(path.exists() for path in paths)
    for name in re.findall(r"`([\w/.]+\.(?:py|js|proto))`", first):
        assert any((path / name).exists() for path in paths), name


def test_nobody_must_know_more_than_25_concepts() -> None:
    part = GLOSSARY.split("## You must know these")[1].split("\n## ")[0]
    concepts = re.findall(r"^\| (?!word|-)([^|]+) \|", part, re.MULTILINE)
    assert 15 <= len(concepts) <= 25
    assert len(set(concepts)) == len(concepts)


def test_every_word_of_the_glossary_is_explained_once() -> None:
    words = re.findall(r"^\| (?!word|-)([^|]+) \|", GLOSSARY, re.MULTILINE)
    assert sorted(words) == sorted(set(words))
