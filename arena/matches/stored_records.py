"""Records as they are stored: the public compact form (`engine.record`), compressed.

The format: a byte 1; the record up to its checks, compressed with COMMON as the dictionary, behind its length
in two bytes; the checks, which are hashes and would not shrink. Before, a record was compressed as a whole
with zlib, whose first byte is another.
"""

import zlib
from typing import Final

from engine.record import Record, load_record

FORM: Final = b"\x01"
COMMON: Final = (
    b'"name":"english","tie":"lowest","landing":"stack","rafts":"pair","eagle":"any","offerings":"new_set",'
    b'"empty_deck":"reshuffle"AZTR\x02\xb7\x02{"version":2,"rules":2,"ruleset":{"name":"english","tie":'
    b'"lowest","landing":"stack","rafts":"pair","eagle":"any","offerings":"new_set","empty_deck":'
    b'"reshuffle"},"board":"aztlan","board_hash":'
    b'"a5af40c733cff39d0421c39e50b433648cd202377641201652e3ae2f00d6ebff","seed":","seats":["'
)
"""Never to be changed: stored records are read with it."""


def pack_record(record: Record) -> bytes:
    data = record.to_bytes()
    checks = len(data) - len(record.checks)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=COMMON)
    body = packer.compress(data[:checks]) + packer.flush()
    return FORM + len(body).to_bytes(2, "big") + body + data[checks:]


def unpack_record(stored: bytes) -> bytes:
    """Return a record in its public compact form."""
    if stored[:1] != FORM:
        return zlib.decompress(stored)
    end = 3 + int.from_bytes(stored[1:3], "big")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS, zdict=COMMON)
    return unpacker.decompress(stored[3:end]) + unpacker.flush() + stored[end:]


def read_record(stored: bytes) -> Record:
    return load_record(unpack_record(stored))
