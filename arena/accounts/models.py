"""People and teams, their API tokens, and the log of privileged acts."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person with an account, or a team. Usernames are unique regardless of case, against impersonation.

    Everybody with an account is a bot author; organisers also run tournaments, staff also run the arena. A
    team is an account that nobody signs in to: it owns bots as a person does, and its members act for it.
    """

    email = models.EmailField(_("e-mail address"))
    email_confirmed_at = models.DateTimeField(_("e-mail address confirmed"), null=True, blank=True)
    about = models.TextField(_("about"), max_length=1000, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True, default="", db_default="")
    """What they chose on the site, for notices and mails; empty until they choose."""
    mails_notices = models.BooleanField(_("send me notices by e-mail too"), default=True)
    is_organiser = models.BooleanField(_("organiser"), default=False, help_text=_("May hold tournaments."))
    is_team = models.BooleanField(_("team"), default=False, db_default=False, editable=False)
    left_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    """When the person deleted their account. The row stays, without them: results refer to it."""

    class Meta(AbstractUser.Meta):
        swappable = "AUTH_USER_MODEL"
        indexes = [GinIndex(SearchVector("username", config="simple"), name="accounts_user_search")]
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_username_once",
                violation_error_message=_("This name is taken."),
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="accounts_user_email_once",
                violation_error_message=_("This e-mail address is taken."),
            ),
            models.CheckConstraint(
                condition=models.Q(is_team=False)
                | models.Q(is_staff=False, is_superuser=False, is_organiser=False),
                name="accounts_user_team_has_no_role",
                violation_error_message=_("A team cannot have a role."),
            ),
        ]

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Let staff use every page of the administration."""
        return self.is_active and self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_active and self.is_staff

    @cached_property
    def team_roles(self) -> dict[int, str]:
        """The person's role in each of their teams, read once per instance, and so once per request."""
        return dict(self.memberships.values_list("team", "role"))

    @property
    def role(self) -> str:
        if self.is_team:
            return "team"
        if self.is_staff:
            return "staff"
        return "organiser" if self.is_organiser else "author"


class TeamMembership(models.Model):
    """Somebody's place in a team. Members act for the team's bots; owners also run the team."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        MEMBER = "member", _("member")

    team = models.ForeignKey(User, models.CASCADE, related_name="members", verbose_name=_("team"))
    person = models.ForeignKey(User, models.CASCADE, related_name="memberships", verbose_name=_("member"))
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        ordering = ["id"]
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["team", "person"], name="accounts_teammembership_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "member"]), name="accounts_teammembership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person.username} in {self.team.username}"


class TeamInvitation(models.Model):
    """An offer to join a team: to one person, or to whoever opens its link first."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        REVOKED = "revoked", _("revoked")

    team = models.ForeignKey(User, models.CASCADE, related_name="invitations", verbose_name=_("team"))
    person = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="team_invitations",
        verbose_name=_("invited"),
    )
    digest = models.BinaryField(max_length=32, unique=True, null=True, editable=False)
    """Of the link's secret, which is shown once; empty for an invitation to one person."""
    inviter = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("invited by"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("invitation to a team")
        verbose_name_plural = _("invitations to teams")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(person=None, digest__isnull=False)
                | models.Q(person__isnull=False, digest=None),
                name="accounts_teaminvitation_person_or_link",
            ),
            models.UniqueConstraint(
                fields=["team", "person"],
                condition=models.Q(state="open"),
                name="accounts_teaminvitation_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team.username}: {self.person.username if self.person else 'link'}"


class Scope(models.TextChoices):
    """What a token may do. Without any scope, it can read public data."""

    PRIVATE = "private", _("Read my source, logs and notes")
    BOTS = "bots", _("Create bots, upload and activate versions")
    MATCHES = "matches", _("Ask for matches")
    ORGANISE = "organise", _("Run tournaments, where my role allows it")
    STAFF = "staff", _("Act as staff, where my role allows it")
    ACCOUNT = "account", _("Change my profile and my tokens")


class ApiToken(models.Model):
    """A password for a program. Only its digest is stored, so it is shown once, when it is created."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    maker = models.ForeignKey(
        User, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("made by")
    )
    """Who made the token of a team: what it uploads counts towards their limits too."""
    name = models.CharField(_("name"), max_length=60)
    start = models.CharField(_("begins with"), max_length=16, editable=False)
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope.choices), verbose_name=_("scopes"))
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        constraints = [
            models.UniqueConstraint(
                "user", Lower("name"), condition=models.Q(revoked_at=None), name="accounts_apitoken_name_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.start}…)"


class AuditEntry(models.Model):
    """One privileged act: who did what to what. The database refuses to change or delete an entry."""

    actor = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("who"))
    act = models.CharField(_("act"), max_length=60)
    target = models.CharField(_("what"), max_length=200)
    """As `app.model:key name`, so that an entry outlives its target."""
    reason = models.TextField(_("reason"), blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        indexes = [models.Index(fields=["target", "-id"], name="accounts_audit_target")]

    def __str__(self) -> str:
        return f"{self.act} {self.target}"
