"""Which proxies to trust about where a request comes from.

By default uvicorn trusts every program on this machine, so it is started with `--no-proxy-headers`.
"""

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from arena.body_limit import Application


def believe_proxies(app: Application) -> Application:
    """Take the client's address and scheme from X-Forwarded-For and -Proto if our own proxy sent them."""
    if not settings.PROXIES:
        return app
    believing: Application = ProxyHeadersMiddleware(app, trusted_hosts=settings.PROXIES)  # type: ignore[arg-type,assignment]
    return believing
