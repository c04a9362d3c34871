"""The PettingZoo environment keeps PettingZoo's contract, and plays the very game the engine plays."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra `rl` is not installed")

from pettingzoo.test import api_test, seed_test

from aztlan.rl import RawEnv, action_mask, actions, encode, env
from engine import observe


# An observation with a mask is a dict, as in PettingZoo's own games of this kind; its test remarks on that.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_passes_the_api_test_of_pettingzoo(seats):
    api_test(env(seats=seats), num_cycles=300)


def test_it_passes_the_seed_test_of_pettingzoo():
    seed_test(env, num_cycles=300)


def play_random_game(game, seed):
    """Play to the end with legal actions; return every agent's reward."""
    game.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rewards = {}
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        rewards[agent] = reward
        mask = seen["action_mask"]
        game.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(mask))))
    return rewards


@pytest.mark.parametrize("edition", ["english", "german", "italian"])
def test_a_whole_game_rewards_places_from_one_down_to_minus_one(edition):
    game = env(seats=4, edition=edition)
    rewards = play_random_game(game, 5)
    places = game.unwrapped.game.placements()
    wanted = [pytest.approx((5 - 2 * place) / 3) for place in places]
    assert [rewards[f"seat_{seat}"] for seat in range(4)] == wanted


def test_two_seats_win_or_lose():
    assert sorted(play_random_game(env(seats=2), 1).values()) == [-1, 1]


def test_the_mask_holds_exactly_the_legal_actions_and_only_for_the_seat_that_is_asked():
    game = RawEnv(seats=3)
    game.reset(seed=3)
    for _ in range(50):
        for agent in game.agents:
            mask = game.observe(agent)["action_mask"]
            legal = {game.actions[i] for i in np.flatnonzero(mask)}
            asked = agent == game.agent_selection
            assert legal == (set(game.game.legal_actions()) if asked else set())
        game.step(int(np.flatnonzero(game.observe(game.agent_selection)["action_mask"])[0]))


def test_an_observation_does_not_show_the_power_card_that_another_seat_has_just_chosen():
    seen = []
    for card in (4, 9):
        game = RawEnv(seats=3)
        game.reset(seed=3)
        game.step(game.actions.index(card))
        seen.append(game.observe("seat_1")["observation"])
    assert np.array_equal(*seen)


def test_an_illegal_action_ends_the_game_at_a_loss():
    game = env(seats=3)
    game.reset(seed=1)
    game.step(game.unwrapped.actions.index(0))  # passing is not allowed while power cards are chosen
    assert game.terminations == dict.fromkeys(game.possible_agents, True)
    assert game.rewards["seat_0"] == -1


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda game: pickle.loads(pickle.dumps(game))}


def play_on(game, moves):
    """Play legal actions from here; return everything that can be seen on the way."""
    seen, rng = [], np.random.default_rng(8)
    for _ in range(moves):
        if game.terminations[game.agent_selection]:
            break
        seen.append(
            (game.agent_selection, *(game.observe(agent)["observation"].tolist() for agent in game.agents))
        )
        game.step(int(rng.choice(np.flatnonzero(game.observe(game.agent_selection)["action_mask"]))))
    return seen


@pytest.mark.parametrize("make", [env, RawEnv])
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("moves", [0, 1, 30, 5000])
def test_a_copy_goes_on_from_the_same_move_and_leaves_the_original_alone(make, copied, moves):
    game = make(seats=3)
    game.reset(seed=4)
    play_on(game, moves)
    twin = copied(game)
    before = [game.unwrapped.observe(agent)["observation"].tolist() for agent in game.possible_agents]
    theirs = play_on(twin, 40)
    after = [game.unwrapped.observe(agent)["observation"].tolist() for agent in game.possible_agents]
    assert before == after
    assert theirs == play_on(game, 40)
    assert twin.rewards == game.rewards
    twin.reset()
    game.reset()
    assert play_on(twin, 3) == play_on(game, 3)  # the dice were copied too


def test_a_copy_of_what_was_not_reset_can_be_reset():
    twin = copy.deepcopy(env(seats=2))
    twin.reset(seed=1)
    assert twin.agent_selection == "seat_0"


def test_a_bot_encodes_what_it_sees_as_the_environment_does():
    game = RawEnv(seats=4)
    game.reset(seed=2)
    play_on(game, 25)
    state, seen = game.game, game.observe(game.agent_selection)
    assert encode(observe(state, state.to_act()), game.board) == seen["observation"].tolist()
    assert action_mask(state.legal_actions(), game.board) == seen["action_mask"].tolist()
    assert actions(game.board) == game.actions
