"""The proof finds what it looks for: kernels with one rule changed are built, and each is caught."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from engine.form import kernel_digest
from engine.kernel import native_form

KERNEL = Path("engine/kernel")
COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(
    not (COMPILER and native_form()), reason="there is no compiler, or the native kernel is not built here"
)
RUN = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("engine.kernel.native", sys.argv[1])
sys.modules["engine.kernel.native"] = module = module_from_spec(spec)
from tests.engine.kernel.prove import chunk
try:
    print(chunk(range(int(sys.argv[2]))))
except AssertionError as error:
    print("different:", error)
"""
PLANTED = {
    "an unfinished set of Offerings": ("scoring.c", "25 * full + rest * rest", "25 * full + rest"),
    "the order of equal scores": ("scoring.c", "(g->arrival[other] > g->arrival[seat] ||", "(0 ||"),
    "the label of a reshuffle": ("rules.c", '"reshuffle-"', '"reshuffle+"'),
    "an Eagle from the removed pawns": (
        "play.c",
        "g->reserve[side] + g->removed[side] > 0",
        "g->reserve[side] > 0",
    ),
    "a card for a battle without Sacred Games": ("rules.c", "if (g->spared)\n", "if (!g->spared)\n"),
}


def build(folder: Path, name: str, right: str, wrong: str) -> Path:
    """Compile a copy of the kernel in which `wrong` stands for `right`."""
    shutil.copytree(KERNEL, folder / "kernel", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    source = folder / "kernel" / name
    text = source.read_text()
    assert text.count(right) == 1
    source.write_text(text.replace(right, wrong))
    built = folder / "native.so"
    assert COMPILER is not None
    digest = f'-DKERNEL_SOURCE="{kernel_digest()}"'  # the right kernel's, or it would not be used
    include = f"-I{sysconfig.get_path('include')}"
    command = [COMPILER, "-shared", "-fPIC", "-O1", digest, include, str(folder / "kernel" / "module.c")]
    subprocess.run([*command, "-o", str(built), "-lm"], check=True)
    return built


def compare(built: Path, games: int) -> str:
    command = [sys.executable, "-c", RUN, str(built), str(games)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_difference_is_found_and_named(what: str, tmp_path: Path) -> None:
    found = compare(build(tmp_path, *PLANTED[what]), 2000)
    assert re.match(r"different: game \d+, (decision \d+|at the end)", found), found


def test_the_same_way_of_building_without_a_difference_finds_none(tmp_path: Path) -> None:
    found = compare(build(tmp_path, "game.h", "#ifndef AZTLAN_GAME_H", "#ifndef AZTLAN_GAME_H"), 100)
    assert found.startswith("Counter({'decisions': ")
