"""What is built or fetched while the arena runs: the authors' package, the documentation, Pyodide."""

import subprocess
import sys

from arena.embedded.home import PROJECT, Home
from arena.embedded.process import Program, end_group, has_ended, last_words, spawn
from workers import env

PACKAGE_BUILDER = PROJECT / "sdk" / "distribution"


class BackgroundBuild:
    """One run of a program that builds something if it has changed. The arena runs on without it."""

    def __init__(self, name: str, command: list[str], trouble: str, environment: dict[str, str], home: Home):
        self.trouble = trouble
        self.log = home.logs / f"{name}.log"
        self.log.unlink(missing_ok=True)
        program = Program(name, [sys.executable, *command], environment, PROJECT, log=self.log)
        self.process: subprocess.Popen[bytes] | None = spawn(program)

    def tell(self) -> None:
        """Say once, after it has ended, that it failed."""
        if self.process is None or not has_ended(self.process):
            return
        code = end_group(self.process)
        self.process = None
        if code:
            print(f"WARNING: {self.trouble % last_words(self.log)}", flush=True)

    def stop(self) -> None:
        if self.process is not None:
            end_group(self.process)
            self.process = None


def start_builds(environment: dict[str, str], home: Home) -> list[BackgroundBuild]:
    """Build what belongs to this clone; what an operator keeps elsewhere is built ahead of time."""
    found = []
    if PACKAGE_BUILDER.is_dir() and not env.text("ARENA_PACKAGES", ""):
        command = [str(PACKAGE_BUILDER), "--if-changed", "--nice"]
        trouble = "authors cannot install aztlan from here: %s (`make sdk`)"
        found.append(BackgroundBuild("package", command, trouble, environment, home))
    if (PROJECT / "mkdocs.yml").is_file() and not env.text("ARENA_DOCS", ""):
        command = ["-m", "arena.up.docs_site", "--if-changed"]
        trouble = "the documentation is not on the site: %s (`make docs`)"
        found.append(BackgroundBuild("docs", command, trouble, environment, home))
    if not env.text("ARENA_PYODIDE", ""):
        command = ["-m", "arena.browser.pyodide_package", "--if-missing"]
        trouble = "pages do without the engine in the browser: %s"
        found.append(BackgroundBuild("pyodide", command, trouble, environment, home))
    return found
