"""The archives in which bots are uploaded: strangers' zip files, checked before anything is unpacked.

    contents = check(file)               # all of it read and verified, nothing written
    contents = extract(file, folder)     # the same checks, into a folder that does not exist yet
    data = pack_folder(folder)           # what an author uploads

All raise `ArchiveError`, with a stable code and a sentence for the author, and nothing else.
"""

from workers.archives.errors import ArchiveError, Code
from workers.archives.manifest import Manifest
from workers.archives.packing import Listing, list_folder, pack_folder, pack_single_file
from workers.archives.reading import Contents, check, extract

__all__ = [
    "ArchiveError",
    "Code",
    "Contents",
    "Listing",
    "Manifest",
    "check",
    "extract",
    "list_folder",
    "pack_folder",
    "pack_single_file",
]
