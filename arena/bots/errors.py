"""Why a request is refused."""


class RefusedError(Exception):
    """A refusal: a stable code, a sentence that says what to do, and how long to wait if that helps."""

    def __init__(self, code: str, sentence: str, wait_seconds: int | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.wait_seconds = wait_seconds
