"""Which form of the engine runs: its hot modules compiled, or the same source as plain Python.

`AZTLAN_ENGINE` is `auto` (the default: compiled where it was built), `pure`, or `compiled` (refuse to run
otherwise). Compiled modules are used only while their sources are the ones that they were built from. The
stamp that the build leaves tells: in a source tree it lists the size and the time of each source, as Python's
own .pyc files do; in a wheel, which sources and compiled modules leave together, there is nothing to compare.
`make install` rebuilds what is out of date, and `python -m engine info` says what runs and why.
"""

import hashlib
import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

COMPILED = (
    "cards",
    "actions",
    "events",
    "board",
    "randomness",
    "position",
    "phases.ending",
    "phases.scoring",
    "phases.conflict",
    "phases.development",
    "phases.choosing",
    "state",
)
"""The hot modules; each imports only those before it."""
STAMP = "compiled.txt"
HERE = Path(__file__).parent


def sources(folder: Path) -> dict[str, Path]:
    return {name: folder / f"{name.replace('.', '/')}.py" for name in COMPILED}


def source_digest(folder: Path = HERE) -> str:
    """Return a hash over the sources of the compiled modules. For builds: importing the engine reads none."""
    digest = hashlib.sha256()
    for path in sources(folder).values():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def source_times(folder: Path = HERE) -> dict[str, list[int]]:
    """Return the size and the time (in whole seconds) of each compiled module's source."""
    found = {name: path.stat() for name, path in sources(folder).items()}
    return {name: [status.st_size, int(status.st_mtime)] for name, status in found.items()}


def kernel_digest(folder: Path = HERE) -> str:
    """A hash over the C sources of the kernel; of nothing where they were not shipped."""
    digest = hashlib.sha256()
    for path in sorted((folder / "kernel").glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def stamp_for_tree(folder: Path = HERE) -> str:
    """Return the stamp of modules that are built beside their sources, from the sources as they are now."""
    return json.dumps({"digest": source_digest(folder), "times": source_times(folder)})


def stamp_for_wheel(folder: Path = HERE) -> str:
    """Return the stamp of modules that are packed together with their sources."""
    return json.dumps({"digest": source_digest(folder), "times": None})


def refresh_stamp(folder: Path = HERE) -> bool:
    """Renew the times where the sources are the same as at the build; return False if they have changed.

    A checkout or a merge may touch files without changing them.
    """
    stamp = folder / STAMP
    if not stamp.is_file():
        return True
    try:
        built = json.loads(stamp.read_text())
    except ValueError:
        return False
    if built["times"] is None or built["times"] == source_times(folder):
        return True
    if built["digest"] != source_digest(folder):
        return False
    stamp.write_text(stamp_for_tree(folder))
    return True


def build_problem(folder: Path = HERE) -> str:
    """Return why the compiled modules cannot be used, or an empty text if they can."""
    try:
        times = json.loads((folder / STAMP).read_text())["times"]
    except FileNotFoundError:
        return "the engine is not compiled here"
    except (ValueError, KeyError):
        return "the engine was compiled by another version"
    if times is not None and times != source_times(folder):
        return "the engine was compiled from another source"
    return ""


def choose() -> str:
    """Settle the form before any other module of the engine is imported; return `compiled` or `pure`."""
    wanted = os.environ.get("AZTLAN_ENGINE", "auto")
    if wanted not in ("auto", "pure", "compiled"):
        raise ImportError(f"AZTLAN_ENGINE is {wanted!r}; it can be auto, pure or compiled")
    problem = build_problem() if wanted != "pure" else "it is not wanted"
    if not problem:
        return "compiled"
    if wanted == "compiled":
        raise ImportError(f"AZTLAN_ENGINE=compiled, but {problem}: run `make install`")
    load_sources()
    return "pure"


def load_sources() -> None:
    """Import the hot modules from their sources, although compiled ones may lie beside them."""
    for name, path in sources(HERE).items():
        full_name = f"{__package__}.{name}"
        spec = spec_from_file_location(full_name, path)
        assert spec is not None and spec.loader is not None  # noqa: S101, PT018  a path that ends in .py has both
        parent, _, child = full_name.rpartition(".")
        __import__(parent)
        module = sys.modules[full_name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[full_name]
            raise
        setattr(sys.modules[parent], child, module)


if __name__ == "__main__":
    sys.exit(0 if refresh_stamp() else 1)
