"""Why an archive is refused. Codes are part of the API and never change their meaning."""

from enum import Enum


class Code(Enum):
    NOT_A_ZIP = "not-a-zip"
    DAMAGED = "damaged"
    TOO_LARGE = "too-large"
    TOO_MANY_ENTRIES = "too-many-entries"
    ZIP64 = "zip64"
    EXTRA_BYTES = "extra-bytes"
    OVERLAP = "overlap"
    ENCRYPTED = "encrypted"
    METHOD = "method"
    NOT_A_FILE = "not-a-file"
    PERMISSIONS = "permissions"
    NAME_ENCODING = "name-encoding"
    NAME_LENGTH = "name-length"
    NAME_DEPTH = "name-depth"
    NAME_PATH = "name-path"
    NAME_CHARACTERS = "name-characters"
    NAME_RESERVED = "name-reserved"
    NAME_TWICE = "name-twice"
    NAME_CASE = "name-case"
    FILE_AS_FOLDER = "file-as-folder"
    FILE_TOO_LARGE = "file-too-large"
    UNPACKED_TOO_LARGE = "unpacked-too-large"
    RATIO = "ratio"
    SIZE_LIE = "size-lie"
    CHECKSUM = "checksum"
    MANIFEST_MISSING = "manifest-missing"
    MANIFEST_TOO_LARGE = "manifest-too-large"
    MANIFEST_UNREADABLE = "manifest-unreadable"
    MANIFEST_FIELD = "manifest-field"
    MANIFEST_RUNTIME = "manifest-runtime"
    MANIFEST_ENTRY = "manifest-entry"


class ArchiveError(Exception):
    """The archive is refused: a code for programs and a sentence that tells the author what to do."""

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def shown(name: str) -> str:
    """Quote a stranger's name for a sentence: no control characters, and not too long."""
    text = ascii(name)
    return text if len(text) <= 80 else text[:60] + "…'"
