"""Changes to bots and their versions."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.core.files import File
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.accounts import audit
from arena.accounts.models import User
from arena.accounts.permissions import may_take_part
from arena.bots import quotas
from arena.bots.archives import check_upload, keep
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version, VersionEvent, archive_name
from arena.listeners import Happening, publish
from arena.notices.services import notify, say
from arena.stored_sentences import REPLACED, retold, stored
from workers.runtimes.contract import RUNTIME
from workers.runtimes.registry import find_runtime

# Which status may follow which. A rejected version is tried again only if its author or staff asks for it.
FOLLOWS: dict[str, frozenset[str]] = {
    Status.RECEIVED: frozenset({Status.CHECKED, Status.REJECTED}),
    Status.CHECKED: frozenset({Status.BUILT, Status.REJECTED}),
    Status.BUILT: frozenset({Status.VALIDATED, Status.REJECTED}),
    Status.VALIDATED: frozenset({Status.ACTIVE, Status.RETIRED}),
    Status.ACTIVE: frozenset({Status.VALIDATED, Status.RETIRED}),
    Status.REJECTED: frozenset({Status.CHECKED}),
    Status.RETIRED: frozenset(),
}


@contextmanager
def name_once() -> Iterator[None]:
    """Refuse a name or address that was free when the form was checked but has been taken since."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise RefusedError("taken", _("This name or address has just been taken.")) from None


@transaction.atomic
def create_bot(
    owner: User,
    slug: str,
    name: str,
    description: str = "",
    activates_itself: bool = True,
    only_when_better: bool = False,
    creator: User | None = None,
) -> Bot:
    """Create a bot without versions; the caller has validated the fields. A team's bot has a creator."""
    creator = creator or owner
    check_may_take_part(creator)
    check_rooms({owner, creator})
    with name_once():
        return Bot.objects.create(
            owner=owner,
            created_by=None if creator == owner else creator,
            slug=slug,
            name=name,
            description=description,
            activates_itself=activates_itself,
            only_when_better=only_when_better,
        )


def check_rooms(accounts: set[User]) -> None:
    """Refuse one more bot to accounts that have the maximum. The lock counts two requests one by one."""
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    for account in rows.filter(pk__in=[one.pk for one in accounts]):
        quotas.check_bots(account)


def check_may_take_part(owner: User) -> None:
    if not may_take_part(owner):
        raise RefusedError("unconfirmed", _("Confirm your e-mail address first. We have sent you a link."))


def submit_version(
    *, uploader: User, bot: Bot, upload: File, only_when_better: bool | None = None
) -> Version:
    """Accept an upload of the bot's owner or of somebody who acts for the team that owns it.

    The new version is checked, or rejected with a code and a reason.
    `only_when_better` changes the bot's setting of that name; None leaves it. Raises RefusedError if the
    upload is not accepted at all.
    """
    check_may_take_part(uploader)
    if bot.disqualified_at:
        raise RefusedError("disqualified", _("This bot is disqualified: %s") % bot.disqualified_reason)
    for account in {bot.owner, uploader}:
        quotas.check_versions(account)
    checked = check_upload(upload, bot.name)
    check_is_new(bot, checked.sha256)  # before it is stored, and again below, behind the lock
    version = Version(bot=bot, sha256=checked.sha256, size=checked.size)
    version.uploaded_by = None if uploader == bot.owner else uploader
    if checked.manifest:
        version.archive.name = keep(checked, archive_name(version, ""))
        version.runtime = checked.manifest.runtime
        version.language = find_runtime(version.runtime).language(checked.manifest.entry)
        version.manifest = checked.manifest.to_data()
    with transaction.atomic():
        Bot.objects.select_for_update().get(pk=bot.pk)  # numbers have no gaps or duplicates
        check_is_new(bot, checked.sha256)
        version.number = (bot.versions.aggregate(last=Max("number"))["last"] or 0) + 1
        version.save()
        VersionEvent.objects.create(version=version, status=Status.RECEIVED)
        if only_when_better is not None:
            Bot.objects.filter(pk=bot.pk).update(only_when_better=only_when_better)
        status = Status.CHECKED if checked.manifest else Status.REJECTED
        set_status(version.pk, status, checked.reason, checked.log, checked.code)
        version.refresh_from_db()
        if status == Status.CHECKED:
            start_validation(version)
    return version


def check_is_new(bot: Bot, sha256: str) -> None:
    if twin := Version.objects.filter(bot=bot, sha256=sha256).exclude(archive="").first():
        sentence = _("Version %d is exactly the same file.") % twin.number
        if twin.status in {Status.CHECKED, Status.REJECTED}:
            sentence += " " + _("To try it again, choose “Build again” on its page.")
        raise RefusedError("same-content", sentence)


def start_validation(version: Version) -> None:
    publish(Happening.VERSION_CHECKED, version)


@transaction.atomic
def set_status(version_id: int, status: str, reason: str = "", log: str = "", code: str = "") -> bool:
    """Move a version to a status that may follow its current one; return False if it may not.

    Guarded by the row: of two callers that try the same change at once, one gets True.
    """
    before = [old for old, following in FOLLOWS.items() if status in following]
    changed = Version.objects.filter(pk=version_id, status__in=before).update(
        status=status, reason=reason, code=code
    )
    if not changed:
        return False
    # PostgreSQL cannot store NUL in a text, and a bot may print one.
    log = log.replace("\0", "\ufffd")
    VersionEvent.objects.create(version_id=version_id, status=status, reason=reason, log=log, code=code)
    return True


