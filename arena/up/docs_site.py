"""`python -m arena.up.docs_site [--if-changed]`: build the documentation that the arena serves at /docs/.

It is built beside the old one and then takes its place, so that a reader never meets half of it.
"""

import importlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from arena.embedded.home import PROJECT

SITE = PROJECT / "site"


def is_current() -> bool:
    """Whether nothing of the documentation is newer than what was built of it."""
    built = SITE / "index.html"
    if not built.is_file():
        return False
    sources = [PROJECT / "mkdocs.yml", *(PROJECT / "docs").rglob("*")]
    return max(path.stat().st_mtime for path in sources) <= built.stat().st_mtime


def build(site: Path = SITE) -> None:
    """Build into a folder of its own, then change places."""
    if importlib.util.find_spec("mkdocs") is None:
        raise SystemExit("mkdocs is not installed: pip install 'aztlan-arena[docs]'")
    fresh, old = site.with_name(f"{site.name}.new"), site.with_name(f"{site.name}.old")
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    command = ["build", "--quiet", "--config-file", str(PROJECT / "mkdocs.yml"), "--site-dir", str(fresh)]
    # In this process: a child would be left behind when the arena is stopped meanwhile.
    importlib.import_module("mkdocs.__main__").cli(command, standalone_mode=False)
    if site.is_dir():
        site.rename(old)
    fresh.rename(site)
    shutil.rmtree(old, ignore_errors=True)


def main(words: list[str]) -> None:
    if "--if-changed" in words:
        if is_current():
            return
        os.nice(10)  # the arena itself comes first
    build()


if __name__ == "__main__":
    main(sys.argv[1:])
