"""Lays out the files of the distribution `aztlan`: the SDK, and what it stands on under names of its own.

The folders `engine`, `contests`, `proto` and `workers` have names that are too common for a stranger's
site-packages (`proto` is also proto-plus). So they are copied into the package, and their imports are
rewritten: `engine.board` becomes `aztlan._engine.board`. docs/adr/0024 says why it is done this way.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRIVATE = ("engine", "contests", "proto", "workers")
"""Folders of the repository that become private packages of `aztlan`."""
LEFT_OUT = {
    "proto": {
        "breaking.py",
        "descriptors.py",
        "generate.py",
        "lint.py",
        "observation_page.py",
        "reference.py",
        "tagged.json",
    },
    "workers": {"host", "alive.py", "app.py", "logs.py", "settings.py", "tether.py", "tracing.py"},
}
"""What authors do not need: tools of the contract, and the part of match hosts that talks to an arena."""
VIEWER = Path(__file__).with_name("viewer.py")
IGNORED = shutil.ignore_patterns("__pycache__", "node_modules", "*.so", "compiled.txt", "*.egg-info")

_NAMES = "|".join(PRIVATE)
_IMPORT = re.compile(rf"^(\s*)from ({_NAMES})\b(?=[. ])", re.MULTILINE)
_PLAIN_IMPORT = re.compile(rf"^\s*import ({_NAMES})\b", re.MULTILINE)
_MODULE_NAME = re.compile(r"'proto\.bot\.v1\.bot_pb2'")


def stage(target: Path) -> None:
    """Fill a new folder with everything that a wheel is built from."""
    shutil.copytree(ROOT / "sdk" / "aztlan", target / "aztlan", ignore=IGNORED)
    for name in PRIVATE:
        shutil.copytree(ROOT / name, target / "aztlan" / f"_{name}", ignore=_ignored(name))
    subprocess.run([sys.executable, VIEWER, target / "aztlan" / "_viewer"], check=True)
    for file in sorted((target / "aztlan").rglob("*.py*")):
        if "starters" not in file.parts:
            file.write_text(rewrite(file.read_text("utf-8"), file.name), "utf-8")
    for file in (ROOT / "LICENSE", ROOT / "setup.py", *Path(__file__).parent.glob("[!_]*.*")):
        if file.suffix != ".py" or file.name == "setup.py":
            shutil.copy(file, target)


def rewrite(source: str, name: str = "a module") -> str:
    """Return a module's source with imports from the private packages."""
    if found := _PLAIN_IMPORT.search(source):
        raise ValueError(f"{name}: write `from ... import`, not `{found[0].strip()}`: it cannot be renamed")
    source = _IMPORT.sub(r"\1from aztlan._\2", source)
    return _MODULE_NAME.sub("'aztlan._proto.bot.v1.bot_pb2'", source)


def _ignored(name: str):  # type: ignore[no-untyped-def]  # shutil's own type is private
    return lambda folder, names: IGNORED(folder, names) | LEFT_OUT.get(name, set())
