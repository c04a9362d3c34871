"""Errors that the author can act on."""


class SdkError(Exception):
    """An error that the author can fix; its text says how. The command exits with code 2."""
