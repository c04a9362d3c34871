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
    """A text that is not an action on this board."""


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


class RulesVersionError(RecordError):
    """A record of a game that was played by another version of the rules, so that it cannot be replayed."""

    def __init__(self, played_by: int, known: int) -> None:
        remedy = "update this one" if played_by > known else "use a release of that time to replay it"
        super().__init__(
            "rules",
            f"this game was played by version {played_by} of the rules; this engine plays version {known} "
            f"and could play it differently: {remedy}",
        )
        self.played_by = played_by


class ObservationError(EngineError):
    """An observation from which no full state can be sampled."""
