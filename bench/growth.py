"""What everything costs in an arena that has been played on, at three sizes: flat, logarithmic, or worse?

Each size is filled into a database of its own (`SIZES=10000,100000,1000000` are the numbers of matches; there
is a bot for every fifty). Measured are every address of the URL table, the staff's lists and every task of
the schedule, so what is added later is measured too; then voids, the correction, the check and the storage.

Filling takes longest. `KEEP=folder` keeps the databases and all figures there for the next run, and
`PARTS=fill`, `pages`, `corrections`, `check` or several of them measure only that, on a machine that is
quiet for so long; the tables are then printed from all figures of the folder.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bench._growth_report import report

if TYPE_CHECKING:
    from bench._growth_data import Size

SIZES = [int(number) for number in os.environ.get("SIZES", "10000,100000,1000000").split(",")]
PARTS = os.environ.get("PARTS", "pages,corrections,check").split(",")
TURNS = 5


def main() -> None:
    """Print the costs at each size side by side, their growth, and the storage."""
    if unknown := set(PARTS) - {"fill", "pages", "corrections", "check"}:
        raise SystemExit(f"PARTS: there is no {', '.join(sorted(unknown))}.")
    if "GROWTH_SIZE" in os.environ:
        measure_size(int(os.environ["GROWTH_SIZE"]), Path(os.environ["KEEP"]))
        return
    with tempfile.TemporaryDirectory(prefix="arena-growth-", ignore_cleanup_errors=True) as folder:
        kept = Path(os.environ.get("KEEP") or folder).absolute()
        results = [run_size(matches, kept) for matches in SIZES]
    report(SIZES, results)


def run_size(matches: int, kept: Path) -> dict[str, float]:
    """Measure one size in a process of its own, so that its memory is its own; return all its figures."""
    print(f"-- {matches:,} matches", flush=True)
    environment = os.environ | {"GROWTH_SIZE": str(matches), "KEEP": str(kept)}
    subprocess.run([sys.executable, "-m", "bench.growth"], env=environment, check=True)
    return read_figures(kept / str(matches))


def measure_size(matches: int, kept: Path) -> None:
    from bench.arena import arena_in

    folder = kept / str(matches)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with arena_in(folder):
        from bench import _growth_data as data
        from bench import _growth_folds as folds

        size = data.Size(matches, max(matches // 50, 20))
        filled = folder / "filled"
        if not filled.exists():
            data.empty()  # of what an interrupted run left
            print(f"filled in {folds.seconds(lambda: data.fill(size)):.0f} s", flush=True)
            filled.write_text(str(time.time()))
        elif data.shift_latest(time.time() - float(filled.read_text())):
            filled.write_text(str(time.time()))
        if "pages" in PARTS:
            note(folder, measure_pages())
            note(folder, measure_storage(size))
        if "corrections" in PARTS:
            note(folder, folds.measure_corrections())
        if "check" in PARTS:
            note(folder, folds.measure_check())


def measure_pages() -> dict[str, float]:
    """Measure all that is read or done at all times."""
    from bench._growth_work import measure_all

    costs, failed = measure_all(TURNS)
    for name, error in failed.items():
        print(f"FAILED {name}: {error}", flush=True)
    figures: dict[str, float] = {}
    for name, cost in costs.items():
        figures |= {name: cost.ms, f"cpu: {name}": cost.cpu_ms, f"read: {name}": cost.read}
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    return figures


def measure_storage(size: "Size") -> dict[str, float]:
    from bench import _growth_data as data

    figures = {f"bytes per match: {name}": value for name, value in data.bytes_per_match(size).items()}
    return figures | {
        f"bytes of times, {seats} seats": value for seats, value in data.bytes_of_times().items()
    }


def read_figures(folder: Path) -> dict[str, float]:
    file = folder / "figures.json"
    return json.loads(file.read_text()) if file.exists() else {}


def note(folder: Path, figures: Mapping[str, float]) -> None:
    """Add figures to those that are known of this size."""
    (folder / "figures.json").write_text(json.dumps(read_figures(folder) | dict(figures), indent=1))


if __name__ == "__main__":
    main()
