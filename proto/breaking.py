"""Would a bot built against the last tagged contract still work? `python -m proto.breaking`.

The tagged contract is kept beside the .proto files as tagged.json. `--tag` replaces it, when a release is
tagged; docs/protocol-versioning.md says what may change within a version.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import (
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)

from proto.descriptors import CONTRACT, items, read_contract

SNAPSHOT = CONTRACT / "tagged.json"
Things = dict[tuple[str, str], Any]


def breaks(old: FileDescriptorSet, new: FileDescriptorSet) -> list[str]:
    """Return what `new` breaks of `old`, as sentences. Additions break nothing."""
    before, after = _things(old), _things(new)
    faults = []
    for (kind, name), thing in before.items():
        now = after.get((kind, name))
        if now is None:
            faults.append(f"{kind} {name} is gone or renamed")
        else:
            faults += [f"{kind} {name}: {fault}" for fault in _changes(thing, now)]
    return faults + _reused_numbers(before, after)


def _things(contract: FileDescriptorSet) -> Things:
    return {(item.kind, item.name): item.descriptor for file in contract.file for item in items(file)}


def _changes(old: Any, new: Any) -> Iterator[str]:
    """What changed in a thing that kept its name, if that breaks a bot."""
    if isinstance(old, FieldDescriptorProto) and isinstance(new, FieldDescriptorProto):
        if old.number != new.number:
            yield f"its number was {old.number} and is {new.number}"
        if (old.type, old.type_name) != (new.type, new.type_name):
            yield f"its type was {_type(old)} and is {_type(new)}"
        if old.label != new.label:
            yield "it was repeated and is not, or the reverse"
        if old.HasField("oneof_index") != new.HasField("oneof_index"):
            yield "it moved into or out of a oneof"
    elif isinstance(old, MethodDescriptorProto) and isinstance(new, MethodDescriptorProto):
        if _signature(old) != _signature(new):
            yield f"its messages were {_signature(old)} and are {_signature(new)}"
    elif hasattr(old, "number") and old.number != new.number:
        yield f"its number was {old.number} and is {new.number}"


def _type(field: FieldDescriptorProto) -> str:
    return (
        field.type_name.lstrip(".")
        or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    )


def _signature(method: MethodDescriptorProto) -> str:
    asked = f"{'stream ' * method.client_streaming}{method.input_type}"
    return f"{asked} -> {'stream ' * method.server_streaming}{method.output_type}"


def _reused_numbers(before: Things, after: Things) -> list[str]:
    """Find numbers that used to mean something else: an old bot would misread them."""
    faults = []
    for (kind, name), thing in after.items():
        if kind not in {"field", "value"} or (kind, name) in before:
            continue
        scope = name.rpartition(".")[0]
        number = thing.number
        for (old_kind, old_name), old in before.items():
            if old_kind == kind and old_name.rpartition(".")[0] == scope and old.number == number:
                faults.append(f"{kind} {name} takes the number {number} of {old_name}")
        if ("message", scope) in before and _reserves(before["message", scope], number):
            faults.append(f"{kind} {name} takes the reserved number {number}")
        if ("enum", scope) in before and _reserves(before["enum", scope], number):
            faults.append(f"{kind} {name} takes the reserved number {number}")
    return faults


def _reserves(thing: Any, number: int) -> bool:
    inclusive = isinstance(
        thing, EnumDescriptorProto
    )  # protoc ends an enum's ranges with the last number, not after it
    ranges = thing.reserved_range
    return any(span.start <= number < span.end + inclusive for span in ranges)


def load_snapshot(path: Path = SNAPSHOT) -> FileDescriptorSet:
    """The contract as it was last tagged."""
    return json_format.Parse(path.read_text("utf-8"), FileDescriptorSet())


def save_snapshot(contract: FileDescriptorSet, path: Path = SNAPSHOT) -> None:
    """Keep a contract as the tagged one, without its comments, in a form that shows in a diff."""
    bare = FileDescriptorSet.FromString(contract.SerializeToString())
    for file in bare.file:
        file.ClearField("source_code_info")
    path.write_text(json_format.MessageToJson(bare, indent=1) + "\n", "utf-8")


def main() -> int:
    """Compare with the tagged contract, or tag the present one."""
    parser = argparse.ArgumentParser(prog="python -m proto.breaking", description=__doc__)
    parser.add_argument("--tag", action="store_true", help="make the present contract the tagged one")
    contract = read_contract()
    if parser.parse_args().tag:
        save_snapshot(contract)
        return 0
    faults = breaks(load_snapshot(), contract)
    print("\n".join(faults) or "every bot of the tagged contract can go on playing")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
