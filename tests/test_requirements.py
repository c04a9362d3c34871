"""The lock files say what pyproject.toml asks for, and nothing about where from."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKS = {"dev": ["dev", "build"], "runtime": ["build"], "bench": ["bench", "rl"]}


def locked(name: str) -> dict[str, list[str]]:
    """Return the versions of each package; there may be one for each range of Pythons."""
    found: dict[str, list[str]] = {}
    for package, version in re.findall(
        r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements" / f"{name}.lock").read_text(), re.MULTILINE
    ):
        found.setdefault(canonicalize_name(package), []).append(version)
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_locked_at_a_version_it_allows(lock: str) -> None:
    asked = [*PROJECT["dependencies"]]
    for extra in LOCKS[lock]:
        asked += PROJECT["optional-dependencies"][extra]
    versions = locked(lock)
    for requirement in map(Requirement, asked):
        if requirement.name != PROJECT["name"]:
            found = versions.get(canonicalize_name(requirement.name), [])
            assert any(map(requirement.specifier.contains, found)), f"{requirement}: run `make lock`"


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_place_and_hashes_everything(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    assert not re.search(r"://|^-|/", text, re.MULTILINE)
    entries = re.split(r"\n(?=\S)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.fixture
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / "requirements" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_python_too_old_is_one_sentence(install: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(SystemExit, match=r"^Python 3.11 or later is needed, and \S+ is 3.10: choose another"):
        install.main()


def test_a_missing_venv_module_is_one_sentence_with_the_command(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(install, "VENV", tmp_path)
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(install.os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match=r"install it with: sudo apt-get install --yes python3-venv$"):
        install.create_environment()


def test_a_step_runs_again_only_when_a_file_has_changed(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(install, "VENV", tmp_path)
    source, trace = tmp_path / "source", tmp_path / "trace"
    step = ("Counting", sys.executable, "-c", f"open({str(trace)!r}, 'a').write('x')")
    for content in ("one", "one", "two", "two"):
        source.write_text(content)
        install.when_changed("count", [source], *step)
    assert trace.read_text() == "xx"


def test_a_step_that_failed_is_tried_again(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(install, "VENV", tmp_path)
    source = tmp_path / "source"
    source.write_text("one")
    for _ in range(2):
        with pytest.raises(SystemExit, match=r"^Failing failed; this is why:\nno luck$"):
            install.when_changed(
                "fail", [source], "Failing", sys.executable, "-c", "raise SystemExit('no luck')"
            )
