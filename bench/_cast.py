"""Bots that need no files, and reports of games played at random: for measurements and tests."""

import random
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from arena.accounts.models import User
from arena.bots.models import Bot, Status, Version
from arena.hosts import attempts, reports
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant
from arena.hosts.models import Attempt
from arena.hosts.specs import read_match
from arena.ladders.models import Ladder, Season
from arena.ladders.services import create_ladder
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from engine.record import Recorder
from engine.rulesets import ruleset
from engine.state import State
from workers.match.faults import Fault, FaultKind, final_placements
from workers.match.report import MatchReport, SeatReport
from workers.match.spec import DEFAULT_CLOCKS
from workers.match.stand_in import default_action

KEY = "k" * 40
HOST_STATE = {
    "sandbox": "bubblewrap",
    "limits": "all limits enforced",
    "degraded": False,
    "slots": 2,
    "busy": 0,
    "load": 0.5,
    "free_bytes": 10**10,
    "trouble": "",
}


def make_bot(slug: str, owner: str | None = None, is_house: bool = False) -> Version:
    """Make a bot with an active version, whose archive is nowhere."""
    name = owner or f"{slug}-author"
    user, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.org"})
    bot = Bot.objects.create(owner=user, slug=slug, name=slug.title(), is_house=is_house)
    version = Version.objects.create(
        bot=bot,
        number=1,
        sha256=sha256(slug.encode()).hexdigest(),
        size=1,
        runtime="python",
        manifest={"name": slug, "runtime": "python", "entry": "main.py"},
        status=Status.ACTIVE,
    )
    Bot.objects.filter(pk=bot.pk).update(active_version=version)
    bot.refresh_from_db()
    return version


def make_season(seats: int = 4, **options: Any) -> Season:
    number = Ladder.objects.count()
    options = {"house_fixed": False, **options}
    ladder = create_ladder(
        slug=f"ladder-{number}",
        name=f"Ladder {number}",
        seats=seats,
        ruleset=ruleset("english"),
        clocks=DEFAULT_CLOCKS,
        **options,
    )
    return ladder.seasons.get()


def ask_for(versions: Sequence[Version], season: Season | None = None) -> Match:
    purpose = Match.Purpose.LADDER if season else Match.Purpose.CHALLENGE
    request = MatchRequest(
        versions, ruleset("english"), purpose, purpose_id=season.pk if season else None, rated=bool(season)
    )
    [match] = request_matches([request])
    return match


def claim(match: Match, host: str = "host", key: str = KEY) -> Claimant:
    """Claim a match's open attempt, as a host does."""
    hosts.beat(host, HOST_STATE)
    claimant = Claimant(Attempt.objects.get(match=match, state=Attempt.State.QUEUED).pk, key)
    attempts.claim(claimant, host)
    return claimant


def report_of(match: Match, faulty: Sequence[int] = ()) -> dict[str, Any]:
    """Play the match at random and report it; `faulty` seats crash before they are asked."""
    spec, _ = read_match(match.pk)
    recorder = Recorder(State.new(spec.seats, spec.seed, spec.ruleset, spec.load_board()), spec.names)
    chance = random.Random(match.pk)
    faults = {seat: Fault(FaultKind.CRASH, 0, "it exited with code 1") for seat in faulty}
    seats = [
        SeatReport(startup_us=1000, fault=faults.get(seat), output="hello\n") for seat in range(spec.seats)
    ]
    while not recorder.state.is_over():
        seat, step, legal = recorder.state.to_act(), len(recorder.actions), recorder.state.legal_actions()
        if seat in faults:
            recorder.apply(default_action(spec.seed, seat, step, legal))
            continue
        recorder.apply(chance.choice(legal))
        seats[seat].steps.append(step)
        seats[seat].wall_us.append(20)
        seats[seat].charged_us.append(10)
    by_game, scores = recorder.state.placements(), recorder.state.scores()
    for seat, place in enumerate(final_placements(by_game, faults)):
        seats[seat].placement, seats[seat].score = place, scores[seat]
    report = MatchReport(
        match.public_id,
        recorder.record(),
        tuple(seats),
        tuple(by_game),
        wall_us=2000,
        play_us=1000,
        stalled_us=0,
    )
    return report.to_data()


def finish(match: Match, faulty: Sequence[int] = ()) -> None:
    """Have a match played and recorded, but not settled."""
    reports.record_report(claim(match), report_of(match, faulty))
