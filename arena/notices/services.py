"""Notifies people on the site and by e-mail."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from arena.accounts.languages import speaking_to
from arena.accounts.models import User
from arena.accounts.services import mail
from arena.notices.models import Notice, Webhook


def notify(user_id: int, text: Callable[[], str], link: str = "") -> Notice:
    """Notify a user on the site, and by e-mail if they want that and have confirmed their address.

    `text` is called in the language that the user has chosen, whoever acts. What a team is told, each of its
    members is told too.
    """
    user = User.objects.get(pk=user_id)
    if user.is_team:
        for member in user.members.values_list("person", flat=True):
            notify(member, text, link)
    with speaking_to(user):
        notice = Notice.objects.create(user=user, text=text(), link=link)
        if user.mails_notices and user.email_confirmed_at:
            body = f"{notice.text}\n\n{settings.SITE_URL}{link}\n" if link else f"{notice.text}\n"
            mail(user.email, _("News about your bots"), body)
    return notice


def say(sentence: str, values: dict[str, Any]) -> str:
    """Return a sentence that was marked for translation, in the current language."""
    return _(sentence) % values


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
