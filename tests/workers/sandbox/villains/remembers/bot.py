"""Writes wherever it can, and looks for what an earlier self wrote."""

import os
from pathlib import Path

PLACES = ("/tmp/note", "/dev/shm/note", "/var/tmp/note", os.path.expanduser("~/note"), "/run/note")
for place in PLACES:
    print("ESCAPED" if os.path.exists(place) else "no", "note in", place)
for place in PLACES:
    try:
        Path(place).write_text("remember me")
    except OSError:
        continue
