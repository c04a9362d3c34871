"""The documentation on the site: the files of `make docs`, and nothing else."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from arena.up import docs_site

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real documentation, built as `make docs` builds it."""
    site = tmp_path_factory.mktemp("docs") / "site"
    docs_site.build(site)
    return site


@pytest.fixture
def site(built: Path, settings: Settings) -> Path:
    settings.DOCS = built
    return built


def test_the_pages_that_make_docs_built_are_served(client: Client, site: Path) -> None:
    page = client.get("/docs/")
    assert page.status_code == 200
    assert page.content == (site / "index.html").read_bytes()
    assert client.get("/docs/write-a-bot.html").status_code == 200
    assert client.get("/docs/operator/deploy.html").status_code == 200
    style = client.get("/docs/site.css")
    assert style["Content-Type"].startswith("text/css")
    assert client.get("/docs/search/search_index.json").status_code == 200


def test_a_page_that_has_not_changed_is_not_sent_again(client: Client, site: Path) -> None:
    tag = client.get("/docs/rules.html")["ETag"]
    assert client.get("/docs/rules.html", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize(
    "name",
    ["nothing.html", "../manage.py", "%2e%2e/manage.py", "..%2f..%2fetc/passwd", "/etc/passwd", "a%00b"],
)
def test_what_is_no_page_of_it_does_not_exist(client: Client, site: Path, name: str) -> None:
    assert client.get(f"/docs/{name}").status_code == 404


def test_scripts_run_by_their_hashes_alone(client: Client, site: Path) -> None:
    policy = client.get("/docs/")["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "script-src 'self' 'sha256-" in policy
    assert "frame-ancestors 'none'" in policy


def test_an_arena_without_it_says_how_to_build_it(client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DOCS = tmp_path / "nowhere"
    page = client.get("/docs/")
    assert page.status_code == 404
    assert "make docs" in page.content.decode()


def test_the_navigation_leads_there(client: Client, site: Path) -> None:
    assert 'href="/docs/"' in client.get("/").content.decode()
