"""A single Python file is a bot too: it is packed into an archive like any other."""

import io
import zipfile

from workers.archives.manifest import NAME as MANIFEST_NAME
from workers.archives.manifest import Manifest

ENTRY = "bot.py"
EARLIEST = (1980, 1, 1, 0, 0, 0)


def pack_single_file(source: bytes, bot_name: str) -> bytes:
    """Pack a Python file with a manifest. The same file gives the same bytes, at any time."""
    packed = io.BytesIO()
    manifest = Manifest(bot_name, "python", ENTRY).to_toml()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in ((MANIFEST_NAME, manifest.encode()), (ENTRY, source)):
            info = zipfile.ZipInfo(name, EARLIEST)
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
