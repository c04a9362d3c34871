"""Accounts in the API: your own, your tokens, and other authors."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework import generics, mixins, status, viewsets
from rest_framework.exceptions import APIException, PermissionDenied, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts import services, tokens
from arena.accounts.authentication import NeedsAccount
from arena.accounts.forms import CodeForm
from arena.accounts.models import ApiToken, User
from arena.accounts.requests import person_of
from arena.accounts.serializers import (
    AuthorSerializer,
    MeSerializer,
    NewTokenSerializer,
    SignInSerializer,
    TokenSerializer,
)

TOKEN_EXAMPLE = OpenApiExample(
    "a token for a build server",
    {"name": "build server", "scopes": ["bots", "private"]},
    request_only=True,
)


@extend_schema_view(
    get=extend_schema(summary="Your own account"),
    patch=extend_schema(
        summary="Change your profile",
        examples=[OpenApiExample("no mails", {"mails_notices": False}, request_only=True)],
    ),
)
class Me(generics.RetrieveUpdateAPIView):
    """Your e-mail address is changed on the site, as that needs your password."""

    serializer_class = MeSerializer
    permission_classes = [NeedsAccount]
    http_method_names = ["get", "patch", "head", "options"]

    def get_object(self) -> User:
        return person_of(self.request)


@extend_schema(summary="An author")
class Author(generics.RetrieveAPIView):
    queryset = User.objects.filter(is_active=True, is_team=False)  # a team has an address of its own
    serializer_class = AuthorSerializer
    lookup_field = "username"


@extend_schema_view(
    list=extend_schema(summary="Your active tokens"),
    create=extend_schema(
        summary="Create a token",
        examples=[TOKEN_EXAMPLE],
        request=TokenSerializer,
        responses={201: NewTokenSerializer},
    ),
    destroy=extend_schema(summary="Revoke a token"),
)
class Tokens(mixins.ListModelMixin, viewsets.GenericViewSet):
    """A token can create others with no more scopes than its own."""

    serializer_class = TokenSerializer
    permission_classes = [NeedsAccount]
    lookup_value_converter = "int"

    def get_queryset(self) -> QuerySet[ApiToken]:
        if not self.request.user.is_authenticated:  # while the schema is generated
            return ApiToken.objects.none()
        return ApiToken.objects.filter(user=self.request.user, revoked_at=None)

    def create(self, request: Request) -> Response:
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        wanted = serializer.validated_data["scopes"]
        if isinstance(request.auth, ApiToken) and not set(wanted) <= set(request.auth.scopes):
            raise PermissionDenied("This token can only create tokens with scopes that it has itself.")
        return new_token_answer(person_of(request), serializer.validated_data)

    def destroy(self, request: Request, pk: int) -> Response:
        self.kwargs["pk"] = pk
        tokens.revoke_token(person_of(request), self.get_object().pk)
        return Response(status=status.HTTP_204_NO_CONTENT)


def new_token_answer(
    user: User,
    data: dict[str, Any],
    maker: User | None = None,
    serializer: type[TokenSerializer] = TokenSerializer,
) -> Response:
    """Create a token of a person, or of a team with the person who makes it, and answer with its secret."""
    try:
        token, secret = tokens.make_token(user, data["name"], data["scopes"], maker)
    except tokens.TokenError as error:
        raise ValidationError({"name": [str(error)]}, code="taken") from None
    return Response({**serializer(token).data, "secret": secret}, status=status.HTTP_201_CREATED)


class WrongPasswordError(APIException):
    status_code = status.HTTP_401_UNAUTHORIZED
    default_detail = "The username or the password is wrong."
    default_code = "password"


class SecondFactorError(APIException):
    status_code = status.HTTP_401_UNAUTHORIZED
    default_detail = (
        "This account has a second factor. Send the code of its authenticator app, or a recovery code, "
        "as `code`; with a passkey alone, create a token on the site."
    )
    default_code = "second-factor"


def second_factor_problem(user: User, code: str) -> str:
    """Return what is wrong with the code of a program that signs in; nothing where no code is needed."""
    if not is_mfa_enabled(user):
        return ""
    form = CodeForm(user=user, data={"code": code})
    return "" if form.is_valid() else " ".join(form.errors["code"])


class SignIn(APIView):
    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        summary="Create a token with your password",
        description="This is what `aztlan login` does. Repeated wrong passwords are rate-limited.",
        request=SignInSerializer,
        responses={201: NewTokenSerializer},
        examples=[
            OpenApiExample(
                "sign in",
                {
                    "username": "itzel",
                    "password": "...",
                    "name": "laptop",
                    "scopes": ["bots", "matches", "private"],
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        serializer = SignInSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        user = services.check_password(request._request, data["username"], data["password"])  # noqa: SLF001  as Django's own sign-in takes it
        if user is None:
            raise WrongPasswordError
        if problem := second_factor_problem(user, data.get("code", "")):
            raise SecondFactorError(problem if "code" in data else None)
        return new_token_answer(user, data)
