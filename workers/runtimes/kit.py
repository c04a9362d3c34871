"""The kit of Python bots: an interpreter, its library and the packages that bots may import, all compiled.

A host's own interpreter may lie where no sandbox can reach it, and its site-packages hold what is not a
bot's business. So a copy is made once, readable for all and writable for none, and named after what is in
it. `python -m workers.runtimes.kit` makes it ahead of time.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from workers.polling import POLLING
from workers.runtimes.base import RuntimeMissingError

with suppress(ImportError):  # not a system that match hosts run on: `open_kit` says so
    import fcntl

PACKAGES = ("aztlan",) if __name__.startswith("aztlan.") else ("engine", "proto", "aztlan")
"""Ours. In the distribution `aztlan` all of them are in one."""
THIRD_PARTY = {"grpcio": ("grpc",), "protobuf": ("google/_upb", "google/protobuf"),
               "typing_extensions": ("typing_extensions.py",), "numpy": ("numpy", "numpy.libs"),
               "onnxruntime": ("onnxruntime",)}  # fmt: skip
"""Which parts of each distribution are copied, if this host has it."""
PRELOAD = (
    "asyncio",
    "dataclasses",
    "random",
    "signal",
    "google.protobuf.runtime_version",
    "grpc",
    "grpc.aio",
    "aztlan",
)
IGNORE = shutil.ignore_patterns(
    "__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "turtledemo",
    "lib2to3", "ensurepip", "config-*", "*.a", "*.c", "*.pyi",
)  # fmt: skip
"""Files of a library that no bot needs."""
BOOT = Path(__file__).with_name("boot.py")
BRIDGE = 'import runpy\n\nrunpy.run_module("aztlan.bridge", run_name="__main__", alter_sys=True)\n'
"""Starts the SDK's bridge for bots that speak JSON lines."""


@dataclass(frozen=True)
class Kit:
    """base: interpreter and third-party packages; packages: our own."""

    base: Path
    packages: Path

    @property
    def python(self) -> tuple[str, ...]:
        # Isolated from the user's variables and packages; unbuffered, to keep a killed bot's last output.
        return str(self.base / "bin/python3"), "-I", "-u", "-X", "utf8"

    @property
    def env(self) -> dict[str, str]:
        return {"LD_LIBRARY_PATH": str(self.base / "lib"), **POLLING}


@functools.cache
def open_kit() -> Kit:
    """Return the kit of this host and this version of the project; make it if necessary.

    Raises RuntimeMissingError on a system that has no match hosts.
    """
    if "fcntl" not in globals() or not hasattr(os, "geteuid"):
        raise RuntimeMissingError("The arena's interpreter and packages can be copied on Linux only.")
    cache = cache_folder()
    cache.mkdir(mode=0o755, parents=True, exist_ok=True)
    owner = cache.stat()
    if owner.st_uid not in {0, os.geteuid()} or owner.st_mode & 0o022:
        raise PermissionError(f"{cache} must be writable only by its owner, who must be this user or root.")
    kit = Kit(
        provide(cache, "python", base_version(), copy_base),
        provide(cache, "packages", our_version(), copy_ours),
    )
    prune(cache)
    return kit


def cache_folder() -> Path:
    if "ARENA_RUNTIMES_CACHE" in os.environ:
        return Path(os.environ["ARENA_RUNTIMES_CACHE"])
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/cache/aztlan")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aztlan"


def provide(cache: Path, name: str, version: str, copy: Callable[[Path], None]) -> Path:
    """Return a folder of the cache, filled first if it is new. It stays while this process runs."""
    folder = cache / f"{name}-{version}"
    while not keep(folder):
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
        keep(fresh)
        fresh.chmod(0o755)
        copy(fresh)
        compile_all(fresh)
        with suppress(OSError):  # another process may have been faster
            fresh.rename(folder)
    return folder


