"""The environment variables that only the arena reads, typed as in `workers.env`."""

from ipaddress import ip_network
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from workers import env


def database(name: str, default: str) -> dict[str, Any]:
    """Return Django's settings for the PostgreSQL server that the variable names."""
    url = env.text(name, default)
    wrong = f"{name} is not a PostgreSQL address like postgresql://user:password@host:5432/database"
    if not url.startswith(("postgresql://", "postgres://")):
        raise env.EnvError(f"{wrong}: it must begin with postgresql://.")
    try:
        parts = conninfo_to_dict(url)
    except (ProgrammingError, UnicodeDecodeError):
        # The parser's own message may quote the password.
        raise env.EnvError(
            f"{wrong}: it cannot be parsed (write a % or @ in a password as %25 or %40)."
        ) from None
    ports = str(parts.get("port") or "5432").split(",")
    if not all(port.isdecimal() and 0 < int(port) < 65536 for port in ports):
        raise env.EnvError(f"{wrong}: its port is not a number from 1 to 65535.")
    if not parts.get("dbname"):
        raise env.EnvError(f"{wrong}: it names no database.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": parts,
    }


def networks(name: str) -> list[str]:
    """Return the addresses and networks that the variable names, with commas between."""
    named = env.listing(name, [])
    for each in named:
        try:
            ip_network(each)
        except ValueError as error:
            raise env.EnvError(f"{name} must be addresses or networks like 10.0.0.0/8: {error}.") from None
    return named
