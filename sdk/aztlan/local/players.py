"""Who can play on this machine: house bots by name, bots in folders, bots in single Python files."""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from aztlan.bot import Bot
from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.building import java_command, typescript_command
from engine import rulesets
from proto import messages
from workers.archives import list_folder
from workers.archives.archive_limits import MANIFEST as LARGEST_MANIFEST
from workers.archives.archive_limits import MIB
from workers.archives.archive_limits import TOTAL as LARGEST_FOLDER
from workers.archives.errors import ArchiveError
from workers.archives.manifest import NAME as MANIFEST_NAME
from workers.archives.manifest import Manifest, read_manifest
from workers.runtimes.native import BUILDERS, ENV


@dataclass(frozen=True)
class HousePlayer:
    """A house bot; each game seats a new one."""

    name: str

    def bot(self, seed: int) -> Bot:
        """A bot for one game."""
        return HOUSE[self.name](seed)


@dataclass(frozen=True)
class ProgramPlayer:
    """A bot that is a program of its own."""

    name: str
    folder: Path
    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    """More variables, on top of the author's own."""
    source: Path | None = None
    """The Python file, where it can be run in this process."""


Player = HousePlayer | ProgramPlayer


def find_player(text: str, workshop: Path) -> Player:
    """Find out what a command line means by a bot; programs that must be compiled are, into `workshop`."""
    path = Path(text)
    if text in HOUSE:
        return HousePlayer(text)
    if path.is_dir():
        return _from_folder(path.resolve(), workshop)
    if path.is_file() and path.suffix == ".py":
        source = path.resolve()
        return ProgramPlayer(path.stem, source.parent, _python(source), source=source)
    if path.is_file():
        raise SdkError(
            f"{text} is not a Python file; for other languages name the folder with its {MANIFEST_NAME}"
        )
    raise SdkError(f"{text} is neither a house bot ({', '.join(HOUSE)}) nor a folder or file here")


def read_folder(folder: Path) -> Manifest:
    """Read and check a bot folder's manifest."""
    file = folder / MANIFEST_NAME
    if not file.is_file():
        raise SdkError(f"there is no {MANIFEST_NAME} in {folder}; `aztlan new` makes a folder that has one")
    with file.open("rb") as opened:
        data = opened.read(LARGEST_MANIFEST + 1)
    if len(data) > LARGEST_MANIFEST:
        raise SdkError(f"{file} is larger than {LARGEST_MANIFEST // 1024} KiB")
    listing = list_folder(folder)
    size = sum((folder / name).stat().st_size for name in listing.files)
    if size > LARGEST_FOLDER:
        raise SdkError(
            f"{folder} has {size // MIB} MiB, and a bot may have {LARGEST_FOLDER // MIB} MiB; "
            f"move away what it does not need, such as {largest_file(folder, listing.files)}"
        )
    try:
        return read_manifest(data, frozenset((*listing.files, *listing.links)))
    except ArchiveError as error:
        raise SdkError(f"{folder}: {error.sentence}") from None


def largest_file(folder: Path, names: tuple[str, ...]) -> str:
    """Return the name of the largest of some files."""
    return max(names, key=lambda name: (folder / name).stat().st_size)


def _from_folder(folder: Path, workshop: Path) -> ProgramPlayer:
    manifest = read_folder(folder)
    command = local_command(manifest, folder, workshop)
    source = folder / manifest.entry if manifest.runtime == "python" else None
    return ProgramPlayer(manifest.name, folder, command, source=source)


def local_command(manifest: Manifest, folder: Path, workshop: Path) -> tuple[str, ...]:
    """Return how to run a bot with what the author has installed."""
    entry = folder / manifest.entry
    if manifest.runtime == "python":
        return _python(entry)
    if manifest.runtime == "node" and entry.suffix != ".ts":
        return _node(entry)
    if manifest.runtime == "node":
        return typescript_command(manifest, folder, workshop)
    if manifest.runtime == "native":
        return (_build(manifest, folder, workshop),)
    scripts = {".py": _python, ".js": _node, ".mjs": _node, ".cjs": _node}
    built = {".java": java_command, ".ts": typescript_command}
    suffix = PurePosixPath(manifest.entry).suffix
    if suffix in scripts:
        program = scripts[suffix](entry)
    elif suffix in built:
        program = built[suffix](manifest, folder, workshop)
    else:
        program = (_build(manifest, folder, workshop),)
    return (sys.executable, "-u", "-m", "aztlan.bridge", *program)


def _python(entry: Path) -> tuple[str, ...]:
    return (sys.executable, "-u", str(entry))


def _node(entry: Path) -> tuple[str, ...]:
    node = shutil.which("node")
    if not node:
        raise SdkError("node is not installed here; a bot of the runtime node needs it")
    return (node, str(entry))


def _build(manifest: Manifest, folder: Path, workshop: Path) -> str:
    """Compile a native program with the arena's own script; return the path of what was built."""
    tool, script = BUILDERS.get(PurePosixPath(manifest.entry).suffix, ("", ""))
    if not tool:
        raise SdkError(f"{manifest.entry} cannot be built; an entry can end in {', '.join(BUILDERS)}")
    if not shutil.which(tool):
        raise SdkError(f"{tool} is not installed here; {manifest.name} is built with it")
    shell = shutil.which("sh")
    if not shell:
        raise SdkError(f"{manifest.name} is built with a script for sh, which is not installed here")
    room = Path(tempfile.mkdtemp(dir=workshop))
    source = shutil.copytree(folder, room / "source", ignore=shutil.ignore_patterns(".git", "node_modules"))
    # The script speaks of /tmp, which in a sandbox is the bot's own.
    env = {key: value.replace("/tmp", str(room)) for key, value in ENV.items()}  # noqa: S108  a bot's own /tmp
    done = subprocess.run(
        [shell, "-euc", script.replace("/tmp", str(room))],  # noqa: S108  a bot's own /tmp
        cwd=(source / manifest.entry).parent,
        env={**os.environ, **env},
        capture_output=True,
        check=False,
    )
    built = room / "built"
    if done.returncode or not built.is_file():
        shown = done.stderr.decode(errors="replace").strip()[-2000:]
        raise SdkError(f"{manifest.name} does not build:\n{shown}")
    return str(built)


def package_path() -> str:
    """Where a started Python finds this package and those it stands on, however they were installed."""
    modules = (__name__, messages.__name__, rulesets.__name__)
    specs = (find_spec(name) for name in dict.fromkeys(name.partition(".")[0] for name in modules))
    places = [place for spec in specs if spec for place in spec.submodule_search_locations or ()]
    return os.pathsep.join(dict.fromkeys(str(Path(place).parent) for place in places))
