"""The container files and the compose file keep to what the documentation promises of them.

test_stack.py builds and runs them, where it can.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PINNED = re.compile(r"[\w./-]+:\d+\.\d+(\.\d+)?(-\w+)*$")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("web-a", "web-b", "worker", "calls", "heavy", "scheduler", "migrate", "host-a", "host-b")
HOSTS = ("host-a", "host-b")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line.strip()]


def stages() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for word, rest in instructions():
        if word == "FROM":
            name = rest.split()[-1]
            found[name] = []
        elif found:
            found[name].append((word, rest))
    return found


def test_the_base_image_is_pinned_and_every_stage_is_named() -> None:
    [base] = [rest for word, rest in instructions() if word == "ARG" and rest.startswith("BASE=")]
    assert PINNED.match(base.removeprefix("BASE="))
    origins = [rest.split() for word, rest in instructions() if word == "FROM"]
    assert all(middle == "AS" for _, middle, _ in origins)
    assert {first for first, _, _ in origins} == {"${BASE}", "base", "runtime"}


@pytest.mark.parametrize("stage", ["arena", "host", "postgres", "redis", "prometheus"])
def test_an_image_ends_as_nobody_in_particular(stage: str) -> None:
    words = [word for word, _ in stages()[stage]]
    [user] = [rest for word, rest in stages()[stage] if word == "USER"]
    assert all(int(part) > 10_000 for part in user.split(":"))
    assert "RUN" not in words[words.index("USER") :]
    if stage in {"arena", "host"}:
        assert {"HEALTHCHECK", "CMD"} <= set(words)


def test_packages_are_locked_and_leave_no_lists_behind() -> None:
    runs = [rest for word, rest in instructions() if word == "RUN"]
    for run in runs:
        if "apt-get install" in run:
            assert "--no-install-recommends" in run
            assert "rm -rf /var/lib/apt/lists/* /var/cache/apt/*" in run
        if "pip install" in run:
            assert "--no-deps" in run
    assert any("--require-hashes -r requirements/runtime.lock" in run for run in runs)
    assert not any(word == "ADD" for word, _ in instructions())


def test_every_copied_path_exists_and_reaches_the_builder() -> None:
    allowed = {
        line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = [rest.split()[:-1] for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    paths = {path for group in copied for path in group}
    made = {"build/pyodide"}  # by `make images`
    assert {path for path in paths - made if not (ROOT / path).exists()} == set()
    scripts = {path for path in paths if path.startswith("deploy/images/")}
    assert scripts == {f"deploy/images/{path.name}" for path in (DEPLOY / "images").iterdir()}
    assert paths - scripts | {"deploy/images"} == allowed


def test_the_image_starts_what_make_up_starts() -> None:
    """The same programs with the same options, whatever starts them."""
    from arena.up.programs import ARENA_WORKER, CALLS_WORKER, HEAVY_WORKER, MATCH_HOST, SCHEDULER

    def words(service: str) -> str:
        return " ".join(SERVICES[service]["command"])

    assert words("worker") == ARENA_WORKER
    assert words("calls") == CALLS_WORKER
    assert words("heavy") == HEAVY_WORKER
    assert words("scheduler").startswith(SCHEDULER)
    [command] = [rest for word, rest in stages()["host"] if word == "CMD"]
    assert " ".join(re.findall(r'"([^"]+)"', command)) == MATCH_HOST


def test_compose_names_only_what_it_defines() -> None:
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= SERVICES.keys()
        assert set(service.get("networks", [])) <= COMPOSE["networks"].keys()
        named = {volume.split(":")[0] for volume in service.get("volumes", []) if volume[0] not in ".$"}
        assert named <= COMPOSE["volumes"].keys()
        for volume in service.get("volumes", []):
            if volume.startswith("./nginx"):
                assert (DEPLOY / volume.split(":")[0]).is_file()


def test_every_image_is_ours_unless_the_operator_names_another() -> None:
    built = {f"localhost/aztlan-{stage}" for stage in stages()}
    for service in SERVICES.values():
        [image] = re.findall(r"\$\{\w+_IMAGE:-([^}]+)\}", service["image"])
        assert image in built


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_no_rights_to_spare(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", HOSTS)
def test_a_match_host_knows_and_reaches_nothing_but_redis_and_the_proxy(name: str) -> None:
    host = SERVICES[name]
    assert host["networks"] == ["hosts"]
    assert COMPOSE["networks"]["hosts"] == {"internal": True}
    assert {name for name, service in SERVICES.items() if "hosts" in service["networks"]} == {
        *HOSTS,
        "redis",
        "proxy",
    }
    assert not {"DATABASE_URL", "SECRET_KEY"} & host["environment"].keys()


def test_the_page_lists_every_right_of_a_match_host() -> None:
    page = (ROOT / "docs" / "operator" / "deploy.md").read_text()
    assert [right for right in SERVICES["host-a"]["cap_add"] if f"`{right}`" not in page] == []


def test_no_two_match_hosts_give_bots_the_same_uids() -> None:
    assert "ARENA_SANDBOX_FIRST_UID" not in SERVICES["host-a"]["environment"]  # 70000 and up
    assert int(SERVICES["host-b"]["environment"]["ARENA_SANDBOX_FIRST_UID"]) == 80_000


def test_everything_that_stays_is_limited_and_comes_back() -> None:
    for name, service in SERVICES.items():
        if name != "migrate":
            assert service["deploy"]["resources"]["limits"]["memory"], name
            assert service["restart"] == "unless-stopped"


def test_the_example_sets_every_variable_that_compose_needs() -> None:
    text = "".join((DEPLOY / name).read_text() for name in ("compose.yaml", "compose.monitoring.yaml"))
    needed = set(re.findall(r"\$\{(\w+):\?", text))
    known = set(re.findall(r"\$\{(\w+)", text))
    given = {
        line.split("=")[0]
        for line in (DEPLOY / "arena.env.example").read_text().splitlines()
        if "=" in line and line[0] != "#"
    }
    assert needed <= given <= known


def test_redis_never_forgets_what_was_queued() -> None:
    words = " ".join(SERVICES["redis"]["command"])
    assert "--appendonly yes" in words
    assert "--maxmemory-policy noeviction" in words
