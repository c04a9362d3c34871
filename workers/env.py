"""Typed environment variables: a wrong value ends the program with one sentence that names it."""

import os
from urllib.parse import urlsplit

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


class EnvError(SystemExit):
    """A wrong or missing variable. Python prints its sentence and exits with 1, without a traceback."""


def text(name: str, default: str | None = None) -> str:
    """Return the variable, or the default if it is unset or empty; without a default it must be set."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise EnvError(f"{name} must be set.")
    return default


def number(name: str, default: int, least: int = 0, most: int = 2**31 - 1) -> int:
    value = text(name, str(default))
    if not value.isascii() or not value.isdecimal() or not least <= int(value) <= most:
        raise EnvError(f"{name} must be a whole number from {least} to {most}, not {value!r}.")
    return int(value)


def flag(name: str, default: bool = False) -> bool:
    value = text(name, "true" if default else "false").lower()
    if value not in YES | NO:
        raise EnvError(f"{name} must be true or false, not {value!r}.")
    return value in YES


def listing(name: str, default: list[str]) -> list[str]:
    """Return a comma-separated variable as a list."""
    return [item.strip() for item in text(name, ",".join(default)).split(",") if item.strip()]


def one_of(name: str, choices: tuple[str, ...]) -> str:
    """Return the variable, which must be one of the choices; the first one is the default."""
    value = text(name, choices[0])
    if value not in choices:
        raise EnvError(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def level(name: str, default: str = "INFO") -> str:
    """Return a level of logging."""
    value = text(name, default).upper()
    if value not in LEVELS:
        raise EnvError(f"{name} must be one of {', '.join(LEVELS)}, not {value!r}.")
    return value


def redis_url(name: str = "REDIS_URL", default: str | None = None) -> str:
    """Return the address of a Redis server: redis://, rediss:// (TLS) or unix:// (a socket)."""
    url = text(name, default)
    wrong = f"{name} is not a Redis address like redis://:password@host:6379/0 or unix:///path/to/socket"
    try:
        parts = urlsplit(url)
        _ = parts.port  # reading it checks it
    except ValueError as error:
        raise EnvError(f"{wrong}: {error}.") from None
    if parts.scheme not in {"redis", "rediss", "unix"}:
        raise EnvError(f"{wrong}: its scheme is {parts.scheme or 'missing'}.")
    server = parts.path if parts.scheme == "unix" else parts.hostname
    if not server:
        raise EnvError(f"{wrong}: it names no server.")
    return url


def web_address(name: str, default: str) -> str:
    """Return the address of a whole site, like https://host or http://host:8000, without a last slash."""
    value = text(name, default)
    wrong = f"{name} must be an address like https://arena.example.org, not {value!r}"
    try:
        parts = urlsplit(value)
        _ = parts.port  # reading it checks it
    except ValueError as error:
        raise EnvError(f"{wrong}: {error}.") from None
    if parts.scheme not in {"http", "https"}:
        raise EnvError(f"{wrong}: it must begin with https:// or http://.")
    if not parts.hostname or parts.username is not None or set(value) & set(" ,"):
        raise EnvError(f"{wrong}: after that comes the name of the host.")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise EnvError(f"{wrong}: nothing may follow the host.")
    return value.rstrip("/")
