"""Match hosts, and their attempts at playing a match or building a version."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.bots.models import Version
from arena.matches.models import Match


class AttemptState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    LOST = "lost", _("lost")
    REFUSED = "refused", _("refused")
    GIVEN_BACK = "given_back", _("given back")
    OVERRUN = "overrun", _("stopped, since it took too long")


class AttemptFault(models.TextChoices):
    """Whose fault it was that the attempt went wrong."""

    NONE = "none", _("nobody")
    BOT = "bot", _("a bot")
    HOST = "host", _("the match host")
    ARENA = "arena", _("the arena")


OPEN = (AttemptState.QUEUED, AttemptState.RUNNING)


class WorldGames(models.Model):
    """Games that bots play on from a position, in sampled worlds. A row goes once its games are counted."""

    asked_by = models.CharField(max_length=16, db_index=True)
    """The key of what they are for, which the app that asked for them knows."""
    task = models.JSONField()
    """A `workers.match.sampled_worlds.WorldTask`."""
    versions = ArrayField(models.BigIntegerField())
    """By seat; last the version that stands in for those that cannot go on."""
    languages = ArrayField(models.CharField(max_length=20))
    """Of the versions: a host must be able to run all of them."""
    results = models.JSONField(null=True, blank=True)
    """What `arena.hosts.world_games.read_games` returns; null until a host has reported."""

    class Meta:
        verbose_name = _("games played on")
        verbose_name_plural = _("games played on")

    def __str__(self) -> str:
        return f"games for {self.asked_by}"


class Attempt(models.Model):
    """One try of a host at a match, a build or games. Each change of state is guarded by the one before."""

    State = AttemptState
    Fault = AttemptFault

    # The unique constraint on match and number has the index.
    match = models.ForeignKey(
        Match, models.CASCADE, null=True, blank=True, related_name="attempts", db_index=False
    )
    build = models.ForeignKey(Version, models.CASCADE, null=True, blank=True, related_name="build_attempts")
    worlds = models.ForeignKey(
        WorldGames, models.CASCADE, null=True, blank=True, related_name="attempts", db_index=False
    )
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(
        _("state"), max_length=10, choices=AttemptState.choices, default=AttemptState.QUEUED
    )
    host = models.CharField(_("match host"), max_length=100, blank=True)
    key_hash = models.CharField(max_length=64, blank=True)
    """SHA-256 of the key that the claiming host chose: heartbeats and reports must carry it."""
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    """When its wake-up was last put on the queue; `wakeups` sends those that were never sent."""
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    fault = models.CharField(
        _("fault"), max_length=5, choices=AttemptFault.choices, default=AttemptFault.NONE
    )
    note = models.TextField(_("note"), blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [
            models.CheckConstraint(
                condition=Q(match__isnull=False, build=None, worlds=None)
                | Q(match=None, build__isnull=False, worlds=None)
                | Q(match=None, build=None, worlds__isnull=False),
                name="hosts_attempt_one_work",
            ),
            models.CheckConstraint(condition=Q(state__in=AttemptState.values), name="hosts_attempt_state"),
            models.UniqueConstraint(fields=["match", "number"], name="hosts_attempt_number_once"),
            models.UniqueConstraint(fields=["build", "number"], name="hosts_attempt_build_once"),
            # Two attempts at the same work are never open at once, whatever a service does.
            models.UniqueConstraint(
                fields=["match"], condition=Q(state__in=OPEN), name="hosts_attempt_one_open"
            ),
            models.UniqueConstraint(
                fields=["build"], condition=Q(state__in=OPEN), name="hosts_attempt_one_build"
            ),
            models.UniqueConstraint(
                fields=["worlds"], condition=Q(state__in=OPEN), name="hosts_attempt_one_worlds"
            ),
        ]
        indexes = [
            models.Index(fields=["sent_at"], condition=Q(state="queued"), name="hosts_attempt_queued"),
            models.Index("id", condition=Q(state="queued", sent_at=None), name="hosts_attempt_unsent"),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="hosts_attempt_leased"),
            models.Index(fields=["ended_at"], name="hosts_attempt_ended"),
            models.Index(
                fields=["worlds"], condition=Q(worlds__isnull=False), name="hosts_attempt_of_worlds"
            ),
        ]

    def __str__(self) -> str:
        work = f"match {self.match_id}" if self.match_id else f"build {self.build_id}"
        if self.worlds_id:
            work = f"games {self.worlds_id}"
        return f"{work}, attempt {self.number}"


class HeldReport(models.Model):
    """A report that is not public yet: nothing of the result is written before `public_at`."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="held_report")
    attempt = models.OneToOneField(Attempt, models.CASCADE, related_name="held_report")
    report = models.BinaryField()
    """As the host sent it: JSON, compressed with zlib."""
    public_at = models.DateTimeField(_("public from"))

    class Meta:
        verbose_name = _("report held back")
        verbose_name_plural = _("reports held back")

    def __str__(self) -> str:
        return f"report of match {self.match_id}, until {self.public_at}"


class Host(models.Model):
    """A match host, as it last described itself in a heartbeat."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    sandbox = models.CharField(_("sandbox"), max_length=20, blank=True)
    limits = models.TextField(_("limits"), blank=True)
    degraded = models.BooleanField(_("degraded"), default=False)
    slots = models.PositiveSmallIntegerField(_("matches at a time"), default=0)
    busy = models.PositiveSmallIntegerField(_("matches now"), default=0)
    load = models.FloatField(_("load"), default=0)
    free_bytes = models.BigIntegerField(_("free disk space in bytes"), default=0)
    trouble = models.TextField(_("trouble"), blank=True)
    """Why it has decided to take no matches, such as a full disk."""
    languages = models.JSONField(_("languages"), default=dict)
    """By language: whether it `works`, whether the tools are `missing`, and what the `trouble` is."""
    cannot_run = ArrayField(models.CharField(max_length=20), verbose_name=_("cannot run"), default=list)
    """The languages whose bots it cannot run. Compiled programs run everywhere."""
    paused = models.BooleanField(_("paused"), default=False)
    first_beat = models.DateTimeField(_("first seen"), auto_now_add=True)
    last_beat = models.DateTimeField(_("last beat"))

    class Meta:
        ordering = ["name"]
        verbose_name = _("match host")
        verbose_name_plural = _("match hosts")

    def __str__(self) -> str:
        return self.name
