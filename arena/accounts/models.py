"""The arena's own user model, from the first migration on: to change it later is costly."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person with an account. Names differ by more than capitals, so that nobody poses as another."""

    email = models.EmailField(_("e-mail address"))

    class Meta(AbstractUser.Meta):
        swappable = "AUTH_USER_MODEL"
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_username_once",
                violation_error_message=_("This name is taken."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_email_once",
                violation_error_message=_("This e-mail address is taken."),
            ),
        ]
