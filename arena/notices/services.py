"""Notifies people on the site and by e-mail."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.services import mail
from arena.notices.models import Notice, Webhook


def notify(user_id: int, text: str, link: str = "") -> Notice:
    """Notify a user on the site, and by e-mail if they want that and have confirmed their address."""
    notice = Notice.objects.create(user_id=user_id, text=text, link=link)
    user = User.objects.get(pk=user_id)
    if user.mails_notices and user.email_confirmed_at:
        body = f"{text}\n\n{settings.SITE_URL}{link}\n" if link else f"{text}\n"
        mail(user.email, _("News about your bots"), body)
    return notice


def export_of(user: User) -> dict[str, Any]:
    """Return the notices and webhooks of somebody who exports their account."""
    return {
        "notices": list(user.notices.order_by("id").values("text", "link", "created_at", "read_at")),
        "webhooks": list(user.webhooks.order_by("id").values("url", "stopped_at")),
    }


def forget(user: User) -> None:
    """Delete what only somebody who leaves could read."""
    Notice.objects.filter(user=user).delete()
    Webhook.objects.filter(owner=user).delete()
