"""Bots in Python, which import the `aztlan` package and speak gRPC through it."""

from __future__ import annotations

from workers.runtimes.base import Command, same_place
from workers.runtimes.kit import open_kit

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

    def run_command(self, entry: str) -> Command:
        return self.command("", str(open_kit().packages / "boot.py"), f"/bot/{entry}", warm=True)

    def build_command(self, entry: str) -> Command:
        return self.command("-c", CHECK, f"/bot/{entry}", warm=False)

    def command(self, *arguments: str, warm: bool) -> Command:
        kit = open_kit()
        mounts = same_place(kit.base, kit.packages, "/usr/lib", "/usr/lib64")
        return Command((*kit.python, *filter(None, arguments)), mounts, kit.env, warm)
