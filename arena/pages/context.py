"""What every page shows."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.accounts.models import User


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return the number of unread notices, asked for only where a page shows it."""
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"unread_notices": 0}
    return {"unread_notices": SimpleLazyObject(user.notices.filter(read_at=None).count)}
