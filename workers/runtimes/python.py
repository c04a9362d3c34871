"""Bots in Python, which import the `aztlan` package and speak gRPC through it."""

from __future__ import annotations

from functools import cache

from workers.runtimes.base import BotCommand, Mount, same_place
from workers.runtimes.kit import Kit, open_kit

CHECK = """
import pathlib, sys
failed = False
for file in sorted(pathlib.Path("/bot").rglob("*.py")):
    try:
        compile(file.read_bytes(), str(file), "exec")
    except (SyntaxError, ValueError) as error:
        failed = True
        print(f"{file}: {error}")
if not pathlib.Path(sys.argv[1]).is_file():
    sys.exit(f"{sys.argv[1]}: there is no such file")
sys.exit(failed)
"""


class Python:
    name = "python"

    def language(self, entry: str) -> str:  # noqa: ARG002  as others need it
        return "Python"

    def run_command(self, entry: str) -> BotCommand:
        return python_command(f"/bot/{entry}")

    def build_command(self, entry: str) -> BotCommand:
        kit = open_kit()
        return BotCommand((*kit.python, "-c", CHECK, f"/bot/{entry}"), mounts(kit), kit.env)


def python_command(*program: str) -> BotCommand:
    """Return how to run a Python file with arguments."""
    kit = open_kit()
    return BotCommand((*kit.python, str(kit.packages / "boot.py"), *program), mounts(kit), kit.env, program)


@cache
def mounts(kit: Kit) -> tuple[Mount, ...]:
    return same_place(kit.base, kit.packages, "/usr/lib", "/usr/lib64")
