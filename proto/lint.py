"""The style of the contract: `python -m proto.lint`. buf's basic rules, and a comment on everything.

Two of them are left out: the messages of the one stream are named by who speaks, not after the rpc, and
the folder is named by the package's last two parts.
"""

import re
import sys
from collections.abc import Callable, Iterator

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from proto.descriptors import Item, items, read_contract

_PASCAL = re.compile(r"[A-Z][a-z0-9]*([A-Z][a-z0-9]*)*")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_UPPER = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_PACKAGE = re.compile(r"[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*\.v[1-9][0-9]*")
_FORMS = {
    "message": ("PascalCase", _PASCAL),
    "enum": ("PascalCase", _PASCAL),
    "service": ("PascalCase", _PASCAL),
    "rpc": ("PascalCase", _PASCAL),
    "field": ("lower_snake_case", _SNAKE),
    "oneof": ("lower_snake_case", _SNAKE),
    "value": ("UPPER_SNAKE_CASE", _UPPER),
}


def lint_file(file: FileDescriptorProto) -> list[str]:
    """All that is wrong with the style of one file, as sentences."""
    faults = list(_file_faults(file))
    for item in items(file):
        faults += [f"{file.name}: {item.kind} {item.name} {fault}" for fault in _item_faults(item)]
    return faults


def _file_faults(file: FileDescriptorProto) -> Iterator[str]:
    *folder, name = file.name.split("/")
    if file.syntax != "proto3":
        yield f"{file.name}: the syntax must be proto3"
    if not _PACKAGE.fullmatch(file.package):
        yield f"{file.name}: the package {file.package!r} must be lower case and end in a version such as v1"
    if file.package.split(".")[-2:] != folder[-2:]:
        yield f"{file.name}: the folder must end like the package {file.package}"
    if not _SNAKE.fullmatch(name.removesuffix(".proto")):
        yield f"{file.name}: the file's name must be lower_snake_case"


def _item_faults(item: Item) -> Iterator[str]:
    if item.kind not in _FORMS:
        return  # protoc's own
    short = item.name.rpartition(".")[2]
    form, pattern = _FORMS[item.kind]
    if not item.comment:
        yield "has no comment above it"
    if not pattern.fullmatch(short):
        yield f"must be {form}"
    if item.kind in _SPECIAL:
        yield from _SPECIAL[item.kind](item, short)


def _service_faults(_item: Item, short: str) -> Iterator[str]:
    if not short.endswith("Service"):
        yield "must end in Service"


def _value_faults(item: Item, short: str) -> Iterator[str]:
    enum = item.name.split(".")[-2]
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum).upper() + "_"
    if not short.startswith(prefix):
        yield f"must start with {prefix}"
    if (item.descriptor.number == 0) != (short == f"{prefix}UNSPECIFIED"):
        yield f"breaks the rule that 0, and 0 alone, is {prefix}UNSPECIFIED"


def _field_faults(item: Item, _short: str) -> Iterator[str]:
    field = item.descriptor
    assert isinstance(field, FieldDescriptorProto)  # noqa: S101 - tells the type checker what the walk knows
    if field.options.HasField("packed") and not field.options.packed:
        yield "must be packed"
    if field.proto3_optional:
        yield "must not be optional: a field's zero means that it is absent"


_SPECIAL: dict[str, Callable[[Item, str], Iterator[str]]] = {
    "service": _service_faults,
    "value": _value_faults,
    "field": _field_faults,
}


def main() -> int:
    """Print every fault; fail if there is one."""
    faults = [fault for file in read_contract().file for fault in lint_file(file)]
    print("\n".join(faults) or "the contract follows the style")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
