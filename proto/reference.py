"""Write the reference of the contract from its comments: `python -m proto.reference`; `--check` compares."""

import argparse
import sys
from collections.abc import Iterator

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from proto.descriptors import ROOT, Item, items, read_contract

PAGE = ROOT / "docs" / "protocol.md"
HEAD = """\
<!-- Written by `make docs` from proto/bot/v1/bot.proto: change that. -->
# The protocol

A bot is a gRPC client. It finds its match host's unix socket in the variable `AZTLAN_SOCKET`, opens one
stream, says hello, and answers questions until the game is over. The SDK does this for you. How the contract
may grow is in [protocol versioning](protocol-versioning.md), what a late or wrong answer costs in
[clocks and faults](clocks-and-faults.md).
"""
LISTED = ("field", "value")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proto.reference", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if the page is not current"
    )
    text = reference()
    if not parser.parse_args().check:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not current: run `make docs`")
    return 1


def reference() -> str:
    """Return the page: each service, message and enum with its comment and a table of what it has."""
    declared = [
        item for file in read_contract().file for item in items(file) if not item.kind.startswith("map")
    ]
    services = [item for item in declared if item.kind in {"service", "rpc"}]
    others = [item for item in declared if item.kind not in {"service", "rpc", "oneof"}]
    return HEAD + "".join(f"\n{part}\n" for part in [*map(call, services), *sections(others)])


def call(item: Item) -> str:
    if item.kind == "service":
        return f"## {item.descriptor.name}\n{words(item.comment)}"
    said, heard = (short(name) for name in (item.descriptor.input_type, item.descriptor.output_type))
    return f"`rpc {item.descriptor.name}(stream {said}) returns (stream {heard})`: {words(item.comment)}"


def sections(declared: list[Item]) -> Iterator[str]:
    """One section for each message or enum: what follows it in the list, until the next, is its own."""
    lines: list[str] = []
    for item in declared:
        if item.kind in LISTED:
            lines.append(row(item))
            continue
        if lines:
            yield "\n".join(lines)
        lines = [
            f"### {short(item.name)}",
            words(item.comment),
            "",
            "| number | name | type | meaning |",
            "|---|---|---|---|",
        ]
    yield "\n".join(lines)


def row(item: Item) -> str:
    name = f"`{item.descriptor.name}`"
    kind = field_type(item.descriptor) if item.kind == "field" else ""
    return f"| {item.descriptor.number} | {name} | {kind} | {words(item.comment).replace('|', '&#124;')} |"


def field_type(field: FieldDescriptorProto) -> str:
    if field.type_name.endswith("Entry"):  # protoc declares it for a map; the linter refuses any other
        return "map of texts"
    if field.type_name:
        kind = f"[{short(field.type_name)}](#{short(field.type_name).lower()})"
    else:
        kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    return f"repeated {kind}" if field.label == FieldDescriptorProto.LABEL_REPEATED else kind


def short(name: str) -> str:
    return name.rpartition(".")[2]


def words(comment: str) -> str:
    return " ".join(comment.split())


if __name__ == "__main__":
    sys.exit(main())
