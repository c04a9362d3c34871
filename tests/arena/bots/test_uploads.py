import io

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from rest_framework.test import APIClient

from arena.accounts.models import User
from arena.bots import quotas, services
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from tests.arena.people import browser_of, program_of, submit
from tests.workers.archives.zips import GOOD, make, named
from workers.archives import check

pytestmark = pytest.mark.django_db


def upload(bot: Bot, data: bytes, name: str = "bot.zip") -> Version:
    return services.submit_version(uploader=bot.owner, bot=bot, upload=ContentFile(data, name=name))


def test_a_good_archive_is_checked_and_kept_under_its_digest(jaguar: Bot) -> None:
    data = make(*GOOD)
    version = upload(jaguar, data)
    assert (version.number, version.status, version.runtime) == (1, Status.CHECKED, "python")
    assert version.manifest == {"name": "Jaguar", "runtime": "python", "entry": "bot.py"}
    assert version.archive.name == f"archives/{version.sha256[:2]}/{version.sha256}.zip"
    assert version.archive.read() == data
    assert [event.status for event in version.events.all()] == [Status.RECEIVED, Status.CHECKED]
    assert "bot.py" in version.events.latest("id").log


def test_the_name_that_the_client_gives_reaches_no_path(jaguar: Bot) -> None:
    version = upload(jaguar, make(*GOOD), name="../../../etc/passwd.zip")
    assert version.archive.name.startswith("archives/")


def test_a_hostile_archive_is_rejected_with_a_reason_and_not_kept(jaguar: Bot) -> None:
    version = upload(jaguar, named("../evil.py"))
    assert (version.status, version.code) == (Status.REJECTED, "name-path")
    assert "evil" in version.reason
    assert not version.archive
    assert version.events.latest("id").reason == version.reason


def test_a_single_python_file_is_a_bot(jaguar: Bot) -> None:
    version = submit(jaguar)
    contents = check(io.BytesIO(version.archive.read()))
    assert contents.manifest.to_data() == version.manifest
    assert contents.files == ("bot.toml", "bot.py")


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("bot.zip", b"", "empty"),
        ("bot.zip", b"x" * (20 * 1024 * 1024 + 1), "too-large"),
        ("bot.py", b"#" * (1024 * 1024 + 1), "too-large"),
    ],
)
def test_what_is_not_even_looked_at_makes_no_version(jaguar: Bot, name: str, data: bytes, code: str) -> None:
    with pytest.raises(RefusedError) as refused:
        upload(jaguar, data, name)
    assert refused.value.code == code
    assert not Version.objects.exists()


def test_the_same_file_twice_is_refused(jaguar: Bot) -> None:
    submit(jaguar)
    with pytest.raises(RefusedError, match="Version 1 is exactly the same file"):
        submit(jaguar)
    submit(jaguar, "print(2)\n")
    assert list(jaguar.versions.values_list("number", flat=True)) == [2, 1]


@pytest.mark.parametrize("name", ["Jag\nuar", "Jag\u202euar", "Jag\u200buar", "Jag\x7fuar", "\u2028"])
def test_a_name_shows_all_that_it_has(itzel: User, name: str) -> None:
    """Names that look alike would let one bot pose as another; and a manifest takes no such name either."""
    page = browser_of(itzel).post("/bots/new", {"name": name, "slug": "jaguar"}).content.decode()
    answer = program_of(itzel).post("/api/v1/bots", {"name": name, "slug": "jaguar"})
    if name.strip():
        assert "contains an invisible character" in page
        assert answer.json()["fields"]["name"][0]["code"] == "unseen"
    assert answer.status_code == 400
    assert not Bot.objects.exists()


def test_names_that_are_written_in_two_ways_are_one(itzel: User, mateo: User) -> None:
    assert program_of(itzel).post("/api/v1/bots", {"name": "J\u00e1guar", "slug": "one"}).status_code == 201
    twin = {"name": "JA\u0301GUAR", "slug": "two"}
    assert program_of(mateo).post("/api/v1/bots", twin).json()["fields"]["name"][0]["code"] == "unique"
    assert "This name is taken." in browser_of(mateo).post("/bots/new", twin).content.decode()
    assert Bot.objects.get().name == "J\u00e1guar"


def test_an_address_stays_what_it_is(jaguar: Bot, itzel: User) -> None:
    form = {"name": "Ocelot", "slug": "ocelot", "description": "Sleeps."}
    assert 'name="slug"' not in browser_of(itzel).get("/bots/jaguar/edit").content.decode()
    assert browser_of(itzel).post("/bots/jaguar/edit", form).headers["Location"] == "/bots/jaguar/"
    program_of(itzel).patch("/api/v1/bots/jaguar", form)
    jaguar.refresh_from_db()
    assert (jaguar.slug, jaguar.name, jaguar.description) == ("jaguar", "Ocelot", "Sleeps.")