@transaction.atomic
def finish_validation(version_id: int, log: str = "") -> bool:
    """Record that a version passed validation; activate it, or have it tested, if its author wants that."""
    if not set_status(version_id, Status.VALIDATED, log=log):
        return False
    Version.objects.filter(pk=version_id).update(pinned_runtime=RUNTIME)
    version = Version.objects.select_related("bot__active_version").get(pk=version_id)
    active = version.bot.active_version
    if version.bot.disqualified_at:
        return True  # it can be activated once staff have reinstated the bot
    if active is None:
        activate(version_id)
    elif active.number < version.number:
        if version.bot.only_when_better:
            publish(Happening.VERSION_TO_BE_TESTED, version_id)
        elif version.bot.activates_itself:
            activate(version_id)
    return True


@transaction.atomic
def activate(version_id: int) -> None:
    """Make a validated version the active one; the previous one stays validated. Lifts a bench."""
    version = Version.objects.select_related("bot").get(pk=version_id)
    bot = Bot.objects.select_for_update().get(pk=version.bot_id)
    if bot.disqualified_at:
        raise RefusedError("disqualified", _("This bot is disqualified: %s") % bot.disqualified_reason)
    if bot.active_version_id == version_id:
        Bot.objects.filter(pk=bot.pk).update(benched_at=None, benched_reason="")
        return
    if bot.active_version_id:
        set_status(bot.active_version_id, Status.VALIDATED, stored(REPLACED, version.number))
    if not set_status(version_id, Status.ACTIVE):
        raise RefusedError("not-validated", _("Only a validated version can be activated."))
    Bot.objects.filter(pk=bot.pk).update(active_version=version, benched_at=None, benched_reason="")
    publish(Happening.BOT_CAN_PLAY, bot.pk)


@transaction.atomic
def retire(version_id: int) -> None:
    """Retire a version permanently. Its matches stay as they are."""
    version = Version.objects.get(pk=version_id)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    Bot.objects.filter(active_version=version).update(active_version=None)
    if not set_status(version_id, Status.RETIRED):
        raise RefusedError("not-validated", _("Only a validated or active version can be retired."))


@transaction.atomic
def bench(bot_id: int, reason: str, staff: User | None = None) -> bool:
    """Take a bot out of matchmaking until its author activates a version; False if it was already benched."""
    if not Bot.objects.filter(pk=bot_id, benched_at=None).update(
        benched_at=timezone.now(), benched_reason=reason
    ):
        return False
    bot = Bot.objects.get(pk=bot_id)
    if staff:
        audit.record(staff, "bench", bot, reason)

    def text() -> str:
        values = {"bot": bot.name, "reason": retold(reason)}
        return _("%(bot)s is benched: %(reason)s Activate a version to play again.") % values

    notify(bot.owner_id, text, bot.get_absolute_url())
    return True


@transaction.atomic
def disqualify(bot_id: int, reason: str, staff: User) -> bool:
    """Exclude a bot from everything until staff reinstate it."""
    changed = Bot.objects.filter(pk=bot_id, disqualified_at=None).update(
        disqualified_at=timezone.now(), disqualified_reason=reason
    )
    if changed:
        bot = Bot.objects.get(pk=bot_id)
        audit.record(staff, "disqualify", bot, reason)
        values = {"bot": bot.name, "reason": reason}
        text = partial(say, gettext_noop("%(bot)s is disqualified: %(reason)s"), values)
        notify(bot.owner_id, text, bot.get_absolute_url())
    return bool(changed)


@transaction.atomic
def reinstate(bot_id: int, reason: str, staff: User) -> None:
    """Lift a bench and a disqualification."""
    Bot.objects.filter(pk=bot_id).update(
        benched_at=None, benched_reason="", disqualified_at=None, disqualified_reason=""
    )
    bot = Bot.objects.get(pk=bot_id)
    audit.record(staff, "reinstate", bot, reason)
    notify(bot.owner_id, lambda: _("%s may play again.") % bot.name, bot.get_absolute_url())


@transaction.atomic
def validate_again(version_id: int, staff: User) -> bool:
    """Try a rejected version again whose archive was stored, for example after a fault of the arena."""
    if not try_again(version_id, gettext_noop("The staff requested another validation.")):
        return False
    audit.record(staff, "validate again", Version.objects.get(pk=version_id))
    return True


@transaction.atomic
def build_again(version_id: int) -> None:
    """Build and validate a version again that waits for its build or was rejected."""
    if not try_again(version_id, gettext_noop("Its author requested another build.")):
        raise RefusedError(
            "not-rejected", _("Only a version that waits for its build or was rejected can be built again.")
        )


def try_again(version_id: int, reason: str) -> bool:
    """Start over with a version that was not built yet or was rejected; return False for any other."""
    version = Version.objects.select_for_update().get(pk=version_id)
    if not version.archive:
        return False
    if version.status != Status.CHECKED and not set_status(version_id, Status.CHECKED, reason):
        return False
    start_validation(version)
    return True


def stop_bots_of(user: User) -> None:
    """Bench the bots of somebody who deletes their account; what they played stays."""
    Bot.objects.filter(owner=user).update(
        benched_at=timezone.now(), benched_reason=gettext_noop("Its author has left."), activates_itself=False
    )
