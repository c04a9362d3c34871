"""Load the demo data."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.accounts.models import User
from arena.ladders.services import create_ladder
from engine.rulesets import ruleset
from workers.match.spec import DEFAULT_CLOCKS


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

LADDERS = {2: _("Duel"), 3: _("Table of three"), 4: _("Table of four")}
# A demonstration leaves the machine to its owner; a real ladder plays as fast as its hosts can.
MATCHES_A_MINUTE = 6


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
    for seats, name in LADDERS.items():
        create_ladder(
            slug=f"{seats}-seats",
            name=str(name),
            seats=seats,
            ruleset=ruleset("english"),
            clocks=DEFAULT_CLOCKS,
            house_fixed=True,
            depth=2,
            a_minute=MATCHES_A_MINUTE,
        )
    return True
