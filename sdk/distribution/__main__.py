"""`python sdk/distribution`: builds the wheels of `aztlan` into dist/, one in plain Python and one compiled.

The same sources give the same bytes. `--if-changed` builds nothing where the wheels are those of the sources;
`--pure` leaves out the compiled one, for which a C compiler is needed; `--nice` lets other programs go first.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from stage import ROOT, stage

DIST = ROOT / "dist"
STAMP = "sources.txt"
EPOCH = "1767225600"
"""The time of every file in a wheel: the first second of 2026. Zip archives want one."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="sdk/distribution", description=__doc__)
    parser.add_argument("--if-changed", action="store_true")
    parser.add_argument("--pure", action="store_true")
    parser.add_argument("--to", type=Path, default=DIST)
    parser.add_argument("--nice", action="store_true")
    options = parser.parse_args()
    if options.nice:
        os.nice(10)
    with tempfile.TemporaryDirectory(prefix="aztlan-sdk-") as name:
        source = Path(name, "source")
        stage(source)
        forms = ["pure"] if options.pure or not compiler() else ["pure", "compiled"]
        stamp = f"{digest(source)} {sys.implementation.cache_tag} {' '.join(forms)}\n"
        if options.if_changed and built(options.to, stamp):
            return
        wheels = [build(source, form, Path(name, form)) for form in forms]
        publish(wheels, options.to, stamp)
    for wheel in wheels:
        print(options.to / wheel.name)


def compiler() -> str | None:
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


def digest(folder: Path) -> str:
    """A hash over all that is staged."""
    found = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes())
    return found.hexdigest()


def built(folder: Path, stamp: str) -> bool:
    """Whether the folder holds the wheels of these very sources."""
    file = folder / STAMP
    return file.is_file() and file.read_text() == stamp and any(folder.glob("aztlan-*.whl"))


def build(source: Path, form: str, out: Path) -> Path:
    """Build one wheel from the staged tree, with the tools of this environment."""
    out.mkdir()
    room = shutil.copytree(source, out / "source")
    env = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "AZTLAN_BUILD": form, "PYTHONHASHSEED": "0"}
    env["CFLAGS"] = f"{os.environ.get('CFLAGS', '')} -ffile-prefix-map={room}=. -g0".strip()
    hook = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", hook, str(out)], cwd=room, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"The {form} wheel of aztlan does not build:\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    return next(out.glob("*.whl"))


def publish(wheels: list[Path], folder: Path, stamp: str) -> None:
    """Put the wheels where the arena serves them from, each whole from the first moment on."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STAMP).unlink(missing_ok=True)
    names = {wheel.name for wheel in wheels}
    for wheel in wheels:
        fresh = folder / f".{wheel.name}.new"
        shutil.copyfile(wheel, fresh)
        fresh.replace(folder / wheel.name)
    for old in folder.glob("aztlan-*.whl"):
        if old.name not in names:
            old.unlink()
    (folder / STAMP).write_text(stamp)


if __name__ == "__main__":
    main()
