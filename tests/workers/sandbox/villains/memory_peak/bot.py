"""Takes twice its memory for a moment, and gives it back before anybody can look."""

from cast import attempt

SIZE = 256 * 2**20


def peak() -> int:
    taken = bytearray(SIZE)
    taken[::4096] = b"x" * (SIZE // 4096)  # it counts as taken once it is written
    return len(taken)


attempt("a short peak", peak)
