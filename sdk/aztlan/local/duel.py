"""Two bots in duplicate sets until a sequential test decides, with a journal from which it goes on.

The statistics are `contests.sequential`. Sets are weighed in the order of their numbers, not in the order in
which they end: otherwise quick games would count before slow ones.
"""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from aztlan.errors import SdkError
from aztlan.local.contest import game_seed, play_jobs
from aztlan.local.match import Job, Outcome
from aztlan.local.players import HousePlayer, Player
from aztlan.version import VERSION
from contests.sequential import Conclusion, Evidence, Plan, add, seatings, set_result, sets_left
from engine.rulesets import EDITIONS, Ruleset, ruleset
from proto.messages import Clocks
from workers.archives import list_folder
from workers.match.spec import DEFAULT_CLOCKS


@dataclass(frozen=True)
class Duel:
    """What is played: the new bot against the old one."""

    old: Player
    new: Player
    seats: int = 2
    editions: tuple[str, ...] = EDITIONS[:1]
    clocks: Clocks = DEFAULT_CLOCKS
    in_process: bool = False
    seed: str = "test"
    most_sets: int = 5000
    least_sets: int = 0
    """Play at least this many sets even if the test decides earlier, for a narrower interval."""
    plan: Plan = field(default_factory=Plan)

    def jobs(self) -> Iterator[tuple[int, tuple[bool, ...], Job]]:
        """Every game that may have to be played: the set's number, which seats are the new bot's, the job."""
        rules: list[Ruleset] = [ruleset(name) for name in self.editions]
        for number in range(self.most_sets):
            seed = game_seed(self.seed, number)
            for table in seatings(self.seats):
                players = tuple(self.new if mine else self.old for mine in table)
                dealt = rules[number % len(rules)]
                yield number, table, Job(players, seed, dealt, self.clocks, self.in_process)

    def key(self) -> str:
        """Name what is tested: a change of a bot, of the rules or of the clocks is another test."""
        what = [VERSION, self.seats, self.editions, self.seed, self.in_process, str(self.clocks)]
        text = json.dumps([*what, fingerprint(self.old), fingerprint(self.new)])
        return sha256(text.encode()).hexdigest()[:16]


def fingerprint(player: Player) -> str:
    """Return a hash of a bot's files; a house bot is known by its name."""
    if isinstance(player, HousePlayer):
        return player.name
    if player.source is not None and not (player.folder / "bot.toml").is_file():
        return sha256(player.source.read_bytes()).hexdigest()
    digest = sha256()
    for name in sorted(list_folder(player.folder).files):
        content = (player.folder / name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


class Journal:
    """The results of sets in a file, one JSON line each: Ctrl-C or a power cut loses one set at most."""

    def __init__(self, file: Path, key: str) -> None:
        self.file, self.results = file, dict[int, float]()
        try:
            lines = file.read_text("utf-8").splitlines() if file.exists() else []
            if not lines or _read(lines[0]).get("key") != key:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps({"key": key}) + "\n", "utf-8")
                return
        except OSError as error:
            raise SdkError(f"{file} cannot be used: {error.strerror}; name another with --journal") from None
        for line in lines[1:]:
            number, result = (_read(line).get(name) for name in ("set", "result"))
            if isinstance(number, int) and isinstance(result, float):
                self.results[number] = result

    def keep(self, number: int, result: float) -> None:
        """Add the result of a set."""
        self.results[number] = result
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"set": number, "result": result}) + "\n")


def _read(line: str) -> dict[str, object]:
    """Parse a line; one that was cut off is ignored."""
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


@dataclass(frozen=True)
class Progress:
    """How a duel stands after a game."""

    evidence: Evidence
    games: int
    """Games of this run and of earlier ones, of all sets that are complete."""
    seconds_left: float | None
    failure: str = ""
    """Why a bot failed in the last game."""


def play_duel(duel: Duel, journal: Journal, processes: int, keep_going: bool = False) -> Iterator[Progress]:
    """Play until the test decides or all sets are played, and say after each set how it stands."""
    weighed, began = Weighed(duel, journal), time.monotonic()
    yield Progress(weighed.evidence, weighed.games, None)
    if weighed.is_enough():
        return
    games = [game for game in duel.jobs() if game[0] not in journal.results]
    played: dict[int, list[tuple[tuple[bool, ...], tuple[int, ...]]]] = {}
    done = 0
    with closing(play_jobs([job for _, _, job in games], processes)) as outcomes:
        for index, outcome in outcomes:
            number, table, _ = games[index]
            if outcome.failures and not keep_going:
                yield Progress(weighed.evidence, weighed.games, None, failure_of(outcome, number))
                return
            played.setdefault(number, []).append((table, outcome.placements))
            if len(played[number]) < len(seatings(duel.seats)):
                continue
            journal.keep(number, set_result(played.pop(number)))
            done += 1
            weighed.catch_up()
            left = sets_left(weighed.evidence, duel.plan)
            wait = None if left is None else left * (time.monotonic() - began) / done
            yield Progress(weighed.evidence, weighed.games, wait)
            if weighed.is_enough():
                return


class Weighed:
    """The evidence of the journal's sets, as far as they are complete from the first one on."""

    def __init__(self, duel: Duel, journal: Journal) -> None:
        self.duel, self.journal, self.evidence = duel, journal, Evidence()
        self.catch_up()

    def is_enough(self) -> bool:
        """Whether no more sets are needed."""
        decided = self.evidence.conclusion is not Conclusion.OPEN
        return decided and self.evidence.sets >= self.duel.least_sets

    @property
    def games(self) -> int:
        """How many games were weighed."""
        return self.evidence.sets * len(seatings(self.duel.seats))

    def catch_up(self) -> None:
        """Weigh the sets that are there now, and none beyond what is enough."""
        while not self.is_enough() and self.evidence.sets in self.journal.results:
            self.evidence = add(self.evidence, self.journal.results[self.evidence.sets], self.duel.plan)


def failure_of(outcome: Outcome, number: int) -> str:
    """Say which bot failed and why."""
    seat, why = next(iter(outcome.failures.items()))
    return f"{outcome.names[seat]} failed in set {number + 1}, seat {seat}: {why}"
