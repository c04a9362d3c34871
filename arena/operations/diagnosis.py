"""What `manage.py doctor` finds: a sentence, and what to do about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class DoctorVerdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True)
class Diagnosis:
    verdict: DoctorVerdict
    sentence: str
    to_do: str = ""


Examination = Callable[[], Iterator[Diagnosis]]


def ok(sentence: str) -> Diagnosis:
    return Diagnosis(DoctorVerdict.OK, sentence)


def warning(sentence: str, to_do: str) -> Diagnosis:
    return Diagnosis(DoctorVerdict.WARNING, sentence, to_do)


def wrong(sentence: str, to_do: str) -> Diagnosis:
    return Diagnosis(DoctorVerdict.WRONG, sentence, to_do)
