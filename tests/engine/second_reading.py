"""The rules written a second time, from the books, to compare the engine with.

Nothing of the engine is used: the board is its JSON file, actions are words, the score track is a row of real
stacks, and the phases are straight lines of code that stop at every question (a generator). It is slow, and
meant to be read beside the rulebooks. Whoever changes a rule changes it here too, from the book and not from
the engine.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Generator, Iterator
from itertools import combinations, count
from pathlib import Path
from typing import Any

Options = dict[str, str]
Question = tuple[int, set[str]]
Play = Generator[Question, str, None]
Answer = Generator[Question, str, str]

CARDS = {
    "jungle": 3, "mountains": 3, "fields": 3, "offering": 9, "games": 3, "rafts": 3, "tlatoani": 3, "eagle": 3,
}  # fmt: skip
BLESSINGS = ("jungle", "mountains", "fields")
FIRST_AGE_PAWNS = {2: 10, 3: 8, 4: 7}
BOARD = Path(__file__).parents[2] / "engine" / "boards" / "aztlan.json"


def shuffled(items: list[Any], seed: bytes, label: str) -> list[Any]:
    """As docs/randomness.md says."""
    words, items = _words(seed, label), list(items)
    for i in range(len(items) - 1, 0, -1):
        fair = 2**32 // (i + 1) * (i + 1)
        j = next(word for word in words if word < fair) % (i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def _words(seed: bytes, label: str) -> Iterator[int]:
    for block in count():
        digest = hashlib.sha256(seed + label.encode() + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")


class Game:
    """One game. `play()` yields each question as a seat and its answers, and is sent the answer."""

    def __init__(self, seats: int, seed: bytes, options: Options, board: Path = BOARD) -> None:
        data = json.loads(board.read_text("utf-8"))
        self.type_of: dict[str, str] = {one["id"]: one["type"] for one in data["territories"]}
        self.next_to: dict[str, set[str]] = {one["id"]: set(one["neighbours"]) for one in data["territories"]}
        self.shores: list[list[str]] = [one["shores"] for one in data["lakes"]]
        self.power_cards = {one["power"]: (one["type"], one["vp"]) for one in data["powerCards"]}
        self.options, self.seed, self.seats = options, seed, list(range(seats))
        self.side = list(self.seats)
        """Whose pawns a seat leads: its tribe's or, with two seats, its faction's."""
        self.reserve = [60 if seats == 2 else 30] * seats
        self.removed = Counter[int]()
        self.pool = Counter[int]()
        self.pawns: dict[str, Counter[int]] = {territory: Counter() for territory in self.type_of}
        self.track: dict[int, list[int]] = {0: shuffled(self.seats, seed, "stack")}
        self.unused: list[set[int]] = [set(self.power_cards) for _ in self.seats]
        self.card = [0] * seats
        self.hands: list[Counter[str]] = [Counter() for _ in self.seats]
        self.deck: list[str] = shuffled([card for card in CARDS for _ in range(CARDS[card])], seed, "deck")
        self.discard = Counter[str]()
        self.reshuffles = 0
        self.order: list[int] = []

    # --- the whole game ---

    def play(self) -> Play:
        for age in range(1, 6):
            self.order = [
                seat for space in sorted(self.track, reverse=True) for seat in self.track[space][::-1]
            ]
            yield from self.choosing(age)
            yield from self.development()
            yield from self.conflict()
            yield from self.scoring()
            if len(self.seats) == 2 and age < 5:
                self.side.reverse()
        for seat in self.order:
            [left] = self.unused[seat]
            self.advance(seat, self.power_cards[left][1] + self.hand_points(seat), stack=True)

    def ask(self, seat: int, answers: set[str]) -> Answer:
        """A decision with one answer is not asked."""
        if len(answers) == 1:
            return next(iter(answers))
        answer = yield seat, answers
        assert answer in answers
        return answer

    def score(self, seat: int) -> int:
        return next(space for space, stack in self.track.items() if seat in stack)

    def places(self) -> list[int]:
        """Equal scores: the counter furthest down is first, in the Italian book the one on top."""
        up = 1 if self.options["tie"] == "lowest" else -1
        ranked = [seat for space in sorted(self.track, reverse=True) for seat in self.track[space][::up]]
        return [ranked.index(seat) + 1 for seat in self.seats]

    # --- the phases ---

    def choosing(self, age: int) -> Play:
        for seat in self.seats:
            answer = yield from self.ask(seat, {f"card {number}" for number in self.unused[seat]})
            self.card[seat] = int(answer.split()[1])
        for seat in self.seats:
            self.unused[seat].remove(self.card[seat])
            for _ in range(FIRST_AGE_PAWNS[len(self.seats)] + 1 - age):
                self.pool[seat] += self.take_pawn(self.side[seat])

    def take_pawn(self, side: int) -> bool:
        """Of the reserve; if it is empty, of the removed ones. False if there is none."""
        if self.reserve[side]:
            self.reserve[side] -= 1
        elif self.removed[side]:
            self.removed[side] -= 1
        else:
            return False
        return True

    def development(self) -> Play:
        placed_in: dict[int, set[str]] = {seat: set() for seat in self.seats}
        while any(self.pool[seat] for seat in self.seats):
            for seat in self.order:
                if self.pool[seat]:
                    yield from self.turn(seat, placed_in[seat])

    def turn(self, seat: int, placed_in: set[str]) -> Play:
        """Place a pawn; any number of Eagle cards, each for one pawn more; perhaps a move."""
        side = self.side[seat]
        _, territory = (yield from self.ask(seat, {f"place {one}" for one in self.type_of})).split()
        self.pool[seat] -= 1
        self.pawns[territory][side] += 1
        placed_in.add(territory)
        while True:
            moves = {f"move {a}>{b}" for a in self.type_of if self.pawns[a][side] for b in self.next_to[a]}
            eagles: set[str] = set()
            if self.hands[seat]["eagle"] and (self.reserve[side] or self.removed[side]):
                allowed = placed_in if self.options["eagle"] == "placed" else set(self.type_of)
                eagles = {f"eagle {one}" for one in allowed}
            answer = yield from self.ask(seat, {"pass"} | moves | eagles)
            if not answer.startswith("eagle"):
                break
            self.lay_down(seat, "eagle")
            self.take_pawn(side)
            self.pawns[answer.split()[1]][side] += 1
        if answer != "pass":
            a, b = answer.removeprefix("move ").split(">")
            self.pawns[a][side] -= 1
            self.pawns[b][side] += 1

    def conflict(self) -> Play:
        open_ones = {territory for territory in self.type_of if len(self.present(territory)) > 1}
        for seat in self.order:
            won_by_king: set[str] = set()
            while True:
                strongest = {one: self.strongest(one) for one in open_ones}
                must = {one for one in open_ones if strongest[one] == {seat}} | won_by_king
                may = {
                    one for one in open_ones - must if seat in strongest[one] and self.hands[seat]["tlatoani"]
                }
                if not must and not may:
                    break
                answers = {f"{act} {one}" for one in must for act in ("battle", "coexist")}
                answer = yield from self.ask(
                    seat, answers | {f"tlatoani {one}" for one in may} | ({"pass"} if not must else set())
                )
                if answer == "pass":
                    break
                act, territory = answer.split()
                if act == "tlatoani":
                    self.lay_down(seat, "tlatoani")
                    won_by_king.add(territory)
                    continue
                open_ones.remove(territory)
                won_by_king.discard(territory)
                if act == "coexist":
                    self.draw(seat)
                else:
                    yield from self.battle(seat, territory)
        for territory in open_ones:
            self.remove_all_but(self.strongest(territory), territory)

    def battle(self, winner: int, territory: str) -> Play:
        stay = {winner}
        for seat in self.order:
            if seat in self.present(territory) - {winner} and self.hands[seat]["games"]:
                answer = yield from self.ask(seat, {"pass", "games"})
                if answer == "games":
                    self.lay_down(seat, "games")
                    stay.add(seat)
        self.remove_all_but(stay, territory)
        if len(stay) > 1:
            self.draw(winner)

    def scoring(self) -> Play:
        for seat in self.order:
            kind, _ = self.power_cards[self.card[seat]]
            extra, links, afloat = 0, set[frozenset[str]](), False
            while True:
                hand = self.hands[seat]
                answers = {f"name {one}" for one in set(self.type_of.values())} if kind is None else {"pass"}
                answers |= {f"bless {one}" for one in BLESSINGS if hand[one]}
                if hand["rafts"]:
                    answers |= self.rafts(self.domains(seat, links, afloat))
                answer = yield from self.ask(seat, answers)
                act, _, what = answer.partition(" ")
                if act == "bless":
                    self.lay_down(seat, what)
                    extra += 2 * sum(self.type_of[one] == what for one in self.land(seat))
                elif act == "raft":
                    self.lay_down(seat, "rafts")
                    if what == "all":
                        afloat = True
                    else:
                        links.add(frozenset(what.split("~")))
                else:
                    break
            wanted = kind or what
            for domain in self.domains(seat, links, afloat):
                if matches := sum(self.type_of[one] == wanted for one in domain):
                    extra += len(domain) + matches**2
            self.advance(seat, extra, stack=self.options["landing"] == "stack")

    # --- the parts they are made of ---

    def land(self, seat: int) -> set[str]:
        return {territory for territory in self.type_of if self.pawns[territory][self.side[seat]]}

    def present(self, territory: str) -> set[int]:
        return {seat for seat in self.seats if self.pawns[territory][self.side[seat]]}

    def strongest(self, territory: str) -> set[int]:
        power = {
            one: self.card[one] * self.pawns[territory][self.side[one]] for one in self.present(territory)
        }
        return {seat for seat, its in power.items() if its == max(power.values())}

    def remove_all_but(self, stay: set[int], territory: str) -> None:
        for seat in self.present(territory) - stay:
            self.removed[self.side[seat]] += self.pawns[territory].pop(self.side[seat])

    def domains(self, seat: int, links: set[frozenset[str]], afloat: bool) -> list[set[str]]:
        """Join single territories for as long as two of them touch, by land or by raft."""
        bridges = (
            {frozenset(pair) for lake in self.shores for pair in combinations(lake, 2)} if afloat else links
        )
        domains = [{territory} for territory in self.land(seat)]
        while touching := next(
            (
                (one, other)
                for one, other in combinations(domains, 2)
                if any(b in self.next_to[a] or frozenset((a, b)) in bridges for a in one for b in other)
            ),
            None,
        ):
            one, other = touching
            domains = [domain for domain in domains if domain not in (one, other)] + [one | other]
        return domains

    def rafts(self, domains: list[set[str]]) -> set[str]:
        """What a card may join: two territories of one lake's shore that lie in two domains."""
        home = {territory: number for number, domain in enumerate(domains) for territory in domain}
        pairs = {
            f"raft {min(a, b)}~{max(a, b)}"
            for lake in self.shores
            for a, b in combinations(lake, 2)
            if a in home and b in home and home[a] != home[b]
        }
        return pairs if self.options["rafts"] == "pair" else {"raft all"} if pairs else set()

    def lay_down(self, seat: int, card: str) -> None:
        self.hands[seat][card] -= 1
        self.discard[card] += 1

    def draw(self, seat: int) -> None:
        if not self.deck and self.options["empty_deck"] == "reshuffle" and self.discard.total():
            self.reshuffles += 1
            cards = [card for card in CARDS for _ in range(self.discard[card])]
            self.deck = shuffled(cards, self.seed, f"reshuffle-{self.reshuffles}")
            self.discard.clear()
        if self.deck:
            self.hands[seat][self.deck.pop(0)] += 1

    def advance(self, seat: int, points: int, stack: bool) -> None:
        """One step of the counter; without stacking it goes on to the next free space."""
        if not points:
            return
        space = self.score(seat)
        self.track[space].remove(seat)
        space += points
        while not stack and self.track.get(space):
            space += 1
        self.track.setdefault(space, []).append(seat)

    def hand_points(self, seat: int) -> int:
        """A point for each card, and for one to five Offerings their square; a sixth begins a new set."""
        sets, rest = divmod(self.hands[seat]["offering"], 5)
        if sets and self.options["offerings"] == "one_set":
            sets, rest = 1, 0
        return self.hands[seat].total() + 25 * sets + rest**2
