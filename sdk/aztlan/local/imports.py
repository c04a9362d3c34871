"""Which imports of a Python bot the arena's runtime lacks, read from its files without running them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from aztlan.local.checks import CheckResult
from workers.archives import Manifest
from workers.runtimes.contract import RUNTIME, python_modules

SHOWN = 3


def judge_imports(manifest: Manifest, folder: Path) -> list[CheckResult]:
    """Warn of modules that are neither promised nor in the bot's folder; nothing for other languages."""
    if not manifest.entry.endswith(".py"):
        return []
    missing = sorted(missing_imports(folder, Path(manifest.entry).parent))
    if not missing:
        return [CheckResult("imports", True, f"everything it imports is in {RUNTIME} or in its folder")]
    shown = ", ".join(f"{name} ({file}, line {line})" for name, file, line in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    why = f"{RUNTIME} lacks {shown}{more}: put it into the bot's folder, or do without it"
    return [CheckResult("imports", True, why, warning=True)]


def missing_imports(folder: Path, start: Path) -> Iterator[tuple[str, str, int]]:
    """Yield each module that is not to be had, with the file and the line of its first import."""
    seen: set[str] = set()
    known = sys.stdlib_module_names | python_modules()
    for file in sorted(folder.rglob("*.py")):
        beside = {path.stem for path in (*file.parent.iterdir(), *(folder / start).iterdir())}
        for name, line in imported(file):
            if name not in known | beside | seen:
                seen.add(name)
                yield name, str(file.relative_to(folder)), line


def imported(file: Path) -> Iterator[tuple[str, int]]:
    """Yield the top-level names that a file imports. A file that does not parse fails in the build."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0], node.lineno
