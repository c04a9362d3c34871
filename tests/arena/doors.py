"""Every address that can be read, asked by one person: what each of them answers, to be compared."""

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from arena.accounts.models import User
from arena.matches.models import Match
from arena.operations.middleware import PROBES
from bench._addresses import addresses, administration
from tests.arena.people import browser_of, program_of

Answers = dict[str, tuple[int, str, str]]
"""By address: the status, the tag that caches compare, and the body."""

CHANGING = [
    re.compile(r'name="csrfmiddlewaretoken" value="\w+"'),
    re.compile(r"[\d.]+(?=\W*(?:s|ms|seconds?|minutes?)\b)"),  # since something was
]


class Visitor:
    """Somebody with a browser and a program, who looks everywhere."""

    def __init__(self, person: User | None) -> None:
        self.is_staff = person is not None and person.is_staff
        self.browser, self.program = browser_of(person), program_of(person)

    def walk(self, matches: Sequence[Match]) -> Answers:
        """Return what they are answered at each address. Nothing of the walk is kept."""
        found = {}
        with transaction.atomic():
            for path in [*addresses(matches), *PROBES, *(administration() if self.is_staff else ())]:
                answer: Any = (self.program if path.startswith("/api/") else self.browser).get(path)
                body = b"".join(answer) if answer.streaming else answer.content
                text = steady(body.decode("utf-8", "replace"))
                found[path] = (answer.status_code, answer.get("ETag", ""), text)
            transaction.set_rollback(True)
        return found


def steady(body: str) -> str:
    for pattern in CHANGING:
        body = pattern.sub("*", body)
    return body


def differences(before: Answers, after: Answers) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
