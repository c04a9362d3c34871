"""Builds bots in Java and TypeScript on the author's machine, with the arena's own scripts."""

import shutil
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from aztlan.errors import SdkError
from workers.archives.manifest import Manifest
from workers.runtimes.java import BUILD, DEBIAN, RUN_OPTIONS
from workers.runtimes.node import modules_folder
from workers.runtimes.typescript import BUNDLE, COMPILER

LOG_SHOWN = 2000


def java_command(manifest: Manifest, folder: Path, workshop: Path) -> tuple[str, ...]:
    """Compile a bot in Java and return how to run it."""
    java = shutil.which("java")
    if not java or not shutil.which("javac"):
        raise SdkError(f"javac is not installed here; {manifest.name} is built with it (Debian: {DEBIAN})")
    room = Path(tempfile.mkdtemp(dir=workshop))
    script = BUILD.replace("/tmp", str(room))  # noqa: S108  in a sandbox it is the bot's own
    main = PurePosixPath(manifest.entry).stem
    _run(
        manifest, ["/bin/sh", "-euc", script, "build", manifest.entry, main], (folder / manifest.entry).parent
    )
    return (java, *RUN_OPTIONS, "-jar", str(room / "built"))


def typescript_command(manifest: Manifest, folder: Path, workshop: Path) -> tuple[str, ...]:
    """Strip the types of a bot in TypeScript and return how to run it."""
    node = shutil.which("node")
    if not node:
        raise SdkError(f"node is not installed here; {manifest.name} needs it")
    places = (folder / "node_modules" / COMPILER, modules_folder() / COMPILER)
    compiler = next((place for place in places if place.is_dir()), None)
    if compiler is None:
        raise SdkError(f"{COMPILER} is not installed here: run `npm install` in {folder}")
    # Beside node_modules, if there are any: what the bot imports by name is looked for from here.
    room = Path(tempfile.mkdtemp(dir=workshop))
    if (folder / "node_modules").is_dir():
        (room / "node_modules").symlink_to(folder / "node_modules")
    built = room / "built.cjs"
    entry = str(folder / manifest.entry)
    _run(manifest, [node, "-e", BUNDLE, entry, str(compiler), str(built)], folder)
    return (node, str(built))


def _run(manifest: Manifest, command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        shown = (done.stdout + done.stderr).decode(errors="replace").strip()[-LOG_SHOWN:]
        raise SdkError(f"{manifest.name} does not build:\n{shown}")
