"""What changes accounts, and what is sent to their people."""

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import make_password
from django.core import signing
from django.core.mail import send_mail
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts import known, limits, tokens
from arena.accounts.client_address import client_network
from arena.accounts.models import User
from arena.listeners import Happening, publish

CONFIRMATION = "accounts.confirmation"
CONFIRMATION_SECONDS = 3 * 24 * 3600
HOUSE = "house"


def check_password(request: HttpRequest, username: str, password: str) -> User | None:
    """Return whose password this is. Raises LimitError once it was tried too often, right or wrong."""
    account = username.casefold()
    tries = tries_to_sign_in(request, account)
    limits.spend_all(tries)
    user = authenticate(request, username=username, password=password)
    if user is None:
        return None
    limits.forgive(*tries[0])
    for each in tries[1:]:
        limits.refund(*each)
    known.remember(request, account)
    return user


def tries_to_sign_in(request: HttpRequest, account: str) -> list[tuple[str, object]]:
    """Return the limits that a try counts for, that of whoever makes it first.

    So one guesser cannot use up what the account allows all strangers together, and strangers cannot use up
    anything of a place that the account knows.
    """
    if place := known.place_of(request, account):
        return [("sign-in", f"{account}|{place}")]
    network = client_network(request)
    return [("sign-in", f"{account}|{network}"), ("sign-in-address", network), ("sign-in-account", account)]


def ask_for_reset(request: HttpRequest, email: str) -> None:
    """Count a mail that lets its reader set a new password. Raises LimitError, account or none."""
    mailbox = email.casefold()
    owner = User.objects.filter(email__iexact=email).first()
    if owner and (place := known.place_of(request, owner.username.casefold())):
        limits.spend("reset", f"{mailbox}|{place}")
        return
    network = client_network(request)
    limits.spend_all(
        [("reset", f"{mailbox}|{network}"), ("reset-address", network), ("reset-mailbox", mailbox)]
    )


@transaction.atomic
def follow_new_password(user: User, keep_tokens: bool) -> str:
    """Do what a new password entails, and return what to tell: tokens do not outlive the old one unasked."""
    text = _("Your password is changed. You are signed out everywhere else.")
    if count := tokens.count_tokens(user) if keep_tokens else tokens.revoke_tokens(user):
        some = (
            ngettext("%d API token still works.", "%d API tokens still work.", count)
            if keep_tokens
            else ngettext("%d API token is revoked.", "%d API tokens are revoked.", count)
        )
        text = f"{text} {some % count}"
    publish(Happening.PASSWORD_CHANGED, user.pk, text, reverse("tokens"))
    return text


def ask_to_confirm(user: User) -> None:
    """Send the link that proves that the address is theirs. Raises LimitError."""
    limits.spend_all([("confirm", user.pk), ("confirm-mailbox", user.email.casefold())])
    token = signing.dumps([user.pk, user.email], salt=CONFIRMATION)
    link = settings.SITE_URL + reverse("confirm-email", args=[token])
    text = _("Welcome to the Aztlán Arena, %(name)s.\n\nConfirm your e-mail address here:\n\n%(link)s\n") % {
        "name": user.username,
        "link": link,
    }
    mail(user.email, _("Confirm your e-mail address"), text)


def confirm_email(token: str) -> User | None:
    """Note that an address is confirmed; None where the link is wrong, old, or for another address."""
    try:
        user_id, email = signing.loads(token, salt=CONFIRMATION, max_age=CONFIRMATION_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    User.objects.filter(pk=user_id, email=email, email_confirmed_at=None).update(
        email_confirmed_at=timezone.now()
    )
    return User.objects.filter(pk=user_id, email=email).first()


@transaction.atomic
def change_email(user: User, email: str) -> None:
    """Note a new address, to be confirmed; the old one is told, in case it was not its owner who did this."""
    old = user.email if user.email_confirmed_at else ""
    user.email = email
    user.email_confirmed_at = None
    user.save(update_fields=["email", "email_confirmed_at"])
    ask_to_confirm(user)
    if old:
        text = _(
            "Your account %(name)s at the Aztlán Arena has a new e-mail address now.\n"
            "If this was not you, ask the staff for help at once.\n"
        )
        mail(old, _("Your e-mail address was changed"), text % {"name": user.username})


def mail(address: str, subject: str, text: str) -> None:
    """Have an e-mail sent, if the present transaction is committed; nobody waits for the mail server."""
    send_mail(subject, text, None, [address])


def house_user() -> User:
    """Return the account that owns the house bots. Nobody can sign in to it."""
    user, _created = User.objects.get_or_create(
        username=HOUSE,
        defaults={
            "email": "house@arena.invalid",
            "password": make_password(None),
            "email_confirmed_at": timezone.now(),
            "mails_notices": False,
        },
    )
    return user
