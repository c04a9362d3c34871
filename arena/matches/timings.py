"""How long the seats thought, packed: for each seat the steps at which it was asked, and what it was charged.

The format: four bytes with the length of the first part; that part, compressed with zlib, has variable-length
integers, namely the number of seats, for each seat the number of its decisions and its steps as differences,
and then all times divided by 256; the second part has the lowest byte of each time, which would not shrink.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class SeatTimes(NamedTuple):
    """Belong together: how many actions the game had seen when the seat was asked, and its time."""

    steps: list[int]
    charged_us: list[int]


def pack(seats: Sequence[SeatTimes]) -> bytes:
    times = [us for seat in seats for us in seat.charged_us]
    numbers = [len(seats)]
    for seat in seats:
        numbers.append(len(seat.steps))
        numbers += [step - before for before, step in zip([0, *seat.steps], seat.steps, strict=False)]
    numbers += [us >> 8 for us in times]
    compressed = zlib.compress(b"".join(map(varint, numbers)), 9)
    return len(compressed).to_bytes(4, "big") + compressed + bytes(us & 255 for us in times)


def unpack(packed: bytes) -> list[SeatTimes]:
    end = 4 + int.from_bytes(packed[:4], "big")
    numbers, lowest = varints(zlib.decompress(packed[4:end])), iter(packed[end:])
    steps: list[list[int]] = []
    for _ in range(next(numbers)):
        step, seat = 0, []
        for _ in range(next(numbers)):
            step += next(numbers)
            seat.append(step)
        steps.append(seat)
    return [SeatTimes(seat, [(next(numbers) << 8) + next(lowest) for _ in seat]) for seat in steps]


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
