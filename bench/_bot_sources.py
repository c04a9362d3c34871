"""What decides how each house bot plays, as a hash: results of a bot that has since changed are not kept.

The kernel's rules are proven equal to the engine's, so of the kernel only what searches and judges counts.
"""

import re
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOUSE, KERNEL = ROOT / "sdk" / "aztlan" / "house", ROOT / "engine" / "kernel"
MODULES = {"random": "random_play"}
"""Bots whose module has another name."""
NATIVE = {"worlds": ("sample", "judge"), "network": ("foretell",), "tree": ("tree", "sample", "judge")}
"""What of the kernel a module of the house bots uses."""


def digests(names: list[str]) -> dict[str, str]:
    """Return a hash for each bot over its modules, their weights, and what they use of the kernel."""
    return {name: digest_of(sources(MODULES.get(name, name))) for name in names}


def sources(module: str) -> list[Path]:
    """Return the files that decide how the bot in this module plays."""
    modules = modules_of(module)
    native = {KERNEL / f"{name}.c" for one in modules for name in NATIVE.get(one, ())}
    weights = HOUSE.glob("*.npz") if "network" in modules else ()
    return sorted({*(HOUSE / f"{one}.py" for one in modules), *native, *weights})


def modules_of(module: str) -> set[str]:
    """Return a module of the house bots and those that it imports, however far away."""
    found, left = set[str](), [module]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            text = (HOUSE / f"{one}.py").read_text()
            left += re.findall(r"from aztlan\.house(?:\.| import )(\w+)", text)
    return found


def digest_of(paths: list[Path]) -> str:
    """Return a hash over the names and contents of files."""
    digest = sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
