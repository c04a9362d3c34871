"""What `manage.py doctor` finds: a sentence, and what to do about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    verdict: Verdict
    sentence: str
    to_do: str = ""


Examination = Callable[[], Iterator[Finding]]


def ok(sentence: str) -> Finding:
    return Finding(Verdict.OK, sentence)


def warning(sentence: str, to_do: str) -> Finding:
    return Finding(Verdict.WARNING, sentence, to_do)


def wrong(sentence: str, to_do: str) -> Finding:
    return Finding(Verdict.WRONG, sentence, to_do)
