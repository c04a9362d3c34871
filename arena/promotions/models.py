"""Tests of new versions against active ones, and the duplicate sets that they consist of."""

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Bot, Version
from arena.matches.models import DuplicateSet
from contests.promotion import PlayedSet, SetState
from contests.sequential import Plan


class PromotionState(models.TextChoices):
    RUNNING = "running", _("running")
    PROMOTED = "promoted", _("promoted")
    REJECTED = "rejected", _("rejected")
    UNDECIDED = "undecided", _("undecided")
    STOPPED = "stopped", _("stopped")


class PromotionTest(models.Model):
    """Is a version better than the active one? What it says follows from its sets alone."""

    State = PromotionState

    bot = models.ForeignKey(Bot, models.PROTECT, related_name="promotion_tests", verbose_name=_("bot"))
    version = models.ForeignKey(
        Version, models.PROTECT, related_name="promotion_tests", verbose_name=_("candidate")
    )
    baseline = models.ForeignKey(
        Version, models.PROTECT, related_name="+", verbose_name=_("active version"), db_index=False
    )
    """The version that was active when the test began; if another takes its place, the test stops."""
    state = models.CharField(
        _("state"), max_length=10, choices=PromotionState.choices, default=PromotionState.RUNNING
    )
    reason = models.TextField(_("reason"), blank=True)
    elo0 = models.FloatField(_("not better: gains at most"))
    elo1 = models.FloatField(_("gain that should be found"))
    alpha = models.FloatField(_("chance of a wrong promotion"))
    beta = models.FloatField(_("chance of a wrong rejection"))
    most_sets = models.PositiveIntegerField(_("sets at most"))
    sets = models.PositiveIntegerField(_("sets counted"), default=0)
    """This and the next two are a copy of the fold's values (`contests.promotion`), for the scheduler."""
    log_better = models.FloatField(default=0.0)
    log_not_better = models.FloatField(default=0.0)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("promotion test")
        verbose_name_plural = _("promotion tests")
        constraints = [
            models.UniqueConstraint(
                fields=["bot"], condition=Q(state="running"), name="promotions_test_one_running"
            ),
            models.CheckConstraint(
                condition=Q(state__in=PromotionState.values), name="promotions_test_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="running", ended_at=None)
                | (~Q(state="running") & Q(ended_at__isnull=False)),
                name="promotions_test_end_known",
            ),
            models.CheckConstraint(condition=~Q(version=F("baseline")), name="promotions_test_two_versions"),
        ]
        indexes = [models.Index("id", condition=Q(state="running"), name="promotions_test_running")]

    def __str__(self) -> str:
        return f"test of {self.version} against version {self.baseline.number}"

    def get_absolute_url(self) -> str:
        return reverse("version-test", args=[self.bot.slug, self.version.number])

    @property
    def plan(self) -> Plan:
        return Plan(self.elo0, self.elo1, self.alpha, self.beta)

    @property
    def is_running(self) -> bool:
        return self.state == PromotionState.RUNNING


class PromotionSet(models.Model):
    """Two matches of one seed at one table, in which candidate and active version exchange their seats.

    State, result and failure follow from the matches, and are derived again whenever one of them changes.
    """

    test = models.ForeignKey(PromotionTest, models.CASCADE, related_name="planned_sets", db_index=False)
    number = models.PositiveIntegerField(_("number"))
    duplicate_set = models.OneToOneField(DuplicateSet, models.PROTECT, related_name="promotion_set")
    seats = models.PositiveSmallIntegerField(_("seats"))
    state = models.CharField(
        _("state"), max_length=10, choices=[(one.value, one.value) for one in SetState], default=SetState.OPEN
    )
    result = models.FloatField(_("result"), null=True, blank=True)
    """The share of games in which the candidate placed before the active version."""
    failed = models.BooleanField(_("the candidate failed in every game"), default=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["test_id", "number"]
        verbose_name = _("set of a promotion test")
        verbose_name_plural = _("sets of promotion tests")
        constraints = [
            models.UniqueConstraint(fields=["test", "number"], name="promotions_set_number_once"),
            models.CheckConstraint(
                condition=~Q(state="counted") | Q(result__gte=0, result__lte=1), name="promotions_set_result"
            ),
        ]
        indexes = [
            models.Index(fields=["created_at"], name="promotions_set_created"),
            models.Index(fields=["test"], condition=Q(state="open"), name="promotions_set_open"),
        ]

    def __str__(self) -> str:
        return f"test {self.test_id}, set {self.number}"

    @property
    def played(self) -> PlayedSet:
        """What the fold needs to know of it."""
        return PlayedSet(SetState(self.state), 0.5 if self.result is None else self.result, self.failed)
