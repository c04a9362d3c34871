"""What the base class promises: hooks in order, time, notes, and nothing that the seat may not know."""

import pytest

from aztlan import Bot
from aztlan.conversation import NO_ACTION, Conversation
from aztlan.house.random_play import RandomPlay
from aztlan.local.table import play_game
from engine import load_board, observe, ruleset, verify
from engine.state import State
from proto.messages import Clocks, DecisionRequest, MatchStart, Ping, Pong, Strike, StrikeKind

SEED = bytes(32)


class Diary(RandomPlay):
    """Plays at random and writes down what it is told."""

    def __init__(self, seed=0):
        super().__init__(seed)
        self.calls = []
        self.events = []

    def on_start(self, match):
        self.calls.append("start")

    def on_events(self, events):
        self.calls.append("events")
        self.events += events

    def choose(self, observation, legal):
        self.calls.append("choose")
        return super().choose(observation, legal)

    def on_end(self, over):
        self.calls.append("end")
        self.over = over


def request(state, **changes):
    fields = {
        "request_id": 7,
        "observation": observe(state, 0),
        "legal_actions": state.legal_actions(0),
        "events": [],
        "time_left_ms": 1500,
        "time_limit_ms": 500,
    }
    return DecisionRequest(**{**fields, **changes})


def started(bot):
    talk = Conversation(bot)
    clocks = Clocks(1, 2, 3, 4)
    talk.hear(MatchStart("m", 0, 3, ruleset().options(), load_board(), clocks, "00"))
    return talk


def test_the_hooks_are_called_in_order_and_the_game_is_a_true_record():
    bots = [Diary(seat) for seat in range(3)]
    record, state = play_game(bots, SEED)
    for bot in bots:
        assert bot.calls[:3] == ["start", "events", "choose"]
        assert bot.calls[-1] == "end"
        assert bot.calls.count("start") == bot.calls.count("end") == 1
        assert bot.over.placements == state.placements()
    assert verify(record).scores() == state.scores()


def test_a_bot_sees_its_own_cards_in_events_and_not_those_of_others():
    bots = [Diary(seat) for seat in range(4)]
    play_game(bots, SEED)
    private = [
        (event.data["seat"] == seat, event.data["card"])
        for seat, bot in enumerate(bots)
        for event in bot.events
        if event.kind in ("power_chosen", "card_drawn")
    ]
    assert {own for own, card in private if card >= 0} == {True}
    assert {own for own, card in private if card < 0} == {False}


def test_the_match_and_the_time_are_there_when_the_bot_chooses():
    bot = RandomPlay()
    started(bot).hear(request(State.new(3, SEED)))
    assert (bot.match.seats, bot.match.rules.name, bot.match.clocks.decision_ms) == (3, "english", 4)
    assert (bot.time_left, bot.time_limit) == (1.5, 0.5)


def test_a_note_goes_with_one_answer():
    class Noting(RandomPlay):
        def choose(self, observation, legal):
            if not hasattr(self, "noted"):
                self.noted = True
                self.note("a thought")
            return super().choose(observation, legal)

    talk, state = started(Noting()), State.new(3, SEED)
    assert [talk.hear(request(state)).note for _ in range(2)] == ["a thought", ""]


@pytest.mark.parametrize("answer", [None, "place t01", 1.5, -1, 2**32])
def test_an_answer_that_is_no_action_becomes_an_illegal_one_and_is_explained(answer, capsys):
    class Odd(Bot):
        def choose(self, observation, legal):
            return answer

    assert started(Odd()).hear(request(State.new(3, SEED))).action == NO_ACTION
    assert "one of the legal actions" in capsys.readouterr().err


def test_a_strike_is_printed_for_the_author(capsys):
    started(RandomPlay()).hear(Strike(1, StrikeKind.TIME, "no answer within 100 ms", 0, 2, 3))
    assert capsys.readouterr().err == "strike 2 of 3: no answer within 100 ms\n"


def test_a_ping_is_answered_and_a_bot_without_choose_says_so():
    assert Conversation(Bot()).hear(Ping(5)) == Pong(5)
    with pytest.raises(NotImplementedError, match="must have a method choose"):
        started(Bot()).hear(request(State.new(3, SEED)))


def test_a_bot_is_called_by_its_name_or_its_class():
    assert Conversation(RandomPlay()).hello().bot_name == "random"
    assert Conversation(type("Ahuitzotl", (Bot,), {})()).hello().bot_name == "Ahuitzotl"
