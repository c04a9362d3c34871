"""The environment variables that only the arena reads, typed as in `workers.env`."""

import json
import re
from importlib.util import find_spec
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


PROVIDER_KEYS = {"kind", "id", "name", "client_id", "secret", "server"}


def providers(name: str) -> dict[str, dict[str, Any]]:
    """Return allauth's settings for the sites that people may sign in with, by kind."""
    wrong = (
        f"{name} must be a JSON list like "
        '[{"kind": "openid_connect", "id": "example", "name": "Example", '
        '"server": "https://id.example.org", "client_id": "...", "secret": "..."}]'
    )
    try:
        entries = json.loads(env.text(name, "[]"))
    except ValueError as error:
        raise env.EnvError(f"{wrong}: {error}.") from None
    if not isinstance(entries, list):
        raise env.EnvError(f"{wrong}.")
    kinds: dict[str, dict[str, Any]] = {}
    for entry in entries:
        app = provider_app(wrong, entry)
        kinds.setdefault(app.pop("kind"), {"APPS": []})["APPS"].append(app)
    ids = [app["provider_id"] for kind in kinds.values() for app in kind["APPS"]]
    if len(ids) != len(set(ids)):
        raise env.EnvError(f"{name} names one id twice: each entry needs an id of its own.")
    return kinds


def provider_app(wrong: str, entry: Any) -> dict[str, Any]:
    """Return one site as allauth wants it."""
    if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
        raise env.EnvError(f"{wrong}: each entry is an object of texts.")
    if unknown := sorted(entry.keys() - PROVIDER_KEYS):
        raise env.EnvError(f"{wrong}: {unknown[0]!r} is not known.")
    kind = entry.get("kind", "")
    if not kind.isidentifier() or not find_spec(f"allauth.socialaccount.providers.{kind}"):
        raise env.EnvError(
            f"{wrong}: its kind {kind!r} is not known. Use openid_connect, or one of allauth's like github."
        )
    is_oidc = kind == "openid_connect"
    needed = ("client_id", "secret", *(("id", "name", "server") if is_oidc else ()))
    if missing := [key for key in needed if not entry.get(key)]:
        raise env.EnvError(f"{wrong}: the entry of kind {kind!r} lacks {missing[0]!r}.")
    server = entry.get("server", "")
    if is_oidc and not server.startswith(("https://", "http://")):
        raise env.EnvError(f"{wrong}: the server {server!r} must begin with https://.")
    return {
        "kind": kind,
        "provider_id": entry.get("id", kind),
        "name": entry.get("name", kind.title()),
        "client_id": entry["client_id"],
        "secret": entry["secret"],
        "settings": {"server_url": server, "oauth_pkce_enabled": True} if is_oidc else {},
    }


def storage(name: str) -> dict[str, Any]:
    """Return Django's settings for the storage of files: a folder, or the bucket that the variable names."""
    address = env.text(name, "")
    if not address:
        if stray := [each for each in BUCKET_VARIABLES if env.text(each, "")]:
            raise env.EnvError(f"{stray[0]} is set, but no bucket: set {name}, like s3://bucket/prefix.")
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    found = re.fullmatch(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([\w./-]*))?", address, re.ASCII)
    prefix = ((found and found[2]) or "").strip("/")
    if not found or ".." in prefix:
        raise env.EnvError(
            f"{name} must name a bucket, like s3://bucket or s3://bucket/prefix, not {address!r}."
        )
    if not find_spec("storages") or not find_spec("boto3"):
        raise env.EnvError(
            f"{name} names a bucket, but the packages for it are missing: pip install 'aztlan-arena[s3]'."
        )
    return {
        "BACKEND": "arena.buckets.Bucket",
        "OPTIONS": {"bucket_name": found[1], "location": prefix, **bucket_access()},
    }


BUCKET_VARIABLES = ("ARENA_S3_ENDPOINT", "ARENA_S3_REGION", "ARENA_S3_KEY_ID", "ARENA_S3_SECRET")


def bucket_access() -> dict[str, Any]:
    """Return where a bucket is, and with which key; without one, that of the machine's role is used."""
    endpoint, region, key, secret = (env.text(each, "") for each in BUCKET_VARIABLES)
    if endpoint and not re.fullmatch(r"https?://[^/\s]+/?", endpoint):
        raise env.EnvError(
            f"ARENA_S3_ENDPOINT must be an address like https://s3.example.org, not {endpoint!r}."
        )
    if bool(key) != bool(secret):
        missing = "ARENA_S3_SECRET" if key else "ARENA_S3_KEY_ID"
        raise env.EnvError(f"{missing} must be set too: a key has an id and a secret.")
    return {
        "endpoint_url": endpoint.rstrip("/") or None,
        "region_name": region or ("us-east-1" if endpoint else None),
        "access_key": key or None,
        "secret_key": secret or None,
        # Servers that are not Amazon's rarely have a host name for each bucket.
        "addressing_style": "path" if endpoint else "auto",
        "file_overwrite": True,  # names come from digests
        "default_acl": None,
    }
