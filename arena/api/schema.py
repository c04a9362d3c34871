"""What the OpenAPI description says of every operation: errors in one shape, and bearer tokens."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from arena.accounts.models import ApiToken
from arena.api.errors import ErrorSerializer


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "arena.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": f"An API token, made on the page of your tokens (at most {ApiToken.name.field.max_length}"  # type: ignore[attr-defined]
            " characters in its name).",
        }


class ArenaSchema(AutoSchema):
    """Adds the errors that any operation may answer to those answers that its view names."""

    def get_response_serializers(self) -> Any:
        responses = super().get_response_serializers()
        if not isinstance(responses, dict):
            responses = {"201" if self.method == "POST" else "204" if self.method == "DELETE" else "200": responses}
        errors = {"401": ErrorSerializer, "403": ErrorSerializer, "429": ErrorSerializer}
        if self.method not in ("GET", "DELETE"):
            errors |= {"400": ErrorSerializer, "415": ErrorSerializer}
        if "{" in self.path or self._is_list_view():
            errors |= {"404": ErrorSerializer}
        if self.method == "GET":
            errors |= {"406": ErrorSerializer}
        return {**errors, **{str(code): answer for code, answer in responses.items()}}
