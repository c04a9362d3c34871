"""Build a release: `make release`.

`dist/VERSION/` gets the source distribution, the wheels of the arena and of `aztlan`, the images as OCI
archives with a list of what each contains, the SBOM with the licences, the section of the changelog, and
the SHA-256 of each. Nothing is uploaded or tagged. Images need root; `IMAGES=no` leaves them out. `BASE=`,
`TARGETS=` and `FRESH=` are those of `make images`.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import containers
import images

ROOT = Path(__file__).resolve().parent.parent


class ReleaseError(Exception):
    """The sentence says what to do first."""


def read_version(project: str) -> str:
    return str(tomllib.loads(project)["project"]["version"])


def changelog_section(changelog: str, version: str) -> str:
    """Return what the changelog says of a version; one that is still called unreleased is refused."""
    for section in re.split(r"^(?=## )", changelog, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        if version in re.findall(r"\d+\.\d+\.\d+\w*", title):
            if "unreleased" in title.lower():
                raise ReleaseError(
                    f"CHANGELOG.md calls {version} unreleased: give its heading a date, and commit that."
                )
            if text.strip():
                return text.strip() + "\n"
    raise ReleaseError(f"CHANGELOG.md says nothing of {version}: write its section first.")


def check_clean(root: Path) -> None:
    told = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    )
    if told.stdout:
        raise ReleaseError(f"Commit or remove what is not committed first:\n{told.stdout}")


def run(*command: object) -> None:
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True)


def build(folder: Path) -> None:
    sdist = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    run(sys.executable, "-c", sdist)
    run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--wheel-dir", folder, ROOT,
    )  # fmt: skip
    run(sys.executable, ROOT / "sdk" / "distribution")
    for wheel in (ROOT / "dist").glob("aztlan-*.whl"):
        shutil.copy2(wheel, folder)
    run(sys.executable, ROOT / "requirements" / "sbom.py", folder)


def build_images(folder: Path, version: str) -> None:
    targets = os.environ.get("TARGETS", "").split() or images.TARGETS
    images.build_all(os.environ.get("BASE", ""), version, targets, os.environ.get("FRESH") == "yes")
    images.save(folder, version, targets)


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_digests(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{digest_of(path)}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def check_tools() -> None:
    if reason := containers.why_not():
        raise ReleaseError(f"{reason} Or release without images: make release IMAGES=no")


def main() -> None:
    with_images = os.environ.get("IMAGES") != "no"
    try:
        version = read_version((ROOT / "pyproject.toml").read_text("utf-8"))
        notes = changelog_section((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
        check_clean(ROOT)
        if with_images:
            check_tools()
    except ReleaseError as error:
        sys.exit(str(error))
    folder = ROOT / "dist" / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build(folder)
    if with_images:
        build_images(folder, version)
    (folder / "NOTES.md").write_text(notes, encoding="utf-8")
    write_digests(folder)
    print(f"Version {version} is in {folder}. Tag it with: git tag -a v{version}")


if __name__ == "__main__":
    main()
