"""A host's trouble never ends a version: it waits, its author is told, and it goes on when a host can."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from arena.accounts.models import User
from arena.bots.house import load_house_bots
from arena.bots.models import Bot, Status, Version, VersionEvent
from arena.bots.services import set_status
from arena.hosts import attempts, wakeups
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.models import Attempt, Host
from arena.matches.models import Match
from tests.arena.cast import HOST_STATE, KEY, ask_for, make_bot
from tests.arena.people import browser_of, program_of, submit

pytestmark = pytest.mark.django_db
WORKS = {"works": True, "missing": False, "trouble": ""}
NO_NODE = {"works": False, "missing": True, "trouble": "Node is not installed: `apt-get install nodejs npm`."}
BROKEN = {"works": False, "missing": False, "trouble": "A bot did not say hello: it exited with code 1."}


def beat(name: str = "alpha", **languages: Any) -> None:
    hosts.beat(name, {**HOST_STATE, "languages": {"Python": WORKS, **languages}})


@pytest.fixture
def javascript(jaguar: Bot) -> Version:
    """A version in JavaScript that was just uploaded."""
    version = submit(jaguar)
    Version.objects.filter(pk=version.pk).update(
        runtime="node", language="JavaScript", manifest={**version.manifest, "entry": "bot.js"}
    )
    version.refresh_from_db()
    return version


def claim(version: Version, host: str = "alpha") -> None:
    attempts.claim(Claimant(Attempt.objects.get(build=version, state="queued").pk, KEY), host)


def since(version: Version, minutes: int) -> None:
    VersionEvent.objects.filter(version=version).update(at=Now() - timedelta(minutes=minutes, seconds=5))


def test_an_upload_knows_its_language(jaguar: Bot) -> None:
    assert submit(jaguar).language == "Python"


def test_a_version_waits_for_a_host_that_can_build_it_and_its_author_reads_since_when(
    javascript: Version, itzel: User
) -> None:
    beat(JavaScript=NO_NODE)
    since(javascript, 3)
    with pytest.raises(HostRefusedError, match="cannot build JavaScript"):
        claim(javascript)
    words = "aiting for a host that can build JavaScript (for 3\xa0minutes)"
    assert words in browser_of(itzel).get(javascript.get_absolute_url()).content.decode()
    told = program_of(itzel).get(f"/api/v1/bots/{javascript.bot.slug}/versions/{javascript.number}").json()
    assert told["waiting"] == f"w{words}"
    assert Version.objects.get(pk=javascript.pk).status == Status.CHECKED


def test_it_is_built_as_soon_as_a_host_can(javascript: Version, redis: Any) -> None:
    beat(JavaScript=NO_NODE)
    Attempt.objects.update(sent_at=Now() - timedelta(minutes=1))
    assert wakeups.forget_lost_wake_ups() == 0, "nobody could do it, so nobody is woken"
    beat(JavaScript=WORKS)
    assert wakeups.forget_lost_wake_ups() == 1
    claim(javascript)
    assert Attempt.objects.get().state == "running"


def test_with_no_host_at_work_that_is_what_the_author_reads(javascript: Version, itzel: User) -> None:
    page = browser_of(itzel).get(javascript.get_absolute_url()).content.decode()
    assert "Waiting for a host: none is online (for 0\xa0minutes)." in page


def test_hosts_that_fail_again_and_again_never_end_a_version(javascript: Version, itzel: User) -> None:
    beat()
    for number in range(1, 9):
        claim(javascript)
        attempt = Attempt.objects.get(state="running")
        assert attempt.number == number
        attempts.give_back(Claimant(attempt.pk, KEY), "OSError: the disk is broken", host_at_fault=True)
        waiting = Attempt.objects.get(state="queued")
        ended = Attempt.objects.get(pk=attempt.pk).ended_at
        assert waiting.sent_at
        assert ended
        assert waiting.sent_at - ended == timedelta(minutes=2 ** (number - 5) if number >= 5 else 0)
    page = browser_of(itzel).get(javascript.get_absolute_url()).content.decode()
    assert "Waiting for another try: hosts failed, through no fault of the bot" in page


def test_a_validation_match_that_hosts_fail_is_tried_on_and_a_ladder_match_is_set_aside() -> None:
    beat()
    versions = [make_bot("one"), make_bot("two")]
    for purpose, state in ((Match.Purpose.VALIDATION, "queued"), (Match.Purpose.LADDER, "set_aside")):
        match = ask_for(versions)
        Match.objects.filter(pk=match.pk).update(purpose=purpose)
        for _ in range(5):
            claimant = Claimant(Attempt.objects.get(match=match, state="queued").pk, KEY)
            attempts.claim(claimant, "alpha")
            attempts.give_back(claimant, "OSError", host_at_fault=True)
        assert Match.objects.get(pk=match.pk).state == state


def test_a_match_with_a_bot_that_a_host_cannot_run_goes_to_another() -> None:
    versions = [make_bot("one"), make_bot("two")]
    Version.objects.filter(pk=versions[1].pk).update(language="JavaScript")
    match = ask_for(versions)
    beat("alpha", JavaScript=NO_NODE)
    beat("beta", JavaScript=WORKS)
    claimant = Claimant(Attempt.objects.get(match=match).pk, KEY)
    with pytest.raises(HostRefusedError, match="cannot run JavaScript bots"):
        attempts.claim(claimant, "alpha")
    assert attempts.claim(claimant, "beta").match_id == match.pk


def test_a_host_without_a_compiler_plays_programs_that_others_built() -> None:
    versions = [make_bot("one"), make_bot("two")]
    Version.objects.update(language="C++")
    match = ask_for(versions)
    beat(**{"C++": {**NO_NODE, "trouble": "g++ is not installed."}})
    assert attempts.claim(Claimant(Attempt.objects.get(match=match).pk, KEY), "alpha").match_id == match.pk


def test_a_host_of_an_older_version_says_nothing_of_languages_and_gets_work(javascript: Version) -> None:
    hosts.beat("alpha", HOST_STATE)
    claim(javascript)
    assert Attempt.objects.get().state == "running"


@pytest.mark.parametrize(
    "languages",
    [[], {"Python": "works"}, {"Python": {}}, {"x" * 21: WORKS}, {"Python": {**WORKS, "works": 1}}],
)
def test_nonsense_about_languages_is_refused_with_a_sentence(languages: Any) -> None:
    from workers.match.strict import DataError

    with pytest.raises(DataError, match=r"host\.languages"):
        hosts.beat("alpha", {**HOST_STATE, "languages": languages})


def reject(version: Version) -> None:
    assert set_status(version.pk, Status.REJECTED, "It crashed.", code="validation-crash")


def test_an_author_has_a_rejected_version_built_again_on_the_page_and_in_the_api(
    jaguar: Bot, itzel: User, mateo: User
) -> None:
    version = submit(jaguar)
    path = f"bots/jaguar/versions/{version.number}/build"
    for ask in (browser_of(itzel).post, program_of(itzel).post):
        Attempt.objects.update(state="done", ended_at=Now())
        reject(version)
        answer = ask(f"/api/v1/{path}" if ask.__self__.__class__.__name__ == "APIClient" else f"/{path}")
        assert answer.status_code in {200, 302}
        version.refresh_from_db()
        assert version.status == Status.CHECKED
        assert Attempt.objects.get(build=version, state="queued")
    assert browser_of(mateo).post(f"/{path}").status_code == 403


def test_a_version_that_waits_is_tried_at_once_when_its_author_asks(javascript: Version, itzel: User) -> None:
    Attempt.objects.update(sent_at=Now() + timedelta(hours=1))
    browser_of(itzel).post(f"/bots/jaguar/versions/{javascript.number}/build")
    attempt = Attempt.objects.get()
    assert (attempt.state, attempt.number) == ("queued", 1)
    assert not Attempt.objects.filter(sent_at__gt=Now() + timedelta(minutes=1)).exists()


def test_a_version_that_plays_is_not_built_again(active: Version, itzel: User) -> None:
    answer = program_of(itzel).post(f"/api/v1/bots/jaguar/versions/{active.number}/build")
    assert answer.status_code == 400
    assert answer.json()["code"] == "not-rejected"
    assert Version.objects.get(pk=active.pk).status == Status.ACTIVE


def test_the_same_file_again_is_told_how_the_rejected_one_is_tried_again(jaguar: Bot) -> None:
    from arena.bots.errors import RefusedError as UploadRefused

    reject(submit(jaguar))
    with pytest.raises(UploadRefused, match=r"Version 1 is exactly the same file\. .*Build again"):
        submit(jaguar)


def test_house_bots_that_were_rejected_are_tried_again_at_the_next_start() -> None:
    for version in load_house_bots():
        Attempt.objects.update(state="done", ended_at=Now())
        reject(version)
    assert load_house_bots() == []
    assert set(Version.objects.values_list("status", flat=True)) == {Status.CHECKED}
    assert Attempt.objects.filter(state="queued").count() == Version.objects.count()


def test_house_bots_that_were_rejected_are_tried_again_when_a_host_is_mended() -> None:
    hosts.beat("alpha", {**HOST_STATE, "languages": {"Python": BROKEN}})
    for version in load_house_bots():
        Attempt.objects.update(state="done", ended_at=Now())
        reject(version)
    beat()
    assert set(Version.objects.values_list("status", flat=True)) == {Status.CHECKED}


def test_a_runtime_that_starts_no_bot_is_said_by_readyz_and_on_the_operators_page(
    client: Client, citlali: User, redis: Any
) -> None:
    hosts.beat("alpha", {**HOST_STATE, "languages": {"Python": WORKS, "C++": BROKEN, "JavaScript": NO_NODE}})
    answer = client.get("/readyz")
    assert answer.status_code == 503
    told = answer.json()
    assert told["runtimes"] is False
    assert told["languages"] == ["Python"]
    sentence = "C++ bots cannot play on host alpha: A bot did not say hello: it exited with code 1."
    assert told["trouble"] == [sentence]
    assert told["missing"] == [f"JavaScript bots cannot play on host alpha: {NO_NODE['trouble']}"]
    page = browser_of(citlali).get("/operator/").content.decode()
    assert sentence in page
    assert "runtimes: down" in page
    assert "JavaScript: not installed" in page


def test_a_silent_hosts_trouble_is_none_of_todays(client: Client, redis: Any) -> None:
    hosts.beat("alpha", {**HOST_STATE, "languages": {"Python": BROKEN}})
    Host.objects.update(last_beat=Now() - timedelta(minutes=5))
    assert client.get("/readyz").json()["runtimes"] is True


def test_the_operator_sees_what_waits_and_why(javascript: Version, citlali: User) -> None:
    beat(JavaScript=NO_NODE)
    page = browser_of(citlali).get("/operator/").content.decode()
    assert "Jaguar 1</a>: waiting for a host that can build JavaScript (for 0\xa0minutes)" in page
