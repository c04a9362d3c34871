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
from bench.figures import figure

ROUNDS = 7
SECONDS = 0.3
ROOT = Path(__file__).parent.parent
FORMS = ("compiled", "pure")
OURS = ("2 seats", "3 seats", "4 seats", "playout", "clone")
KERNEL, SINGLE = ("compiled", "kernel"), ("compiled", "4 seats, kernel")
HEARTS = ("hearts, documented loop", "hearts, bare loop", "hearts, inside C++")
PLAN = [
    *[(form, loop) for form in FORMS for loop in OURS],
    KERNEL,
    SINGLE,
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
    """Measure, then print the figures, and the ratios on four seats with their targets."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rounds, missing = measure()
    for why in missing:
        print(why)
    for who, loop in PLAN:
        for unit in ("clones",) if loop == "clone" else ("decisions", "steps", "games"):
            counts = rounds.get((who, loop), [])
            if counts and unit in counts[0]:
                figure(f"{who}, {loop}, {unit}", median(one[unit] for one in counts), "per second")
    print_ratios(rounds)


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


def print_ratios(rounds: Rounds) -> None:
    """Print ratios. Hearts is counted in steps, chance included, as its 316,000 per second were."""

    def ratio(
        name: str,
        ours: tuple[str, str, str],
        theirs: tuple[str, str, str],
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        if ours[:2] in rounds and theirs[:2] in rounds:
            pairs = zip(rounds[ours[:2]], rounds[theirs[:2]], strict=True)
            value = median(a[ours[2]] / b[theirs[2]] for a, b in pairs)
            figure(name, value, "x", at_least=at_least, at_most=at_most)

    documented, bare, inside = ((("OpenSpiel", loop, "steps")) for loop in HEARTS)
    pure, compiled = ("pure", "4 seats", "decisions"), ("compiled", "4 seats", "decisions")
    playout = ("compiled", "playout", "decisions")
    ratio("plain Python over hearts, documented loop", pure, documented, at_least=0.4)
    ratio("plain Python over hearts, bare loop (stricter)", pure, bare)
    ratio("plain Python over catanatron", pure, ("catanatron", "catanatron", "decisions"), at_least=6)
    ratio("compiled over hearts, documented loop", compiled, documented, at_least=2)
    ratio("compiled over hearts, bare loop (stricter)", compiled, bare)
    ratio("kernel state over hearts, bare loop (stricter)", (*SINGLE, "decisions"), bare, at_least=2)
    ratio("kernel state over compiled", (*SINGLE, "decisions"), compiled)
    ratio("compiled playout over hearts inside C++, steps", playout, inside, at_least=1)
    ratio("compiled playout over hearts inside C++, decisions", playout, (*inside[:2], "decisions"))
    kernel = (*KERNEL, "decisions")
    ratio("kernel playouts over hearts inside C++, steps", kernel, inside, at_least=2)
    ratio("kernel playouts over hearts inside C++, decisions", kernel, (*inside[:2], "decisions"), at_least=4)
    ratio("kernel playouts over compiled ones", kernel, playout)
    ratio("compiled over plain Python", compiled, pure)
    for form in FORMS:
        decision, clone = (form, "4 seats", "decisions"), (form, "clone", "clones")
        ratio(f"{form}, cost of a clone over that of a decision", decision, clone, at_most=1)


if __name__ == "__main__":
    main()
