"""What the OpenAPI description says about every operation: its errors, and bearer tokens."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

METHODS = {"get", "post", "put", "patch", "delete"}
SENTENCE = {"type": "string", "description": "A sentence for people."}
CODE = {"type": "string", "description": "Stable, for programs."}
FIELD_ERROR = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {"code": CODE, "message": SENTENCE},
}
ERROR = {
    "type": "object",
    "description": "What went wrong, and what to do.",
    "required": ["code", "message", "fields", "wait_seconds"],
    "properties": {
        "code": CODE,
        "message": SENTENCE,
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": FIELD_ERROR},
            "description": "What is wrong with each field, by name; empty if the error is not about a field.",
        },
        "wait_seconds": {
            "type": "integer",
            "nullable": True,
            "description": "How long to wait before trying again, if waiting helps.",
        },
    },
}
REASONS = {
    "400": "Something in the request is invalid.",
    "401": "The token is missing, unknown or revoked.",
    "403": "It is not yours, or the token lacks a scope.",
    "404": "It does not exist.",
    "415": "The media type of the body is not supported.",
    "429": "Too many requests: the answer says why and how long to wait.",
}


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library has no types
    target_class = "arena.accounts.authentication.BearerAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token, which you create on the page of your tokens.",
        }


def add_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the possible errors to each operation."""
    result.setdefault("components", {}).setdefault("schemas", {})["Error"] = ERROR
    for path, item in result["paths"].items():
        for method in METHODS & set(item):
            item[method]["responses"] |= {
                code: {
                    "description": REASONS[code],
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                }
                for code in possible_errors(path, method, item[method])
            }
    return result


def possible_errors(path: str, method: str, operation: dict[str, Any]) -> list[str]:
    codes = ["401", "429"]
    if {} not in operation.get("security", [{}]) or method != "get":
        codes.append("403")
    if operation.get("parameters") or method in {"post", "put", "patch"}:
        codes.append("400")
    if "{" in path or "cursor" in str(operation.get("parameters")):
        codes.append("404")
    if "requestBody" in operation:
        codes.append("415")
    return sorted(codes)
