"""How large a bot may be: the only place that says so, for authors' machines, the arena and match hosts."""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

ARCHIVE: Final = 20 * MIB
ENTRIES: Final = 500
FILE: Final = 20 * MIB
SOURCE: Final = MIB
"""The size of a Python file that is uploaded alone."""
TOTAL: Final = 50 * MIB
BUILT: Final = 40 * MIB
"""The program that is built from a bot's sources."""
RATIO: Final = 100
RATIO_COUNTS_FROM: Final = 64 * KIB
"""Smaller files may have any compression ratio."""
NAME: Final = 100
PART_BYTES: Final = 255
"""What file systems allow between two slashes."""
DEPTH: Final = 8
MANIFEST: Final = 8 * KIB
CHUNK: Final = 64 * KIB
