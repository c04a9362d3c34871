"""The lock files say what pyproject.toml asks for, and nothing about where from."""

import importlib.util
import re
import subprocess
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


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "requirements" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def install() -> ModuleType:
    return load("install")


@pytest.fixture
def system() -> ModuleType:
    return load("system")


def test_every_package_that_a_make_target_wants_is_one_whose_command_is_known(system: ModuleType) -> None:
    text = (ROOT / "Makefile").read_text()
    lists = re.findall(r"system\.py ([a-z+ -]+)|^(?:BENCH_\w+|CONTAINERS) := (.+)$", text, re.MULTILINE)
    wanted = {package for pair in lists for words in pair for package in words.split()}
    assert {"bubblewrap", "chromium", "podman"} <= wanted <= set(system.COMMANDS)


@pytest.mark.parametrize(
    ("only", "wanted"), [("viewer", "chromium"), ("engine", ""), ("", "bubblewrap chromium g++ npm")]
)
def test_make_bench_wants_what_its_measurements_need(only: str, wanted: str) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "bench", f"ONLY={only}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"requirements/system.py {wanted}\n" in done.stdout


def test_an_ordinary_user_is_told_the_command_for_what_lacks(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(system, "is_installed", lambda package: package == "bubblewrap")
    system.main(["bubblewrap", "chromium", "golang-go"])
    command = "sudo apt-get install --yes --no-install-recommends chromium golang-go"
    assert capsys.readouterr().out == f"Not installed: chromium, golang-go. Install with: {command}\n"


def test_a_package_that_cannot_be_had_does_not_keep_out_the_others(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed: set[str] = set()

    def apt_get(*arguments: str) -> bool:
        packages = [word for word in arguments[1:] if not word.startswith("-")]
        if "chromium" in packages:
            return False
        installed.update(packages)
        return True

    monkeypatch.setattr(system, "apt_get", apt_get)
    monkeypatch.setattr(system, "is_installed", lambda package: package in installed)
    monkeypatch.setattr(system.os, "geteuid", lambda: 0)
    monkeypatch.setattr(system.shutil, "which", lambda *_, **__: "/usr/bin/apt-get")
    system.main(["bubblewrap", "chromium"])
    assert installed == {"bubblewrap"}
    assert capsys.readouterr().out.endswith("failed; see what `apt-get install chromium` says\n")


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
