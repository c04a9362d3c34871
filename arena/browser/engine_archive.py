"""The engine as a browser gets it: our own Python sources in one archive, the same for the same tree.

Besides the engine these are the house bots that need nothing else, and `aztlan.in_browser`, which answers
the page. The package `aztlan` itself stays out: it begins with gRPC, which a browser has no use for.
"""

import importlib.util
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCES = {
    "engine": ("*.py", "boards/*.json", "phases/*.py", "replay/*.py", "rulesets/*.py"),
    "proto": ("__init__.py", "messages.py"),
    "aztlan": (
        "bot.py",
        "rules.py",
        "view.py",
        "house/__init__.py",
        "house/greedy.py",
        "house/one_step.py",
        "house/random_play.py",
        "house/searcher.py",
        "house/settler.py",
        "house/warlord.py",
        "in_browser/*.py",
    ),
}
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Files have no time of their own in the archive, or every build of it would differ."""


@cache
def engine_archive() -> bytes:
    """Return the archive of this process's own sources."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, path in sources():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def sources() -> Iterator[tuple[str, Path]]:
    """Yield each file's name in the archive and its place, in a fixed order."""
    for package, patterns in SOURCES.items():
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise ModuleNotFoundError(f"{package} is not installed")
        folder = Path(spec.submodule_search_locations[0])
        found = {path for pattern in patterns for path in folder.glob(pattern)}
        for path in sorted(found):
            yield f"{package}/{path.relative_to(folder).as_posix()}", path
