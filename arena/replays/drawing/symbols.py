"""The signs of tribes, territory types, cards and marks. Pages hold them for what their scripts draw."""

import re
from functools import cache
from pathlib import Path

from arena.replays.drawing.geometry import short

HERE = Path(__file__).parent


@cache
def _parts() -> dict[str, tuple[float, str]]:
    """By name: half the width of the sign's own space, and its drawing."""
    found = re.findall(
        r'<symbol id="([^"]+)" viewBox="-([\d.]+)[^>]*>(.*?)</symbol>', definitions("symbols.svg")
    )
    return {name: (float(half), drawing) for name, half, drawing in found}


def symbol(name: str, x: float, y: float, size: float) -> str:
    """A sign with its middle at x, y."""
    half, drawing = _parts()[name]
    scale = f"{size / (2 * half):.3f}".rstrip("0").rstrip(".")
    return f'<g transform="translate({short(x)} {short(y)})scale({scale})">{drawing}</g>'


@cache
def definitions(name: str) -> str:
    """What a drawing file of this folder defines for others to use."""
    text = (HERE / name).read_text("utf-8")
    return text.partition("<defs>")[2].partition("</defs>")[0].replace("\n", "")
