"""What every page shows."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.accounts.models import Notice


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return the number of unread notices, asked for only where a page shows it."""

    def count() -> int:
        return Notice.objects.filter(user=request.user, read_at=None).count()  # type: ignore[misc]

    user = getattr(request, "user", None)
    return {"unread_notices": SimpleLazyObject(count) if user is not None and user.is_authenticated else 0}
