"""A bot, its versions, and each change of a version's status."""

import unicodedata

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from workers.archives.names import UNWANTED

SLUG = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z",
    _("Use lower-case letters a to z, digits and single hyphens, as in my-bot-2."),
)


def check_seen(name: str) -> None:
    """Refuse invisible characters: names that look alike would let bots impersonate each other."""
    if any(unicodedata.category(sign) in UNWANTED for sign in name):
        raise ValidationError(_("The name contains an invisible character."), code="unseen")


class Bot(models.Model):
    """A contestant. Its versions play; the author chooses which one is active."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="bots", verbose_name=_("owner")
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("created by"),
    )
    """Who created a team's bot, as it counts towards their limit too; empty if it was the owner."""
    slug = models.CharField(_("address"), max_length=40, unique=True, validators=[SLUG])
    name = models.CharField(_("name"), max_length=60, validators=[check_seen])
    description = models.TextField(_("description"), max_length=2000, blank=True)
    active_version = models.OneToOneField(
        "Version", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("active version")
    )
    activates_itself = models.BooleanField(
        _("activate new versions by themselves"),
        default=True,
        help_text=_("A version that passes validation takes the place of the active one."),
    )
    only_when_better = models.BooleanField(
        _("play new versions only when they are better"),
        default=False,
        db_default=False,
        help_text=_(
            "A version that passes validation first plays unrated sets against the active one, and takes its "
            "place only once it has proved better."
        ),
    )
    is_house = models.BooleanField(_("house bot"), default=False)
    benched_at = models.DateTimeField(_("benched"), null=True, blank=True)
    benched_reason = models.TextField(_("why it is benched"), blank=True)
    disqualified_at = models.DateTimeField(_("disqualified"), null=True, blank=True)
    disqualified_reason = models.TextField(_("why it is disqualified"), blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("bot")
        verbose_name_plural = _("bots")
        constraints = [
            models.UniqueConstraint(
                Lower("name"), name="bots_bot_name_once", violation_error_message=_("This name is taken.")
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-id"], name="bots_bot_of_owner"),
            GinIndex(SearchVector("name", "slug", config="simple"), name="bots_bot_search"),
            models.Index("id", name="bots_bot_house", condition=Q(is_house=True)),
            models.Index(
                "id",
                name="bots_bot_playable",
                condition=Q(benched_at=None, disqualified_at=None, active_version__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("bot", args=[self.slug])

    @property
    def can_play(self) -> bool:
        """Whether matchmakers may choose it; `selectors.playable_bots` is the same condition as a query."""
        return self.active_version_id is not None and self.benched_at is None and self.disqualified_at is None


class Status(models.TextChoices):
    RECEIVED = "received", _("received")
    CHECKED = "checked", _("checked")
    BUILT = "built", _("built")
    VALIDATED = "validated", _("validated")
    ACTIVE = "active", _("active")
    REJECTED = "rejected", _("rejected")
    RETIRED = "retired", _("retired")


def archive_name(version: "Version", client_name: str) -> str:
    """Name a file in storage by its content alone: the client's file name never reaches a path."""
    return f"archives/{version.sha256[:2]}/{version.sha256}.zip"


def built_archive_name(version: "Version", client_name: str) -> str:
    return f"built/{version.sha256[:2]}/{version.sha256}-{version.pk}"


class Version(models.Model):
    """One upload of a bot. Its content never changes; each match names the version that played."""

    Status = Status

    bot = models.ForeignKey(Bot, models.PROTECT, related_name="versions", verbose_name=_("bot"))
    number = models.PositiveIntegerField(_("number"))
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("uploaded by"),
    )
    """Who uploaded it, as it counts towards their limits too; empty if it was the bot's owner."""
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    archive = models.FileField(_("archive"), upload_to=archive_name, blank=True, max_length=200)
    """Empty if the archive was refused: what fails the checks is not stored."""
    size = models.PositiveIntegerField(_("size in bytes"))
    runtime = models.CharField(_("runtime"), max_length=20, blank=True)
    language = models.CharField(_("language"), max_length=20, blank=True)
    """What it is written in, as `workers.runtimes` calls it: only hosts that support it build it."""
    pinned_runtime = models.CharField(_("pinned runtime"), max_length=20, blank=True)
    """The name of the runtime (`workers.runtimes.contract`) that it was validated with."""
    manifest = models.JSONField(_("manifest"), default=dict, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.RECEIVED)
    code = models.CharField(_("code of the reason"), max_length=40, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    built_archive = models.FileField(
        _("built archive"), upload_to=built_archive_name, blank=True, max_length=200
    )
    created_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("version")
        verbose_name_plural = _("versions")
        constraints = [
            models.UniqueConstraint(fields=["bot", "number"], name="bots_version_number_once"),
            models.UniqueConstraint(
                fields=["bot"], condition=Q(status="active"), name="bots_version_one_active"
            ),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="bots_version_status_known"),
        ]
        indexes = [
            # Only a few of many are on their way.
            models.Index("id", condition=Q(status__in=["checked", "built"]), name="bots_version_on_its_way")
        ]

    def __str__(self) -> str:
        return f"{self.bot.name} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("version", args=[self.bot.slug, self.number])


class VersionEvent(models.Model):
    """One change of a version's status. Only the author may read the log."""

    version = models.ForeignKey(Version, models.CASCADE, related_name="events", verbose_name=_("version"))
    status = models.CharField(_("status"), max_length=10, choices=Status.choices)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    code = models.CharField(_("code of the reason"), max_length=40, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    log = models.TextField(_("log"), blank=True)

    class Meta:
        ordering = ["id"]
        verbose_name = _("change of status")
        verbose_name_plural = _("changes of status")
        indexes = [models.Index(fields=["at"], condition=~Q(log=""), name="bots_versionevent_logged")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.status}"
