"""The engine has two forms made from one source. This session tests one; here the other is tested too."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import FORM, form

HERE = Path(__file__).parent
OTHER = "pure" if FORM == "compiled" else "compiled"
LEFT_OUT = {
    "test_both_forms.py",
    "test_command_line.py",
    "test_domain_scoring_table.py",
    "test_broken_boards.py",
}


def run(*arguments: str, form: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=HERE.parent.parent,
        env={**os.environ, "AZTLAN_ENGINE": form},
        capture_output=True,
        text=True,
        timeout=3000,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.timeout(3000)  # most of the tests of this folder, in one process
def test_the_other_form_passes_the_same_tests() -> None:
    found = run("-c", "import engine; print(engine.FORM)", form=OTHER)
    if OTHER == "compiled" and found.returncode:
        pytest.skip(f"the compiled form is not here: {found.stderr.strip().splitlines()[-1]}")
    assert found.stdout.strip() == OTHER
    files = sorted(str(path) for path in HERE.glob("test_*.py") if path.name not in LEFT_OUT)
    result = run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *files, form=OTHER)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]


@pytest.mark.parametrize("form", ["fast", "", "Pure"])
def test_an_unknown_form_is_refused(form: str) -> None:
    result = run("-c", "import engine", form=form)
    assert result.returncode
    assert "it can be auto, pure or compiled" in result.stderr


def test_the_form_that_was_asked_for_is_the_one_that_runs() -> None:
    asked = os.environ.get("AZTLAN_ENGINE", "auto")
    assert asked in (FORM, "auto")
    assert FORM in run("-m", "engine", "info", form=FORM).stdout


def test_compiled_modules_of_other_sources_are_not_used(tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(form.HERE, copy)
    (copy / form.STAMP).write_text(form.stamp_for_tree(copy))
    assert form.build_problem(copy) == ""
    source = copy / "phases" / "scoring.py"
    source.write_text(source.read_text() + "\n")
    assert "another source" in form.build_problem(copy)
    assert not form.refresh_stamp(copy)


def test_sources_that_were_only_touched_count_again_after_an_install(tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(form.HERE, copy)
    (copy / form.STAMP).write_text(form.stamp_for_tree(copy))
    os.utime(copy / "state.py", (0, 0))
    assert "another source" in form.build_problem(copy)
    assert form.refresh_stamp(copy)
    assert form.build_problem(copy) == ""


def test_a_wheel_needs_no_comparison(tmp_path: Path) -> None:
    copy = tmp_path / "engine"
    shutil.copytree(form.HERE, copy)
    (copy / form.STAMP).write_text(form.stamp_for_wheel(copy))
    os.utime(copy / "state.py", (0, 0))
    assert form.build_problem(copy) == ""


def test_each_compiled_module_imports_only_those_before_it() -> None:
    for place, (name, path) in enumerate(form.sources(form.HERE).items()):
        imported = set(re.findall(r"from engine\.([\w.]+) import", path.read_text()))
        for package, names in re.findall(r"from engine(\.phases)? import ([\w, ]+)", path.read_text()):
            imported |= {f"{package[1:]}.{one.strip()}".lstrip(".") for one in names.split(",")}
        later = imported & set(form.COMPILED[place:])
        assert later <= ({"board"} if name == "actions" else set()), (
            f"{name} imports {later}"
        )  # for its types only
