"""The kernel's calls answered by the Python engine: the form that runs where nothing was built.

It is also what the native form is compared with.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from engine import encoding
from engine.board import Board
from engine.errors import IllegalActionError, ObservationError
from engine.kernel.foretell import INPUTS, foretell_all, inputs
from engine.kernel.judge import end_age, judge
from engine.observation import Observation, determinize, observe
from engine.position import Position
from engine.record import fingerprint
from engine.rulesets import CHOICES, Ruleset
from engine.state import State

_MASK: Final = 2**64 - 1
_SINGLE: Final = (
    "age", "phase", "step", "actor", "turn", "reshuffles", "arrivals", "deck_at", "raft_all", "settled",
    "battle", "spared", "pending",
)  # fmt: skip
_LISTS: Final = (
    "order", "side_of", "present", "placed", "alone", "tied", "claims", "score", "arrival", "pool", "reserve",
    "removed", "power", "used", "hands", "discard", "deck", "rafts",
)  # fmt: skip


class Dice:
    """SplitMix64, with what `determinize` asks of a generator; `sample.c` rolls the same."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def word(self) -> int:
        """The next 64 bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        return z ^ z >> 31

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return (self.word() >> 32) * n >> 32

    def shuffle(self, x: list[int], /) -> None:
        """Shuffle in place."""
        for i in range(len(x) - 1, 0, -1):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]

    def choice(self, seq: list[int], /) -> int:
        """Any of them."""
        return seq[self.below(len(seq))]

    def randbytes(self, n: int, /) -> bytes:
        """So many bytes, a multiple of eight."""
        return b"".join(self.word().to_bytes(8, "little") for _ in range(n // 8))


class Table:
    """A board."""

    def __init__(self, board: Board) -> None:
        self.board = board


def ruleset_of(bits: int) -> Ruleset:
    """The ruleset of these options, whatever its name was."""
    return Ruleset(
        "mixed", **{name: values[bits >> i & 1] for i, (name, values) in enumerate(CHOICES.items())}
    )


class Games:
    """A row of games, as the native `Games` keeps it."""

    def __init__(self, table: Table, seats: int, count: int) -> None:
        self.board, self.seats = table.board, seats
        self.games = [State.new(seats, bytes(32), None, table.board)] * count
        self.checked: dict[int, int] = {}
        """The actions that `check` found nothing against, for `advance`."""

    def sizes(self) -> tuple[int, int]:
        return encoding.length(self.board, self.seats), len(encoding.actions(self.board))

    def clone(self) -> "Games":
        copy = Games(Table(self.board), self.seats, 0)
        copy.games = [game.clone() for game in self.games]
        return copy

    def single(self, i: int, refusal: type[Exception]) -> State:  # noqa: ARG002  `State` knows its errors
        return self.games[i].clone()

    def deal(self, i: int, seed: bytes, rules: int) -> None:
        self.games[i] = State.new(self.seats, seed, ruleset_of(rules), self.board)

    def load(self, i: int, state: State, rules: int) -> None:
        self.games[i] = State(self.board, ruleset_of(rules), self.seats, state.seed, state)

    def same(self, i: int, state: State, rules: int, legal: tuple[int, ...] | None = None) -> bool:  # noqa: ARG002  the native form's rules are bits
        extra = all(
            getattr(self.games[i], name) == getattr(state, name) for name in ("alone", "tied", "present")
        )
        offered = legal is None or legal == self.legal(i)
        return extra and offered and fingerprint(self.games[i]) == fingerprint(state)

    def determinize(self, start: int, stop: int, seen: Observation, rules: int, seeds: Any) -> None:
        for i in range(start, stop):
            try:
                self.games[i] = determinize(seen, Dice(seeds[i - start]), self.board, ruleset_of(rules))
            except ObservationError as error:
                raise ValueError(str(error)) from None

    def check(
        self, actions: Any, start: int, stop: int, dense: bool, _: None = None
    ) -> tuple[int, str] | None:
        known = encoding.actions(self.board)
        for i in range(start, stop):
            self.checked.pop(i, None)
        for i in range(start, stop):
            action = actions[i]
            if dense and not 0 <= action < len(known):
                return i, "the index is not one of the board's actions"
            if action == -1:
                continue
            try:
                self.games[i].clone().apply(known[action] if dense else action)
            except IllegalActionError as error:
                return i, error.rule
            self.checked[i] = known[action] if dense else action
        return None

    def apply(self, actions: Any, start: int, stop: int) -> None:
        for i in range(start, stop):
            if actions[i] != -1:
                self.games[i].apply(actions[i])

    def age(self, i: int) -> int:
        return self.games[i].age

    def legal(self, i: int) -> tuple[int, ...]:
        return () if self.games[i].is_over() else self.games[i].legal_actions()

    def actors(self) -> bytes:
        return bytes([game.to_act() % 256 for game in self.games])

    def mask_into(self, out: Any, start: int, stop: int) -> None:
        rows, width = memoryview(out).cast("B"), self.sizes()[1]
        for i in range(start, stop):
            rows[i * width : (i + 1) * width] = bytes(encoding.action_mask(self.legal(i), self.board))

    def observe_into(self, out: Any, start: int, stop: int, seat: int) -> None:
        rows, width = memoryview(out).cast("B").cast("h"), self.sizes()[0]
        for i in range(start, stop):
            game = self.games[i]
            seen = observe(game, game.to_act() if seat == -2 else seat)
            for k, number in enumerate(encoding.encode(seen, self.board)):
                rows[i * width + k] = number

    def playouts(self, i: int, n: int, seed: int) -> tuple[bytes, int]:
        found, decisions = [], 0
        for k in range(n):
            game = self.games[i].clone()
            found.append(bytes(game.playout(seed + k)))
        return b"".join(found), decisions

    def placements(self, i: int) -> bytes:
        return bytes(self.games[i].placements())

    def fingerprint(self, i: int) -> bytes:
        return fingerprint(self.games[i])

    def seed(self, i: int) -> bytes:
        return self.games[i].seed

    def judge_into(self, out: Any) -> None:
        rows, at = memoryview(out).cast("B").cast("i"), 0
        for game in self.games:
            for number in (number for seat in judge(game) for number in seat):
                rows[at] = number
                at += 1

    def end_age(self, seed: int) -> None:
        for i, game in enumerate(self.games):
            end_age(game, seed + i)

    def foretell_into(self, out: Any, network: Any) -> None:
        rows, weights = memoryview(out).cast("B").cast("f"), memoryview(network).cast("B").cast("f").tolist()
        for i, game in enumerate(self.games):
            for seat, value in enumerate(foretell_all(weights, game)):
                rows[i * self.seats + seat] = value

    def think_into(self, out: Any, seen: Any, network: Any, worlds: int, explore: int, seed: int) -> None:
        weights = memoryview(network).cast("B").cast("f").tolist()
        rows = None if seen is None else memoryview(seen).cast("B").cast("f")
        for i, game in enumerate(self.games):
            dice = Dice(seed + i * 0xD1342543DE82EF95)
            out[i], after = _think(game, weights, worlds, explore, dice)
            if rows is not None and after is not None:
                for k, number in enumerate(inputs(judge(after), game.to_act())):
                    rows[i * INPUTS + k] = number

    def take(self, numbers: Any) -> "Games":
        copy = Games(Table(self.board), self.seats, 0)
        copy.games = [self.games[i].clone() for i in numbers]
        return copy

    def fields(self, i: int) -> dict[str, Any]:
        game: Position = self.games[i]
        size = self.board.size
        pawns: list[int] = []
        for side in range(self.seats):
            pawns += game.pawns[side * size : (side + 1) * size] + [0] * (60 - size)
        return {
            **{name: getattr(game, name) for name in _SINGLE},
            **{name: tuple(getattr(game, name)) for name in _LISTS},
            "pawns": pawns,
        }

    def sample_into(self, out: Any, seed: int, start: int, stop: int, _: None = None) -> None:
        index = encoding.indices(self.board)
        for i in range(start, stop):
            legal = self.legal(i)
            word = Dice(seed + i * 0xD1342543DE82EF95).word() >> 32
            out[i] = index[legal[word % len(legal)]] if legal else -1

    def advance(
        self, observation: Any, mask: Any, reward: Any, done: Any, seat: Any, final: Any,
        start: int, stop: int, _: None = None,
    ) -> None:  # fmt: skip
        for i in range(start, stop):
            game = self.games[i]
            actor = game.to_act()
            game.apply(self.checked[i])
            done[i] = over = game.is_over()
            last = self.seats
            for k, place in enumerate(game.placements()):
                reward[i, k] = (last + 1 - 2 * place) / (last - 1) if over else 0
            if over:
                final[i] = encoding.encode(observe(game, actor), self.board)
                self.games[i] = State.new(last, sha256(game.seed).digest(), game.rules, self.board)
            seat[i] = self.games[i].to_act()
        self.observe_into(observation, start, stop, -2)
        self.mask_into(mask, start, stop)


def _think(
    game: State, network: Sequence[float], worlds: int, explore: int, dice: Dice
) -> tuple[int, State | None]:
    """The action after which the network foretells most, on average over some worlds; the last of these."""
    legal, seat, world = game.legal_actions(), game.to_act(), game
    totals = [0.0] * len(legal)
    if not legal:
        return -1, None
    for _ in range(worlds):
        world = determinize(observe(game, seat), Dice(dice.word()), game.board, game.rules)
        for i, action in enumerate(legal):
            after = world.clone()
            after.apply(action)
            totals[i] += foretell_all(network, after)[seat]
    best = totals.index(max(totals))
    if dice.below(1_000_000) < explore:
        best = dice.below(len(legal))
    after = world.clone()
    after.apply(legal[best])
    return legal[best], after


__all__ = ["Dice", "Games", "Table"]
