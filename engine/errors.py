"""The errors of the engine. Each says which rule or which field was broken."""


class EngineError(Exception):
    """Anything the engine refuses."""


class IllegalActionError(EngineError):
    """An action that the rules forbid here. The state is as it was before."""

    def __init__(self, rule: str, action: int) -> None:
        super().__init__(f"action {action} refused: {rule}")
        self.rule = rule
        self.action = action


class ActionTextError(EngineError):
    """A text that names no action of this board."""


class BoardError(EngineError):
    """A board file that cannot be played on; `field` says where it is wrong."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"board: {field}: {problem}")
        self.field = field


class RulesetError(EngineError):
    """An unknown edition, option or option value."""


class RecordError(EngineError):
    """A record that cannot be read, or that does not replay; `where` is a field or a step."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"record: {where}: {problem}")
        self.where = where


class ObservationError(EngineError):
    """An observation from which no full state can be sampled."""
