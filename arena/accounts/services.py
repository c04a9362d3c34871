"""Changes to accounts, and the e-mails that go with them."""

from allauth.mfa.models import Authenticator
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

from arena.accounts import audit, known, limits, tokens
from arena.accounts.client_address import client_network
from arena.accounts.models import User
from arena.accounts.permissions import may_change_account
from arena.listeners import Happening, publish

CONFIRMATION = "accounts.confirmation"
CONFIRMATION_SECONDS = 3 * 24 * 3600
HOUSE = "house"


def check_password(request: HttpRequest, username: str, password: str) -> User | None:
    """Return the user if the password is right. Raises LimitError after too many tries, right or wrong."""
    account = username.casefold()
    tries = tries_to_sign_in(request, account)
    limits.spend_all(tries)
    user = authenticate(request, username=username, password=password)
    if user is None or user.is_team:  # nobody signs in as a team
        return None
    limits.forgive(*tries[0])
    for each in tries[1:]:
        limits.refund(*each)
    known.remember(request, account)
    return user


def tries_to_sign_in(request: HttpRequest, account: str) -> list[tuple[str, object]]:
    """Return the limits that a try counts towards, the one of the client first.

    This way one guesser cannot use up the limit for all unknown places together, and unknown places cannot
    use up the limit of a place that the account knows.
    """
    if place := known.place_of(request, account):
        return [("sign-in", f"{account}|{place}")]
    network = client_network(request)
    return [("sign-in", f"{account}|{network}"), ("sign-in-address", network), ("sign-in-account", account)]


def ask_for_reset(request: HttpRequest, email: str) -> None:
    """Count a password reset e-mail. Raises LimitError, whether or not there is such an account."""
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
    """Revoke tokens unless they are to be kept, notify the user, and return what to tell them."""
    count = tokens.count_tokens(user) if keep_tokens else tokens.revoke_tokens(user)

    def text() -> str:
        changed = _("Your password has been changed. You are signed out everywhere else.")
        if not count:
            return changed
        some = (
            ngettext("%d API token still works.", "%d API tokens still work.", count)
            if keep_tokens
            else ngettext("%d API token was revoked.", "%d API tokens were revoked.", count)
        )
        return f"{changed} {some % count}"

    publish(Happening.PASSWORD_CHANGED, user.pk, text, reverse("tokens"))
    return text()


@transaction.atomic
def remove_second_factors(user: User, reason: str, staff: User) -> bool:
    """Help somebody who is locked out; False where nothing is removed, as only superusers do it for staff."""
    if not may_change_account(staff, user) or not Authenticator.objects.filter(user=user).delete()[0]:
        return False
    audit.record(staff, "remove second factors", user, reason)

    def text() -> str:
        return _("The staff have removed your second factors and passkeys: %s") % reason

    publish(Happening.PASSWORD_CHANGED, user.pk, text, reverse("security"))
    return True


def ask_to_confirm(user: User) -> None:
    """Send the link that confirms the address. Raises LimitError."""
    limits.spend_all([("confirm", user.pk), ("confirm-mailbox", user.email.casefold())])
    token = signing.dumps([user.pk, user.email], salt=CONFIRMATION)
    link = settings.SITE_URL + reverse("confirm-email", args=[token])
    text = _("Welcome to the Aztlán Arena, %(name)s.\n\nConfirm your e-mail address here:\n\n%(link)s\n") % {
        "name": user.username,
        "link": link,
    }
    mail(user.email, _("Confirm your e-mail address"), text)


def confirm_email(token: str) -> User | None:
    """Confirm an address; return None if the link is invalid, expired, or for another address."""
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
    """Store a new, unconfirmed address, and notify the old one in case this was not its owner."""
    old = user.email if user.email_confirmed_at else ""
    user.email = email
    user.email_confirmed_at = None
    user.save(update_fields=["email", "email_confirmed_at"])
    ask_to_confirm(user)
    if old:
        text = _(
            "The e-mail address of your account %(name)s at the Aztlán Arena was changed.\n"
            "If this was not you, contact the staff immediately.\n"
        )
        mail(old, _("Your e-mail address was changed"), text % {"name": user.username})


def mail(address: str, subject: str, text: str) -> None:
    """Send an e-mail once the current transaction is committed, without waiting for the mail server."""
    send_mail(subject, text, None, [address])


def house_user() -> User:
    """Return the account that is_owner the house bots. Nobody can sign in to it."""
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
