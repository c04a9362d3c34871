"""Write what an installation contains: `make sbom`.

`dist/sbom.cdx.json` is a CycloneDX list of everything in runtime.lock, with versions, hashes and licences;
`dist/licences.md` is the same for people. Licences are read from the packages installed in .venv.
"""

import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "runtime.lock"
UNKNOWN = "not declared"


def licence_of(package: str) -> str:
    """Return the licence that a package declares: an SPDX expression, a classifier, or its own words."""
    try:
        declared = metadata(package)
    except PackageNotFoundError:
        return "not installed here"  # it is for another system
    if expression := declared.get("License-Expression"):
        return expression
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in declared.get_all("Classifier", [])
        if line.startswith("License :: ") and line != "License :: OSI Approved"
    ]
    if classifiers:
        return " and ".join(classifiers)
    return (declared.get("License") or UNKNOWN).strip().partition("\n")[0][:100]


def read_components() -> dict[str, Any]:
    """Return the CycloneDX document of the lock, as the tool `cyclonedx-py` makes it."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", str(LOCK), "--output-reproducible"]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application", "--of", "JSON"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"cyclonedx-py failed: {done.stderr.strip()}")
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def add_licences(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Add the licence to each component; return name, version and licence of each."""
    rows = []
    for component in document["components"]:
        licence = licence_of(component["name"])
        component["licenses"] = [{"license": {"name": licence}}]
        # Where packages are mirrored is this machine's business.
        component["externalReferences"] = [
            each for each in component.get("externalReferences", []) if each["type"] != "distribution"
        ]
        rows.append((component["name"], component.get("version", ""), licence))
    return sorted(rows)


def main() -> None:
    document = read_components()
    rows = add_licences(document)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.cdx.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    table = [f"| {name} | {version} | {licence} |" for name, version, licence in rows]
    head = ["# Licences of what the arena contains", "", "| package | version | licence |", "|---|---|---|"]
    (folder / "licences.md").write_text("\n".join([*head, *table, ""]), encoding="utf-8")
    print(f"{len(rows)} components: {folder / 'sbom.cdx.json'}, {folder / 'licences.md'}")


if __name__ == "__main__":
    main()
