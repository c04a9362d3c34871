"""Build steps that pyproject.toml cannot say: the compiled engine."""

from setuptools import Extension, setup


def compiled_modules() -> list[Extension]:
    """Return the engine modules to compile; each is optional, so a failed build only costs speed."""
    return []


setup(ext_modules=compiled_modules())
