"""What an author is told in one sentence."""


class SdkError(Exception):
    """Something that the author can put right; the text says what. The command ends with exit code 2."""
