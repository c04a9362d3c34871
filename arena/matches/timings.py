"""How long the seats thought, packed: for each seat the steps at which it was asked, and what it was charged.

Times come out exactly as they went in, since the messages that a seat was sent are reconstructed from them.
Match hosts charge times with six significant bits (`workers.match.clock.rounded`), which take one byte each.

The format: a byte 1; who was asked, compressed, behind its length in two bytes; the times, compressed. Who
was asked is the number of seats, then a byte per step: one plus the seat, or 0. The times are two bytes with
a base, then a byte per question in the order of the steps: one plus how many rounded times lie between the
base and it, or 0 for any other time; those follow as variable-length integers. What does not fit (two seats
asked at one step, or steps beyond those of any game) is packed in the first format, which begins with 0.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workers.match.clock import SIGNIFICANT_BITS, rounded

FORM = 1
MOST_STEPS = 1 << 14
HALF = 1 << (SIGNIFICANT_BITS - 1)
WIDTH = 255


class SeatTimes(NamedTuple):
    """Belong together: how many actions the game had seen when the seat was asked, and its time."""

    steps: list[int]
    charged_us: list[int]


def pack(seats: Sequence[SeatTimes]) -> bytes:
    asked = sorted(
        (step, seat, us)
        for seat, times in enumerate(seats)
        for step, us in zip(times.steps, times.charged_us, strict=True)
    )
    steps = [step for step, _, _ in asked]
    if len(set(steps)) < len(steps) or max(steps, default=0) >= MOST_STEPS or len(seats) > 254:
        return pack_any(seats)
    who = bytearray(1 + max(steps, default=-1) + 1)
    who[0] = len(seats)
    for step, seat, _ in asked:
        who[1 + step] = 1 + seat
    times = pack_times([us for _, _, us in asked])
    first = deflate(bytes(who))
    return bytes([FORM]) + len(first).to_bytes(2, "big") + first + deflate(times)


def unpack(packed: bytes) -> list[SeatTimes]:
    if packed[0] != FORM:
        return unpack_any(packed)
    end = 3 + int.from_bytes(packed[1:3], "big")
    who, times = inflate(packed[3:end]), inflate(packed[end:])
    seats = [SeatTimes([], []) for _ in range(who[0])]
    asked = [(step, one - 1) for step, one in enumerate(who[1:]) if one]
    for (step, seat), us in zip(asked, unpack_times(times, len(asked)), strict=True):
        seats[seat].steps.append(step)
        seats[seat].charged_us.append(us)
    return seats


def pack_times(times: Sequence[int]) -> bytes:
    """Pack times of which most lie within eight octaves around their median, a byte each."""
    places = sorted(map(place_of, times)) or [0]
    base = max(places[0], places[len(places) // 2] - WIDTH // 2)
    packed = bytearray(base.to_bytes(2, "big"))
    others = bytearray()
    for us in times:
        offset = place_of(us) - base
        if us == rounded(us) and 0 <= offset < WIDTH:
            packed.append(1 + offset)
        else:
            packed.append(0)
            others += varint(us)
    return bytes(packed + others)


def unpack_times(packed: bytes, count: int) -> Iterator[int]:
    base, others = int.from_bytes(packed[:2], "big"), varints(packed[2 + count :])
    return (time_at(base + one - 1) if one else next(others) for one in packed[2 : 2 + count])


def place_of(us: int) -> int:
    """Return how many rounded times are shorter than this one when it is rounded."""
    shift = max(us.bit_length() - SIGNIFICANT_BITS, 0)
    return (us >> shift) + shift * HALF


def time_at(place: int) -> int:
    shift = max(place // HALF - 1, 0)
    return (place - shift * HALF) << shift


def deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return packer.compress(data) + packer.flush()


def inflate(data: bytes) -> bytes:
    return zlib.decompress(data, -zlib.MAX_WBITS)


def pack_any(seats: Sequence[SeatTimes]) -> bytes:
    """The first format: any numbers, in half as much again."""
    times = [us for seat in seats for us in seat.charged_us]
    numbers = [len(seats)]
    for seat in seats:
        numbers.append(len(seat.steps))
        numbers += [step - before for before, step in zip([0, *seat.steps], seat.steps, strict=False)]
    numbers += [us >> 8 for us in times]
    compressed = zlib.compress(b"".join(map(varint, numbers)), 9)
    return len(compressed).to_bytes(4, "big") + compressed + bytes(us & 255 for us in times)


def unpack_any(packed: bytes) -> list[SeatTimes]:
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
