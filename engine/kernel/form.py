"""Which form of the kernel runs: the native one, or the same calls answered by the Python engine."""

import os
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.form import kernel_digest

HERE = Path(__file__).parent


@cache
def form() -> Any:
    """Return the module with `Table` and `Games`; if there is no native one, warn once."""
    wanted = os.environ.get("AZTLAN_ENGINE", "auto")
    problem = None if wanted == "pure" else _native_problem()
    if wanted != "pure" and problem is None:
        return import_module(f"{__package__}.native")
    if wanted == "compiled":
        raise ImportError(f"AZTLAN_ENGINE=compiled, but {problem}: `make install`")
    if problem is not None:
        warnings.warn(
            f"{problem}, so games are played by the Python engine, many times slower. "
            "With a C compiler, `make install` builds it.",
            RuntimeWarning,
            stacklevel=3,
        )
    return import_module(f"{__package__}.plain")


def native_form() -> bool:
    """Return whether the native kernel is used."""
    return bool(form().__name__.endswith("native"))


def _native_problem() -> str | None:
    try:
        built_from = import_module(f"{__package__}.native").SOURCE
    except ImportError:
        return "the kernel is not built here"
    shipped = any(HERE.glob("*.c"))
    return "the kernel was built from another source" if shipped and built_from != kernel_digest() else None
