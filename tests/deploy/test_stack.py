"""The arena in containers, from nothing: the commands of docs/operator/deploy.md, with rated matches and an upgrade.

Everything is in a temporary folder under names and ports of its own, and afterwards nothing is left.
"""

import json
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tarfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operator" / "deploy.md").read_text()
SECONDS = 300
MATCHES = 4
SITE = "arena.example"


def load(name: str) -> ModuleType:
    sys.path.insert(0, str(ROOT / "requirements"))
    try:
        spec = spec_from_file_location(name, ROOT / "requirements" / f"{name}.py")
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "requirements"))
    return module


containers = load("containers")
WHY_NOT = containers.why_not()


def commands_under(heading: str) -> list[str]:
    """Return the commands of the block of code under a heading of the page."""
    section = PAGE.split(f"\n### {heading}\n")[1].split("\n#")[0]
    return re.findall(r"^(?:make|podman) .*$", section.split("```sh\n")[1].split("```")[0], re.MULTILINE)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Stack:
    """An arena in containers, apart from all others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = f"test{secrets.token_hex(4)}"
        self.port, self.monitoring = free_port(), free_port()
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in {"DJANGO_SETTINGS_MODULE", "ARENA_HOME"}},
            "ARENA_CONTAINERS": str(folder),
            "PROJECT": self.project,
            "ENV_FILE": str(folder / "arena.env"),
            "PYTHON": sys.executable,
        }  # fmt: skip
        self.environment |= tools_environment(self.environment)

    def write_settings(self) -> None:
        values = {
            "HTTP_PORT": free_port(),
            "PROMETHEUS_PORT": self.monitoring,
            "HTTPS_PORT": self.port,
            "CERTIFICATES": self.folder / "certificates",
        }
        values["ARENA_SITE_URL"] = f"https://{SITE}:{self.port}"
        lines = []
        for line in (ROOT / "deploy" / "arena.env.example").read_text().splitlines():
            name, _, value = line.partition("=")
            fresh = secrets.token_hex(32) if value.startswith("CHANGE") else values.get(name, value)
            lines.append(f"{name}={fresh}" if value else line)
        (self.folder / "arena.env").write_text("\n".join(lines) + "\n")

    def run(self, command: str, **more: str) -> str:
        """Run a command as the page shows it, on this stack."""
        words = shlex.split(command.replace(" aztlan_", f" {self.project}_"))
        if "--tty" in words:  # nobody is there to answer
            words = [word for word in words if word not in {"--interactive", "--tty"}] + ["--no-input"]
            given = {
                "USERNAME": "operator",
                "EMAIL": "operator@example.org",
                "PASSWORD": secrets.token_hex(8),
            }
            words[2:2] = [f"--env=DJANGO_SUPERUSER_{name}={value}" for name, value in given.items()]
        done = subprocess.run(
            words, cwd=ROOT, env={**self.environment, **more}, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )  # fmt: skip
        assert done.returncode == 0, f"{command}:\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}"
        return done.stdout

    def shell(self, code: str) -> Any:
        """Evaluate an expression in the arena; `print` is applied to its JSON."""
        program = f"import json\nfrom arena.hosts.models import Host, Attempt\nfrom arena.matches.models import Match\nfrom arena.ladders.models import Season\nprint(json.dumps({code}))"
        told = self.run(
            f"podman exec aztlan_worker_1 python manage.py shell --no-imports -c {shlex.quote(program)}"
        )
        return json.loads(told)

    def get(self, path: str) -> bytes:
        """Fetch a page through the proxy, as people do."""
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}", headers={"Host": SITE})
        context = ssl.create_default_context(cafile=str(self.folder / "certificates" / "fullchain.pem"))
        context.check_hostname = False
        with urllib.request.urlopen(request, timeout=30, context=context) as answer:
            body: bytes = answer.read()
            return body

    def prometheus(self, question: str) -> Any:
        """Ask Prometheus, as somebody on this machine does."""
        address = f"http://127.0.0.1:{self.monitoring}/api/v1/{question}"
        with urllib.request.urlopen(address, timeout=30) as answer:
            return json.load(answer)["data"]

    def take_down(self) -> None:
        self.run("make stackdown DATA=delete")


def tools_environment(environment: dict[str, str]) -> dict[str, str]:
    """Return what buildah and podman are told, for the podman commands of the page."""
    code = "import containers, json; print(json.dumps(containers.engine_environment()))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "requirements", env=environment, capture_output=True, text=True, check=True
    )  # fmt: skip
    told: dict[str, str] = json.loads(done.stdout)
    return {name: told[name] for name in ("CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF", "DISABLE_HC_SYSTEMD")}


def traces(folder: Path) -> dict[str, list[str]]:
    """Return what containers leave on a machine: mounts, networks, rules, cgroups and processes."""
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    links = [path.name for path in Path("/sys/class/net").iterdir()]
    return {
        "mounts": [line.split()[4] for line in mounts if str(folder) in line],
        "links": sorted(name for name in links if name.startswith(("podman", "veth"))),
        "rules": [line for line in firewall() if line[:2] in {"-A", ":N"}],
        "cgroups": sorted(map(str, Path("/sys/fs/cgroup").glob("*/libpod*"))),
        "processes": [name for name in processes() if str(folder) in name],
    }


def firewall() -> list[str]:
    return subprocess.run(["iptables-save"], capture_output=True, text=True, check=True).stdout.splitlines()


def forget_networks() -> None:
    """Remove the empty chains that Podman's networks leave; they were not there before."""
    table = ""
    chains = []
    for line in firewall():
        if line.startswith("*"):
            table = line[1:]
        elif line.startswith(":NETAVARK"):
            chains.append((table, line[1:].split()[0]))
        elif line.startswith("-A") and "-j NETAVARK" in line and not line.startswith("-A NETAVARK"):
            subprocess.run(["iptables", "-t", table, "-D", *shlex.split(line)[1:]], check=True)
    for action in ("-F", "-X"):
        for table, chain in chains:
            subprocess.run(["iptables", "-t", table, action, chain], check=True)


