"""`python -m bench [name]`: run every measurement, or one."""

import importlib
import pkgutil
import sys

import bench
from bench.figures import figures


def main(names: list[str]) -> None:
    modules = {module.name for module in pkgutil.iter_modules(bench.__path__)} - {"figures"}
    every = sorted(name for name in modules if not name.startswith("_"))
    if unknown := set(names) - set(every):
        known = ", ".join(every) or "none yet"
        raise SystemExit(f"There is no measurement called {', '.join(sorted(unknown))}; there are: {known}.")
    for name in names or every:
        print(f"== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()
    figures.summarise()


if __name__ == "__main__":
    main(sys.argv[1:])
