"""Build the images: `make images`.

`BASE=own` makes the base image here, from Debian's packages, where no registry can be reached; any other
value names an image. `RELEASE=` labels them, `TARGETS=` names only some. Layers that did not change are
taken from the last time; `FRESH=yes` makes all of them again, with the newest Debian packages.
`dist/images/` gets a CycloneDX list of what each contains. How this machine reaches packages (pip's
configuration and cache, certificates) is mounted while building, and is not in any image.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import containers
import sbom

ROOT = containers.ROOT
TARGETS = ("arena", "host", "postgres", "redis", "proxy", "prometheus")
OWN_BASE = "localhost/aztlan-base"
OWN_BASE_FILE = """\
FROM scratch
ADD base.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
"""
SUITE = "bookworm"
LEFT_OUT = ("/usr/share/man/*", "/usr/share/doc/*", "/usr/share/locale/*", "/usr/share/info/*")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
AS_IN_GIT = ["git", "log", "-1", "--format=%ct"]


def commit_time() -> str:
    """Return when the last commit was made, in seconds: the time of every file in the images."""
    return subprocess.run(AS_IN_GIT, cwd=ROOT, capture_output=True, text=True).stdout.strip() or "1"


def make_base(folder: str) -> None:
    """Make the smallest Debian there is, with the package sources of this machine."""
    archive = Path(folder, "base.tar")
    options = [f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT]
    # Nothing is lost if the machine stops now, so nothing needs to be written through to the disk.
    options += ["--dpkgopt=force-unsafe-io", "--variant=minbase", "--mode=root", "--quiet"]
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    time = commit_time()
    command = ["mmdebstrap", *options, SUITE, archive, *([sources] if sources.exists() else [])]
    containers.run(*command, settings={"SOURCE_DATE_EPOCH": time})
    Path(folder, "Dockerfile").write_text(OWN_BASE_FILE, encoding="utf-8")
    containers.run(
        "buildah", "build", "--quiet", "--format=docker", f"--timestamp={time}", f"--tag={OWN_BASE}", folder
    )


def pip_configuration() -> str:
    """Return how pip reaches packages here; folders of this machine are not there inside."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = ["cert = /run/certificates.crt\n"] if CERTIFICATES.exists() else []
    for line in told.splitlines():
        name, _, value = line.partition("=")
        option, text = name.rpartition(".")[2], value.strip("'")
        if option in {"index-url", "trusted-host", "proxy", "timeout", "default-timeout"}:
            lines.append(f"{option.removeprefix('default-')} = {text}\n")
    return "".join(["[global]\n", *lines])


def mounts(folder: str) -> list[str]:
    configuration = Path(folder, "pip.conf")
    configuration.write_text(pip_configuration(), encoding="utf-8")
    found = [f"--volume={configuration}:/etc/pip.conf:ro"]
    if CERTIFICATES.exists():
        found.append(f"--volume={CERTIFICATES}:/run/certificates.crt:ro")
    cache = Path(os.environ.get("PIP_CACHE_DIR") or Path.home() / ".cache" / "pip")
    cache.mkdir(parents=True, exist_ok=True)
    return [*found, f"--volume={cache}:/root/.cache/pip"]


def build(target: str, arguments: dict[str, str], mounted: list[str]) -> None:
    containers.run(
        "buildah", "build", "--quiet", "--layers", "--format=docker", f"--timestamp={commit_time()}",
        f"--target={target}", f"--tag=localhost/aztlan-{target}", "--file=deploy/Dockerfile",
        "--ignorefile=deploy/Dockerfile.dockerignore",
        *(f"--build-arg={name}={value}" for name, value in arguments.items() if value), *mounted, ".",
    )  # fmt: skip


def fetch_pyodide() -> None:
    """Fetch what browsers run the engine with; without npm the images do without it."""
    folder = ROOT / "build" / "pyodide"
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "ARENA_PYODIDE": str(folder)}
    command = [sys.executable, "-m", "arena.browser.pyodide_package", "--if-missing"]
    subprocess.run(command, cwd=ROOT, env=environment)


def list_contents(target: str, locked: dict[str, Any]) -> dict[str, Any]:
    """Return the CycloneDX document of an image: those of the locked packages it has, and Debian's."""
    document = copy.deepcopy(locked)
    container = containers.run("buildah", "from", "--pull-never", f"localhost/aztlan-{target}").strip()
    try:
        inside = Path(containers.run("buildah", "mount", container).strip())
        packages = [str(path) for path in inside.glob("opt/venv/lib/python3*/site-packages")]
        names = {one.name.lower().replace("_", "-") for one in distributions(path=packages)}
        told = containers.run(
            "dpkg-query",
            f"--admindir={inside}/var/lib/dpkg",
            "--show",
            "--showformat=${Package} ${Version}\\n",
        )
    finally:
        containers.run("buildah", "rm", container)
    document["metadata"]["component"]["name"] = f"aztlan-{target}"
    document["components"] = [one for one in document["components"] if one["name"].lower() in names]
    for name, version in map(str.split, told.splitlines()):
        reference = f"pkg:deb/debian/{name}@{version}"
        document["components"].append(
            {"type": "library", "name": name, "version": version, "purl": reference, "bom-ref": reference}
        )
    known = {one["bom-ref"] for one in document["components"]} | {
        document["metadata"]["component"].get("bom-ref")
    }
    document["dependencies"] = [one for one in document.get("dependencies", []) if one["ref"] in known]
    return document


def has_image(name: str) -> bool:
    command = ["podman", "image", "exists", name]
    return not subprocess.run(command, env=containers.engine_environment()).returncode


def build_all(base: str, release: str, targets: Sequence[str], fresh: bool = False) -> None:
    fetch_pyodide()
    arguments = {"BASE": base, "RELEASE": release, "MADE": f"{datetime.now(UTC):%F %T}" if fresh else ""}
    with tempfile.TemporaryDirectory(prefix="aztlan-images-") as folder:
        if base == "own":
            arguments["BASE"] = OWN_BASE
            if fresh or not has_image(OWN_BASE):
                make_base(folder)
        mounted = mounts(folder)
        for target in targets:
            build(target, arguments, mounted)


def write_lists(folder: Path, targets: Sequence[str]) -> None:
    """Write what each image contains, as CycloneDX."""
    locked = sbom.read_components()
    sbom.add_licences(locked)
    for target in targets:
        file = folder / f"aztlan-{target}.cdx.json"
        file.write_text(json.dumps(list_contents(target, locked), indent=1) + "\n", encoding="utf-8")
        print(f"localhost/aztlan-{target}, and what it contains: {file}")


def save(folder: Path, version: str, targets: Sequence[str]) -> None:
    """Save images as OCI archives, each with the list of what it contains."""
    write_lists(folder, targets)
    for target in targets:
        name = f"localhost/aztlan-{target}"
        archive = folder / f"aztlan-{target}-{version}.oci.tar"
        containers.run(
            "buildah", "push", "--quiet", "--format=oci", name, f"oci-archive:{archive}:{name}:{version}"
        )


def main() -> None:
    containers.require_tools()
    targets = os.environ.get("TARGETS", "").split() or TARGETS
    release = os.environ.get("RELEASE", "development")
    build_all(os.environ.get("BASE", ""), release, targets, os.environ.get("FRESH") == "yes")
    lists = ROOT / "dist" / "images"
    lists.mkdir(parents=True, exist_ok=True)
    write_lists(lists, targets)


if __name__ == "__main__":
    main()
