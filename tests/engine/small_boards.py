"""Boards other than the engine's own: a small one from a file, and rings of any size."""

import json
from pathlib import Path
from typing import Any

ISLET = Path(__file__).parent / "boards" / "islet.json"
Raw = dict[str, Any]


def ring(size: int) -> Raw:
    """A board of any size: a ring of territories around one lake."""
    raw = json.loads(ISLET.read_text())
    names = [f"r{i}" for i in range(size)]
    raw["territories"] = [
        {
            "id": names[i],
            "type": raw["types"][i % 5]["id"],
            "neighbours": [names[i - 1], names[(i + 1) % size]],
            "lakes": ["mere"],
        }
        for i in range(size)
    ]
    raw["lakes"] = [{"id": "mere", "shores": names}]
    return raw
