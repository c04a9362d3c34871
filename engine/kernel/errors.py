"""The errors of a batch."""

from engine.errors import EngineError, IllegalActionError


class BatchError(EngineError):
    """A wrong shape, type or state. The batch has not changed."""


class BatchActionError(IllegalActionError):
    """An action that the rules forbid in one game of a batch; no game of the batch has moved."""

    def __init__(self, game: int, rule: str, action: int) -> None:
        super().__init__(rule, action)
        self.args = (f"game {game}: action {action} refused: {rule}",)
        self.game = game
