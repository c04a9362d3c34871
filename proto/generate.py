"""Generate the Python modules of the contract: `python -m proto.generate`; `--check` only compares."""

import argparse
import sys
import tempfile
from pathlib import Path

from proto.descriptors import ROOT, run_protoc


def generate(target: Path) -> list[Path]:
    """Write the modules and their types under `target`; return their paths, relative to it."""
    run_protoc(f"--python_out={target}", f"--pyi_out={target}")
    return sorted(
        path.relative_to(target) for path in target.glob("proto/**/*_pb2.py*") if path.suffix != ".pyc"
    )


def outdated(root: Path = ROOT) -> list[Path]:
    """The generated files under `root` that differ from what the contract gives now."""
    with tempfile.TemporaryDirectory() as folder:
        made = generate(Path(folder))
        return [
            path
            for path in made
            if not (root / path).exists() or (root / path).read_bytes() != (Path(folder) / path).read_bytes()
        ]


def main() -> int:
    """Generate or, with --check, fail if somebody forgot to."""
    parser = argparse.ArgumentParser(prog="python -m proto.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if files are not current")
    if not parser.parse_args().check:
        generate(ROOT)
        return 0
    stale = outdated()
    for path in stale:
        print(f"{path} is not current: run `make proto`")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
