"""Plans the sets of running tests: what is left of the machine's time, shared among the candidates."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from arena.bots.models import Bot, Version
from arena.bots.selectors import playable_bots
from arena.hosts import services as hosts
from arena.ladders.models import Ladder
from arena.matches.models import DuplicateSet, Match
from arena.matches.services import MatchRequest, request_matches
from arena.promotions.models import PromotionSet, PromotionTest
from contests.promotion import Contender, SetState, next_candidate, promise
from engine.rulesets import ruleset, ruleset_from_options
from proto.messages import Clocks
from workers.match.spec import DEFAULT_CLOCKS

GAMES = 2
"""The matches of a set."""
TESTS_AT_ONCE = 3
"""How many tests of one author are played at a time; the oldest go first."""
SETS_A_DAY = 1000
"""How many sets an author's tests may play in 24 hours."""
MOST_OPEN = 16
"""How many sets of one test may be open: what is planned when it is decided is played for nothing."""
BUSY_SHARE = 4
"""While other matches wait, tests get one in so many of the hosts' places."""
POOL = 32
"""How many bots of a ladder are drawn as opponents for the sets that are planned together."""
DAY = timedelta(days=1)
OPEN = (Match.State.QUEUED, Match.State.RUNNING)


@transaction.atomic
def plan_sets(random: Random | None = None) -> int:
    """Plan as many sets as there is room for; return how many. Of several callers at once, one does it."""
    locked = PromotionTest.objects.select_for_update(skip_locked=True, of=("self",))
    running = locked.filter(state=PromotionTest.State.RUNNING).order_by("started_at", "pk")
    tests = {test.pk: test for test in running.select_related("bot", "version", "baseline")}
    room = room_now() // GAMES if tests else 0
    if room <= 0:
        return 0
    counts = count_sets(list(tests))
    contenders = contenders_of([tests[pk] for pk in within_quotas(tests)], counts)
    planned, chance = sum(one.sets for one in contenders.values()), random or Random()
    chosen: list[int] = []
    while len(chosen) < room and (pk := next_candidate(contenders, planned)) is not None:
        chosen.append(pk)
        planned += 1
        contenders[pk] = Contender(contenders[pk].promise, contenders[pk].sets + 1)
        if not may_plan(tests[pk], counts[pk], chosen.count(pk)):
            del contenders[pk]
    tables = Tables(chance)
    for pk in chosen:
        counts[pk]["last"] += 1
        plan_set(tests[pk], counts[pk]["last"], tables)
    return len(chosen)


def room_now() -> int:
    """Return how many more matches of tests the hosts should have waiting or running.

    Rated matches come first: while others wait for a host, tests keep to a share of the places. A set always
    fits, so that no test waits forever on a busy arena.
    """
    places = hosts.live().filter(paused=False).aggregate(total=Sum("slots"))["total"] or 0
    if not places:
        return 0
    of_tests = Q(purpose=Match.Purpose.PROMOTION)
    waiting = Match.objects.filter(~of_tests, state=Match.State.QUEUED).exists()
    allowed = places // BUSY_SHARE if waiting else places
    return max(allowed, GAMES) - Match.objects.filter(of_tests, state__in=OPEN).count()


def count_sets(tests: Sequence[int]) -> dict[int, dict[str, int]]:
    """Return by test how many of its sets are open, how many count or may count, and the last number."""
    sets = PromotionSet.objects.filter(test__in=tests).values("test_id")
    found = sets.annotate(
        open=Count("pk", filter=Q(state=SetState.OPEN)),
        valid=Count("pk", filter=~Q(state=SetState.VOID)),
        last=Max("number"),
    ).order_by()
    counts = {pk: {"open": 0, "valid": 0, "last": 0} for pk in tests}
    for row in found:
        counts[row["test_id"]] = {"open": row["open"], "valid": row["valid"], "last": row["last"]}
    return counts


