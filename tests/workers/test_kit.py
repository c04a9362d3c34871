"""The kit of Python bots is a Python of its own, whoever made the one that it is copied from."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
KIT = "from workers.runtimes.kit import open_kit; kit = open_kit(); print(kit.base, kit.packages, sep='\\n')"
BOT = "import aztlan, google.protobuf, grpc, sys\nprint(grpc.__file__.startswith(sys.prefix), sys.prefix)\n"


def copy_python(target: Path, packages: str) -> Path:
    """Copy this Python, and have the copy look for packages in folders of another name; Debian's does."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    library = target / sys.platlibdir / stdlib.name
    unwanted = shutil.ignore_patterns("site-packages", "dist-packages", "test", "__pycache__", "config-*")
    shutil.copytree(stdlib, library, ignore=unwanted, ignore_dangling_symlinks=True)
    site = (library / "site.py").read_text()
    for name in ("site-packages", "dist-packages"):
        site = site.replace(f'"{name}"', f'"{packages}"').replace(f"'{name}'", f"'{packages}'")
    (library / "site.py").write_text(site)
    python = target / "bin" / stdlib.name
    python.parent.mkdir()
    shutil.copy(Path(sys._base_executable).resolve(), python)  # type: ignore[attr-defined]
    return python


@pytest.mark.parametrize("packages", ["site-packages", "dist-packages", "other-packages"])
def test_the_kit_has_its_packages_wherever_its_python_looks_for_them(tmp_path: Path, packages: str) -> None:
    python = copy_python(tmp_path / "python", packages)
    installed = [PROJECT, PROJECT / "sdk", sysconfig.get_path("platlib")]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(map(str, installed)),
        "LD_LIBRARY_PATH": str(sysconfig.get_config_var("LIBDIR")),  # of a Python with a shared library
        "ARENA_RUNTIMES_CACHE": str(tmp_path / "cache"),
    }
    made = subprocess.run(
        [python, "-c", KIT], env=environment, stdout=subprocess.PIPE, text=True, check=True, cwd=PROJECT
    )
    base, ours = made.stdout.splitlines()
    (tmp_path / "bot.py").write_text(BOT)
    command = [f"{base}/bin/python3", "-I", f"{ours}/boot.py", str(tmp_path / "bot.py")]
    bot = subprocess.run(
        command, env={"LD_LIBRARY_PATH": f"{base}/lib"}, stdout=subprocess.PIPE, text=True, check=True
    )
    assert bot.stdout == f"True {base}\n"


def test_a_python_whose_copy_looks_elsewhere_is_refused_by_name(tmp_path: Path) -> None:
    """Such as one whose library cannot be found from where it is: bots would see the host's packages."""
    from workers.runtimes.kit import site_folder

    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/python3"
    script.write_text("#!/bin/sh\necho /usr/lib/python3/dist-packages\n")
    script.chmod(0o755)
    with pytest.raises(
        RuntimeError, match=r"cannot be copied: its copy in .* looks for packages in /usr/lib"
    ):
        site_folder(tmp_path)
    script.write_text("#!/bin/sh\necho libwanted.so: no such file >&2\nexit 127\n")
    with pytest.raises(RuntimeError, match=r"cannot be copied: its copy does not run\. libwanted\.so"):
        site_folder(tmp_path)
