"""What an author pays for: packages, megabytes and seconds until the first game is over, and games per second.

Each candidate gets a virtual environment of its own. catanatron is measured beside us; kaggle-environments takes
minutes and 1.6 GB, and is measured where BENCH_KAGGLE=1.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.figures import figure

ROOT = Path(__file__).parent.parent
MB = 1_000_000
GAMES = 400
CATAN_GAMES = 50
CATAN = """
import sys
from catanatron import Color, Game, RandomPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer
for _ in range(int(sys.argv[1])):
    Game([RandomPlayer(Color.RED), WeightedRandomPlayer(Color.BLUE)]).play()
"""


def main() -> None:
    subprocess.run([sys.executable, ROOT / "sdk" / "distribution", "--if-changed"], check=True)
    with tempfile.TemporaryDirectory(prefix="bench-sdk-") as name:
        room = Path(name)
        measure_ours(room / "aztlan")
        measure_catanatron(room / "catanatron")
        if os.environ.get("BENCH_KAGGLE") == "1":
            Environment(room / "kaggle").install("kaggle-environments", "kaggle-environments")
        else:
            print("kaggle-environments: not measured (BENCH_KAGGLE=1 does)")


def measure_ours(folder: Path) -> None:
    environment = Environment(folder)
    began = time.perf_counter()
    environment.install(
        "aztlan", "--find-links", str(ROOT / "dist"), "aztlan", packages=6, size=60, seconds=10
    )
    environment.run("aztlan", "play", "random", "greedy", "-n", "1")
    figure("aztlan: from pip install to the first finished game", time.perf_counter() - began, "s")
    for processes, how in ((1, "one process"), (os.cpu_count() or 1, "all processors")):
        seconds = environment.run(
            "aztlan", "play", "random", "greedy", "-n", str(GAMES), "-j", str(processes)
        )
        figure(f"aztlan play random greedy, {how}", GAMES / seconds, "games/s")


def measure_catanatron(folder: Path) -> None:
    environment = Environment(folder)
    environment.install("catanatron", "catanatron")
    # The package on the index has no command `catanatron-play`: this does what that does, without its table.
    seconds = environment.run("python", "-c", CATAN, str(CATAN_GAMES))
    figure("catanatron, random and weighted random", CATAN_GAMES / seconds, "games/s")


class Environment:
    """A clean virtual environment."""

    def __init__(self, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.folder = folder
        [self.library] = folder.glob("lib/python*/site-packages")

    def install(
        self,
        name: str,
        *what: str,
        packages: float | None = None,
        size: float | None = None,
        seconds: float | None = None,
    ) -> None:
        """Install with pip, nothing cached, and tell what that took."""
        before = self.contents()
        took = self.run("pip", "install", "--quiet", "--no-cache-dir", "--disable-pip-version-check", *what)
        after = self.contents()
        grown = sum(after.values()) - sum(before.values())
        added = [path for path in after.keys() - before.keys() if path.endswith(".dist-info/METADATA")]
        figure(f"{name}: packages", len(added), at_most=packages)
        figure(f"{name}: installed", grown / MB, "MB", at_most=size)
        figure(f"{name}: pip install", took, "s", at_most=seconds)

    def contents(self) -> dict[str, int]:
        files = (path for path in self.library.rglob("*") if path.is_file())
        return {str(path.relative_to(self.library)): path.stat().st_size for path in files}

    def run(self, program: str, *arguments: str) -> float:
        """Run a program of this environment and return how many seconds it took."""
        began = time.perf_counter()
        command = [str(self.folder / "bin" / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder)
        if done.returncode:
            raise SystemExit(f"{program} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
        return time.perf_counter() - began
