"""Reads a page as a person does: the words that are shown, without code and without what is marked as another language."""

from collections.abc import Iterator
from html.parser import HTMLParser

SHOWN_ATTRIBUTES = ("title", "aria-label", "placeholder", "alt")
NOT_READ = {"script", "style", "code", "pre", "svg", "textarea", "time"}
EMPTY = {"input", "img", "br", "hr", "meta", "link", "source", "col", "wbr"}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.language = ""
        self._skipped: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag == "html":
            self.language = known.get("lang") or ""
        skips = tag in NOT_READ or (tag != "html" and known.get("lang", self.language) != self.language)
        if not skips and not any(self._skipped):
            self.texts += [known[name] or "" for name in SHOWN_ATTRIBUTES if name in known]
        if tag not in EMPTY:
            self._skipped.append(skips)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY and self._skipped:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(self._skipped):
            self.texts.append(" ".join(data.split()))


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def foreign(texts: list[str], words: set[str]) -> Iterator[str]:
    """Yield the texts that contain one of the words."""
    for text in texts:
        if words & {word.strip(".,:;!?()“”„«»\"'…").casefold() for word in text.split()}:
            yield text
