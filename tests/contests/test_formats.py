"""Properties of every tournament format, over fields of 2 to 200 entrants and random results."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contests.formats import FORMATS
from contests.formats.entities import (
    Entrant,
    FormatError,
    Options,
    PlayedRound,
    Pod,
    Round,
    TournamentProgress,
)
from contests.formats.points import WIN, as_it_counts, is_decided, series_points
from contests.formats.ranking import ranking
from contests.formats.round_robin import MOST_PODS, schedule_of
from contests.formats.standings import TIE_BREAKS, standings
from contests.formats.timeline import Change, Timeline, compare, follow

KNOCKOUTS = [2, 1], [3, 1], [4, 1], [4, 2]


def field(count: int) -> list[Entrant]:
    return [Entrant(100 + 3 * i, i + 1, 2000.0 - i) for i in range(count)]


def play(
    name: str, options: Options, entrants: list[Entrant], rng: Random, best_of: int = 1
) -> tuple[Timeline, dict]:
    """Play an event to its end: better seeds win a little more often."""
    rounds: list[Round] = []
    results: dict[str, list[dict[int, int]]] = {}
    while found := follow(name, options, entrants, rounds, results, best_of).next_round():
        rounds.append(found)
        for pod in found.pods:
            games = results.setdefault(pod.key, [])
            while not is_decided(games, best_of):
                ranked = sorted(pod.entrants, key=lambda one: one / 100 + rng.gauss(0, 1))
                games.append({one: place for place, one in enumerate(ranked, 1)})
    return follow(name, options, entrants, rounds, results, best_of), results


def rounds_of(timeline: Timeline) -> list[Round]:
    return [played.round for played in timeline.event.played]


def meetings(timeline: Timeline) -> Counter:
    met: Counter = Counter()
    for one in rounds_of(timeline):
        for pod in one.pods:
            met.update(combinations(sorted(pod.entrants), 2))
    return met


def check_rounds(timeline: Timeline, seats: int) -> None:
    """Nobody plays or rests twice in a round (but a gauntlet's champion); pods fit the table."""
    for one in rounds_of(timeline):
        busy = [entrant for pod in one.pods for entrant in pod.entrants] + [*one.byes, *one.walkovers]
        if one.name != "Gauntlet":
            assert len(busy) == len(set(busy))
        assert all(2 <= len(pod.entrants) <= seats for pod in one.pods)


counts = st.one_of(st.integers(2, 24), st.integers(25, 200))
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("name", [*FORMATS])
@pytest.mark.parametrize(("seats", "advance"), KNOCKOUTS)
@settings(max_examples=6)
@given(count=st.integers(2, 24), seed=seeds, best_of=st.sampled_from([1, 3]))
def test_every_event_ends_with_a_full_ranking_whatever_the_order_of_its_entrants(
    name: str, seats: int, advance: int, count: int, seed: int, best_of: int
) -> None:
    options = Options(seats=seats, advance=advance)
    entrants = field(count)
    timeline, results = play(name, options, entrants, Random(seed), best_of)
    check_rounds(timeline, seats)
    assert sorted(ranking(name, timeline.event)) == [one.id for one in entrants]
    for number, a_round in enumerate(timeline.rounds):
        past = follow(name, options, entrants[::-1], timeline.rounds[:number], results, best_of)
        assert past.next_round() == a_round
    assert not timeline.open_pods


@settings(max_examples=15)
@given(count=counts)
def test_two_seat_round_robin_everybody_meets_everybody_once_and_rests_at_most_once(count: int) -> None:
    schedule = schedule_of(count, 2)
    met = Counter(tuple(sorted(pair)) for tables in schedule for pair in tables)
    assert met == Counter(combinations(range(count), 2))
    rests = Counter(
        i for tables in schedule for i in set(range(count)) - {i for pair in tables for i in pair}
    )
    assert max(rests.values(), default=0) <= 1


@settings(max_examples=15)
@given(count=st.integers(2, 20), seats=st.sampled_from([3, 4]))
def test_round_robin_of_pods_plays_every_composition_once_while_they_are_few(count: int, seats: int) -> None:
    schedule = schedule_of(count, seats)
    pods = Counter(tuple(sorted(table)) for tables in schedule for table in tables)
    if count < seats:
        assert pods == Counter([tuple(range(count))])
    elif comb(count, seats) <= MOST_PODS:
        assert pods == Counter(combinations(range(count), seats))


@settings(max_examples=4)
@given(count=st.integers(17, 120), seats=st.sampled_from([3, 4]))
def test_a_balanced_round_robin_lets_everybody_play_and_meet_about_equally_often(
    count: int, seats: int
) -> None:
    schedule = schedule_of(count, seats, rounds=-(-(count - 1) // (seats - 1)))
    games = Counter(i for tables in schedule for table in tables for i in table)
    assert max(games.values()) - min(games.values()) <= 1
    met = Counter(pair for tables in schedule for table in tables for pair in combinations(table, 2))
    assert max(met.values()) <= 3


@pytest.mark.parametrize("seats", [2, 3, 4])
@settings(max_examples=8)
@given(count=st.one_of(st.integers(2, 30), st.integers(129, 200)), seed=seeds)
def test_swiss_byes_go_round_and_nobody_meets_twice_while_there_are_others(
    seats: int, count: int, seed: int
) -> None:
    timeline, _ = play("swiss", Options(seats=seats), field(count), Random(seed))
    byes = Counter(one for a_round in rounds_of(timeline) for one in a_round.byes)
    assert max(byes.values(), default=0) - (0 if len(byes) < count else min(byes.values())) <= 1
    for a_round in rounds_of(timeline):
        assert len(a_round.byes) == (count % seats if count > seats else 0)
    if count >= 8 * seats:
        assert max(meetings(timeline).values()) == 1


def test_swiss_pairs_equals_with_equals() -> None:
    timeline, _ = play("swiss", Options(seats=2, rounds=5), field(200), Random(1))
    event = timeline.event
    for number in range(2, 6):
        before = TournamentProgress(event.options, event.entrants, event.played[: number - 1])
        points = {line.entrant.id: line.points for line in standings(before)}
        gaps = [
            abs(points[a] - points[b])
            for a, b in (pod.entrants for pod in rounds_of(timeline)[number - 1].pods)
        ]
        assert sum(gap > WIN for gap in gaps) == 0
        assert sum(gap > 0 for gap in gaps) <= len(gaps) // 5


def test_finals_that_are_played_again_have_names_of_their_own() -> None:
    seen = set()
    for seed in range(8):
        timeline, _ = play("double_elimination", Options(seats=2, advance=1), field(6), Random(seed))
        rounds = rounds_of(timeline)
        seen.add(tuple(a_round.name for a_round in rounds if a_round.pods[0].name == "Final"))
    assert seen == {("Final",), ("Final", "Final, again (2)")}


@pytest.mark.parametrize(("seats", "advance"), KNOCKOUTS)
@settings(max_examples=10)
@given(count=counts, seed=seeds)
def test_single_elimination_puts_out_all_but_the_final_and_never_the_same_twice(
    seats: int, advance: int, count: int, seed: int
) -> None:
    timeline, _ = play(
        "single_elimination", Options(seats=seats, advance=advance), field(count), Random(seed)
    )
    last = rounds_of(timeline)[-1]
    assert last.name == "Final"
    assert len(last.pods) == 1
    alive = {100 + 3 * i for i in range(count)}
    for a_round in rounds_of(timeline):
        playing = {one for pod in a_round.pods for one in pod.entrants} | set(a_round.byes)
        assert playing <= alive
        alive = playing
    assert ranking("single_elimination", timeline.event)[0] in last.pods[0].entrants


@pytest.mark.parametrize(("seats", "advance"), KNOCKOUTS)
def test_the_best_seeds_meet_as_late_as_can_be(seats: int, advance: int) -> None:
    entrants = field(seats * (seats // advance) ** 2)
    event = TournamentProgress(Options(seats=seats, advance=advance), tuple(entrants))
    while found := FORMATS["single_elimination"](event):
        order = {pod.key: [{one: i for i, one in enumerate(sorted(pod.entrants), 1)}] for pod in found.pods}
        event = replace(event, played=(*event.played, PlayedRound(found, order)))
    best = [one.id for one in entrants[:seats]]
    assert sorted(event.played[-1].round.pods[0].entrants) == best
    assert ranking("single_elimination", event)[:seats] == best


@settings(max_examples=15)
@given(count=counts, seed=seeds)
def test_in_double_elimination_everybody_but_the_winner_loses_twice(count: int, seed: int) -> None:
    timeline, results = play("double_elimination", Options(seats=2), field(count), Random(seed))
    lost = Counter(one for games in results.values() for one, place in games[0].items() if place == 2)
    winner = ranking("double_elimination", timeline.event)[0]
    assert lost[winner] <= 1
    assert all(lost[one.id] == 2 for one in timeline.event.entrants if one.id != winner)


@settings(max_examples=15)
@given(count=counts, seed=seeds, group_size=st.integers(3, 6))
def test_groups_are_even_and_their_best_play_on(count: int, seed: int, group_size: int) -> None:
    timeline, _ = play(
        "groups", Options(seats=2, group_size=group_size, from_group=2), field(count), Random(seed)
    )
    groups: dict[str, set[int]] = {}
    for a_round in rounds_of(timeline):
        for pod in a_round.pods:
            if pod.name.startswith("Group "):
                groups.setdefault(pod.name, set()).update(pod.entrants)
    sizes = [len(members) for members in groups.values()]
    assert max(sizes) - min(sizes) <= 1
    first = next(one for one in rounds_of(timeline) if not one.name.startswith("Groups"))
    going_on = {one for pod in first.pods for one in pod.entrants} | set(first.byes)
    assert all(len(members & going_on) == 2 for members in groups.values())


@settings(max_examples=20)
@given(count=counts, seats=st.sampled_from([2, 3, 4]), data=st.data())
def test_in_a_gauntlet_all_meet_the_champion_once(count: int, seats: int, data: st.DataObject) -> None:
    entrants = field(count)
    champion = data.draw(st.sampled_from(entrants)).id
    timeline, _ = play("gauntlet", Options(seats=seats, champion=champion), entrants, Random(1))
    met = meetings(timeline)
    assert all(met[tuple(sorted((champion, one.id)))] == 1 for one in entrants if one.id != champion)


@pytest.mark.parametrize("name", [*FORMATS])
@settings(max_examples=6)
@given(count=st.integers(4, 24), seats=st.sampled_from([2, 4]), seed=seeds, data=st.data())
def test_a_voided_result_opens_its_pod_again_and_no_other(
    name: str, count: int, seats: int, seed: int, data: st.DataObject
) -> None:
    options, entrants = Options(seats=seats), field(count)
    before, results = play(name, options, entrants, Random(seed))
    voided = data.draw(st.sampled_from(sorted(results)))
    left = {key: games for key, games in results.items() if key != voided}
    after = follow(name, options, entrants, before.rounds, left)
    assert [pod.key for pod in after.open_pods] == [voided]
    assert compare(before, after) == Change(results=(voided,))


@pytest.mark.parametrize("name", [*FORMATS])
@settings(max_examples=12)
@given(count=st.integers(4, 16), seats=st.sampled_from([2, 3, 4]), seed=seeds, data=st.data())
def test_an_event_comes_to_its_end_though_a_result_before_an_opened_round_was_turned_round(
    name: str, count: int, seats: int, seed: int, data: st.DataObject
) -> None:
    """The rounds that were opened stand, and what follows is paired from them and from the new results."""
    options, entrants = Options(seats=seats), field(count)
    timeline, results = play(name, options, entrants, Random(seed))
    rounds = list(timeline.rounds[: data.draw(st.integers(1, len(timeline.rounds)))])
    opened = {pod.key for one in rounds for pod in one.pods}
    results = {key: games for key, games in results.items() if key in opened}
    for key in data.draw(st.sets(st.sampled_from(sorted(opened)))):
        last = len(results[key][0]) + 1
        results[key] = [{one: last - place for one, place in results[key][0].items()}]
    while found := follow(name, options, entrants, rounds, results).next_round():
        rounds.append(found)
        for pod in found.pods:
            results[pod.key] = [{one: place for place, one in enumerate(pod.entrants, 1)}]
    after = follow(name, options, entrants, rounds, results)
    check_rounds(after, seats)
    assert sorted(ranking(name, after.event)) == [one.id for one in entrants]


@pytest.mark.parametrize("name", [*FORMATS])
@settings(max_examples=6)
@given(count=st.integers(4, 24), seats=st.sampled_from([2, 3]), seed=seeds, data=st.data())
def test_who_is_disqualified_is_paired_no_more_and_ends_last(
    name: str, count: int, seats: int, seed: int, data: st.DataObject
) -> None:
    entrants = field(count)
    position = data.draw(st.integers(0, count - 1))
    entrants[position] = Entrant(100 + 3 * position, position + 1, out_from=data.draw(st.integers(1, 3)))
    timeline, _ = play(name, Options(seats=seats), entrants, Random(seed))
    out = entrants[position]
    for a_round in rounds_of(timeline):
        if out.is_out(a_round.number):
            assert all(out.id not in pod.entrants for pod in a_round.pods)
    if out.is_out(timeline.event.next_number):
        assert ranking(name, timeline.event)[-1] == out.id


@settings(max_examples=50)
@given(count=st.integers(2, 4), data=st.data())
def test_who_is_out_counts_as_last_and_the_others_keep_their_order(count: int, data: st.DataObject) -> None:
    entrants = {one.id: one for one in field(count)}
    out = data.draw(st.sets(st.sampled_from(sorted(entrants))))
    by_id = {one: replace(entrant, out_from=2 if one in out else None) for one, entrant in entrants.items()}
    order = data.draw(st.permutations(sorted(entrants)))
    game = {one: place for place, one in enumerate(order, 1)}
    expected = [one for one in order if one not in out] + [one for one in order if one in out]
    counted = as_it_counts(Pod(2, tuple(entrants)), game, by_id)
    assert counted == {one: place for place, one in enumerate(expected, 1)}
    assert as_it_counts(Pod(1, tuple(entrants)), game, by_id) == game


def test_shared_places_share_points_and_sums_stay_whole() -> None:
    games = [{1: 1, 2: 2, 3: 3, 4: 4}, {1: 2, 2: 1, 3: 4, 4: 3}]
    assert series_points(games) == {1: 10, 2: 10, 3: 2, 4: 2}
    assert series_points([{1: 1, 2: 2}]) == {1: 12, 2: 0}


def test_a_series_of_two_ends_when_it_is_decided() -> None:
    won = {1: 1, 2: 2}
    assert not is_decided([won], 3)
    assert is_decided([won, won], 3)
    assert not is_decided([{1: 1, 2: 2, 3: 3}] * 2, 3)


def test_tie_breaks_are_applied_in_the_stated_order() -> None:
    entrants = [Entrant(1, 1, 1500.0), Entrant(2, 2, 1600.0), Entrant(3, 3, 1700.0)]
    event = TournamentProgress(Options(), tuple(entrants))
    assert [line.entrant.id for line in standings(event, ("points", "rating"))] == [3, 2, 1]
    assert [line.entrant.id for line in standings(event, ("points", "seed"))] == [1, 2, 3]
    with pytest.raises(FormatError, match="no tie-break 'luck'"):
        standings(event, ("luck",))
    assert TIE_BREAKS[0] == "points"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seats": 5}, "2, 3 or 4 seats"),
        ({"seats": 4, "advance": 3}, "divides the seats"),
        ({"rounds": 0}, "1 to 1000 rounds"),
        ({"cycles": 0}, "1 to 20 times"),
        ({"group_size": 2, "from_group": 2}, "fewer than all of them go on"),
    ],
)
def test_options_that_cannot_be_played_say_what_to_change(wrong: dict[str, int], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        Options(**wrong)


def test_an_event_needs_two_entrants_with_seeds_of_their_own() -> None:
    with pytest.raises(FormatError, match="two entrants"):
        TournamentProgress(Options(), (Entrant(1, 1),))
    with pytest.raises(FormatError, match="Seeds must"):
        TournamentProgress(Options(), (Entrant(1, 1), Entrant(2, 1)))
    with pytest.raises(FormatError, match="no format"):
        follow("melee", Options(), field(2), [], {})
