"""Sign-in to the API by `Authorization: Bearer aztlan_...`, and what a token may do."""

from typing import Any

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from arena.accounts.models import ApiToken, Scope, User
from arena.accounts.permissions import is_staff, may_create_tournaments
from arena.accounts.tokens import find_token


class BearerAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, secret = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = find_token(secret.strip())
        if token is None:
            raise AuthenticationFailed("This token is unknown or revoked. Create a new one.", code="token")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def has_scope(request: Request, scope: Scope) -> bool:
    """Return whether the person is signed in, by the pages or by a token that has the scope."""
    if not request.user.is_authenticated:
        return False
    return request.auth is None or (isinstance(request.auth, ApiToken) and scope in request.auth.scopes)


class ScopePermission(BasePermission):
    """Lets in people who are signed in by the pages, or by a token that has this scope."""

    scope: Scope

    def has_permission(self, request: Request, view: Any) -> bool:
        self.message = f"This token lacks the scope “{self.scope.value}”. Create one that has it."
        return has_scope(request, self.scope)


class NeedsPrivate(ScopePermission):
    scope = Scope.PRIVATE


class NeedsBots(ScopePermission):
    scope = Scope.BOTS


class NeedsMatches(ScopePermission):
    scope = Scope.MATCHES


class NeedsOrganise(ScopePermission):
    """Lets in organisers and staff."""

    scope = Scope.ORGANISE

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        self.message = "Only organisers may do this."
        return may_create_tournaments(request.user)


class NeedsStaff(ScopePermission):
    """Lets in staff."""

    scope = Scope.STAFF

    def has_permission(self, request: Request, view: Any) -> bool:
        if not super().has_permission(request, view):
            return False
        self.message = "Only staff may do this."
        return is_staff(request.user)


class NeedsAccount(ScopePermission):
    scope = Scope.ACCOUNT
