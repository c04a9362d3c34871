"""Whom to believe about where a request comes from.

uvicorn by itself believes every program on this machine: it is started with `--no-proxy-headers`.
"""

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.body_limit import Application


def believe_proxies(app: Application) -> Application:
    """Take a client's address and scheme from X-Forwarded-For and -Proto, where our own proxy sends them."""
    if not settings.PROXIES:
        return app
    believing: Application = ProxyHeadersMiddleware(app, trusted_hosts=settings.PROXIES)  # type: ignore[arg-type,assignment]
    return believing
