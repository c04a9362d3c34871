"""Which form of the engine runs: its hot modules compiled, or the same source as plain Python.

`AZTLAN_ENGINE` is `auto` (the default: compiled where it was built), `pure`, or `compiled` (refuse to run
otherwise). Compiled modules that were made from another source than the one beside them are never used.
"""

import hashlib
import os
import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

COMPILED = (
    "actions",
    "board",
    "cards",
    "events",
    "position",
    "randomness",
    "state",
    "phases.choosing",
    "phases.conflict",
    "phases.development",
    "phases.ending",
    "phases.scoring",
)
STAMP = "compiled.txt"
HERE = Path(__file__).parent


def source_digest(folder: Path = HERE) -> str:
    """A hash over the sources of the modules that are compiled."""
    digest = hashlib.sha256()
    for name in COMPILED:
        digest.update((folder / f"{name.replace('.', '/')}.py").read_bytes())
    return digest.hexdigest()


def kernel_digest(folder: Path = HERE) -> str:
    """A hash over the C sources of the kernel; of nothing where they were not shipped."""
    digest = hashlib.sha256()
    for path in sorted((folder / "kernel").glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class _SourceOnly:
    """Finds the engine's modules as source, also where a compiled one lies beside it."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(f"{__package__}.") or not path:
            return None
        return FileFinder(path[0], (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name, target)


def choose() -> str:
    """Settle the form before any other module of the engine is imported; return `compiled` or `pure`."""
    wanted = os.environ.get("AZTLAN_ENGINE", "auto")
    if wanted not in ("auto", "pure", "compiled"):
        raise ImportError(f"AZTLAN_ENGINE is {wanted!r}; it can be auto, pure or compiled")
    stamp = HERE / STAMP
    fresh = wanted != "pure" and stamp.is_file() and stamp.read_text() == source_digest()
    if fresh:
        return "compiled"
    if wanted == "compiled":
        raise ImportError(
            "AZTLAN_ENGINE=compiled, but the engine is not compiled from this source: `make install`"
        )
    sys.meta_path.insert(0, _SourceOnly)
    return "pure"
