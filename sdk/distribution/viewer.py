"""Gathers the replay viewer for `aztlan view` into a folder: its files, words, signs and boards.

`python sdk/distribution/viewer.py FOLDER`. The arena's own code says what the viewer says and draws, so that
the two are one; no server is asked.
"""

import base64
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "arena" / "replays" / "static" / "replays"
PAGES = ROOT / "arena" / "pages" / "static" / "pages"
LIVE_ONLY = shutil.ignore_patterns("boards.js", "boards.css", "lessons.css", "stage.css")


def gather(target: Path) -> None:
    """Fill a new folder with everything that the viewer needs beside a record."""
    shutil.copytree(STATIC, target, ignore=LIVE_ONLY)
    for name in ("site.css", "greca.svg"):
        shutil.copy(PAGES / name, target)
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory(prefix="aztlan-viewer-") as home:
        # The settings want these; nothing connects to anything.
        os.environ |= {"ARENA_HOME": home, "DJANGO_SETTINGS_MODULE": "arena.settings"}
        os.environ |= {"SECRET_KEY": "only-while-building", "ARENA_HOST_KEY": "only-while-building"}
        import django

        django.setup()
        write_data(target)


def write_data(target: Path) -> None:
    from django.utils.translation import override

    from arena.replays.drawing.empty_board import board_svg
    from arena.replays.drawing.symbols import definitions
    from arena.replays.pictures import viewer_board
    from arena.replays.words import phrases
    from engine.boardfile import BOARDS, load_board

    with override("en"):
        (target / "words.json").write_text(json.dumps(phrases(), ensure_ascii=False), "utf-8")
    (target / "signs.svg").write_text(definitions("symbols.svg"), "utf-8")
    for file in sorted(BOARDS.glob("*.json")):
        picture = base64.b64encode(board_svg(file.stem).encode()).decode()
        board = viewer_board(load_board(file.stem)) | {"picture": f"data:image/svg+xml;base64,{picture}"}
        data = json.dumps(board, separators=(",", ":"), ensure_ascii=False)
        (target / f"board-{file.stem}.json").write_text(data, "utf-8")


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
