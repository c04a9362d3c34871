"""Answers that are the same for everybody, made once in a while and given to all who ask meanwhile.

Whoever sends a cookie or a token gets an answer of their own. The others see some pages a moment old: a crowd
that watches a ladder costs as much as one spectator.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase

ROUTES = frozenset(
    {
        "home", "bots", "bot", "matches", "match", "match-frames", "ladders", "ladder", "season",
        "head-to-head", "rating-history", "tournaments", "tournament", "author", "live",
        "api-bots-list", "api-bots-detail", "api-versions", "api-matches-list", "api-matches-detail",
        "api-ladders-list", "api-ladders-detail", "api-standings", "api-tournaments", "api-tournament",
    }
)  # fmt: skip
# What an answer may depend on, beside its address.
HEADERS = (
    "HTTP_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_ACCEPT_ENCODING",
)
PERSONAL = ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_HX_REQUEST", "HTTP_IF_NONE_MATCH", "HTTP_RANGE")
MOST_ANSWERS = 200
LARGEST_ANSWER = 256 * 1024
Key = tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    content: bytes
    headers: dict[str, str]
    route: str
    until: float


def key_of(request: HttpRequest) -> Key | None:
    """Return what everybody with an equal key is answered alike; None where one is answered for oneself."""
    if request.method != "GET" or any(request.META.get(name) for name in PERSONAL):
        return None
    told = (request.META.get(name, "") for name in HEADERS)
    return (request.scheme or "", request.path, request.META.get("QUERY_STRING", ""), *told)


class SharedAnswers:
    """The latest answers of one web process. Used by its event loop alone."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.answers: OrderedDict[Key, Answer] = OrderedDict()

    def find(self, key: Key | None) -> Answer | None:
        found = self.answers.get(key) if key else None
        return found if found and found.until > time.monotonic() else None

    def keep(self, key: Key | None, request: HttpRequest, response: HttpResponseBase) -> None:
        """Keep an answer for others, where it is for all: not personal, not sent in parts."""
        match = request.resolver_match
        if key is None or match is None or match.url_name not in ROUTES or not self.seconds:
            return
        if not isinstance(response, HttpResponse) or response.status_code != 200 or response.cookies:
            return
        if "private" in response.get("Cache-Control", "") or len(response.content) > LARGEST_ANSWER:
            return
        until = time.monotonic() + self.seconds
        self.answers[key] = Answer(response.content, dict(response.items()), match.route, until)
        self.answers.move_to_end(key)
        while len(self.answers) > MOST_ANSWERS:
            self.answers.popitem(last=False)
