"""What the arena needs outside its own servers: storage, mail, disk, and a certificate."""

import secrets
import shutil
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import get_connection

from arena.operations.diagnosis import Diagnosis, ok, warning, wrong

GIB = 1024**3
LITTLE, TOO_LITTLE = 5 * GIB, GIB // 2
CERTIFICATE_DAYS = 14
PATIENCE_SECONDS = 5


def storage_works() -> Iterator[Diagnosis]:
    """Write a file, read it back and delete it."""
    content = secrets.token_bytes(64)
    where = settings.STORAGES["default"].get("OPTIONS", {}).get("bucket_name")
    place = f"The bucket {where}" if where else f"The folder {settings.MEDIA_ROOT}"
    to_do = "Correct ARENA_STORAGE and ARENA_S3_*." if where else "Let the arena's user write there."
    try:
        name = default_storage.save(f"doctor/{secrets.token_hex(8)}", ContentFile(content))
        try:
            with default_storage.open(name) as opened:
                is_same = opened.read() == content
        finally:
            default_storage.delete(name)
        is_gone = not default_storage.exists(name)
    except OSError as error:
        yield wrong(f"{place} cannot be used: {error}", to_do)
        return
    if is_same and is_gone:
        yield ok(f"{place} can be written, read and deleted from.")
    else:
        yield wrong(f"{place} does not give back what was written, or keeps what was deleted.", to_do)


def mail_is_taken() -> Iterator[Diagnosis]:
    """Sign in at the mail server; nothing is sent."""
    if not settings.EMAIL_HOST:
        yield warning("No mail server is set: mails are only logged.", "Set ARENA_SMTP_HOST.")
        return
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        mail = get_connection(settings.MAIL_BACKEND, timeout=PATIENCE_SECONDS)
        mail.open()
        mail.close()
    except smtplib.SMTPAuthenticationError as error:
        yield wrong(
            f"{server} refuses our name or password: {error}", "Correct ARENA_SMTP_USER and _PASSWORD."
        )
    except (OSError, smtplib.SMTPException) as error:
        yield wrong(
            f"{server} does not take mail: {error}",
            "Correct ARENA_SMTP_HOST, ARENA_SMTP_PORT and ARENA_SMTP_TLS, or start the server.",
        )
    else:
        yield ok(f"{server} takes our mail.")


def disk_has_room() -> Iterator[Diagnosis]:
    place = Path(settings.HOME.path)
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    sentence = f"{free / GIB:.1f} GiB are free at {place}."
    to_do = "Free some: see docs/operator/storage.md, and delete old backups."
    if free < TOO_LITTLE:
        yield wrong(sentence, to_do)
    elif free < LITTLE:
        yield warning(sentence, to_do)
    else:
        yield ok(sentence)


def certificate_is_good() -> Iterator[Diagnosis]:
    """Connect to ARENA_SITE_URL as a browser does."""
    site = urlsplit(settings.SITE_URL)
    if site.scheme != "https":
        yield ok(f"{settings.SITE_URL} needs no certificate.")
        return
    host, port = site.hostname or "", site.port or 443
    try:
        with (
            socket.create_connection((host, port), PATIENCE_SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secured,
        ):
            ends = ssl.cert_time_to_seconds(str((secured.getpeercert() or {})["notAfter"]))
    except ssl.SSLCertVerificationError as error:
        yield wrong(
            f"Browsers refuse the certificate of {host}: {error.verify_message}.",
            "Renew it, or have the proxy send the whole chain for this name.",
        )
        return
    except OSError as error:
        yield wrong(
            f"{settings.SITE_URL} cannot be reached from here: {error}.",
            "Start the proxy, or correct ARENA_SITE_URL and the DNS.",
        )
        return
    days = (ends - time.time()) / 86_400
    sentence = f"The certificate of {host} is valid for {days:.0f} more days."
    yield (
        warning(sentence, "See why it is not renewed by itself.") if days < CERTIFICATE_DAYS else ok(sentence)
    )
