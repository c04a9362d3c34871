"""Which names people may have. Settings read this, so it imports no models."""

from typing import Final

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

# ASCII only: names that look alike would let people impersonate each other. Short enough for every table.
USERNAME = RegexValidator(
    r"\A[A-Za-z0-9](?:[A-Za-z0-9_-]{0,28}[A-Za-z0-9])\Z",
    _("Use 2 to 30 letters a to z, digits, - and _, with a letter or digit at both ends."),
)
USERNAME_VALIDATORS = [USERNAME]
RESERVED_NAMES: Final = frozenset(
    {"admin", "administrator", "api", "arena", "aztlan", "house", "me", "staff", "support", "system"}
)
FORMER_AUTHOR: Final = "former author %d"
"""The name of a deleted account. It has spaces, so nobody can take it."""
