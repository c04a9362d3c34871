"""The engine beside its peers: uniformly random play on one core, in one run.

Every loop runs in short rounds that take turns, so that all meet the same noise; a figure is the median of
its rounds, and a ratio the median of each round's. Targets are for four seats.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench._engine_loops import Counts

ROUNDS = 7
SECONDS = 0.3
ROOT = Path(__file__).parent.parent
FORMS = ("compiled", "pure")
OURS = ("2 seats", "3 seats", "4 seats", "playout", "clone")
HEARTS = ("hearts, documented loop", "hearts, bare loop", "hearts, inside C++")
PLAN = [
    *[(form, loop) for form in FORMS for loop in OURS],
    *[("OpenSpiel", loop) for loop in HEARTS],
    ("catanatron", "catanatron"),
]


@dataclass
class Child:
    """A process that runs loops when asked, and waits otherwise."""

    form: str
    process: "subprocess.Popen[str]" = field(init=False)

    def __post_init__(self) -> None:
        form = self.form if self.form in FORMS else "auto"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench._engine_loops"],
            cwd=ROOT,
            env={**os.environ, "AZTLAN_ENGINE": form},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, loop: str) -> Counts | str:
        """Counts a second, or why there are none."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the pipes were asked for")
        print(loop, SECONDS, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "missing" in answer:
            return str(answer["missing"])
        return {name: value / answer["seconds"] for name, value in answer.items()}

    def stop(self) -> None:
        self.process.communicate()


Rounds = dict[tuple[str, str], list[Counts]]


def main() -> None:
    """Measure, then print the figures and the ratios beside their targets."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rounds, missing = measure()
    for why in missing:
        print(why)
    print(f"\n{'':36}{'decisions/s':>12}{'steps/s':>12}{'games/s':>10}")
    for who, loop in PLAN:
        if (who, loop) in rounds:
            print_line(who, loop, rounds[who, loop])
    print(f"\n{'ratios on four seats':58}{'ratio':>8}{'target':>8}")
    for name, target, ratio in ratios(rounds):
        print(f"{name:58}{ratio:7.2f}x{target:>8}")


def measure() -> tuple[Rounds, list[str]]:
    """Let all loops take turns, round after round."""
    children = {who: Child(who) for who in dict.fromkeys(who for who, _ in PLAN)}
    rounds: Rounds = {}
    missing: dict[str, str] = {}
    for _ in range(ROUNDS):
        for who, loop in PLAN:
            if who in missing:
                continue
            counts = children[who].run(loop)
            if isinstance(counts, str):
                missing[who] = counts
            else:
                rounds.setdefault((who, loop), []).append(counts)
    for child in children.values():
        child.stop()
    peers = "; `make peers` installs the bench extra"
    return rounds, [f"no {who}: {why}{'' if who in FORMS else peers}" for who, why in missing.items()]


def print_line(who: str, loop: str, counts: list[Counts]) -> None:
    def middle(name: str) -> str:
        return f"{median(one[name] for one in counts):,.0f}" if name in counts[0] else ""

    if loop == "clone":
        print(f"{who + ', clones a second':36}{middle('clones'):>12}")
    else:
        print(f"{who + ', ' + loop:36}{middle('decisions'):>12}{middle('steps'):>12}{middle('games'):>10}")


def ratios(rounds: Rounds) -> list[tuple[str, str, float]]:
    """Name, target and value. Hearts is counted in steps, chance included, as its 316,000 a second were."""

    def of(name: str, target: str, ours: tuple[str, str, str], theirs: tuple[str, str, str]) -> None:
        if ours[:2] in rounds and theirs[:2] in rounds:
            pairs = zip(rounds[ours[:2]], rounds[theirs[:2]], strict=True)
            found.append((name, target, median(a[ours[2]] / b[theirs[2]] for a, b in pairs)))

    found: list[tuple[str, str, float]] = []
    documented, bare, inside = ((("OpenSpiel", loop, "steps")) for loop in HEARTS)
    pure, compiled = ("pure", "4 seats", "decisions"), ("compiled", "4 seats", "decisions")
    playout = ("compiled", "playout", "decisions")
    of("plain Python / hearts, documented loop", "0.4x", pure, documented)
    of("plain Python / hearts, bare loop (stricter)", "", pure, bare)
    of("plain Python / catanatron", "6x", pure, ("catanatron", "catanatron", "decisions"))
    of("compiled / hearts, documented loop", "2.0x", compiled, documented)
    of("compiled / hearts, bare loop (stricter)", "", compiled, bare)
    of("compiled playout / hearts inside C++, steps", "1.0x", playout, inside)
    of("compiled playout / hearts inside C++, decisions", "", playout, (*inside[:2], "decisions"))
    of("compiled / plain Python", "", compiled, pure)
    for form in ("pure", "compiled"):
        one = (form, "4 seats", "decisions")
        of(f"{form}: cost of a clone / cost of a decision", "below 1", one, (form, "clone", "clones"))
    return found


if __name__ == "__main__":
    main()
