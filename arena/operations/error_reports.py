"""Sends errors to a Sentry-compatible server, where ARENA_SENTRY_DSN names one; otherwise imports nothing."""

from importlib.util import find_spec

from django.conf import settings

from workers import env


def start() -> None:
    """Report what is logged as an error, with its trace; never who it happened to."""
    if not settings.SENTRY_DSN:
        return
    if not find_spec("sentry_sdk"):
        raise env.EnvError(
            "ARENA_SENTRY_DSN is set, but its package is missing: pip install 'aztlan-arena[telemetry]'."
        )
    import sentry_sdk

    try:
        sentry_sdk.init(settings.SENTRY_DSN, send_default_pii=False, max_request_body_size="never")
    except sentry_sdk.utils.BadDsn as error:
        raise env.EnvError(
            f"ARENA_SENTRY_DSN must be an address like https://key@errors.example.org/1: {error}."
        ) from None
