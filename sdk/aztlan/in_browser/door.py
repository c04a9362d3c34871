"""The one door of the engine in the browser: a message in, an answer or a sentence out, both as JSON.

{"kind": "verify", "record": text, "expected": {...}, "shown": text}   the checks of a record
{"kind": "play", "seats": [null, "greedy"], "edition": "english"}      a new game; null is the person
{"kind": "legal"}                                                     what the person may decide now
{"kind": "apply", "number": 3, "action": 71}                          a decision
{"kind": "undo"}                                                      takes the last decision back
{"kind": "resume", "seats", "edition", "seed", "actions", "decisions"} a game that was kept by the page
{"kind": "match", "record": text}                                     the match of an analysis board
{"kind": "try", "number": 30, "actions": [71]}                        other actions from there
"""

import json
from collections.abc import Callable
from typing import Any

from aztlan.in_browser.offline_game import OfflineGame, new_game, resume_game
from aztlan.in_browser.record_checks import check_record
from engine.errors import EngineError
from engine.record import Record, load_record
from engine.replay.variations import show_variation

Tell = Callable[[int, int], object]


class MessageError(Exception):
    """A message that cannot be answered. The text is a sentence for people."""


class Door:
    """Answers the messages of one page; it keeps that page's game."""

    def __init__(self) -> None:
        self.game: OfflineGame | None = None
        self.record: Record | None = None

    def answer(self, text: str, tell: Tell | None = None) -> str:
        """Answer a message; `tell` hears how many actions of how many are checked."""
        try:
            answer: dict[str, Any] = {"answer": self._answer(json.loads(text), tell)}
        except (MessageError, EngineError) as error:
            answer = {"error": str(error)}
        return json.dumps(answer, ensure_ascii=False)

    def _answer(self, message: dict[str, Any], tell: Tell | None) -> Any:
        kind = message.get("kind")
        if kind == "verify":
            return check_record(
                message["record"], message.get("expected", {}), message.get("shown", ""), tell
            )
        if kind == "play":
            self.game = new_game(message["seats"], message["edition"], message.get("seed", ""))
            return self.game.news()
        if kind == "resume":
            self.game = resume_game(message)
            return self.game.news()
        if kind == "match":
            self.record = load_record(message["record"].encode())
            return len(self.record.actions)
        if kind == "try":
            if self.record is None:
                raise MessageError("No match was opened.")
            return show_variation(self.record, message["number"], message["actions"])
        if kind not in ("legal", "apply", "undo"):
            raise MessageError(f"There is no message {str(kind)[:40]!r}.")
        if self.game is None:
            raise MessageError("No game has begun.")
        if kind == "apply":
            self.game.decide(message["number"], message["action"])
        elif kind == "undo":
            self.game.take_back()
        return self.game.turn() if kind == "legal" else self.game.news()
