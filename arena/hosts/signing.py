"""Signed values for match hosts: tokens for one attempt, and archive addresses that expire."""

from django.core import signing
from django.urls import reverse

ATTEMPT = signing.Signer(salt="arena.matches.attempt")
ARCHIVE = signing.TimestampSigner(salt="arena.matches.archive")
ARCHIVE_SECONDS = 900


class AttemptTokenError(Exception):
    """A token that is invalid or has expired."""


def sign_attempt(attempt_id: int) -> str:
    return ATTEMPT.sign(str(attempt_id)).partition(":")[2]


def check_attempt(attempt_id: int, token: str) -> None:
    try:
        ATTEMPT.unsign(f"{attempt_id}:{token}")
    except signing.BadSignature:
        raise AttemptTokenError("The token does not belong to this attempt.") from None


def archive_path(version_id: int, what: str) -> str:
    """Return the address of a version's `source` or `built` archive, valid for 15 minutes."""
    return reverse("host-archive", args=[ARCHIVE.sign(f"{version_id}-{what}")])


def read_archive_token(token: str) -> tuple[int, str]:
    try:
        value = ARCHIVE.unsign(token, max_age=ARCHIVE_SECONDS)
    except signing.BadSignature:
        raise AttemptTokenError("This address is invalid or has expired.") from None
    version_id, _, what = value.partition("-")
    return int(version_id), what
