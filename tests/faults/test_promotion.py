"""A clearly better version is tested and promoted through the whole arena: scheduler, queues and a match host."""

import secrets

from django.core.files.base import ContentFile
from django.utils import timezone

from arena.accounts.models import User
from arena.bots.house import SOURCE
from arena.bots.models import Bot
from arena.bots.services import submit_version
from arena.ladders.models import Result
from arena.matches.models import Match
from arena.notices.models import Notice
from tests.faults.harness import RunningArena, make_version, wait_for


def test_a_better_version_takes_the_place_of_a_worse_one(running_arena: RunningArena) -> None:
    name = f"climber-{secrets.token_hex(3)}"
    active = make_version(name, SOURCE.format(name="random"))
    Bot.objects.filter(pk=active.bot_id).update(only_when_better=True)
    owner = User.objects.get(pk=active.bot.owner_id)
    owner.email_confirmed_at = timezone.now()
    owner.save()
    upload = ContentFile(SOURCE.format(name="settler").encode(), name="bot.py")
    version = submit_version(uploader=owner, bot=Bot.objects.get(pk=active.bot_id), upload=upload)
    wait_for(lambda: version.promotion_tests.filter(state="promoted").exists(), "it is promoted", 300)
    test = version.promotion_tests.get()
    assert Bot.objects.get(pk=active.bot_id).active_version == version
    matches = Match.objects.filter(purpose=Match.Purpose.PROMOTION, purpose_id=test.pk)
    assert matches.filter(state="finished").count() >= 2 * test.sets > 0
    assert not matches.filter(rated=True).exists()
    assert not Result.objects.filter(match__in=matches).exists()
    assert "was promoted" in Notice.objects.get(user=owner).text
