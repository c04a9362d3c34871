import io

import pytest

from arena.bots.house import NAMES, load_house_bots
from arena.bots.models import Bot
from tests.arena.people import pass_validation
from workers.archives import check

pytestmark = pytest.mark.django_db


def test_house_bots_are_submitted_once_and_like_any_other() -> None:
    versions = load_house_bots()
    assert [version.bot.slug for version in versions] == [f"house-{name}" for name in NAMES]
    assert {version.status for version in versions} == {"checked"}
    assert load_house_bots() == []
    for version in versions:
        assert pass_validation(version).status == "active"
    assert load_house_bots() == []
    assert Bot.objects.filter(is_house=True, owner__username="house").count() == len(NAMES)


def test_their_archives_run_what_the_sdk_has() -> None:
    from aztlan.house import HOUSE

    assert tuple(HOUSE) == NAMES
    for version in load_house_bots():
        assert check(io.BytesIO(version.archive.read())).manifest.runtime == "python"
