"""The environment variables of an arena that others reach: its secrets, names, address and mail server."""

from dataclasses import dataclass
from email.utils import parseaddr
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.http.request import validate_host

from workers import env

MAKE_ONE = 'python3 -c "import secrets; print(secrets.token_urlsafe(64))"'
LEAST_CHARACTERS = 50
"""Django's own check asks for as many of SECRET_KEY."""


def secret(name: str, in_production: bool, least: int = 1) -> str:
    """Return a secret, which production must set; elsewhere it may be empty."""
    value = env.text(name, "")
    if not in_production:
        return value
    if not value:
        raise env.EnvError(f"{name} must be set where ARENA_HTTPS is true. Make one: {MAKE_ONE}")
    if value.startswith("CHANGE"):
        raise env.EnvError(
            f"{name} is still that of the example, which everybody knows. Make one: {MAKE_ONE}"
        )
    if len(value) < least:
        raise env.EnvError(
            f"{name} must have at least {least} characters, not {len(value)}. Make one: {MAKE_ONE}"
        )
    return value


def host_names(name: str, default: list[str]) -> list[str]:
    """Return the names under which people reach the arena."""
    names = env.listing(name, default)
    for each in names:
        has_port = ":" in each and not each.startswith("[")
        if "/" in each or has_port:
            raise env.EnvError(
                f"{name} must be host names without scheme and port, like arena.example.org, not {each!r}."
            )
    return names


def site_address(name: str, default: str, hosts: list[str], in_production: bool) -> str:
    """Return the address that links in mails begin with; production refuses one that nobody can open."""
    address = env.web_address(name, default)
    if not in_production:
        return address
    if not env.text(name, ""):
        raise env.EnvError(f"{name} must be set where ARENA_HTTPS is true, like https://arena.example.org.")
    parts = urlsplit(address)
    if parts.scheme != "https":
        raise env.EnvError(f"{name} must begin with https:// where ARENA_HTTPS is true, not {address!r}.")
    host = parts.netloc.removesuffix(f":{parts.port}")
    if not validate_host(host, hosts):
        raise env.EnvError(
            f"ALLOWED_HOSTS lacks {host}, the host of {name}: the arena would refuse its own visitors."
        )
    return address


@dataclass(frozen=True)
class MailServer:
    host: str
    port: int
    user: str
    password: str


def mail_server() -> MailServer:
    """Return the server for mails; without a host there is none."""
    host, user, password = (
        env.text(name, "") for name in ("ARENA_SMTP_HOST", "ARENA_SMTP_USER", "ARENA_SMTP_PASSWORD")
    )
    port = env.number("ARENA_SMTP_PORT", 587, least=1, most=65535)
    if "/" in host or host.count(":") == 1:  # an IPv6 address has more
        raise env.EnvError(
            f"ARENA_SMTP_HOST must be a name like mail.example.org, not {host!r} (ARENA_SMTP_PORT is apart)."
        )
    if bool(user) != bool(password):
        missing = "ARENA_SMTP_PASSWORD" if user else "ARENA_SMTP_USER"
        raise env.EnvError(
            f"{missing} must be set too: a mail server wants a name and a password, or neither."
        )
    if user and not host:
        raise env.EnvError(
            "ARENA_SMTP_HOST must be set too: ARENA_SMTP_USER names an account, but no server."
        )
    return MailServer(host, port, user, password)


def sender(name: str, default: str) -> str:
    """Return whom mails are from: an address, with a name before it or without."""
    value = env.text(name, default)
    try:
        EmailValidator(allowlist=["localhost"])(parseaddr(value)[1])
    except ValidationError:
        raise env.EnvError(
            f"{name} must be an address like arena@example.org or Arena <arena@example.org>, not {value!r}."
        ) from None
    return value
