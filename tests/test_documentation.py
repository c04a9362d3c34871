"""What the documentation promises to list, it lists."""

import re
from pathlib import Path

import pytest

from arena.operations.known_variables import KNOWN

ROOT = Path(__file__).parent.parent
READS = re.compile(r'\b(?:env\.\w+|database)\(\s*"([A-Z][A-Z_]+)"')
NAMED = re.compile(r'"((?:ARENA|MATCH_HOST)_[A-Z0-9_]+)"')
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


def variables() -> set[str]:
    """Return every environment variable that the code reads through the typed helpers."""
    sources = [path for folder in ("arena", "workers") for path in (ROOT / folder).rglob("*.py")]
    return {name for path in sources for name in READS.findall(path.read_text())}


def test_every_variable_is_in_the_operators_list() -> None:
    page = (ROOT / "docs" / "operator" / "settings.md").read_text()
    assert variables() >= {"DATABASE_URL", "REDIS_URL", "PORT"}
    assert {name for name in variables() if f"`{name}`" not in page} == set()


def test_the_doctor_knows_every_variable_of_ours() -> None:
    sources = [path for folder in ("arena", "workers") for path in (ROOT / folder).rglob("*.py")]
    read = {name for path in sources for name in NAMED.findall(path.read_text())}
    assert read - {"ARENA_BEHIND_PROXY"} == KNOWN  # which is refused at start


@pytest.mark.parametrize(
    "page",
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_no_link_between_pages_is_dead(page: Path) -> None:
    dead = [target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()]
    assert dead == []
