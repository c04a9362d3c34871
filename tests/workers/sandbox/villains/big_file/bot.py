"""Writes one large file."""

from cast import attempt


def write() -> int:
    with open("/tmp/large", "wb") as file:
        return file.write(b"x" * (2 * 2**20))


attempt("large file", write)
