"""Which form of the kernel runs: the native one, or the same calls answered by the Python engine."""

import hashlib
import os
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def source_digest() -> str:
    """A hash over the C sources; of nothing where they were not shipped."""
    digest = hashlib.sha256()
    for path in sorted(HERE.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def form() -> Any:
    """The module with `Table` and `Games`; without a native one, say so once."""
    wanted = os.environ.get("AZTLAN_ENGINE", "auto")
    problem = None if wanted == "pure" else _native_problem()
    if wanted != "pure" and problem is None:
        return import_module("engine.kernel.native")
    if wanted == "compiled":
        raise ImportError(f"AZTLAN_ENGINE=compiled, but {problem}: `make install`")
    if problem is not None:
        warnings.warn(
            f"{problem}, so games are played by the Python engine, many times slower. "
            "With a C compiler, `make install` builds it.",
            RuntimeWarning,
            stacklevel=3,
        )
    return import_module("engine.kernel.plain")


def native_form() -> bool:
    """Whether the native kernel runs."""
    return bool(form().__name__.endswith("native"))


def _native_problem() -> str | None:
    try:
        built_from = import_module("engine.kernel.native").SOURCE
    except ImportError:
        return "the kernel is not built here"
    shipped = any(HERE.glob("*.c"))
    return "the kernel was built from another source" if shipped and built_from != source_digest() else None
