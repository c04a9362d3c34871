"""Tells an author how a promotion test ended: a notice, an e-mail, and calls to webhooks."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop

from arena.accounts.models import User
from arena.notices.services import notify, say
from arena.notices.webhooks import owe_calls, webhooks_of
from arena.promotions.models import PromotionTest
from arena.stored_sentences import retold

EVENT = "promotion.ended"


def tell(test: PromotionTest, is_news: bool) -> None:
    """Tell the owner of a test that has just ended; whoever ended it gets no notice, only calls."""
    sentences = {
        PromotionTest.State.PROMOTED: gettext_noop("Version %(new)d of %(bot)s was promoted. %(reason)s"),
        PromotionTest.State.REJECTED: gettext_noop("Version %(new)d of %(bot)s was not promoted. %(reason)s"),
        PromotionTest.State.UNDECIDED: gettext_noop(
            "The test of version %(new)d of %(bot)s ended undecided: %(reason)s Version %(old)d stays active."
        ),
    }
    sentence = sentences.get(PromotionTest.State(test.state))
    if sentence and is_news:
        told = sentence
        notify(test.bot.owner_id, lambda: say(told, values_of(test)), test.get_absolute_url())
    owner = User.objects.filter(pk=test.bot.owner_id)
    # A test that goes on after it stopped ends again: each ending is a subject of its own.
    subject = f"{test.pk} {test.ended_at:%Y-%m-%d %H:%M:%S.%f}"
    owe_calls(webhooks_of(owner), EVENT, subject, {"event": EVENT, "test": describe(test)})


def values_of(test: PromotionTest) -> dict[str, Any]:
    return {
        "new": test.version.number,
        "old": test.baseline.number,
        "bot": test.bot.name,
        "reason": retold(test.reason),
    }


def describe(test: PromotionTest) -> dict[str, Any]:
    return {
        "bot": test.bot.slug,
        "version": test.version.number,
        "baseline": test.baseline.number,
        "state": test.state,
        "reason": test.reason,
        "sets": test.sets,
        "url": settings.SITE_URL + test.get_absolute_url(),
        "ended_at": test.ended_at.isoformat() if test.ended_at else None,
    }
