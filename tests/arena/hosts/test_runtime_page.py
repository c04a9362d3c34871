"""What bots get, as the page and the API show it: the promise, and what hosts that beat have proved."""

from typing import Any

import pytest
from django.test import Client

from arena.bots.models import Bot, Status
from arena.bots.services import finish_validation, set_status
from arena.hosts import services as hosts
from arena.hosts.models import Host
from tests.arena.cast import HOST_STATE
from tests.arena.people import submit
from workers.runtimes.contract import RUNTIME

pytestmark = pytest.mark.django_db
WORKS = {"works": True, "missing": False, "trouble": ""}


def beat(name: str, **proof: Any) -> None:
    hosts.beat(name, {**HOST_STATE, "languages": {"Python": {**WORKS, **proof}}})


def component(client: Client, name: str) -> dict[str, Any]:
    data = client.get("/api/v1/runtime").json()
    assert data["name"] == RUNTIME
    return next(one for row in data["languages"] for one in row["components"] if one["name"] == name)


def test_without_hosts_the_promise_is_shown(client: Client) -> None:
    assert component(client, "numpy")["versions"] == "2 or later, below 3"
    assert component(client, "numpy")["here"] == []
    assert "No match host plays such bots at this moment." in client.get("/runtimes").content.decode()


def test_the_versions_of_all_hosts_are_shown(client: Client) -> None:
    beat("alpha", runtime=RUNTIME, versions={"numpy": "2.1.0"})
    beat("beta", runtime=RUNTIME, versions={"numpy": "2.4.6"})
    assert component(client, "numpy")["here"] == ["2.1.0", "2.4.6"]
    assert "2.1.0, 2.4.6" in client.get("/runtimes").content.decode()


def test_a_host_with_another_runtime_plays_nothing_until_it_is_updated() -> None:
    beat("alpha", runtime="aztlan-0", versions={})
    host = Host.objects.get(name="alpha")
    assert "Python" in host.cannot_run
    assert "update it" in host.languages["Python"]["trouble"]


def test_a_host_of_an_older_version_names_no_runtime_and_plays() -> None:
    beat("alpha")
    assert "Python" not in Host.objects.get(name="alpha").cannot_run


@pytest.mark.parametrize("versions", [[], {"numpy": 2}, {"x" * 41: "1"}, {"numpy": "9" * 101}])
def test_nonsense_about_versions_is_refused(versions: Any) -> None:
    with pytest.raises(hosts.DataError, match=r"host\.languages"):
        beat("alpha", runtime=RUNTIME, versions=versions)


def test_a_version_pins_the_runtime_that_it_was_validated_with(client: Client, jaguar: Bot) -> None:
    version = submit(jaguar)
    for status in (Status.CHECKED, Status.BUILT):
        set_status(version.pk, status)
    assert finish_validation(version.pk)
    version.refresh_from_db()
    assert version.pinned_runtime == RUNTIME
    told = client.get(f"/api/v1/bots/{jaguar.slug}/versions/{version.number}").json()
    assert told["pinned_runtime"] == RUNTIME
    assert RUNTIME in client.get(f"/bots/{jaguar.slug}/versions/{version.number}/").content.decode()
