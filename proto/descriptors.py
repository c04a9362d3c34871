"""What the contract declares, read from the .proto files by protoc."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = ROOT / "proto" / "bot" / "v1"
Steps = tuple[int, ...]


class ContractError(Exception):
    """The .proto files cannot be read; protoc has said why on stderr."""


@dataclass(frozen=True)
class Item:
    """One declared thing: its kind, its full name, its descriptor, and its comment."""

    kind: str
    name: str
    descriptor: Any
    comment: str


def run_protoc(*arguments: str, root: Path = ROOT) -> None:
    """Run protoc over the contract; imports and outputs are relative to `root`."""
    from grpc_tools import protoc  # on import it installs an import hook

    files = sorted(str(path.relative_to(root)) for path in root.glob("proto/**/*.proto"))
    if protoc.main(["protoc", f"-I{root}", *arguments, *files]) != 0:
        raise ContractError(f"protoc refused {', '.join(files)}")


def read_contract(root: Path = ROOT) -> FileDescriptorSet:
    """Compile the .proto files under `root`/proto, comments included."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "contract.binpb"
        run_protoc("--include_source_info", f"--descriptor_set_out={target}", root=root)
        return FileDescriptorSet.FromString(target.read_bytes())


def items(file: FileDescriptorProto) -> Iterator[Item]:
    """Walk through everything that a file declares."""
    walk = _Walk({tuple(one.path): one.leading_comments.strip() for one in file.source_code_info.location})
    for number, message in enumerate(file.message_type):
        yield from walk.message(message, file.package, (4, number))
    for number, enum in enumerate(file.enum_type):
        yield from walk.enum(enum, file.package, (5, number))
    for number, service in enumerate(file.service):
        yield walk.item("service", file.package, service, (6, number))
        for place, method in enumerate(service.method):
            yield walk.item("rpc", f"{file.package}.{service.name}", method, (6, number, 2, place))


@dataclass(frozen=True)
class _Walk:
    """Comments are found by path: the numbers that lead to a thing in its file's descriptor."""

    comments: dict[Steps, str]

    def item(self, kind: str, scope: str, descriptor: Any, path: Steps) -> Item:
        return Item(kind, f"{scope}.{descriptor.name}", descriptor, self.comments.get(path, ""))

    def enum(self, enum: EnumDescriptorProto, scope: str, path: Steps) -> Iterator[Item]:
        yield self.item("enum", scope, enum, path)
        for number, value in enumerate(enum.value):
            yield self.item("value", f"{scope}.{enum.name}", value, (*path, 2, number))

    def message(self, message: DescriptorProto, scope: str, path: Steps) -> Iterator[Item]:
        # A map is a repeated message that protoc declares by itself.
        prefix = "map " if message.options.map_entry else ""
        yield self.item(f"{prefix}message", scope, message, path)
        inner = f"{scope}.{message.name}"
        for number, field in enumerate(message.field):
            yield self.item(f"{prefix}field", inner, field, (*path, 2, number))
        for number, oneof in enumerate(message.oneof_decl):
            yield self.item("oneof", inner, oneof, (*path, 8, number))
        for number, nested in enumerate(message.nested_type):
            yield from self.message(nested, inner, (*path, 3, number))
        for number, enum in enumerate(message.enum_type):
            yield from self.enum(enum, inner, (*path, 4, number))
