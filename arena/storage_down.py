"""The error of a file storage that cannot be used now. It needs no package, unlike the storage itself."""


class StorageDownError(OSError):
    """The file storage does not answer, or refuses us. The sentence is for operators: it says what to do."""
