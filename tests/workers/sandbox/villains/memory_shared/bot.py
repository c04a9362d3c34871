"""Takes shared memory and memory files."""

import mmap
import os

taken = []
for number in range(64):
    if number % 2:
        piece = mmap.mmap(-1, 8 * 2**20)
    else:
        try:
            file = os.memfd_create("bomb")
        except OSError:
            continue
        os.truncate(file, 8 * 2**20)
        piece = mmap.mmap(file, 8 * 2**20)
    piece.write(b"x" * (8 * 2**20))
    taken.append(piece)
