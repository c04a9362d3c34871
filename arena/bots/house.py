"""The house bots, against which versions are validated, and which fill empty seats."""

from typing import Final

from django.core.files.base import ContentFile

from arena.accounts.services import house_user
from arena.bots.archives import check_upload
from arena.bots.models import Bot, Status, Version
from arena.bots.services import submit_version, try_again

NAMES = ("random", "greedy", "settler", "warlord", "learned", "searcher", "ismcts", "champion")
"""From weakest to strongest, as in `aztlan.house`."""
RATINGS: Final[dict[int, dict[str, float]]] = {
    2: dict(zip(NAMES, map(float, (915, 1115, 1250, 1500, 1790, 1700, 1840, 1885)), strict=True)),
    3: dict(zip(NAMES, map(float, (40, 780, 905, 1500, 1615, 1720, 1845, 1895)), strict=True)),
    4: dict(zip(NAMES, map(float, (415, 885, 1030, 1500, 1675, 1725, 1890, 1925)), strict=True)),
}
"""By number of seats, the ratings of the house bots where they are fixed points: the warlord at 1500, and the
steps of docs/house-bots.md in round numbers, the lower bound where a bot won every game. With two seats, from
`learned` on, they are the strengths of the ladder there: `learned` is stronger than `searcher`."""
SOURCE = """\
from aztlan.house.__main__ import main

main(["{name}"])
"""


def load_house_bots() -> list[Version]:
    """Submit every house bot that is new or has changed; return the new versions. Safe to run again."""
    return [version for name in NAMES if (version := load_house_bot(name))]


def load_house_bot(name: str) -> Version | None:
    """Submit a house bot like any other, unless it already has this very file.

    A rejected one is tried again: house bots work, so a host must have been at fault.
    """
    bot, _ = Bot.objects.get_or_create(
        slug=f"house-{name}",
        defaults={"owner": house_user(), "name": f"House {name}", "is_house": True},
    )
    upload = ContentFile(SOURCE.format(name=name).encode(), name="bot.py")
    known = bot.versions.filter(sha256=check_upload(upload, bot.name).sha256).order_by("number").last()
    if known is None:
        return submit_version(uploader=bot.owner, bot=bot, upload=upload)
    if known.status == Status.REJECTED:
        try_again(known.pk, "A host may have been at fault, so it is tried again.")
    return None


def retry_rejected() -> int:
    """Try the house bots whose newest version was rejected again; return how many."""
    newest = Version.objects.filter(bot__is_house=True).order_by("bot_id", "-number").distinct("bot_id")
    rejected = [version.pk for version in newest if version.status == Status.REJECTED]
    return sum(try_again(pk, "A host was repaired, so it is tried again.") for pk in rejected)
