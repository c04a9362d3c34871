"""All chance in a game comes from its 32-byte seed, by a derivation that any language can repeat.

A *stream* has a label. Its bytes are SHA-256(seed + label + n) for n = 0, 1, 2, …, joined, where `label`
is ASCII and `n` is four bytes, big end first. They are read as 32-bit words, big end first.

`below(n)`: take words until one is less than the largest multiple of n that 2**32 holds; the answer is
that word modulo n. `shuffled(items)`: for i from the last index down to 1, swap items i and below(i + 1).

Labels: `stack` shuffles the seats, bottom of the score stack first; `deck` shuffles the thirty prosperity
cards, sorted by kind, first card on top; `reshuffle-1`, `reshuffle-2`, … the discard, sorted by kind.
"""

import hashlib
import struct

SEED_BYTES = 32


_WORDS = struct.Struct(">8I")


class Stream:
    """The words of one label of one seed."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._prefix = seed + label.encode("ascii")
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            digest = hashlib.sha256(self._prefix + self._block.to_bytes(4, "big")).digest()
            self._words = list(_WORDS.unpack(digest))
            self._words.reverse()
            self._block += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others."""
        limit = (1 << 32) - (1 << 32) % n
        word = self._word()
        while word >= limit:
            word = self._word()
        return word % n

    def shuffled(self, items: list[int]) -> list[int]:
        """A shuffled copy."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out
