"""Many games at once, for search and learning: `Batch`, `KernelState`, `playouts`, `determinize`, `Search`.

These names are as stable as those of `aztlan.rules`. Without the native kernel (in the pure wheel), the
slower Python engine answers the same calls.
"""

from engine.kernel import Batch, BatchActionError, BatchError, KernelState, determinize, native_form, playouts
from engine.kernel.foretell import HIDDEN, INPUTS, MUCH
from engine.kernel.judge import FEATURES
from engine.kernel.search import Search

__all__ = [
    "FEATURES",
    "HIDDEN",
    "INPUTS",
    "MUCH",
    "Batch",
    "BatchActionError",
    "BatchError",
    "KernelState",
    "Search",
    "determinize",
    "native_form",
    "playouts",
]
