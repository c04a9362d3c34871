"""The package index: the standard simple API, with hashes, in the form that the client prefers."""

import hashlib
import json
import zipfile
from urllib.parse import urlsplit

import pytest

from arena.packages import selectors

PIP_ACCEPTS = (
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01"
)
METADATA = b"Metadata-Version: 2.4\nName: aztlan\nVersion: 7.1\nRequires-Python: >=3.11\n\nVersion: no\n"


@pytest.fixture
def dist(settings, tmp_path):
    settings.PACKAGES = tmp_path
    return tmp_path


@pytest.fixture
def wheel(dist):
    path = dist / "aztlan-7.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("aztlan/__init__.py", "")
        archive.writestr("aztlan-7.1.dist-info/METADATA", METADATA)
    return path


@pytest.fixture
def usual(settings):
    """Say where everything else is to be found."""

    def say(url):
        selectors.usual_index.cache_clear()
        settings.PACKAGE_INDEX = url

    yield say
    selectors.usual_index.cache_clear()


def files(client):
    return client.get("/simple/aztlan/", headers={"accept": PIP_ACCEPTS}).json()["files"]


def test_it_lists_one_project(client):
    answer = client.get("/simple/", headers={"accept": PIP_ACCEPTS})
    assert answer["Content-Type"] == "application/vnd.pypi.simple.v1+json"
    assert answer.json()["projects"] == [{"name": "aztlan"}]


def test_pip_is_answered_in_json_with_the_hash_of_each_file(client, wheel):
    (file,) = files(client)
    assert file["filename"] == wheel.name
    assert file["hashes"]["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert file["requires-python"] == ">=3.11"
    assert file["size"] == wheel.stat().st_size
    assert client.get("/simple/aztlan/", headers={"accept": PIP_ACCEPTS}).json()["versions"] == ["7.1"]


@pytest.mark.parametrize(
    ("accepts", "given"),
    [
        ("text/html", "text/html; charset=utf-8"),
        ("*/*", "text/html; charset=utf-8"),
        ("application/vnd.pypi.simple.v1+html", "application/vnd.pypi.simple.v1+html; charset=utf-8"),
        ("application/vnd.pypi.simple.latest+json", "application/vnd.pypi.simple.v1+json"),
        ("text/html;q=0.1, application/vnd.pypi.simple.v1+json", "application/vnd.pypi.simple.v1+json"),
    ],
)
def test_the_client_chooses_the_form(client, wheel, accepts, given):
    answer = client.get("/simple/aztlan/", headers={"accept": accepts})
    assert answer["Content-Type"] == given
    assert "Accept" in answer["Vary"]
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() in answer.content.decode()


def test_a_form_that_it_does_not_speak_is_refused_with_those_it_does(client):
    answer = client.get("/simple/", headers={"accept": "image/png"})
    assert answer.status_code == 406
    assert "application/vnd.pypi.simple.v1+json" in answer.content.decode()


def test_files_and_their_metadata_are_what_their_hashes_say(client, wheel):
    (file,) = files(client)
    answer = client.get(file["url"])
    assert answer.content == wheel.read_bytes()
    assert "immutable" in answer["Cache-Control"]
    metadata = client.get(file["url"] + ".metadata")
    assert metadata.content == METADATA
    assert hashlib.sha256(metadata.content).hexdigest() == file["core-metadata"]["sha256"]


def test_a_wheel_that_was_built_again_has_another_address(client, wheel):
    (before,) = files(client)
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("aztlan/more.py", "")
    (after,) = files(client)
    assert after["url"] != before["url"]
    assert client.get(before["url"]).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/simple/files/00/../../etc/passwd", "/simple/files/0/aztlan-7.1-py3-none-any.whl", "/simple/files/0/x"],
)
def test_nothing_else_is_sent(client, wheel, path):
    assert client.get(path).status_code == 404


def test_before_it_is_built_the_operator_is_told_what_to_do(client, dist):
    answer = client.get("/simple/aztlan/")
    assert answer.status_code == 404
    assert "make sdk" in answer.content.decode()


def test_what_is_no_wheel_is_passed_over(client, wheel, dist):
    (dist / "aztlan-8.0-py3-none-any.whl").write_bytes(b"not a zip")
    assert [file["filename"] for file in files(client)] == [wheel.name]


def test_other_spellings_lead_to_the_project(client):
    assert urlsplit(client.get("/simple/Aztlan/")["Location"]).path == "/simple/aztlan/"


def test_other_projects_are_asked_for_where_they_are(client, usual):
    usual("https://packages.example/simple")
    assert client.get("/simple/grpcio/")["Location"] == "https://packages.example/simple/grpcio/"
    assert (
        client.get("/simple/Typing_Extensions/")["Location"]
        == "https://packages.example/simple/typing-extensions/"
    )


@pytest.mark.parametrize("url", ["https://me:secret@packages.example/simple", "file:///srv/simple"])
def test_an_address_that_is_not_for_strangers_is_told_to_none(client, usual, url):
    usual(url)
    answer = client.get("/simple/grpcio/")
    assert answer.status_code == 404
    assert "secret" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/enter-a-bot"])
def test_pages_show_the_command_with_the_arenas_own_address(client, wheel, usual, page):
    usual("https://packages.example/simple")
    text = client.get(page, headers={"host": "localhost:8123"}).content.decode()
    assert "pip install --index-url http://localhost:8123/simple/ aztlan" in text


@pytest.mark.django_db
def test_over_plain_http_pip_is_told_to_trust_another_machine(client, wheel, usual, settings):
    usual("https://packages.example/simple")
    settings.ALLOWED_HOSTS = ["arena.example"]
    text = client.get("/enter-a-bot", headers={"host": "arena.example"}).content.decode()
    assert "pip install --trusted-host arena.example --index-url http://arena.example/simple/ aztlan" in text
    assert "--extra-index-url http://arena.example/simple/ aztlan" in text


@pytest.mark.django_db
def test_pages_say_that_it_is_not_built(client, dist):
    assert "make sdk" in client.get("/enter-a-bot").content.decode()


def test_the_index_is_valid_json_for_machines(client, wheel):
    data = json.loads(client.get("/simple/aztlan/", headers={"accept": PIP_ACCEPTS}).content)
    assert data["meta"]["api-version"] == "1.1"
