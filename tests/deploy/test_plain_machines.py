"""The systemd units and the proxy's configuration are taken by the programs that read them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())


def service(name: str) -> dict[str, str]:
    text = (DEPLOY / "systemd" / f"aztlan-{name}.service").read_text()
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    for unit in UNITS:
        # The project is not in /opt here, and systemd looks whether programs are there.
        text = re.sub(r"/opt/aztlan/\.venv/bin/\w+", sys.executable, unit.read_text())
        (tmp_path / unit.name).write_text(text)
    copies = [str(tmp_path / unit.name) for unit in UNITS]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *copies],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stderr.splitlines() if "aztlan" in line] == []


def test_units_start_what_make_up_starts() -> None:
    from arena.up.programs import ARENA_WORKER, CALLS_WORKER, HEAVY_WORKER, MATCH_HOST, SCHEDULER, WEB

    def started(name: str) -> str:
        return service(name)["ExecStart"].removeprefix("/opt/aztlan/.venv/bin/").replace("%%", "%")

    assert started("worker") == ARENA_WORKER
    assert started("calls") == CALLS_WORKER
    assert started("heavy") == HEAVY_WORKER
    assert started("host") == MATCH_HOST
    assert started("scheduler").startswith(SCHEDULER)
    assert started("web").split()[:2] == WEB.split()[:2]


@pytest.mark.parametrize("name", ["web", "worker", "scheduler", "backup"])
def test_a_unit_of_the_arena_is_not_root_and_writes_only_its_own(name: str) -> None:
    unit = service(name)
    assert unit["User"] == "aztlan"
    assert (unit["NoNewPrivileges"], unit["ProtectSystem"]) == ("yes", "strict")


def test_a_match_host_is_given_a_cgroup_and_no_secret_of_the_arenas() -> None:
    unit = service("host")
    assert unit["Delegate"] == "yes"
    assert unit["EnvironmentFile"] == "/etc/aztlan/host.env"
    assert int(unit["TimeoutStopSec"]) >= 50 + 30


def nginx_text() -> str:
    return (DEPLOY / "nginx" / "aztlan.conf").read_text()


def test_the_proxy_limits_uploads_as_the_arena_does() -> None:
    from arena.body_limit import HOST_LIMIT, LIMIT, MIB

    sizes = re.findall(r"client_max_body_size (\d+)m;", nginx_text())
    assert [int(size) * MIB for size in sizes] == [LIMIT, HOST_LIMIT, HOST_LIMIT]


def test_the_proxy_passes_on_nothing_that_clients_claim_of_themselves() -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in nginx_text()
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in nginx_text()


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "1", "-subj", "/CN=arena.example", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    text = (
        nginx_text()
        .replace("/etc/nginx/certificates/", f"{tmp_path}/")
        .replace("server web-a:", "server 127.0.0.1:")
        .replace("server web-b:", "server 127.0.0.2:")
    )
    temporary = " ".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {temporary}\n{text} }}"
    )
    done = subprocess.run(
        [shutil.which("nginx") or "", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr
