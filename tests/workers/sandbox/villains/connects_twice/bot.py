"""Opens a second stream and a third beside its first, and plays on."""

import grpc
from cast import Line, attempt, play

line = Line()
play(line, decisions=2)
for name in ("second", "third"):
    other = Line()

    def read(other: Line = other) -> bytes:
        try:
            return next(iter(other.stream))
        except grpc.RpcError as error:
            raise OSError(error.code()) from error

    attempt(f"{name} stream", read)
play(line)