def forget_cgroups() -> None:
    """Remove the empty groups above those of containers."""
    for group in Path("/sys/fs/cgroup").glob("*/libpod_parent"):
        for empty in (group / "conmon", group):
            if empty.exists():
                empty.rmdir()


def processes() -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_text(errors="replace").replace("\0", " ")
        except OSError:
            continue  # it ended


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(1)


class Visitor(threading.Thread):
    """Looks at pages one after another, and notes every request that was not answered."""

    def __init__(self, stack: Stack) -> None:
        super().__init__()
        self.stack, self.leaves, self.answered = stack, threading.Event(), 0
        self.failures: list[str] = []

    def run(self) -> None:
        while not self.leaves.wait(0.2):
            try:
                self.stack.get("/ladders/duel/")
                self.answered += 1
            except (OSError, urllib.error.URLError) as error:
                self.failures.append(str(error))


def test_containers_need_what_make_installs_for_them() -> None:
    [named] = re.findall(r"^CONTAINERS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(named.split()) == set(containers.TOOLS)


def test_an_ordinary_user_is_told_that_containers_need_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers.os, "geteuid", lambda: 1000)
    assert "root" in containers.why_not()


def test_a_machine_without_the_tools_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers.os, "geteuid", lambda: 0)
    monkeypatch.setattr(containers.system, "is_installed", lambda package: package != "buildah")
    assert containers.why_not().endswith("apt-get install --yes --no-install-recommends buildah")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("POSTGRES_PASSWORD=", "# "), "does not set POSTGRES_PASSWORD"),
        (("ARENA_SITE_URL=https://arena.example", "ARENA_SITE_URL="), "does not set ARENA_SITE_URL"),
        (("HTTP_PORT=80", "HTTP_PORT 80"), "has a line that is not NAME=value: 'HTTP_PORT 80'"),
        (("\nSECRET_KEY=fresh", "\nSECRET_KEY=CHANGE"), "still has the example's SECRET_KEY"),
    ],
)
def test_settings_of_a_stack_that_will_not_do_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], said: str
) -> None:
    text = (ROOT / "deploy" / "arena.env.example").read_text()
    given = ("\n" + text).replace("=CHANGE", "=fresh").replace(*change)
    (tmp_path / "arena.env").write_text(given)
    monkeypatch.setenv("ENV_FILE", str(tmp_path / "arena.env"))
    stack = load("stack")
    with pytest.raises(SystemExit, match=said):
        stack.read_settings()