def test_two_authors_may_upload_the_same_file(jaguar: Bot, mateo: User) -> None:
    other = services.create_bot(mateo, "copycat", "Copycat")
    assert upload(jaguar, make(*GOOD)).archive.name == upload(other, make(*GOOD)).archive.name


def test_who_has_not_confirmed_their_address_enters_nothing(jaguar: Bot, itzel: User) -> None:
    itzel.email_confirmed_at = None
    with pytest.raises(RefusedError, match="Confirm"):
        services.submit_version(uploader=itzel, bot=jaguar, upload=ContentFile(make(*GOOD), name="a.zip"))
    with pytest.raises(RefusedError, match="Confirm"):
        services.create_bot(itzel, "other", "Other")


def test_versions_a_day_are_limited_and_the_wait_is_told(
    jaguar: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "VERSIONS_A_DAY", 2)
    submit(jaguar, "1")
    submit(jaguar, "2")
    with pytest.raises(RefusedError) as refused:
        submit(jaguar, "3")
    assert refused.value.code == "quota-versions"
    assert refused.value.wait_seconds
    assert 86_000 < refused.value.wait_seconds <= 86_401


def test_bytes_and_bots_are_limited(jaguar: Bot, itzel: User, monkeypatch: pytest.MonkeyPatch) -> None:
    submit(jaguar, "1")
    monkeypatch.setattr(quotas, "STORED_BYTES", 10)
    with pytest.raises(RefusedError, match="more than"):
        submit(jaguar, "2")
    monkeypatch.setattr(quotas, "BOTS", 1)
    with pytest.raises(RefusedError, match="which is the maximum"):
        services.create_bot(itzel, "other", "Other")


def test_the_form_leads_to_the_version_and_shows_its_way(jaguar: Bot, itzel: User) -> None:
    browser = browser_of(itzel)
    answer = browser.post("/bots/jaguar/upload", {"archive": ContentFile(make(*GOOD), name="bot.zip")})
    assert answer.headers["Location"] == "/bots/jaguar/versions/1/"
    page = browser.get("/bots/jaguar/versions/1/").content.decode()
    assert 'hx-get="/bots/jaguar/versions/1/"' in page
    fragment = browser.get("/bots/jaguar/versions/1/", headers={"HX-Request": "true"}).content.decode()
    assert fragment.startswith('<section id="status"')


def test_the_form_says_why_nothing_was_taken_in(jaguar: Bot, itzel: User) -> None:
    answer = browser_of(itzel).post("/bots/jaguar/upload", {"archive": ContentFile(b"", name="bot.zip")})
    assert "The file is empty." in answer.content.decode()


def test_the_api_takes_an_archive_and_tells_its_author_what_is_wrong(jaguar: Bot, itzel: User) -> None:
    program = program_of(itzel)
    data = {"archive": ContentFile(named("CON"), name="bot.zip")}
    answer = program.post("/api/v1/bots/jaguar/versions", data, format="multipart")
    assert answer.status_code == 201
    assert (answer.json()["status"], answer.json()["code"]) == ("rejected", "name-reserved")


def test_the_api_refuses_in_its_one_shape(jaguar: Bot, itzel: User) -> None:
    program = program_of(itzel)
    empty = {"archive": ContentFile(b"", name="bot.zip")}
    answer = program.post("/api/v1/bots/jaguar/versions", empty, format="multipart")
    assert answer.status_code == 400
    assert answer.json() == {
        "code": "empty",
        "message": "The file is empty.",
        "fields": {},
        "wait_seconds": None,
    }
    missing = program.post("/api/v1/bots/jaguar/versions", {}, format="multipart").json()
    assert missing["fields"]["archive"][0]["code"] == "required"


def test_a_path_that_the_client_gives_as_a_text_is_no_file(jaguar: Bot, itzel: User) -> None:
    answer = program_of(itzel).post(
        "/api/v1/bots/jaguar/versions", {"archive": "/etc/passwd"}, format="multipart"
    )
    assert answer.status_code == 400


def test_an_upload_needs_no_session_and_forges_none(jaguar: Bot, itzel: User) -> None:
    """A session without its token against forgery uploads nothing."""
    strict = APIClient(enforce_csrf_checks=True)
    strict.force_login(itzel)
    data = {"archive": ContentFile(make(*GOOD), name="bot.zip")}
    assert strict.post("/api/v1/bots/jaguar/versions", data, format="multipart").status_code == 403
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(itzel)
    assert browser.post("/bots/jaguar/upload", data).status_code == 403
    assert not Version.objects.exists()
