"""Explanations and continuations: are planted blunders found, and how long do 200 continuations take?

200 games of `searcher` with 2, 3 and 4 seats. At random decisions of theirs the bots look for their worst
action as they look for their best one: of the five that rate lowest, the one after which the age went worst.
If it costs at least PLANTED_POINTS by their own playouts, they play it. A marked decision that was not
planted counts as wrong, although `searcher` makes mistakes of its own. `QUICK=1` plays 6 games.
"""

import os
import time
from random import Random

from arena.analysis.continuing import play_on
from arena.analysis.decisions import judge_decision
from arena.analysis.explaining import explain, mark_of
from arena.analysis.knowledge import dice_for
from arena.matches.stored_records import pack_record
from aztlan.house.searcher import CANDIDATES, Searcher
from aztlan.local.contest import spread
from aztlan.local.table import play_game
from aztlan.rules import CHOOSING, Observation
from bench.figures import figure
from engine.record import Record, board_of
from engine.state import State

GAMES = 6 if os.environ.get("QUICK") else 200
PLANTED_POINTS = 10.0
TRIES = 8
OFTEN = 0.25
WORLDS = 24


class Planting(Searcher):
    """Plays its worst action now and then, and keeps which of its decisions were such."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, worlds=TRIES)
        self.whims = Random(seed)
        self.planted: list[bool] = []

    def choose(self, observation: Observation, legal: "tuple[int, ...]") -> int:  # type: ignore[override]
        action = super().choose(observation, legal)
        worst = None
        if observation.phase != CHOOSING and self.whims.random() < OFTEN:
            worst = self.worst_of(observation, legal, action)
        self.planted.append(worst is not None)
        return action if worst is None else worst

    def worst_of(self, observation: Observation, legal: "tuple[int, ...]", best: int) -> int | None:
        """Return the worst action if it costs enough against the one that would be played."""
        rated = sorted(zip(self.rate(observation, legal), legal, strict=True))
        totals = dict.fromkeys([best, *[action for _, action in rated[:CANDIDATES]]], 0.0)
        for _ in range(TRIES):
            self.try_world(observation, totals)
        worst = min(totals, key=lambda action: totals[action])
        return worst if totals[best] - totals[worst] >= TRIES * PLANTED_POINTS else None


def find_planted(number: int) -> tuple[int, int, int]:
    """Play and judge one game; return how many planted ones were found, were missed, and marks too many."""
    dice = Random(f"analysis {number}")
    bots = [Planting(dice.getrandbits(32)) for _ in range(2 + number % 3)]
    record, _ = play_game(bots, dice.randbytes(32))
    state = State.new(len(bots), record.seed, record.ruleset, board_of(record))
    planted = [iter(bot.planted) for bot in bots]
    found = missed = wrong = 0
    for at, action in enumerate(record.actions):
        if len(state.legal_actions()) > 1:
            judgement = judge_decision(state, action, WORLDS, dice_for(f"bench {number}", at))
            is_marked = mark_of(judgement, state.phase) == "blunder"
            is_planted = next(planted[state.to_act()])
            found += is_marked and is_planted
            missed += is_planted and not is_marked
            wrong += is_marked and not is_planted
        state.apply(action)
    return found, missed, wrong


def main() -> None:
    found = missed = wrong = 0
    for _, (one, two, three) in spread(find_planted, range(GAMES), os.cpu_count() or 1):
        found, missed, wrong = found + one, missed + two, wrong + three
    figure(f"planted blunders in {GAMES} games", found + missed)
    figure("  found", 100 * found / (found + missed), "%", at_least=80)
    figure("  of the marked decisions, planted", 100 * found / (found + wrong), "%", at_least=80)
    time_computing()


def time_computing() -> None:
    """Time on one core: an explanation, and 200 continuations from the first decision of four seats."""
    bots = [Searcher(seat, worlds=1) for seat in range(4)]
    record, _ = play_game(bots, bytes(32))
    for worlds in (8, 48):
        figure(f"explanation of a match of four, {worlds} worlds", timed(record, worlds), "s")
    for kind in ("quick", "random"):
        start = time.perf_counter()
        play_on(pack_record(record), 0, (), 0, (kind,) * 4, 200, "bench")
        figure(f"200 continuations of four seats, {kind}", time.perf_counter() - start, "s", at_most=2)


def timed(record: Record, worlds: int) -> float:
    start = time.perf_counter()
    explain(pack_record(record), worlds, "bench")
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
