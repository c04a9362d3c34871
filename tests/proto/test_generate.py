"""Generated modules are committed; these tests tell when somebody forgot to generate them again."""

import shutil
from pathlib import Path

from proto.descriptors import CONTRACT, ROOT
from proto.generate import outdated


def copy_of_generated(tmp_path: Path) -> Path:
    target = tmp_path / CONTRACT.relative_to(ROOT)
    shutil.copytree(CONTRACT, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_the_generated_modules_are_current() -> None:
    assert outdated() == []


def test_a_changed_module_is_named(tmp_path: Path) -> None:
    module = copy_of_generated(tmp_path) / "bot_pb2.py"
    module.write_text(module.read_text() + "\n")
    assert [path.name for path in outdated(tmp_path)] == ["bot_pb2.py"]


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    (copy_of_generated(tmp_path) / "bot_pb2.pyi").unlink()
    assert [path.name for path in outdated(tmp_path)] == ["bot_pb2.pyi"]
