"""What is released: its list of parts, its notes, and the files that hosted services read."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def release() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "requirements")
        spec = spec_from_file_location("release_script", ROOT / "requirements" / "release.py")
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module


def test_the_sbom_is_valid_and_names_every_locked_package_with_its_licence(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "requirements" / "sbom.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    text = (tmp_path / "sbom.cdx.json").read_text()
    document = json.loads(text)
    version = SchemaVersion.from_version(document["specVersion"])
    assert JsonStrictValidator(version).validate_str(text) is None
    lock = (ROOT / "requirements" / "runtime.lock").read_text().splitlines()
    locked = {line.partition("==")[0].partition("[")[0] for line in lock if line[:1].isalnum()}
    assert {component["name"] for component in document["components"]} == locked
    assert all(component["licenses"] for component in document["components"])
    assert "| django | 5.2" in (tmp_path / "licences.md").read_text().lower()


def test_the_notes_of_a_release_are_its_section_of_the_changelog(release: ModuleType) -> None:
    changelog = (
        "# Changelog\n\n## Unreleased (1.2.0)\n- new\n\n## 1.1.0 (2026-01-01)\n- old\n\n## 1.0.0\n- first\n"
    )
    assert release.changelog_section(changelog, "1.1.0") == "- old\n"
    with pytest.raises(release.ReleaseError, match="unreleased: give its heading a date"):
        release.changelog_section(changelog, "1.2.0")
    with pytest.raises(release.ReleaseError, match="write its section first"):
        release.changelog_section(changelog, "1.0")


def test_a_tree_with_changes_is_not_released(release: ModuleType, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    release.check_clean(tmp_path)
    (tmp_path / "new").write_text("x")
    with pytest.raises(release.ReleaseError, match="Commit or remove"):
        release.check_clean(tmp_path)


def test_who_cannot_build_images_is_told_how_to_release_without(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release.containers.os, "geteuid", lambda: 1000)
    with pytest.raises(release.ReleaseError, match=r"needs root here\. Or .* make release IMAGES=no"):
        release.check_tools()


def test_the_digests_name_every_file(release: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    release.write_digests(tmp_path)
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "a: OK\nb: OK\n")


@pytest.mark.parametrize(("job", "script"), [("check", ".ci/run"), ("containers", ".ci/containers")])
def test_the_hosted_run_calls_our_own_scripts(job: str, script: str) -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    steps = [step["run"] for step in workflow["jobs"][job]["steps"] if "run" in step]
    assert steps[-1].split()[-1] == script
    assert os.access(ROOT / script, os.X_OK)


def test_renovate_reads_what_we_have() -> None:
    managers = json.loads((ROOT / "renovate.json").read_text())["enabledManagers"]
    assert "pep621" in managers
