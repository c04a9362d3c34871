"""Where a bot's time goes: each decision of some games, by phase, with start-up and memory."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from aztlan.local.match import Job, play_real
from aztlan.local.players import ProgramPlayer
from aztlan.local.trial import Watch, fault_text
from engine.position import PHASE_NAMES
from engine.record import Record, replay


@dataclass(frozen=True)
class Timed:
    """One decision. `step` is its number in the record, from 1."""

    phase: str
    microseconds: int
    step: int
    game: int
    options: int
    """How many actions were legal."""


@dataclass(frozen=True)
class ProfiledGame:
    """One game: what its record needs to show a decision again, and what was measured."""

    record: Record
    seat: int
    startup_us: int | None
    memory: int
    decisions: Sequence[Timed]
    fault: str


@dataclass(frozen=True)
class PhaseProfile:
    """The decisions of one phase, in milliseconds."""

    phase: str
    decisions: int
    median: float
    p99: float
    worst: float
    worst_at: Timed


def profile_game(numbered: tuple[int, Job], bot: ProgramPlayer) -> ProfiledGame:
    """Play a game as the arena does, but without a sandbox, and take its times apart."""
    number, job = numbered
    seat = job.players.index(bot)
    watch = Watch(bot)
    report = asyncio.run(play_real(job, {seat: watch.launch}))
    watch.left_behind()
    mine = report.seats[seat]
    charged = dict(zip(mine.steps, mine.charged_us, strict=True))
    decisions, phase, options = [], "", 0
    for step in replay(report.record):
        if step.number and step.number - 1 in charged:
            decisions.append(Timed(phase, charged[step.number - 1], step.number, number, options))
        phase = PHASE_NAMES[step.state.phase]
        options = len(step.state.legal_actions()) if not step.state.is_over() else 0
    return ProfiledGame(report.record, seat, mine.startup_us, watch.memory, decisions, fault_text(mine))


def by_phase(games: Sequence[ProfiledGame]) -> list[PhaseProfile]:
    """Sum the decisions up, in the order of the phases; `all` comes last."""
    every = [one for game in games for one in game.decisions]
    phases = [(name, [one for one in every if one.phase == name]) for name in PHASE_NAMES]
    return [_profile(name, some) for name, some in [*phases, ("all", every)] if some]


def _profile(name: str, some: Sequence[Timed]) -> PhaseProfile:
    ranked = sorted(some, key=lambda one: one.microseconds)
    worst = ranked[-1]
    return PhaseProfile(
        name,
        len(ranked),
        quantile(ranked, 0.5) / 1000,
        quantile(ranked, 0.99) / 1000,
        worst.microseconds / 1000,
        worst,
    )


def quantile(ranked: Sequence[Timed], share: float) -> int:
    """Return the time that this share of the decisions needed at most."""
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))].microseconds
