"""Source, logs, reasons and notes: for the author alone, and for staff whose access is recorded."""

import pytest
from django.core.files.base import ContentFile

from arena.accounts.models import AuditEntry, User
from arena.bots import services
from arena.bots.models import Bot, Status, Version
from arena.matches.models import MatchSeat, SeatLog
from tests.arena.cast import ask_for, finish
from tests.arena.people import browser_of, make_active, playing, program_of, submit

pytestmark = pytest.mark.django_db
VERSION = "/bots/jaguar/versions/1/"
API = "/api/v1/bots/jaguar/versions/1"
People = dict[str, User | None]
SECRETS = (b"secret build log", b"secret validation log")


@pytest.fixture
def people(itzel: User, mateo: User, olin: User, citlali: User) -> People:
    return {"nobody": None, "owner": itzel, "rival": mateo, "organiser": olin, "staff": citlali}


@pytest.mark.parametrize("who", ["nobody", "rival", "organiser", "staff"])
def test_the_page_shows_logs_only_to_the_author(active: Version, people: People, who: str) -> None:
    page = browser_of(people[who]).get(VERSION).content
    assert not any(secret in page for secret in SECRETS)
    assert all(secret in browser_of(people["owner"]).get(VERSION).content for secret in SECRETS)


@pytest.mark.parametrize("who", ["nobody", "rival", "organiser"])
def test_asking_for_logs_helps_only_staff(active: Version, people: People, who: str) -> None:
    assert SECRETS[0] not in browser_of(people[who]).get(VERSION + "?logs").content
    assert not AuditEntry.objects.exists()


def test_staff_reads_logs_on_record(active: Version, citlali: User) -> None:
    assert SECRETS[0] in browser_of(citlali).get(VERSION + "?logs").content
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.act) == (citlali, "read logs")
    assert f"bots.version:{active.pk}" in entry.target


def test_staff_reads_logs_in_the_administration_on_record(active: Version, citlali: User) -> None:
    page = browser_of(citlali).get(f"/admin/bots/version/{active.pk}/change/").content
    assert SECRETS[0] in page
    assert AuditEntry.objects.get().act == "read logs"


def test_staff_downloads_source_on_record(active: Version, citlali: User) -> None:
    answer = browser_of(citlali).get(VERSION + "source")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="jaguar-1.zip"'
    assert AuditEntry.objects.get().act == "download the source"


def test_the_owner_leaves_no_record(active: Version, itzel: User) -> None:
    source = browser_of(itzel).get(VERSION + "source")
    assert b"".join(source.streaming_content) == active.archive.read()  # type: ignore[attr-defined]  # it streams
    assert program_of(itzel).get(API + "/logs").json()[2]["log"] == "a secret build log\n"
    assert not AuditEntry.objects.exists()


def test_the_source_is_not_sent_again_to_who_has_it(active: Version, itzel: User) -> None:
    program = program_of(itzel)
    tag = program.get(API + "/source").headers["ETag"]
    assert tag == f'"{active.sha256}"'
    assert program.get(API + "/source", headers={"If-None-Match": tag}).status_code == 304


def test_an_archive_that_was_refused_is_not_there_to_download(jaguar: Bot, itzel: User, mateo: User) -> None:
    upload = ContentFile(b"no zip", name="bot.zip")
    version = services.submit_version(uploader=itzel, bot=jaguar, upload=upload)
    assert version.status == Status.REJECTED
    page = browser_of(itzel).get(f"{version.get_absolute_url()}source")
    assert page.status_code == 404
    assert browser_of(mateo).get(f"{version.get_absolute_url()}source").status_code == 403
    answer = program_of(itzel).get("/api/v1/bots/jaguar/versions/1/source")
    assert (answer.status_code, "refused" in answer.json()["message"]) == (404, True)


def test_why_a_version_was_rejected_is_told_to_its_author_alone(jaguar: Bot, people: People) -> None:
    version = submit(jaguar)
    services.set_status(version.pk, Status.REJECTED, "line 7 of secret.py", code="build-failed")
    for who, person in people.items():
        page = browser_of(person).get(VERSION).content.decode()
        told = program_of(person).get(API).json()
        listed = program_of(person).get("/api/v1/bots/jaguar/versions").json()["results"][0]
        knows = who == "owner"
        assert ("secret.py" in page) == knows
        assert bool(told["reason"]) == bool(told["code"]) == bool(listed["reason"]) == knows
        assert bool(told["events"][-1]["reason"]) == knows


def test_a_match_shows_its_logs_only_to_the_author_of_each_seat(
    active: Version, people: People, mateo: User
) -> None:
    quetzal = make_active(mateo, "quetzal")
    match = ask_for([active, playing(quetzal)])
    finish(match)
    SeatLog.objects.filter(seat__version=active).update(output="jaguar's secret", notes={"3": "a plan"})
    path = f"/api/v1/matches/{match.public_id}/logs"
    seen = {who: program_of(person).get(path) for who, person in people.items()}
    assert seen["nobody"].status_code == 401
    assert [log["bot"] for log in seen["owner"].json()] == ["jaguar"]
    assert seen["owner"].json()[0]["notes"] == {"3": "a plan"}
    assert [log["bot"] for log in seen["rival"].json()] == ["quetzal"]
    assert seen["organiser"].json() == []
    assert [log["bot"] for log in seen["staff"].json()] == ["jaguar", "quetzal"]
    assert AuditEntry.objects.count() == 2
    for person in people.values():
        assert b"secret" not in program_of(person).get(f"/api/v1/matches/{match.public_id}").content
        assert b"secret" not in browser_of(person).get("/matches/").content


def test_the_seed_of_a_match_is_told_once_it_is_over(active: Version, mateo: User) -> None:
    match = ask_for([active, playing(make_active(mateo, "quetzal"))])
    path = f"/api/v1/matches/{match.public_id}"
    before = program_of(None).get(path).json()
    assert before["seed"] is None
    assert before["seed_commitment"] == match.seed_commitment
    finish(match)
    assert program_of(None).get(path).json()["seed"] == bytes(match.seed).hex()
    assert MatchSeat.objects.filter(match=match).exclude(placement=None).count() == 2
