"""Plays a bot among odd players and looks at each decision: a crash, an illegal answer, a slow one."""

import asyncio
import random
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field

from aztlan.conversation import Conversation
from aztlan.errors import SdkError
from aztlan.local.contest import game_seed
from aztlan.local.house_seat import house_launcher
from aztlan.local.in_process import ProgramSeat
from aztlan.local.match import Job, play_real
from aztlan.local.odd import WAYS, Odd
from aztlan.local.players import HousePlayer, ProgramPlayer
from aztlan.local.table import play_seats
from aztlan.local.watchdog import TooSlowError, time_limit
from engine.record import Record
from engine.rulesets import EDITIONS, ruleset
from proto.messages import BotMessage, Clocks, Decision, DecisionRequest, Hello, HostMessage, StrikeKind
from workers.match.stand_in import default_action


@dataclass(frozen=True)
class Finding:
    """One decision that would cost the bot a strike or the game."""

    kind: str
    """crash, illegal or slow."""
    why: str
    seat: int
    step: int
    record: Record


@dataclass
class FuzzedGame:
    """What one game has shown."""

    decisions: int = 0
    slowest_ms: float = 0.0
    tallest: int = 0
    """Most pawns of one side in one territory that the bot saw."""
    empty_decks: int = 0
    """Decisions with no prosperity card left to draw."""
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Table:
    """Who sits where in a game of the fuzzer, and by which rules."""

    number: int
    seats: int
    seat: int
    edition: str
    ways: tuple[str, ...]
    """Of each seat; that of the bot's own plays its hand in every second game."""
    seed: bytes

    @property
    def is_led(self) -> bool:
        """Whether the fuzzer plays the bot's hand, to come where the bot itself would never go."""
        return self.number % 2 == 1


def tables(games: int, base: str) -> Iterator[Table]:
    """Go through seat counts, editions, seats and ways of being odd."""
    dice = random.Random(base)
    for number in range(games):
        seats = 2 + number % 3
        edition = EDITIONS[number // 3 % len(EDITIONS)]
        ways = tuple(dice.choice(list(WAYS)) for _ in range(seats))
        yield Table(number, seats, dice.randrange(seats), edition, ways, game_seed(base, number))


def fuzz_in_process(player: ProgramPlayer, table: Table, slow_ms: int, led: bool = True) -> FuzzedGame:
    """Play one game with a Python bot in this process."""
    if player.source is None:
        raise SdkError(f"{player.name} is not a Python bot")
    game = FuzzedGame()
    inner = ProgramSeat(player.name, player.source, player.folder, table.seat, table.seed)
    watched = WatchedSeat(inner, game, slow_ms, _odd(table, table.seat) if led and table.is_led else None)
    talks = [
        watched if seat == table.seat else Conversation(_odd(table, seat)) for seat in range(table.seats)
    ]
    record, _ = play_seats(talks, table.seed, ruleset(table.edition))
    game.findings = [Finding(kind, why, table.seat, step, record) for kind, why, step in watched.troubles]
    return game


def _odd(table: Table, seat: int) -> Odd:
    return Odd(table.ways[seat], table.number * 4 + seat)


class WatchedSeat:
    """The bot at the table: every answer is looked at, and the game goes on with a legal one."""

    def __init__(self, inner: ProgramSeat, game: FuzzedGame, slow_ms: int, leader: Odd | None) -> None:
        self.inner, self.game, self.slow_ms = inner, game, slow_ms
        self.leader = Conversation(leader) if leader else None
        self.troubles: list[tuple[str, str, int]] = []
        self.is_lost = False
        self._note_crash(0)

    def hello(self) -> Hello:
        """Return the hello of the watched bot."""
        return self.inner.hello()

    def hear(self, message: HostMessage) -> BotMessage | None:
        """Take a message; a question is always answered legally."""
        step = message.request_id if isinstance(message, DecisionRequest) else 0
        led = self.leader.hear(message) if self.leader else None
        answer = None if self.is_lost else self._ask(message, step)
        if not isinstance(message, DecisionRequest):
            return None
        self._look(message)
        if isinstance(led, Decision):
            return led
        if isinstance(answer, Decision) and answer.action in message.legal_actions:
            return answer
        inner = self.inner
        return Decision(step, default_action(inner.seed, inner.seat, step, message.legal_actions))

    def _ask(self, message: HostMessage, step: int) -> BotMessage | None:
        began, answer = time.perf_counter(), None
        try:
            with time_limit(self.slow_ms / 1000):
                answer = self.inner.tell(message, step)
        except TooSlowError as error:
            self.is_lost = True
            self.troubles.append(
                ("slow", f"no answer within {self.slow_ms} ms, in {self._place(error)}", step)
            )
            return None
        spent = (time.perf_counter() - began) * 1000
        self._note_crash(step)
        if isinstance(message, DecisionRequest) and not self.is_lost:
            self.game.decisions += 1
            self.game.slowest_ms = max(self.game.slowest_ms, spent)
            action = answer.action if isinstance(answer, Decision) else -1
            if action not in message.legal_actions:
                self.troubles.append(("illegal", f"it answered {action}, which is not legal here", step))
            if spent > self.slow_ms:
                self.troubles.append(("slow", f"it took {spent:.0f} ms of {self.slow_ms} ms", step))
        return answer

    def _note_crash(self, step: int) -> None:
        if self.inner.fault and not self.is_lost:
            self.is_lost = True
            self.troubles.append(("crash", self.inner.where, max(step, 1)))

    def _place(self, error: BaseException) -> str:
        folder = str(self.inner.folder)
        own = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(folder)]
        return f"{own[-1].filename}:{own[-1].lineno}" if own else "code that it called"

    def _look(self, request: DecisionRequest) -> None:
        seen = request.observation
        self.game.tallest = max(self.game.tallest, *seen.pawns)
        self.game.empty_decks += not seen.deck_size


def fuzz_program(player: ProgramPlayer, table: Table, clocks: Clocks) -> FuzzedGame:
    """Play one game with a program of its own, over gRPC and with clocks; its own moves are played."""
    players = [HousePlayer("random")] * table.seats
    special = {seat: house_launcher(_odd(table, seat)) for seat in range(table.seats) if seat != table.seat}
    seated = tuple(player if seat == table.seat else players[seat] for seat in range(table.seats))
    job = Job(seated, table.seed, ruleset(table.edition), clocks)
    report = asyncio.run(play_real(job, special))
    mine = report.seats[table.seat]
    game = FuzzedGame(len(mine.charged_us), max(mine.charged_us, default=0) / 1000)
    for strike in mine.strikes:
        kind = "slow" if strike.kind is StrikeKind.TIME else "illegal"
        game.findings.append(Finding(kind, strike.reason, table.seat, strike.step + 1, report.record))
    if mine.fault and not mine.strikes:
        last = mine.output.strip().rpartition("\n")[2][:300]
        why = f"{mine.fault.reason}" + (f"; it printed last: {last}" if last else "")
        game.findings.append(Finding("crash", why, table.seat, mine.fault.step + 1, report.record))
    return game
