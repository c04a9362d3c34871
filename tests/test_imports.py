"""What import-linter cannot say: the engine stands on the standard library alone, and benches on no test."""

import ast
import sys
from pathlib import Path

import pytest

ENGINE = Path(__file__).parent.parent / "engine"
BENCH = ENGINE.parent / "bench"
ALLOWED = sys.stdlib_module_names | {"engine"}


def imported(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(str(node.module).split(".")[0])
    return names


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_imports_only_the_standard_library(path: Path) -> None:
    assert imported(path.read_text()) <= ALLOWED


@pytest.mark.parametrize("path", sorted(BENCH.glob("*.py")), ids=lambda path: path.name)
def test_no_bench_imports_from_the_tests(path: Path) -> None:
    assert "tests" not in imported(path.read_text())