@pytest.fixture
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("containers")
    before = traces(folder)
    made = Stack(folder)
    made.write_settings()
    try:
        yield made
    finally:
        made.take_down()
        made.run("podman rmi --all --force")
        if not before["rules"]:
            forget_networks()
        if not before["cgroups"]:
            forget_cgroups()
    assert made.run("podman ps --all --quiet") == ""
    assert made.run("podman volume ls --quiet") == ""
    assert traces(folder) == before
    shutil.rmtree(folder)


@pytest.mark.containers
@pytest.mark.timeout(2400)
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_an_arena_in_containers_plays_is_upgraded_and_leaves_nothing(stack: Stack) -> None:
    for command in commands_under("Start"):
        stack.run(command)
    assert {"host-a", "host-b"} == hosts_without_weakness(stack)
    wait_until(lambda: results(stack) >= MATCHES, "no rated matches were settled")
    assert_monitored(stack)
    old = images_of(stack)

    for command in commands_under("Upgrade")[:1]:
        stack.run(command, RELEASE="newer")
    visitor = Visitor(stack)
    visitor.start()
    try:
        before = results(stack)
        for command in commands_under("Upgrade")[1:]:
            stack.run(command)
        assert not old & images_of(stack)
        wait_until(lambda: results(stack) >= before + MATCHES, "no matches after the upgrade")
    finally:
        visitor.leaves.set()
        visitor.join()
    assert visitor.answered > 10
    assert visitor.failures == []
    assert stack.shell("list(Match.objects.filter(state='voided').values_list('public_id'))") == []
    standings = json.loads(stack.get("/api/v1/ladders/duel/standings"))
    assert any(row["games"] for row in standings)
    assert_monitored(stack)
    assert_saved(stack, "proxy")
    page = stack.get("/")
    assert b"Aztl" in page


def hosts_without_weakness(stack: Stack) -> set[str]:
    """Return the hosts that enforce every limit: their proof at start has said so."""
    wait_until(lambda: stack.shell("Host.objects.count()") == 2, "two match hosts did not report")
    hosts = stack.shell("list(Host.objects.values('name', 'limits'))")
    return {host["name"] for host in hosts if "all limits enforced" in host["limits"]}


def assert_monitored(stack: Stack) -> None:
    """Prometheus has read the metrics of both web servers, and knows every alert."""

    def healthy() -> set[str]:
        targets = stack.prometheus("targets")["activeTargets"]
        return {target["labels"]["instance"] for target in targets if target["health"] == "up"}

    wait_until(lambda: healthy() == {"web-a:8000", "web-b:8000"}, "Prometheus does not reach the web servers")
    [series, *_] = stack.prometheus("query?query=arena_broker_up")["result"]
    assert series["value"][1] == "1"
    [group] = stack.prometheus("rules")["groups"]
    alerts = yaml.safe_load((ROOT / "deploy" / "monitoring" / "alerts.yml").read_text())["groups"][0]["rules"]
    assert [rule["name"] for rule in group["rules"]] == [rule["alert"] for rule in alerts]
    assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"}


def assert_saved(stack: Stack, target: str) -> None:
    """An image can be saved as a release has it: an OCI archive, and the list of what it contains."""
    folder = stack.folder / "release"
    folder.mkdir()
    code = f"import images, pathlib; images.save(pathlib.Path({str(folder)!r}), '1.2.3', ['{target}'])"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "requirements", env=stack.environment, check=True)
    with tarfile.open(folder / f"aztlan-{target}-1.2.3.oci.tar") as archive:
        assert {"index.json", "oci-layout"} <= {name.removeprefix("./") for name in archive.getnames()}
    assert json.loads((folder / f"aztlan-{target}.cdx.json").read_text())["components"]


def results(stack: Stack) -> int:
    return int(stack.shell("Season.objects.get().last_sequence"))


def images_of(stack: Stack) -> set[str]:
    names = [f"{stack.project}_{name}_1" for name in ("web-a", "web-b", "worker", "scheduler")]
    return set(stack.run(f"podman inspect --format {{{{.Image}}}} {' '.join(names)}").split())
