"""Collected static files: compressed, and under names that change with their content, modules included."""

from collections.abc import Callable
from re import Match
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

OUR_MODULES = "replays/"


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./other.js"` in our modules; each would be fetched twice otherwise."""

    support_js_module_import_aggregation = True

    def url_converter(self, name: str, *rest: Any, **more: Any) -> Callable[[Match[str]], str]:
        if name.endswith(".js") and not name.startswith(OUR_MODULES):
            return lambda found: found[0]  # other packages' files stay as they are
        converter: Callable[[Match[str]], str] = super().url_converter(name, *rest, **more)
        return converter
