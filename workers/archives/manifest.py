"""`bot.toml`: what a bot is called, what runs it, and which file is run. Never a command line."""

import tomllib
import unicodedata
from dataclasses import asdict, dataclass
from typing import Any, Final

from workers.archives.errors import ArchiveError, Code, shown
from workers.runtimes.registry import RUNTIMES

NAME: Final = "bot.toml"
FIELDS: Final = ("name", "runtime", "entry")
LONGEST_NAME: Final = 60


@dataclass(frozen=True)
class Manifest:
    name: str
    runtime: str
    entry: str

    def to_data(self) -> dict[str, str]:
        return asdict(self)

    def to_toml(self) -> str:
        """Write the manifest; `read_manifest` reads it back."""
        quoted = {key: value.replace("\\", "\\\\").replace('"', '\\"') for key, value in asdict(self).items()}
        return "".join(f'{key} = "{value}"\n' for key, value in quoted.items())


def read_manifest(data: bytes, files: frozenset[str]) -> Manifest:
    """Read the manifest of an archive with these files; raise ArchiveError if it is not valid."""
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # both bad UTF-8 and bad TOML are ValueErrors
        raise ArchiveError(
            Code.MANIFEST_UNREADABLE, f"bot.toml cannot be read: {ascii(str(error))[1:-1][:100]}."
        ) from None
    if unknown := sorted(set(values) - set(FIELDS)):
        raise ArchiveError(
            Code.MANIFEST_FIELD, f"bot.toml has {shown(unknown[0])}; it may only have {', '.join(FIELDS)}."
        )
    name, runtime, entry = (read_text(values, field) for field in FIELDS)
    if len(name) > LONGEST_NAME:
        raise ArchiveError(
            Code.MANIFEST_FIELD, f"The name in bot.toml has more than {LONGEST_NAME} characters."
        )
    if runtime not in RUNTIMES:
        raise ArchiveError(
            Code.MANIFEST_RUNTIME,
            f"bot.toml asks for the runtime {shown(runtime)}; there are {', '.join(RUNTIMES)}.",
        )
    if entry not in files:
        raise ArchiveError(
            Code.MANIFEST_ENTRY, f"bot.toml names {shown(entry)} as entry, but there is no such file."
        )
    return Manifest(name, runtime, entry)


def read_text(values: dict[str, Any], field: str) -> str:
    value = values.get(field)
    if not isinstance(value, str) or not value.strip():
        raise ArchiveError(Code.MANIFEST_FIELD, f'bot.toml needs {field} = "...".')
    value = unicodedata.normalize("NFC", value)
    if any(
        unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for character in value
    ):
        raise ArchiveError(Code.MANIFEST_FIELD, f"{field} in bot.toml has an invisible character.")
    return value
