"""A game of one person against house bots, all in one process. The person sees what their seat may see."""

import secrets
from collections.abc import Sequence
from typing import Any

from aztlan.bot import Bot, Match
from aztlan.house import HOUSE
from engine.boardfile import load_board
from engine.errors import EngineError, IllegalActionError
from engine.events import events
from engine.observation import observe
from engine.randomness import SEED_BYTES
from engine.replay.frames import Frame, Lens
from engine.rulesets import EDITIONS, ruleset
from engine.state import State
from proto.messages import Clocks

OPPONENTS = ("random", "greedy", "settler", "warlord")
"""The house bots that answer at once without the kernel."""
ENDLESS = Clocks(0, 0, 0, 0)


class OfflineGame:
    """The game so far. Everything follows from its seed and actions, so a decision can be taken back."""

    def __init__(
        self, seats: Sequence[str | None], edition: str, seed: bytes, actions: Sequence[int] = ()
    ) -> None:
        self.names = list(seats)
        self.edition = edition
        self.seed = seed
        self.person = self.names.index(None)
        self.decisions: list[int] = []
        """At which actions the person decided; forced ones are not decisions."""
        self.actions = list(actions)
        self._start()

    def _start(self) -> None:
        self.state = State.new(len(self.names), self.seed, ruleset(self.edition), load_board())
        self.state.log_events()
        self._shown = 0
        self._lens = Lens(self.person)
        self._frames: list[Frame] = []
        self._told = 0
        self._bots = {seat: self._bot(seat, name) for seat, name in enumerate(self.names) if name}
        self._show()
        for action in self.actions:
            self._apply(action)

    def _bot(self, seat: int, name: str) -> Bot:
        bot = HOUSE[name](int.from_bytes(self.seed[:4], "big") + seat)
        state = self.state
        bot.match = Match("offline", seat, state.seats, state.board, state.rules, ENDLESS, "")
        return bot

    def play_bots(self) -> None:
        """Let the bots decide until the person has to, or the game is over."""
        while not self.state.is_over():
            seat, legal = self.state.to_act(), self.state.legal_actions()
            if len(legal) == 1:
                action = legal[0]
            elif seat == self.person:
                return
            else:
                action = self._bots[seat].choose(observe(self.state, seat), legal)
            self.actions.append(action)
            self._apply(action)

    def decide(self, number: int, action: int) -> None:
        """Take the person's decision, and let the bots go on."""
        if self.state.is_over():
            raise EngineError("The game is over.")
        if number != len(self.decisions):
            raise EngineError("This decision has been made already.")
        if action not in self.state.legal_actions():
            self._refuse(action)
        self.decisions.append(len(self.actions))
        self.actions.append(action)
        self._apply(action)
        self.play_bots()

    def _refuse(self, action: int) -> None:
        try:
            self.state.clone().apply(action)
        except IllegalActionError as error:
            raise EngineError(str(error)) from None
        raise EngineError(f"action {action} is not among the legal ones")

    def take_back(self) -> None:
        """Go back to before the person's last decision; the bots decide anew."""
        if not self.decisions:
            raise EngineError("There is no decision to take back.")
        del self.actions[self.decisions.pop() :]
        self._start()

    def turn(self) -> dict[str, Any]:
        """What the person has to decide: the number of the decision, and the legal actions."""
        legal = [] if self.state.is_over() else list(self.state.legal_actions())
        return {"number": len(self.decisions), "legal": legal, "can_undo": bool(self.decisions)}

    def news(self) -> dict[str, Any]:
        """The frames since the last time, and the turn; after a decision was taken back, all of them."""
        frames, is_anew = self._frames[self._told :], self._told == 0
        self._told = len(self._frames)
        return {
            "frames": frames, "anew": is_anew, "seat": self.person, "turn": self.turn(), "kept": self.kept(),
        }  # fmt: skip

    def kept(self) -> dict[str, Any]:
        """What a page keeps to go on with this game after it was closed; `resume_game` reads it."""
        return {
            "seats": self.names,
            "edition": self.edition,
            "seed": self.seed.hex(),
            "actions": self.actions,
            "decisions": self.decisions,
        }

    def _apply(self, action: int) -> None:
        self.state.apply(action)
        self._show()

    def _show(self) -> None:
        log = self.state.log or []
        news = events(log[self._shown :])
        self._shown = len(log)
        self._frames += self._lens.see(self.state, news)


def new_game(seats: Sequence[str | None], edition: str, seed: str = "") -> OfflineGame:
    """Begin a game, with an own seed if none is given, up to the person's first decision."""
    _check_seats(seats, edition)
    data = bytes.fromhex(seed) if seed else secrets.token_bytes(SEED_BYTES)
    game = OfflineGame(seats, edition, data)
    game.play_bots()
    return game


def resume_game(kept: dict[str, Any]) -> OfflineGame:
    """Go on with a game that a page kept. What it kept may be of an older engine, or changed by hand."""
    try:
        _check_seats(kept["seats"], kept["edition"])
        game = OfflineGame(kept["seats"], kept["edition"], bytes.fromhex(kept["seed"]), kept["actions"])
        game.decisions = [at for at in kept["decisions"] if game.actions[at] >= 0]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise EngineError("The game that was kept cannot be read.") from None
    game.play_bots()
    return game


def _check_seats(seats: Sequence[str | None], edition: str) -> None:
    if not 2 <= len(seats) <= 4 or list(seats).count(None) != 1:
        raise EngineError("A game has two to four seats, one of them for you.")
    if unknown := [name for name in seats if name is not None and name not in OPPONENTS]:
        raise EngineError(f"There is no such opponent here: {unknown[0]}.")
    if edition not in EDITIONS:
        raise EngineError(f"There is no edition {edition!r}.")
