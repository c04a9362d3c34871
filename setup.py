"""Build steps that pyproject.toml cannot say: the compiled engine and its kernel.

mypyc compiles the engine's hot modules from the same source that runs as plain Python; the kernel, which
plays batches of games, is C (`engine/kernel/`). Without a compiler, or when a build fails, the project
installs all the same and only plays slower (`python -m engine info`).
The wheels of `aztlan` are built with this file too (sdk/distribution): there the engine is a private package,
and AZTLAN_BUILD says whether it is to be compiled (`compiled`, or fail) or not (`pure`).
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
ENGINE = next(name for name in ("engine", "aztlan/_engine") if (ROOT / name).is_dir())
KERNEL = f"{ENGINE.replace('/', '.')}.kernel.native"
sys.path.insert(0, str(ROOT / ENGINE))

from form import (  # noqa: E402  the project is not installed yet
    COMPILED,
    STAMP,
    kernel_digest,
    stamp_for_tree,
    stamp_for_wheel,
)

FORM = os.environ.get("AZTLAN_BUILD", "")
# Taken before anything is compiled: a source that changes during the build makes the result stale.
TREE_STAMP, WHEEL_STAMP = stamp_for_tree(ROOT / ENGINE), stamp_for_wheel(ROOT / ENGINE)


def extensions() -> list[Extension]:
    """Return what to compile; each is optional, so a failed build only costs speed."""
    if FORM == "pure":
        return []
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        print("no C compiler: the engine stays plain Python", file=sys.stderr)
        return []
    return [kernel(), *compiled_modules()]


def compiled_modules() -> list[Extension]:
    """Return the engine modules that mypyc compiles."""
    try:
        from mypyc.build import mypycify

        files = [f"{ENGINE}/{name.replace('.', '/')}.py" for name in COMPILED]
        # No configuration file: the checker's plugins would load the whole arena here.
        options = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
        group = f"{ENGINE.replace('/', '.')}.compiled"
        modules: list[Extension] = mypycify(
            [*options, *files], opt_level="3", debug_level="0", group_name=group
        )
    except (ImportError, SystemExit) as error:
        print(f"the engine stays plain Python: {error}", file=sys.stderr)
        return []
    for module in modules:
        module.optional = FORM != "compiled"
    return modules


def kernel() -> Extension:
    """Return the kernel, which remembers what it was built from, so that a stale one is never used."""
    folder = f"{ENGINE}/kernel"
    return Extension(
        KERNEL,
        [f"{folder}/module.c"],
        depends=sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("*.[ch]")),
        define_macros=[("KERNEL_SOURCE", f'"{kernel_digest(ROOT / ENGINE)}"')],
        extra_compile_args=["-O3"],
        optional=FORM != "compiled",
    )


class StampedBuild(build_ext):
    """Leaves beside the compiled modules what they were made from, so that stale ones are never used."""

    def run(self) -> None:
        super().run()
        built = [
            Path(self.get_ext_fullpath(module.name)) for module in self.extensions if module.name != KERNEL
        ]
        if built and all(path.exists() for path in built):
            folder = ROOT if self.inplace else Path(self.build_lib)
            (folder / ENGINE / STAMP).write_text(TREE_STAMP if self.inplace else WHEEL_STAMP)


setup(ext_modules=extensions(), cmdclass={"build_ext": StampedBuild})
