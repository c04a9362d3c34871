"""Bots that change hands between people and their teams."""

from django.db import transaction
from django.utils.translation import gettext as _

from arena.accounts import audit
from arena.accounts.models import User
from arena.accounts.permissions import accounts_of, may_give_away
from arena.bots import quotas
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Version
from arena.notices.services import notify


def new_owners(person: User, bot: Bot) -> list[User]:
    """Return to whom somebody may move a bot: themselves, and the teams that they are in."""
    if not may_give_away(person, bot):
        return []
    others = User.objects.filter(pk__in=accounts_of(person) - {bot.owner_id}, is_active=True)
    return list(others.order_by("is_team", "username"))


@transaction.atomic
def move_bot(actor: User, bot_id: int, to: User) -> Bot:
    """Give a bot to another owner, who gets its versions, logs and tokens' reach; what it played stays."""
    bot = Bot.objects.select_for_update().select_related("owner").get(pk=bot_id)
    if to not in new_owners(actor, bot):
        raise RefusedError(
            "not-yours", _("You may move your own bots, and those of teams that you own, among them.")
        )
    before = bot.owner
    to = User.objects.select_for_update(no_key=True).get(pk=to.pk)
    if bot.created_by != to:  # it counts towards their limit already
        quotas.check_bots(to)
    if not before.is_team:  # what they made still counts towards their limits
        Version.objects.filter(bot=bot, uploaded_by=None).update(uploaded_by=before)
        bot.created_by = bot.created_by or before
    bot.owner = to
    bot.save(update_fields=["owner", "created_by"])
    audit.record(actor, "move a bot", bot, f"{before.username} → {to.username}")
    values = {"bot": bot.name, "old": before.username, "new": to.username, "who": actor.username}
    for account in (before, to):
        if account.is_team:
            notify(
                account.pk,
                lambda: _("%(who)s has moved %(bot)s from %(old)s to %(new)s.") % values,
                bot.get_absolute_url(),
            )
    return bot
