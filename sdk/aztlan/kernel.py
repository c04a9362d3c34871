"""Many games at once, for search and learning: `Batch`, `playouts`, `determinize`, `Search`.

These names are a promise, as those of `aztlan.rules` are. Where the native kernel is not built (the pure
wheel), the same calls are answered by the Python engine, which is slower.
"""

from engine.kernel import Batch, BatchActionError, BatchError, determinize, native_form, playouts
from engine.kernel.judge import FEATURES
from engine.kernel.search import Search

__all__ = [
    "FEATURES",
    "Batch",
    "BatchActionError",
    "BatchError",
    "Search",
    "determinize",
    "native_form",
    "playouts",
]
