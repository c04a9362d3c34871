"""Programs written for an earlier API keep working: nothing that its description promised is taken back.

`schema_before.json` is the description as it was, without its texts. What is new may be added; what was there
keeps its address, its fields and their types. Requests may only become more generous, answers only more exact.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.api.description import schema

Node = dict[str, Any]
BEFORE: Node = json.loads((Path(__file__).parent / "schema_before.json").read_text())
METHODS = ("get", "post", "put", "patch", "delete")
LOWER_LIMITS = ("minimum", "minLength", "minItems")
UPPER_LIMITS = ("maximum", "maxLength", "maxItems")


class Comparison:
    """Compares two descriptions and lists what was promised and no longer holds."""

    def __init__(self, before: Node, now: Node) -> None:
        self.before, self.now = before, now
        self.compared: set[tuple[str, str, bool]] = set()

    def broken(self) -> Iterator[str]:
        for path, operations in self.before["paths"].items():
            for method in METHODS:
                if method in operations:
                    where = f"{method.upper()} {path}"
                    found = self.now["paths"].get(path, {}).get(method)
                    if found is None:
                        yield f"{where} is gone"
                    else:
                        yield from self.operation(where, operations[method], found)

    def operation(self, where: str, old: Node, new: Node) -> Iterator[str]:
        known = {(one["in"], one["name"]): one for one in new.get("parameters", [])}
        asked = {(one["in"], one["name"]): one for one in old.get("parameters", [])}
        for key, one in asked.items():
            if key not in known:
                yield f"{where}: the parameter {key[1]} is gone"
            else:
                yield from self.value(f"{where} ?{key[1]}", one["schema"], known[key]["schema"], sent=True)
        for key, one in known.items():
            if one.get("required") and not asked.get(key, {}).get("required"):
                yield f"{where}: the parameter {key[1]} is required now"
        body, new_body = old.get("requestBody", {}), new.get("requestBody", {})
        if new_body.get("required") and not body.get("required"):
            yield f"{where}: a body is required now"
        yield from self.contents(f"{where} body", body, new_body, sent=True)
        for status, answer in old["responses"].items():
            if status.startswith("2") and status not in new["responses"]:
                yield f"{where}: the answer {status} is gone"
            yield from self.contents(
                f"{where} {status}", answer, new["responses"].get(status, {}), sent=False
            )

    def contents(self, where: str, old: Node, new: Node, sent: bool) -> Iterator[str]:
        for kind, content in old.get("content", {}).items():
            found = new.get("content", {}).get(kind)
            if found is None:
                yield f"{where}: {kind} is gone"
            else:
                yield from self.value(where, content.get("schema", {}), found.get("schema", {}), sent)

    def value(self, where: str, old: Node, new: Node, sent: bool) -> Iterator[str]:
        """Compare what may be sent, or what is answered."""
        key = (json.dumps(old, sort_keys=True), json.dumps(new, sort_keys=True), sent)
        if key in self.compared:  # descriptions refer to one another
            return
        self.compared.add(key)
        old, new = resolve(old, self.before), resolve(new, self.now)
        yield from types(where, old, new, sent)
        if sent:
            yield from limits(where, old, new)
        elif isinstance(old.get("required"), list):
            yield from (
                f"{where}.{name} may be missing now"
                for name in set(old["required"]) - set(new.get("required", []))
            )
        if sent:
            yield from (
                f"{where}.{name} is required now"
                for name in set(new.get("required", [])) - set(old.get("required", []))
            )
        for name, one in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                yield f"{where}.{name} is gone"
            else:
                yield from self.value(f"{where}.{name}", one, new["properties"][name], sent)
        for part in ("items", "additionalProperties"):
            if isinstance(old.get(part), dict) and isinstance(new.get(part), dict):
                yield from self.value(f"{where}[]", old[part], new[part], sent)


def resolve(node: Node, whole: Node) -> Node:
    """Follow references, and put together what is described in several parts."""
    while "$ref" in node:
        node = whole["components"]["schemas"][node["$ref"].rpartition("/")[2]]
    for parts in ("allOf", "oneOf", "anyOf"):
        if parts in node:
            merged: Node = {key: value for key, value in node.items() if key != parts}
            for part in node[parts]:
                found = resolve(part, whole)
                both = merged.get("enum", []) + found.get("enum", [])
                merged = {**merged, **found, **({"enum": both} if both else {})}
            return merged
    return node


def types(where: str, old: Node, new: Node, sent: bool) -> Iterator[str]:
    if old.get("type") != new.get("type") and not (sent and "type" not in new):
        yield f"{where} was {old.get('type')} and is {new.get('type')}"
    was, now = bool(old.get("nullable")), bool(new.get("nullable"))
    if was != now and now != sent:
        yield f"{where} may {'be null now' if now else 'no longer be null'}"
    if "enum" in old and "enum" in new and sent and (gone := set(old["enum"]) - set(new["enum"])):
        yield f"{where} no longer takes {', '.join(map(str, gone))}"
    if "enum" in new and "enum" not in old and sent:
        yield f"{where} takes only some values now"


def limits(where: str, old: Node, new: Node) -> Iterator[str]:
    for name in (*LOWER_LIMITS, *UPPER_LIMITS):
        if name in new:
            was = old.get(name)
            tighter = was is None or (new[name] > was if name in LOWER_LIMITS else new[name] < was)
            if tighter:
                yield f"{where}: {name} was {was} and is {new[name]}"
    if new.get("pattern") != old.get("pattern") and "pattern" in new:
        yield f"{where}: its pattern has changed"


def test_nothing_that_programs_rely_on_was_taken_back() -> None:
    assert list(Comparison(BEFORE, schema()).broken()) == []


def changed(path: str, value: Any = None) -> Node:
    """The description before, with one thing changed (or removed) in it."""
    copy: Node = json.loads(json.dumps(BEFORE))
    *parents, last = path.split(" ")
    node: Any = copy
    for name in parents:
        node = node[name]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return copy


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (changed("paths /api/v1/matches"), "GET /api/v1/matches is gone"),
        (changed("components schemas Match properties id"), ".id is gone"),
        (changed("components schemas Match properties id type", "integer"), ".id was string and is integer"),
        (changed("components schemas ActRequest required", ["act", "bot"]), ".bot is required now"),
        (changed("components schemas ActRequest properties bot maxLength", 3), "maxLength was 40 and is 3"),
        (changed("components schemas ActActEnum enum", ["publish"]), "no longer takes"),
    ],
)
def test_what_would_break_a_program_is_noticed(change: Node, complaint: str) -> None:
    assert any(complaint in line for line in Comparison(BEFORE, change).broken())


def test_additions_are_welcome() -> None:
    more = changed("components schemas Match properties more", {"type": "string"})
    more["paths"]["/api/v1/new"] = {"get": {"responses": {}}}
    assert list(Comparison(BEFORE, more).broken()) == []
