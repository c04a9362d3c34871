"""API tokens: create, find by digest, revoke."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import ApiToken, User

PREFIX = "aztlan_"  # lets scanners of leaked secrets recognise ours
MOST_TOKENS = 20
TOUCH_EVERY = timedelta(minutes=1)


class TokenError(Exception):
    """The token cannot be created; the message says why."""


def make_token(
    user: User, name: str, scopes: Collection[str], maker: User | None = None
) -> tuple[ApiToken, str]:
    """Create a token and return it with its secret, which is not stored. A team's token has a maker."""
    secret = PREFIX + secrets.token_urlsafe(32)
    if count_tokens(user) >= MOST_TOKENS:
        raise TokenError(_("You already have %d tokens. Revoke one that you no longer need.") % MOST_TOKENS)
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                user=user,
                maker=maker,
                name=name,
                start=secret[:12],
                digest=digest(secret),
                scopes=sorted(set(scopes)),
            )
    except IntegrityError:
        raise TokenError(
            _("You already have a token with this name. Choose another name, or revoke that token.")
        ) from None
    return token, secret


def digest(secret: str) -> bytes:
    # A fast hash is enough: nobody can guess 256 random bits, and every request computes it.
    return hashlib.sha256(secret.encode()).digest()


def find_token(secret: str) -> ApiToken | None:
    """Return the active token with this secret, and note its use, at most once per minute."""
    found = (
        ApiToken.objects.select_related("user", "maker")
        .filter(digest=digest(secret), revoked_at=None, user__is_active=True)
        .exclude(maker__is_active=False)
        .first()
    )
    now = timezone.now()
    if found and (found.last_used_at is None or found.last_used_at < now - TOUCH_EVERY):
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - TOUCH_EVERY)
        ApiToken.objects.filter(stale, pk=found.pk).update(last_used_at=now)
    return found


def revoke_token(user: User, token_id: int) -> bool:
    return bool(
        ApiToken.objects.filter(pk=token_id, user=user, revoked_at=None).update(revoked_at=timezone.now())
    )


def count_tokens(user: User) -> int:
    return ApiToken.objects.filter(user=user, revoked_at=None).count()


def revoke_tokens(user: User) -> int:
    """Revoke all active tokens of a user, and return how many there were."""
    return ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def revoke_tokens_made_by(person: User, team_id: int) -> int:
    """Revoke what somebody who leaves a team could still use, and return how many there were."""
    made = ApiToken.objects.filter(user=team_id, maker=person, revoked_at=None)
    return made.update(revoked_at=timezone.now())
