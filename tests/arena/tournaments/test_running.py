"""Events in the database, from their first round to the last, and what organisers do to them meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

import pytest
from django.utils import timezone

from arena.accounts.models import AuditEntry, User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.matches.models import Match
from arena.matches.services import rerun_match
from arena.tournaments import calendar, entering, running, services
from arena.tournaments.conditions import verdicts
from arena.tournaments.models import Game, RoundOpening, Tournament
from arena.tournaments.selectors import picture
from arena.tournaments.visibility import visible_rounds
from contests.formats.entities import Pod
from contests.formats.fairness import game_seed
from tests.arena.cast import finish

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


@pytest.mark.parametrize(
    ("format_name", "seats", "bots"),
    [
        ("round_robin", 2, 4),
        ("round_robin", 4, 5),
        ("swiss", 2, 5),
        ("swiss", 3, 7),
        ("single_elimination", 2, 5),
        ("single_elimination", 4, 6),
        ("double_elimination", 2, 4),
        ("groups", 2, 6),
        ("gauntlet", 4, 6),
    ],
)
def test_every_format_comes_to_its_end_with_a_full_ranking(
    make_tournament: Make, play_out: Play, format_name: str, seats: int, bots: int
) -> None:
    tournament = make_tournament(bots, format=format_name, seats=seats, group_size=3)
    played = play_out(tournament)
    assert tournament.state == "finished"
    assert tournament.finished_at is not None
    seen = picture(tournament)
    assert len(seen.ranked()) == bots
    assert played == Game.objects.filter(tournament=tournament, placements__isnull=False).count()


def check_kept(tournament: Tournament) -> None:
    """The standings that are kept for readers are what follows from the results."""
    kept = tournament.entries.filter(place__isnull=False).order_by("place")
    lines = [
        (entry.pk, line.points, line.pods, list(line.breaks)) for entry, line in picture(tournament).lines_now
    ]
    assert [(one.pk, one.points, one.pods, one.breaks) for one in kept] == lines


@pytest.mark.parametrize("format_name", ["round_robin", "swiss", "double_elimination", "groups"])
def test_standings_are_kept_as_they_follow_from_the_results(
    make_tournament: Make, play_open: Play, olin: User, format_name: str
) -> None:
    tournament = make_tournament(6, format=format_name, seats=3, group_size=3)
    check_kept(tournament)
    play_open(tournament)
    check_kept(tournament)
    played = tournament.games.filter(placements__isnull=False).first()
    assert played is not None
    services.pause(tournament.pk, olin)
    services.void(tournament.pk, played.pk, olin, "to see")
    check_kept(tournament)
    services.resume(tournament.pk, olin)
    check_kept(tournament)
    entering.disqualify(tournament.pk, Bot.objects.get(slug="bot-2"), olin, "to see")
    check_kept(tournament)
    while play_open(tournament):
        check_kept(tournament)
    assert tournament.state == "finished"


def test_standings_move_within_a_round(make_tournament: Make, play_open: Play) -> None:
    tournament = make_tournament(8, format="swiss", seats=4, rounds=2)
    match = Match.objects.filter(purpose="tournament").order_by("pk").first()
    assert match is not None
    finish(match)
    running.settle_match(match)
    calendar.keep_time()
    assert sum(tournament.entries.values_list("points", flat=True)) == 24
    assert tournament.opened_rounds == 1


def test_seeds_of_games_follow_from_the_committed_master_seed(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(4, best_of=2, seats=3, format="swiss")
    play_out(tournament)
    master = bytes(tournament.master_seed)
    for game in tournament.games.select_related("match"):
        assert game.match is not None
        assert bytes(game.match.seed) == game_seed(master, game.pod, game.number)
        assert game.match.seed_commitment == sha256(bytes(game.match.seed)).hexdigest()


def test_a_duplicate_set_plays_one_seed_in_all_rotations(make_tournament: Make, play_out: Play) -> None:
    tournament = make_tournament(3, seats=3, duplicate=True)
    assert play_out(tournament) == 3
    matches = [game.match for game in tournament.games.select_related("match")]
    assert len({bytes(match.seed) for match in matches if match}) == 1
    first = {match.seats_taken.get(seat=0).version_id for match in matches if match}
    assert len(first) == 3


def test_a_series_of_two_is_asked_for_game_by_game(make_tournament: Make, play_open: Play) -> None:
    tournament = make_tournament(2, best_of=3)
    assert play_open(tournament) == 1
    assert play_open(tournament) == 1
    play_open(tournament)
    assert tournament.state == "finished"
    assert tournament.games.count() in {2, 3}


def test_a_short_table_is_filled_by_a_house_bot_that_does_not_count(
    make_tournament: Make, play_out: Play
) -> None:
    tournament = make_tournament(3, seats=4)
    assert play_out(tournament) >= 1
    game = tournament.games.select_related("match").get()
    assert game.match is not None
    assert game.match.seats == 4
    assert sorted((game.placements or {}).values()) == [1, 2, 3]


def test_while_paused_no_game_is_asked_for_and_results_still_count(
    make_tournament: Make, play_open: Play, olin: User
) -> None:
    tournament = make_tournament(4)
    services.pause(tournament.pk, olin)
    assert play_open(tournament) == 2
    assert tournament.games.count() == 2
    assert tournament.games.filter(placements__isnull=True).count() == 0
    services.resume(tournament.pk, olin)
    assert tournament.games.count() == 4


def test_rounds_opened_by_hand_wait_for_the_hand(make_tournament: Make, play_open: Play, olin: User) -> None:
    tournament = make_tournament(4, rounds_by_hand=True)
    with pytest.raises(RefusedError, match="not over"):
        services.open_next_round(tournament.pk, olin)
    assert play_open(tournament) == 2
    assert play_open(tournament) == 0
    services.open_next_round(tournament.pk, olin)
    assert play_open(tournament) == 2


def test_a_voided_game_is_played_again_and_the_rounds_opened_since_stand(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(4, format="single_elimination")
    play_open(tournament)
    final = tournament.games.get(round=2)
    semi = tournament.games.filter(round=1).first()
    assert semi is not None
    change = services.preview(
        lambda: services.void(tournament.pk, semi.pk, olin, "a crash of ours"), tournament.pk
    )
    assert (change.dropped, change.added, change.results) == ((), (), (semi.pod,))
    assert Game.objects.get(pk=semi.pk).voided_at is None, "a preview changes nothing"
    services.void(tournament.pk, semi.pk, olin, "a crash of ours")
    assert Game.objects.get(pk=final.pk).voided_at is None
    assert Match.objects.get(pk=final.match_id).state == "queued"
    play_out(tournament)
    assert tournament.state == "finished"
    again = tournament.games.get(pod=semi.pod, voided_at=None)
    assert again.match is not None
    assert semi.match is not None
    assert bytes(again.match.seed) == bytes(semi.match.seed)
    assert AuditEntry.objects.filter(act="void game").exists()


def test_rounds_that_are_taken_back_are_paired_anew(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(4, format="single_elimination")
    play_open(tournament)
    semi = tournament.games.filter(round=1).first()
    assert semi is not None
    winner, loser = sorted(semi.placements or {}, key=lambda one: (semi.placements or {})[one])
    final = tournament.games.get(round=2)
    entering.disqualify(tournament.pk, tournament.entries.get(pk=int(winner)).bot, olin, "two hands", 1)
    assert tournament.games.get(round=2, voided_at=None).forfeit, "the final stands, and the other has won it"
    services.take_back_rounds(tournament.pk, olin, 2, "for the one who was robbed of it")
    assert Game.objects.get(pk=final.pk).voided_at is not None
    again = tournament.games.get(round=2, voided_at=None)
    assert int(loser) in Pod.from_key(again.pod).entrants
    play_out(tournament)
    assert picture(tournament).ranked()[-1].pk == int(winner)
    for number in (0, 3):
        with pytest.raises(RefusedError, match="has been opened"):
            services.take_back_rounds(tournament.pk, olin, number, "")


def test_voiding_a_game_of_a_finished_event_opens_it_again(
    make_tournament: Make, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(3)
    play_out(tournament)
    game = tournament.games.first()
    assert game is not None
    services.void(tournament.pk, game.pk, olin, "wrong ruleset")
    tournament.refresh_from_db()
    assert tournament.state == "running"
    play_out(tournament)
    assert tournament.state == "finished"


def test_a_match_of_a_finished_event_that_staff_reruns_is_played_again(
    make_tournament: Make, play_out: Play, citlali: User
) -> None:
    tournament = make_tournament(4)
    play_out(tournament)
    game = tournament.games.order_by("pk").first()
    assert game is not None
    assert game.match is not None
    assert rerun_match(game.match.pk, citlali, "A broken board.")
    running.settle_match(game.match)
    tournament.refresh_from_db()
    assert tournament.state == "running"
    assert play_out(tournament) >= 1
    assert tournament.state == "finished"
    assert tournament.games.filter(pod=game.pod, voided_at=None).count() == 1


def test_who_is_disqualified_loses_its_place_in_the_next_round_to_the_next(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(4, format="single_elimination", rounds_by_hand=True)
    play_open(tournament)
    semi = tournament.games.filter(round=1).first()
    assert semi is not None
    winner, loser = sorted(semi.placements or {}, key=lambda one: (semi.placements or {})[one])
    bot = tournament.entries.get(pk=int(winner)).bot
    entering.disqualify(tournament.pk, bot, olin, "two bots of one hand")
    semi.refresh_from_db()
    assert (semi.placements or {})[winner] == 1, "what was played stays written"
    services.open_next_round(tournament.pk, olin)
    play_out(tournament)
    assert picture(tournament).ranked()[-1].bot == bot
    final = tournament.games.get(round=2, voided_at=None)
    assert int(loser) in Pod.from_key(final.pod).entrants


def test_what_a_disqualified_bot_has_not_played_is_forfeited_to_who_is_left(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(2, best_of=3)
    entering.disqualify(tournament.pk, Bot.objects.get(slug="bot-0"), olin, "two hands")
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert [game.forfeit for game in tournament.games.all()] == [True, True]
    assert picture(tournament).ranked()[0].bot.slug == "bot-1"
    assert not Match.objects.filter(state="queued").exists()


def test_a_house_bot_takes_the_seat_of_who_was_disqualified_and_the_others_play_on(
    make_tournament: Make, play_open: Play, play_out: Play, olin: User
) -> None:
    tournament = make_tournament(3, seats=3)
    services.pause(tournament.pk, olin)
    first = tournament.games.get()
    entering.disqualify(tournament.pk, Bot.objects.get(slug="bot-0"), olin, "two hands")
    services.void(tournament.pk, first.pk, olin, "and without it")
    services.resume(tournament.pk, olin)
    game = tournament.games.select_related("match").get(voided_at=None)
    assert game.match is not None
    seated = {seat.version.bot.slug for seat in game.match.seats_taken.select_related("version__bot")}
    assert seated == {"random", "bot-1", "bot-2"}
    play_out(tournament)
    assert picture(tournament).ranked()[-1].bot.slug == "bot-0"


def test_who_is_out_is_not_put_out_again_and_a_withdrawal_undoes_no_disqualification(
    make_tournament: Make, play_open: Play, olin: User
) -> None:
    tournament = make_tournament(4)
    play_open(tournament)
    bot = Bot.objects.get(slug="bot-0")
    entering.disqualify(tournament.pk, bot, olin, "two hands")
    entry = tournament.entries.get(bot=bot)
    with pytest.raises(RefusedError, match="already disqualified"):
        entering.withdraw(tournament.pk, bot, bot.owner)
    with pytest.raises(RefusedError, match="already disqualified"):
        entering.disqualify(tournament.pk, bot, olin, "again")
    for number in (0, 3, 99):
        with pytest.raises(RefusedError, match="from 1 to 2"):
            entering.disqualify(tournament.pk, bot, olin, "again", number)
    entering.disqualify(tournament.pk, bot, olin, "from the start", 1)
    assert (entry.out_from, tournament.entries.get(bot=bot).out_from) == (2, 1)
    other = Bot.objects.get(slug="bot-1")
    entering.withdraw(tournament.pk, other, olin)
    with pytest.raises(RefusedError, match="already withdrawn"):
        entering.withdraw(tournament.pk, other, olin)
    entering.disqualify(tournament.pk, other, olin, "two hands")
    assert tournament.entries.get(bot=other).out_from == 2


def test_what_is_not_played_by_the_deadline_is_forfeited_by_seed(make_tournament: Make) -> None:
    tournament = make_tournament(2, round_minutes=5)
    RoundOpening.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    calendar.keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    game = tournament.games.get()
    assert game.forfeit
    best = tournament.entries.get(seed=1)
    assert (game.placements or {})[str(best.pk)] == 1
    assert not Match.objects.filter(state="queued").exists()


def test_a_late_result_of_a_forfeited_game_changes_nothing(make_tournament: Make) -> None:
    tournament = make_tournament(2, round_minutes=5)
    match = Match.objects.get(purpose="tournament")
    RoundOpening.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    calendar.keep_time()
    before = tournament.games.get().placements
    running.settle_match(match)
    assert tournament.games.get().placements == before


def test_entries_close_by_themselves_and_versions_are_frozen(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(3, state="registration")
    Tournament.objects.update(lock_at=timezone.now())
    calendar.keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "locked"
    assert list(tournament.entries.values_list("seed", flat=True)) == [1, 2, 3]
    assert all(entry.version_id for entry in tournament.entries.all())


def test_an_event_with_too_few_bots_is_cancelled_at_its_deadline_and_refused_by_hand(
    make_tournament: Make, olin: User
) -> None:
    tournament = make_tournament(1, state="registration")
    with pytest.raises(RefusedError, match="at least two"):
        services.lock(tournament.pk, olin)
    Tournament.objects.update(lock_at=timezone.now())
    calendar.keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "cancelled"


def test_seeds_by_hand_come_first_and_strangers_are_refused(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(4, state="registration")
    entering.seed_by_hand(tournament.pk, ["bot-2", "bot-0"], olin)
    services.lock(tournament.pk, olin)
    seeded = tournament.entries.order_by("seed").values_list("bot__slug", flat=True)
    assert list(seeded) == ["bot-2", "bot-0", "bot-1", "bot-3"]
    with pytest.raises(RefusedError, match="Not entered: bot-9"):
        entering.seed_by_hand(tournament.pk, ["bot-9"], olin)


def test_results_are_released_round_by_round(
    make_tournament: Make, play_open: Play, olin: User, mateo: User
) -> None:
    tournament = make_tournament(4, release="hidden")
    play_open(tournament)
    entrant = Bot.objects.get(slug="bot-0").owner
    assert [visible_rounds(tournament, one) for one in (olin, entrant, mateo)] == [10_000, 0, 0]
    services.release_rounds(tournament.pk, olin, "entrants", 1)
    assert [visible_rounds(tournament, one) for one in (entrant, mateo)] == [1, 0]
    services.release_rounds(tournament.pk, olin, "public", 1)
    assert visible_rounds(tournament, mateo) == 1


@pytest.mark.parametrize("act", ["publish", "lock", "start", "pause", "resume", "open_next_round"])
def test_only_the_organiser_acts(make_tournament: Make, mateo: User, act: str) -> None:
    tournament = make_tournament(2, state="locked")
    with pytest.raises(RefusedError, match="organiser"):
        getattr(services, act)(tournament.pk, mateo)


def test_an_author_enters_only_own_bots_that_meet_the_conditions(
    make_tournament: Make, itzel: User, jaguar: Bot
) -> None:
    tournament = make_tournament(2, state="registration")
    with pytest.raises(RefusedError, match="not your bot"):
        entering.enter(tournament.pk, Bot.objects.get(slug="bot-0"), itzel)
    with pytest.raises(RefusedError):
        entering.enter(tournament.pk, jaguar, itzel)
    unmet = [one.condition for one in verdicts(tournament, jaguar) if not one.is_met]
    assert unmet == ["active"]
