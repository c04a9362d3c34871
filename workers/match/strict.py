"""Reads JSON data from the network strictly: exactly the agreed fields, each of its type."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class DataError(Exception):
    """Data that does not have the agreed form; says where, and what was expected."""


def fields(data: Any, where: str, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Return the values of an object that has exactly these names, in this order."""
    if not isinstance(data, dict):
        raise DataError(f"{where} must be an object")
    if missing := [name for name in names if name not in data]:
        raise DataError(f"{where} lacks {', '.join(missing)}")
    if unknown := [ascii(name)[1:-1][:40] for name in data if name not in names]:
        raise DataError(f"{where} has unknown fields: {', '.join(unknown[:5])}")
    return tuple(data[name] for name in names)


def number(value: Any, where: str, lowest: int = 0, highest: int = 2**53) -> int:
    """Read a whole number within bounds. JSON's true is not a number."""
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise DataError(f"{where} must be a whole number from {lowest} to {highest}")
    return value


def text(value: Any, where: str, longest: int) -> str:
    """Read a text of limited length whose characters databases and files accept."""
    if not isinstance(value, str) or len(value) > longest:
        raise DataError(f"{where} must be a text of at most {longest} characters")
    if not is_storable(value):
        raise DataError(f"{where} must have no NUL and no half of a surrogate pair in it")
    return value


def is_storable(value: str) -> bool:
    """Whether a text can be written as UTF-8 and has no NUL, which PostgreSQL refuses."""
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def flag(value: Any, where: str) -> bool:
    """JSON's true or false."""
    if not isinstance(value, bool):
        raise DataError(f"{where} must be true or false")
    return value


def items(value: Any, where: str, read: Callable[[Any, str], T], most: int) -> list[T]:
    """Read a list of limited length, value by value."""
    if not isinstance(value, list) or len(value) > most:
        raise DataError(f"{where} must be a list of at most {most}")
    return [read(one, f"{where}[{place}]") for place, one in enumerate(value)]


def hexadecimal(value: Any, where: str, length: int) -> bytes:
    """Read an exact number of bytes in hexadecimal."""
    try:
        data = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        data = b""
    if len(data) != length or data.hex() != value:
        raise DataError(f"{where} must be {length} bytes in lower-case hexadecimal")
    return data


def choice(value: Any, where: str, choices: type[T]) -> T:
    """A member of an enum, by its value."""
    try:
        return choices(value)  # type: ignore[call-arg]  # an enum by its value
    except (TypeError, ValueError):
        raise DataError(f"{where} is none of the values it can have") from None