def keep(folder: Path) -> bool:
    """Protect a folder from `prune` while this process runs; return False if it is already gone."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    fcntl.flock(lock, fcntl.LOCK_SH)
    try:
        kept = os.path.samestat(os.fstat(lock), folder.stat())
    except FileNotFoundError:
        kept = False
    if not kept:
        os.close(lock)
    return kept


def prune(cache: Path) -> None:
    """Remove folders that no running process uses."""
    for folder in cache.glob("*-*"):
        with suppress(OSError):  # in use, not ours to remove, or removed by another process meanwhile
            lock = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                doomed = folder.rename(folder.with_name(f"old-{folder.name}-{os.getpid()}"))
                shutil.rmtree(doomed)
            finally:
                os.close(lock)


def installed() -> dict[str, str]:
    """Return the versions of the third-party distributions that this host has."""
    found = {}
    for name in THIRD_PARTY:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def base_version() -> str:
    """Return a hash that identifies the interpreter, what is copied with it, and how (this file)."""
    text = f"{sys.version} {sys.base_prefix} {sorted(installed().items())}"
    return hashlib.sha256(text.encode() + Path(__file__).read_bytes()).hexdigest()[:16]


def our_version() -> str:
    """Return a hash of everything in our packages."""
    digest = hashlib.sha256(BOOT.read_bytes() + BRIDGE.encode())
    for folder in our_folders():
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"{folder.name}/{file.relative_to(folder)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def our_folders() -> list[Path]:
    specs = (importlib.util.find_spec(name) for name in PACKAGES)
    return [Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ()]


def copy_base(target: Path) -> None:
    """Copy the interpreter, its library and the third-party packages into a separate Python."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    library = target / sys.platlibdir / stdlib.name
    for folder in (stdlib, sysconfig.get_path("platstdlib")):
        shutil.copytree(folder, library, ignore=IGNORE, dirs_exist_ok=True, ignore_dangling_symlinks=True)
    (target / "bin").mkdir()
    shutil.copy(Path(sys._base_executable).resolve(), target / "bin/python3")  # type: ignore[attr-defined]  # noqa: SLF001
    (target / "lib").mkdir(exist_ok=True)
    for folder in (Path(sys.base_prefix, "lib"), Path(sysconfig.get_config_var("LIBDIR"))):
        if os.access(folder, os.X_OK):  # an interpreter that was moved still names its old location
            for shared in folder.glob(f"lib{stdlib.name}*.so*"):
                shutil.copy(shared, target / "lib")
    site = site_folder(target)
    for name, version in installed().items():
        distribution = importlib.metadata.distribution(name)
        for part in (*THIRD_PARTY[name], f"{name}-{version}.dist-info"):
            copy_part(Path(str(distribution.locate_file(part))), site / part)


def site_folder(base: Path) -> Path:
    """Ask a copied interpreter where it looks for packages: Debian's uses unusual names."""
    kit = Kit(base, base)
    command = [*kit.python, "-c", "import site; print(site.getsitepackages()[0])"]
    answer = subprocess.run(command, env=kit.env, check=False, capture_output=True, text=True)
    if answer.returncode:
        raise RuntimeError(
            f"{sys.executable} cannot be copied: its copy does not run. {answer.stderr.strip()}"
        )
    folder = Path(answer.stdout.rstrip("\n"))
    if not folder.is_relative_to(base):
        raise RuntimeError(
            f"{sys.executable} cannot be copied: its copy in {base} looks for packages in {folder}."
        )
    return folder


def copy_ours(target: Path) -> None:
    shutil.copy(BOOT, target)
    (target / "bridge.py").write_text(BRIDGE)
    for folder in our_folders():
        copy_part(folder, target / folder.name)


def copy_part(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=IGNORE, dirs_exist_ok=True)
    elif source.exists():
        shutil.copy(source, target)


def compile_all(folder: Path) -> None:
    """Compile once: nobody compares the files' times later, or writes to the folder."""
    options = ["-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    subprocess.run(
        [sys.executable, "-m", "compileall", *options, str(folder)], check=False, stdout=subprocess.DEVNULL
    )
    subprocess.run(["chmod", "-R", "a+rX,go-w", str(folder)], check=True)


if __name__ == "__main__":
    print(open_kit())
