"""Run the arena in containers on this machine: `make stack`, `make upgrade`, `make stackdown`.

It uses deploy/compose.yaml and deploy/compose.monitoring.yaml with podman-compose. What differs between
machines is in deploy/arena.env, which is written with fresh secrets if it is not there; certificates for TLS
are in deploy/certificates, and a self-signed one is made if there is none. `ENV_FILE=` names another file,
`PROJECT=` another name for it all. `GRAFANA=yes` also starts Grafana, whose image comes from a registry.
"""

import os
import re
import secrets
import subprocess
import sys
import time
from pathlib import Path

import containers

ROOT = containers.ROOT
PROJECT = os.environ.get("PROJECT", "aztlan")
ENV_FILE = Path(os.environ.get("ENV_FILE", ROOT / "deploy" / "arena.env")).resolve()
SERVERS = ("postgres", "redis")
WEB = ("web-a", "web-b")
WORKERS = ("worker", "calls", "heavy", "scheduler")
HOSTS = ("host-a", "host-b")
PROMETHEUS = "prometheus"
PROMETHEUS_UID = 65534
STARTED_WITHIN = 300
MAKE_ONE = 'python3 -c "import secrets; print(secrets.token_hex(32))"'
GRACE = {"web-a": 30, "web-b": 30, "worker": 75, "calls": 75, "heavy": 75, "host-a": 90, "host-b": 90}
"""The compose file's stop_grace_period, which podman-compose does not read."""


def name_of(service: str) -> str:
    return f"{PROJECT}_{service}_1"


def compose(*words: str) -> None:
    """Run podman-compose, which reads the settings from its environment."""
    files = [ROOT / "deploy" / name for name in ("compose.yaml", "compose.monitoring.yaml")]
    settings = {"METRICS_TOKEN_FILE": str(token_file()), **read_settings()}
    containers.run(
        "podman-compose", "-p", PROJECT, *(f"--file={file}" for file in files), *words, settings=settings
    )


def podman(*words: str) -> str:
    return containers.run("podman", *words)


def read_settings() -> dict[str, str]:
    """Return what the file of settings says; what is missing in it is named."""
    lines = [line for line in ENV_FILE.read_text("utf-8").splitlines() if line.strip() and line[0] != "#"]
    if odd := [line for line in lines if not re.match(r"[A-Z][A-Z0-9_]*=", line)]:
        sys.exit(f"{ENV_FILE} has a line that is not NAME=value: {odd[0]!r}.")
    settings = dict(line.partition("=")[::2] for line in lines)
    for name in needed_settings():
        if not settings.get(name):
            sys.exit(f"{ENV_FILE} does not set {name}: deploy/arena.env.example has a line for it.")
        if settings[name].startswith("CHANGE"):
            sys.exit(f"{ENV_FILE} still has the example's {name}, which everybody knows: {MAKE_ONE}")
    return settings


def needed_settings() -> list[str]:
    """Return the variables without which deploy/compose.yaml says nothing."""
    text = (ROOT / "deploy" / "compose.yaml").read_text("utf-8")
    return sorted(set(re.findall(r"\$\{(\w+):\?", text)))


def write_settings() -> None:
    """Write the settings from the example, with fresh secrets."""
    lines = []
    for line in (ROOT / "deploy" / "arena.env.example").read_text("utf-8").splitlines():
        name, sign, value = line.partition("=")
        lines.append(f"{name}={secrets.token_hex(32)}" if sign and value.startswith("CHANGE") else line)
    ENV_FILE.touch(mode=0o600)
    ENV_FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"Wrote {ENV_FILE} with fresh secrets. Set ARENA_SITE_URL and ALLOWED_HOSTS there.")


def token_file() -> Path:
    return ENV_FILE.with_name("metrics-token")


def write_token(token: str) -> None:
    """Write the token with which Prometheus asks for metrics into a file that it alone may read."""
    file = token_file()
    file.unlink(missing_ok=True)
    file.touch(mode=0o400)
    file.write_text(token, encoding="utf-8")
    os.chown(file, PROMETHEUS_UID, PROMETHEUS_UID)


def make_certificate(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    if certificate.exists():
        return
    print(f"There is no certificate in {folder}: making a self-signed one, which browsers will warn of.")
    containers.run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "90", "-subj", "/CN=arena", "-keyout", key, "-out", certificate,
    )  # fmt: skip


def is_healthy(service: str) -> bool:
    command = ["podman", "healthcheck", "run", name_of(service)]
    return not subprocess.run(command, env=containers.engine_environment(), capture_output=True).returncode


def wait_for(services: tuple[str, ...]) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    for service in services:
        while not is_healthy(service):
            if time.monotonic() > deadline:
                sys.exit(f"{service} does not answer; look at: podman logs {name_of(service)}")
            time.sleep(1)


def migrate() -> None:
    """Run the migrations in a container of its own, and wait for them."""
    podman("rm", "--force", "--ignore", name_of("migrate"))
    compose("up", "--detach", "--no-build", "migrate")
    if podman("wait", name_of("migrate")).strip() != "0":
        sys.exit(f"The migrations failed:\n{podman('logs', name_of('migrate'))}")


def start() -> None:
    if not ENV_FILE.exists():
        write_settings()
    settings = read_settings()
    make_certificate(ROOT / "deploy" / settings.get("CERTIFICATES", "certificates"))
    compose("up", "--detach", "--no-build", *SERVERS)
    wait_for(SERVERS)
    migrate()
    compose("up", "--detach", "--no-build", *WEB)
    wait_for(WEB)
    write_token(settings["ARENA_METRICS_TOKEN"])
    grafana = ("grafana",) if os.environ.get("GRAFANA") == "yes" else ()
    compose("up", "--detach", "--no-build", *WORKERS, *HOSTS, "proxy", PROMETHEUS, *grafana)
    wait_for((*WORKERS[:-1], *HOSTS, PROMETHEUS))
    print(f"The arena runs at {settings['ARENA_SITE_URL']}")


def replace(*services: str) -> None:
    """Stop these services' containers, with the time they may take; start new ones from the images."""
    names = [name_of(service) for service in services]
    podman("stop", "--time", str(max(GRACE.get(service, 10) for service in services)), *names)
    podman("rm", *names)
    compose("up", "--detach", "--no-build", *services)
    wait_for(tuple(service for service in services if service != "scheduler"))  # which has nothing to ask


def upgrade() -> None:
    """Start everything of ours from the newest images; one web server answers while the other is replaced."""
    migrate()
    for service in WEB:
        replace(service)
        podman("exec", name_of("proxy"), "nginx", "-s", "reload")  # the new container has another address
    replace(*WORKERS)
    for service in (*HOSTS, PROMETHEUS):
        replace(service)


def stop() -> None:
    """Take down containers and networks; with DATA=delete also the volumes, and so the database."""
    label = f"label=io.podman.compose.project={PROJECT}"
    names = podman("ps", "--all", "--format={{.Names}}", "--filter", label).split()
    servers = {name_of(service) for service in SERVERS}
    for group in ([name for name in names if name not in servers], [*servers.intersection(names)]):
        if group:  # what is stopped last is what the others write to
            podman("stop", "--time", str(max(GRACE.values())), *group)
            podman("rm", *group)
    for network in podman("network", "ls", "--quiet", "--filter", label).split():
        podman("network", "rm", network)
    if os.environ.get("DATA") == "delete":
        for volume in podman("volume", "ls", "--quiet", "--filter", label).split():
            podman("volume", "rm", volume)


if __name__ == "__main__":
    containers.require_tools()
    {"start": start, "upgrade": upgrade, "stop": stop}[sys.argv[1]]()
