"""The organiser's forecast, and the seeds of an event."""

import hashlib

import pytest

from contests.formats.dry_run import forecast, games_needed
from contests.formats.entities import Entrant, Options
from contests.formats.fairness import commitment, game_seed, seating


def test_a_single_game_between_two_follows_the_elo_scale() -> None:
    entrants = [Entrant(1, 1, 1700.0), Entrant(2, 2, 1500.0)]
    found = forecast("single_elimination", Options(), entrants, simulations=4000, seed=1)
    assert found.best_wins == pytest.approx(1 / (1 + 10 ** (-200 / 400)), abs=2 * found.margin)
    assert (found.games_least, found.games_most, found.rounds) == (1, 1, 1)


def test_a_longer_event_finds_the_best_more_often() -> None:
    entrants = [Entrant(i + 1, i + 1, 1600.0 - 25 * i) for i in range(8)]
    knockout = forecast("single_elimination", Options(), entrants, simulations=300, seed=2)
    league = forecast("round_robin", Options(cycles=3), entrants, simulations=300, seed=2)
    assert league.best_wins > knockout.best_wins
    assert (knockout.games_mean, league.games_mean) == (7, 84)


def test_what_is_not_known_of_strengths_is_part_of_the_chances() -> None:
    entrants = [Entrant(1, 1, 1600.0), Entrant(2, 2, 1500.0)]
    known = {1: (1600.0, 0.0), 2: (1500.0, 0.0)}
    vague = {1: (1550.0, 350.0), 2: (1550.0, 350.0)}
    close = {1: (1550.0, 5.0), 2: (1550.0, 5.0)}
    plain = forecast("single_elimination", Options(), entrants, simulations=2000, seed=1)
    assert forecast("single_elimination", Options(), entrants, 1, 2000, 1, known) == plain
    # Bots that may be of any strength are mostly far apart, and then the better one mostly wins.
    assert forecast("single_elimination", Options(), entrants, 1, 2000, 1, vague).best_wins > 0.7
    assert forecast("single_elimination", Options(), entrants, 1, 2000, 1, close).best_wins < 0.56


def test_more_certainty_needs_more_games_and_equal_bots_too_many() -> None:
    entrants = [Entrant(1, 1, 1600.0), Entrant(2, 2, 1500.0)]
    known = {1: (1600.0, 0.0), 2: (1500.0, 0.0)}
    low, high = games_needed("single_elimination", Options(), entrants, known, (0.6, 0.9), 4000, 40_000)
    assert (low.certainty, high.certainty) == (0.6, 0.9)
    assert low.best_of == 1
    assert high.best_of is not None
    assert high.best_of > 5
    assert high.games > low.games
    equal = {1: (1500.0, 1.0), 2: (1500.0, 1.0)}
    [never] = games_needed("single_elimination", Options(), entrants, equal, (0.9,), 40, 40_000)
    assert never.best_of is None
    assert never.games > 15


def test_seeds_follow_from_the_master_seed_alone() -> None:
    master = bytes(range(32))
    assert commitment(master) == hashlib.sha256(master).hexdigest()
    assert game_seed(master, "2:3-9", 1) == hashlib.sha256(master + b"game2:3-9:1").digest()
    assert len({game_seed(master, "2:3-9", number) for number in range(1, 50)}) == 49


def test_seats_move_on_by_one_each_game() -> None:
    assert [seating([5, 6, 7], number) for number in (1, 2, 3, 4)] == [
        [5, 6, 7],
        [6, 7, 5],
        [7, 5, 6],
        [5, 6, 7],
    ]
