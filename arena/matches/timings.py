"""How long the seats thought, packed: for each seat the steps at which it was asked, and what it was charged.

Times keep their six most significant bits, so one is at most 1.6 % off and a short one exact; exact sums are
in the seats' `time_used_ms`. The format: a byte with the number of seats, then for each seat the number of
its decisions, the steps as differences and the times, all as variable-length integers, compressed with zlib.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

BITS = 6


class SeatTimes(NamedTuple):
    """Belong together: how many actions the game had seen when the seat was asked, and its time."""

    steps: list[int]
    charged_us: list[int]


def rounded(us: int) -> tuple[int, int]:
    """Return a number of at most `BITS` bits and how far to shift it to the left."""
    shift = max(us.bit_length() - BITS, 0)
    number = (us + (1 << shift >> 1)) >> shift
    return (number >> 1, shift + 1) if number.bit_length() > BITS else (number, shift)


def pack(seats: Sequence[SeatTimes]) -> bytes:
    numbers = [len(seats)]
    for seat in seats:
        numbers.append(len(seat.steps))
        numbers += [step - before for before, step in zip([0, *seat.steps], seat.steps, strict=False)]
    packed = b"".join(map(varint, numbers))
    times = [rounded(us) for seat in seats for us in seat.charged_us]
    # One byte each for almost all: the shift and the number below its leading bit.
    packed += b"".join(varint(code(number, shift)) for number, shift in times)
    return zlib.compress(packed, 9)


def code(number: int, shift: int) -> int:
    """Number all rounded times in order: those that are exact, then 32 for each power of two."""
    return number if shift == 0 else (shift << (BITS - 1)) + number


def decode(code: int) -> int:
    shift, number = (code >> (BITS - 1)) - 1, code & ((1 << (BITS - 1)) - 1)
    return code if shift < 1 else (number | (1 << (BITS - 1))) << shift


def unpack(packed: bytes) -> list[SeatTimes]:
    numbers = varints(zlib.decompress(packed))
    steps: list[list[int]] = []
    for _ in range(next(numbers)):
        step, seat = 0, []
        for _ in range(next(numbers)):
            step += next(numbers)
            seat.append(step)
        steps.append(seat)
    return [SeatTimes(seat, [decode(next(numbers)) for _ in seat]) for seat in steps]


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
