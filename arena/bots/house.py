"""The house bots as bots of this arena: versions are validated against them, and they fill tables."""

from django.core.files.base import ContentFile

from arena.accounts.services import house_user
from arena.bots.archives import check_upload
from arena.bots.models import Bot, Version
from arena.bots.services import submit_version

NAMES = ("random", "greedy", "settler", "warlord", "searcher")
"""In rising strength, as `aztlan.house` has them."""
SOURCE = """\
from aztlan.house.__main__ import main

main(["{name}"])
"""


def load_house_bots() -> list[Version]:
    """Have every house bot in its newest form; return the versions that are new. Safe to run again."""
    return [version for name in NAMES if (version := load_house_bot(name))]


def load_house_bot(name: str) -> Version | None:
    """Submit a house bot like any other, unless it has this very file."""
    bot, _ = Bot.objects.get_or_create(
        slug=f"house-{name}",
        defaults={"owner": house_user(), "name": f"House {name}", "is_house": True},
    )
    upload = ContentFile(SOURCE.format(name=name).encode(), name="bot.py")
    if bot.versions.filter(sha256=check_upload(upload, bot.name).sha256).exists():
        return None
    return submit_version(owner=bot.owner, bot=bot, upload=upload)