def within_quotas(tests: Mapping[int, PromotionTest]) -> list[int]:
    """Return the tests that may play now, oldest first."""
    owners = {test.bot.owner_id for test in tests.values()}
    today = dict(sets_today(owners))
    allowed: list[int] = []
    playing: dict[int, int] = dict.fromkeys(owners, 0)
    for pk, test in tests.items():
        owner = test.bot.owner_id
        if playing[owner] < TESTS_AT_ONCE and today.get(owner, 0) < SETS_A_DAY:
            playing[owner] += 1
            allowed.append(pk)
    return allowed


def sets_today(owners: set[int]) -> list[tuple[int, int]]:
    recent = PromotionSet.objects.filter(
        test__bot__owner__in=owners, created_at__gt=timezone.now() - DAY
    ).exclude(state=SetState.VOID)
    return list(recent.values_list("test__bot__owner").annotate(Count("pk")).order_by())


def contenders_of(
    tests: Sequence[PromotionTest], counts: Mapping[int, dict[str, int]]
) -> dict[int, Contender]:
    return {
        test.pk: Contender(promise(test.log_better, test.log_not_better, test.plan), counts[test.pk]["valid"])
        for test in tests
        if may_plan(test, counts[test.pk], 0)
    }


def may_plan(test: PromotionTest, counts: Mapping[str, int], more: int) -> bool:
    return counts["valid"] + more < test.most_sets and counts["open"] + more < MOST_OPEN


class Tables:
    """Where candidates sit: on the ladders of their bot, with a sample of each ladder as opponents."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.ladders: dict[int, list[Ladder]] = {}
        self.pools: dict[int, list[Version]] = {}

    def draw(self, bot: Bot) -> tuple[Ladder | None, list[Version]]:
        """Draw one of the bot's ladders, each as likely as the others, and opponents for its other seats.

        Drawn at random, and not in turn, every set is a result of the same kind, as the test assumes.
        """
        if bot.pk not in self.ladders:
            entered = Ladder.objects.filter(is_open=True, entries__bot=bot, entries__left_at=None)
            self.ladders[bot.pk] = list(entered.order_by("pk"))
        ladder = self.random.choice(self.ladders[bot.pk]) if self.ladders[bot.pk] else None
        wanted = ladder.seats - 2 if ladder else 0
        pool = [one for one in self.pool(ladder) if one.bot_id != bot.pk] if ladder and wanted else []
        if len(pool) < wanted:  # a small ladder: the same opponent sits there twice, or nobody does
            return ladder, [self.random.choice(pool) for _ in range(wanted)] if pool else []
        return ladder, self.random.sample(pool, wanted)

    def pool(self, ladder: Ladder) -> list[Version]:
        if ladder.pk not in self.pools:
            bots = playable_bots().filter(entries__ladder=ladder, entries__left_at=None).order_by("?")[:POOL]
            self.pools[ladder.pk] = [bot.active_version for bot in bots if bot.active_version]
        return self.pools[ladder.pk]


def plan_set(test: PromotionTest, number: int, tables: Tables) -> None:
    """Request the two matches of a set."""
    ladder, opponents = tables.draw(test.bot)
    versions = [test.version, test.baseline, *opponents]
    tables.random.shuffle(versions)
    swapped = {test.version_id: test.baseline, test.baseline_id: test.version}
    exchanged = [swapped.get(version.pk, version) for version in versions]
    rules = ruleset_from_options(ladder.ruleset) if ladder else ruleset("english")
    clocks = Clocks(**ladder.clocks) if ladder else DEFAULT_CLOCKS
    common, seed = DuplicateSet.objects.create(), secrets.token_bytes(32)
    PromotionSet.objects.create(test=test, number=number, duplicate_set=common, seats=len(versions))
    request_matches(
        MatchRequest(
            table, rules, Match.Purpose.PROMOTION, clocks, test.pk, seed, rated=False, duplicate_set=common
        )
        for table in (versions, exchanged)
    )
