"""Load the demo data."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from arena.accounts.models import User


@dataclass(frozen=True)
class DemoAccount:
    username: str
    role: str
    is_administrator: bool = False


CAST = (
    DemoAccount("itzel", "bot author"),
    DemoAccount("mateo", "bot author, a rival"),
    DemoAccount("citlali", "administrator", is_administrator=True),
)


@transaction.atomic
def load_demo(password: str) -> bool:
    """Fill an empty database and return True; one that has any account is left as it is.

    So it is loaded once, and an arena with real people never gains an account with a password from a file.
    """
    if User.objects.exists():
        return False
    for account in CAST:
        create = User.objects.create_superuser if account.is_administrator else User.objects.create_user
        address = f"{account.username}@demo.invalid"
        create(account.username, address, password, email_confirmed_at=timezone.now(), mails_notices=False)
    return True
