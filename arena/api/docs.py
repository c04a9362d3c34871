"""The documentation of the API as one plain page, generated from the OpenAPI description."""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from arena.api import description
from arena.api.description import Schema

METHODS = ("get", "post", "patch", "put", "delete")


@dataclass(frozen=True)
class SchemaField:
    name: str
    kind: str
    required: bool
    help: str


@dataclass(frozen=True)
class Operation:
    """One operation, as the page shows it."""

    anchor: str
    method: str
    path: str
    summary: str
    description: str
    needs_token: bool
    parameters: list[SchemaField]
    body: list[SchemaField]
    example: str
    answer: str
    errors: list[str]


@dataclass(frozen=True)
class Group:
    name: str
    operations: list[Operation] = field(default_factory=list)


@require_GET
def docs_page(request: HttpRequest) -> HttpResponse:
    return render(
        request, "api/docs.html", {"groups": describe(), "origin": request.build_absolute_uri("/")[:-1]}
    )


@cache
def describe() -> list[Group]:
    """Return the operations, grouped by first path segment; the same for the life of a process."""
    schema = description.schema()
    groups: dict[str, Group] = {}
    for path, item in schema["paths"].items():
        name = path.removeprefix("/api/v1/").partition("/")[0]
        group = groups.setdefault(name, Group(name))
        for method in METHODS:
            if method in item:
                group.operations.append(describe_operation(schema, path, method, item[method]))
    return sorted(groups.values(), key=lambda group: group.name)


def describe_operation(schema: Schema, path: str, method: str, told: Schema) -> Operation:
    media: Schema = next(iter(told.get("requestBody", {}).get("content", {}).values()), {})
    good = next((code for code in told["responses"] if code.startswith("2")), "")
    content: Schema = next(iter(told["responses"].get(good, {}).get("content", {}).values()), {})
    examples = list(media.get("examples", {}).values())
    return Operation(
        anchor=told["operationId"],
        method=method.upper(),
        path=path,
        summary=str(told.get("summary", "")),
        description=told.get("description", ""),
        needs_token={} not in told.get("security", [{}]),
        parameters=[
            SchemaField(
                each["name"],
                kind_of(each["schema"]),
                each.get("required", False),
                each.get("description", ""),
            )
            for each in told.get("parameters", [])
        ],
        body=fields_of(schema, media.get("schema", {})),
        example=as_json(examples[0]["value"]) if examples else "",
        answer=as_json(sample(schema, content.get("schema", {}))) if content.get("schema") else "",
        errors=[code for code in told["responses"] if code >= "400"],
    )


def resolve(schema: Schema, part: Schema) -> Schema:
    """Follow references; of combined schemas, take the first."""
    while True:
        if "$ref" in part:
            part = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
        elif nested := part.get("allOf") or part.get("oneOf"):
            part = nested[0]
        else:
            return part


def fields_of(schema: Schema, part: Schema) -> list[SchemaField]:
    told = resolve(schema, part)
    required = told.get("required", [])
    return [
        SchemaField(name, kind_of(resolve(schema, value)), name in required, value.get("description", ""))
        for name, value in told.get("properties", {}).items()
        if not value.get("readOnly")
    ]


def kind_of(part: Schema) -> str:
    if "enum" in part:
        return " | ".join(str(value) for value in part["enum"] if value not in (None, ""))
    kind = part.get("type", "")
    if kind == "array":
        return f"list of {kind_of(part['items']) or 'values'}"
    return str(part.get("format") or kind)


def sample(schema: Schema, part: Schema, depth: int = 0) -> Any:
    """Return a small example of this schema."""
    told = resolve(schema, part)
    if "enum" in told:
        return told["enum"][0]
    match told.get("type"):
        case "object" if depth < 5:
            return {
                name: sample(schema, value, depth + 1) for name, value in told.get("properties", {}).items()
            }
        case "array":
            return [sample(schema, told["items"], depth + 1)]
        case "integer":
            return told.get("minimum", 1)
        case "boolean":
            return False
    return SAMPLES.get(told.get("format", ""), "…")


SAMPLES = {
    "date-time": "2026-01-31T12:00:00Z",
    "email": "you@example.org",
    "uri": "https://example.org/",
    "binary": "(the bytes of a zip archive)",
}


def as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
