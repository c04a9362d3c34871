"""A client for an arena's API, built on the standard library; errors are plain sentences."""

import json
import mimetypes
import secrets
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import Request, urlopen

from aztlan.errors import SdkError

TIMEOUT_SECONDS = 60
LONGEST_WAIT_SECONDS = 60
LARGEST_ANSWER = 64 * 1024 * 1024
UNAUTHORIZED = 401
HARMFUL = {"Cc", "Cf", "Cs"}


class RemoteError(SdkError):
    """The arena refused a request: its code, its message, and its errors by field."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.code = str(body.get("code", "error"))
        self.wait_seconds = body.get("wait_seconds")
        self.fields: dict[str, Any] = body.get("fields") or {}
        said = [f"{name}: {one['message']}" for name, errors in self.fields.items() for one in errors]
        if not said or self.code != "invalid":  # "invalid" alone only says that some field is wrong
            said.insert(0, str(body.get("message", f"it answered {status}")))
        super().__init__(plain(" ".join(said)))


@dataclass
class Arena:
    """An arena's address and the token to use there."""

    url: str
    token: str = ""
    tags: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """A cache of responses by address, each with its ETag."""

    def get(self, path: str, **query: Any) -> Any:
        wanted = {name: value for name, value in query.items() if value not in (None, "")}
        address = self.address(path) + (f"?{urlencode(wanted)}" if wanted else "")
        request = self.request(address)
        if address in self.tags:
            request.add_header("If-None-Match", self.tags[address][0])
        return self.answer(request)

    def get_patiently(self, path: str) -> Any:
        """Get, and retry as long as the arena is busy and says how long to wait. For commands that watch."""
        while True:
            try:
                return self.get(path)
            except RemoteError as error:
                if not error.wait_seconds:
                    raise
                time.sleep(min(float(error.wait_seconds), LONGEST_WAIT_SECONDS))

    def every(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield the rows of a list, fetching its pages as they are needed."""
        page = self.get(path, **query)
        yield from page["results"]
        while page["next"]:
            page = self.answer(self.request(urljoin(self.url, page["next"])))
            yield from page["results"]

    def post(self, path: str, body: Any = None) -> Any:
        request = self.request(self.address(path), json.dumps(body or {}).encode())
        request.add_header("Content-Type", "application/json")
        return self.answer(request)

    def upload(self, path: str, name: str, content: bytes, **fields: str) -> Any:
        """Send one file as the field `archive` of a form, with further fields."""
        border = secrets.token_hex(16)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        head = (
            f'--{border}\r\nContent-Disposition: form-data; name="archive"; filename="{quote(name)}"\r\n'
            f"Content-Type: {kind}\r\n\r\n"
        )
        others = "".join(
            f'--{border}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
            for field, value in fields.items()
        )
        body = others.encode() + head.encode() + content + f"\r\n--{border}--\r\n".encode()
        request = self.request(self.address(path), body)
        request.add_header("Content-Type", f"multipart/form-data; boundary={border}")
        return self.answer(request)

    def address(self, path: str) -> str:
        return f"{self.url.rstrip('/')}/api/v1/{quote(path)}"

    def request(self, address: str, body: bytes | None = None) -> Request:
        if not address.startswith(self.url.rstrip("/") + "/"):
            raise SdkError(
                f"the arena points to another site, {plain(address)}, which must not get your token"
            )
        request = Request(address, body)  # noqa: S310  the scheme was checked when the address was given
        request.add_header("Accept", "application/json")
        if self.token:
            # Not sent along when a response redirects to another site.
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request

    def answer(self, request: Request) -> Any:
        address = request.full_url
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310  as in `request`
                data = response.read(LARGEST_ANSWER)
                if response.length:  # `read` with a size does not complain about a body that is cut off
                    raise SdkError(f"{self.url} broke off in the middle of its answer; try again")
                told = json.loads(data) if data else None
                if tag := response.headers.get("ETag"):
                    self.tags[address] = (tag, told)
                return told
        except HTTPError as error:
            if error.code == 304 and address in self.tags:
                return self.tags[address][1]
            if (body := read_error(error)) is None:
                raise SdkError(f"{self.url} does not look like an arena: it answered {error.code}") from None
            refused = RemoteError(error.code, body)
            if error.code == UNAUTHORIZED and self.token:
                refused.args = (f"{refused} Run `aztlan login {self.url}`.",)
            raise refused from None
        except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
            reason = getattr(error, "reason", None) or error
            said = plain(getattr(reason, "strerror", None) or str(reason))
            raise SdkError(
                f"{self.url} does not answer ({said}); `aztlan login URL` chooses another arena"
            ) from None
        except ValueError:
            raise SdkError(f"{self.url} does not look like an arena: its answer is not JSON") from None


def read_error(error: HTTPError) -> dict[str, Any] | None:
    """Return the body of an error response; None if it does not come from an arena."""
    try:
        body = json.loads(error.read(1_000_000))
    except (ValueError, OSError):
        return None
    return body if isinstance(body, dict) else None


def plain(text: str) -> str:
    """Return untrusted text without the control characters that would move or recolour a terminal."""
    return "".join(
        sign if sign in "\n\t" or unicodedata.category(sign) not in HARMFUL else "\ufffd" for sign in text
    )
