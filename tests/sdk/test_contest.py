"""Contests: who sits where, from which seeds, on one processor or several."""

from aztlan.local.contest import (
    duplicate_sets,
    fill_seats,
    game_seed,
    gauntlet,
    play_all,
    rotations,
    round_robin,
)
from aztlan.local.players import HousePlayer

A, B, C = HousePlayer("random"), HousePlayer("greedy"), HousePlayer("settler")


def test_seats_are_filled_from_the_first_again():
    assert fill_seats([A, B], 4) == (A, B, A, B)
    assert fill_seats([A, B, C], 3) == (A, B, C)


def test_rotations_bring_everybody_everywhere_and_repeat_nothing():
    assert rotations((A, B, C)) == [(A, B, C), (B, C, A), (C, A, B)]
    assert rotations((A, B, A, B)) == [(A, B, A, B), (B, A, B, A)]
    assert len(rotations((A, A, B, B))) == 4


def test_the_games_of_a_set_share_their_seed_and_sets_do_not(rules):
    first, second = duplicate_sets(rotations((A, B, C)), 2, "base", rules)
    assert {job.seed for job in first} == {game_seed("base", 0)}
    assert {job.seed for job in second} == {game_seed("base", 1)}


def test_two_processes_play_the_same_games_as_one(rules):
    jobs = [job for games in duplicate_sets(rotations((A, B)), 2, "base", rules) for job in games]
    alone, together = play_all(jobs, 1), play_all(jobs, 2)
    assert [one.record for one in alone] == [one.record for one in together]
    assert [one.placements for one in alone] == [one.placements for one in together]


def test_a_round_robin_has_every_table_once():
    assert round_robin([A, B, C, A], 2) == [(A, B), (A, C), (B, C)]
    assert round_robin([A, B, C], 3) == [(A, B, C)]


def test_in_a_gauntlet_the_first_meets_all_others():
    assert gauntlet([A, B, C], 2) == [(A, B), (A, C)]
    assert gauntlet([C, A, B], 3) == [(C, A, B)]
