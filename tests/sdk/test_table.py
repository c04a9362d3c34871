"""Games in one process are games by the rules: recorded and repeatable, with nothing illegal in them."""

import pytest

from aztlan import Bot
from aztlan.house import HOUSE
from aztlan.house.champion import Champion
from aztlan.house.ismcts import Ismcts
from aztlan.house.searcher import Searcher
from aztlan.local.table import play_game
from engine import ruleset, verify
from engine.errors import IllegalActionError
from engine.rulesets import EDITIONS


def house(name, seed):
    """A house bot that does not look at the clock, and searches little."""
    if name == "searcher":
        return Searcher(seed, worlds=1)
    trees = {"ismcts": Ismcts, "champion": Champion}
    return trees[name](seed, seconds=60, simulations=48) if name in trees else HOUSE[name](seed)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_house_bots_play_every_edition_at_every_table(edition, seats):
    names = [*HOUSE][-seats:]
    bots = [house(name, seat) for seat, name in enumerate(names)]
    record, state = play_game(bots, bytes([seats]) * 32, ruleset(edition))
    assert state.is_over()
    assert record.seats == tuple(names)
    assert verify(record).placements() == state.placements()


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_bot_plays_the_same_game_from_the_same_seed_and_another_from_another(name):
    def actions(seed):
        record, _ = play_game([house(name, seed), house(name, seed + 1), house("random", 5)], bytes(32))
        return record.actions

    assert actions(1) == actions(1)
    assert actions(1) != actions(3)


def test_an_illegal_action_is_refused_with_the_rule_that_it_breaks():
    class Cheat(Bot):
        def choose(self, observation, legal):
            return 0

    with pytest.raises(IllegalActionError, match="must be a power card"):
        play_game([Cheat(), Cheat()], bytes(32))
