"""Store the token of `aztlan login`, and find the arena that a command talks to."""

import json
import os
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from aztlan.errors import SdkError
from aztlan.remote import Arena

DEFAULT_URL = "http://localhost:8000"


def account_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "aztlan" / "arena.json"


def check_url(url: str) -> str:
    """Return the address without a trailing slash; plain HTTP is allowed only on this machine."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and parts.port != 0
    except ValueError:  # invalid brackets or port
        is_address = False
    if not is_address or not parts.hostname:
        raise SdkError(
            f"{url!r} is not the address of an arena; it should look like https://arena.example.org"
        )
    if parts.scheme == "http" and not is_local(parts.hostname):
        raise SdkError(f"{url} would send your token unencrypted: use https://")
    return url.rstrip("/")


def is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def remember(url: str, token: str) -> Path:
    """Keep the token in a file that only its owner can read."""
    file = account_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump({"url": url, "token": token}, out)
        fresh.replace(file)
    except OSError as error:
        raise SdkError(f"{file} cannot be written: {error.strerror}") from None
    return file


def known_arena() -> Arena:
    """Return the arena of AZTLAN_URL and AZTLAN_TOKEN, or the one signed in to. The token may be empty."""
    kept: dict[str, str] = {}
    try:
        read = json.loads(account_file().read_text())
        if not isinstance(read, dict):
            raise ValueError
        kept = read
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        raise SdkError(f"{account_file()} cannot be read: run `aztlan login` again") from None
    url = check_url(os.environ.get("AZTLAN_URL") or kept.get("url") or DEFAULT_URL)
    # A token is only ever sent to the arena that issued it.
    token = os.environ.get("AZTLAN_TOKEN") or (kept.get("token", "") if kept.get("url") == url else "")
    return Arena(url, token)


def signed_in_arena() -> Arena:
    arena = known_arena()
    if not arena.token:
        raise SdkError(f"you are not signed in to {arena.url}: run `aztlan login {arena.url}`")
    return arena
