"""Many games at once, natively: `Batch`, `playouts` and `determinize`.

    from engine.kernel import Batch, determinize, playouts
    batch = Batch(4, [bytes([i]) * 32 for i in range(1024)])
    batch.step([batch.legal_actions(i)[0] for i in range(batch.size)])

The rules are those of `engine/`, which stays the truth: `make prove` plays both and compares every position.
The kernel is C, built by the normal installation. Where it is missing the same calls are answered by the
Python engine, which is slower; the first one says so.
"""

from engine.kernel.batch import Batch, determinize, playouts
from engine.kernel.errors import BatchActionError, BatchError
from engine.kernel.form import native_form
from engine.kernel.single import KernelState

__all__ = ["Batch", "BatchActionError", "BatchError", "KernelState", "determinize", "native_form", "playouts"]
