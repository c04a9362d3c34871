"""Build steps that pyproject.toml cannot say: the compiled engine and its kernel.

mypyc compiles the engine's hot modules from the same source that runs as plain Python; the kernel, which
plays batches of games, is C (`engine/kernel/`). Without a compiler, or when a build fails, the project
installs all the same and only plays slower (`python -m engine info`).
"""

import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
KERNEL = "engine.kernel.native"
sys.path.insert(0, str(ROOT))

from engine.form import COMPILED, STAMP, source_digest  # noqa: E402  the project is not installed yet
from engine.kernel import form as kernel_form  # noqa: E402


def extensions() -> list[Extension]:
    """Return what to compile; each is optional, so a failed build only costs speed."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        print("no C compiler: the engine stays plain Python", file=sys.stderr)
        return []
    return [kernel(), *compiled_modules()]


def compiled_modules() -> list[Extension]:
    """Return the engine modules that mypyc compiles."""
    try:
        from mypyc.build import mypycify

        files = [f"engine/{name.replace('.', '/')}.py" for name in COMPILED]
        # No configuration file: the checker's plugins would load the whole arena here.
        modules: list[Extension] = mypycify(
            ["--config-file=", *files], opt_level="3", debug_level="0", group_name="engine.compiled"
        )
    except (ImportError, SystemExit) as error:
        print(f"the engine stays plain Python: {error}", file=sys.stderr)
        return []
    for module in modules:
        module.optional = True
    return modules


def kernel() -> Extension:
    """Return the kernel, which remembers what it was built from, so that a stale one is never used."""
    sources = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "engine" / "kernel").glob("*.[ch]"))
    return Extension(
        KERNEL,
        ["engine/kernel/module.c"],
        depends=sources,
        define_macros=[("KERNEL_SOURCE", f'"{kernel_form.source_digest()}"')],
        extra_compile_args=["-O3"],
        optional=True,
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
            (folder / "engine" / STAMP).write_text(source_digest(ROOT / "engine"))


setup(ext_modules=extensions(), cmdclass={"build_ext": StampedBuild})
